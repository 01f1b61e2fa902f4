import { openAsk } from '../hub/ask.js';
import { openFollowUp, requireOfIssue } from '../hub/follow-up.js';
import type { AskPorts } from '../hub/ports.js';
import { resolve } from '../hub/resolve.js';
import type { SettlePorts } from '../inbox/ports.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { actName } from '../protocol/origin.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult } from '../protocol/run.js';
import { originOf, type RunContext } from './context.js';
import { allOf, type Carrying, inOrder, part } from './reply-part.js';

type ClarifyPart = NonNullable<Reply['clarify']>[number];

/** Resolves what the reply calls clear; an answer that is neither resolved nor followed up is accepted as it is. */
export async function resolveAnswered(
  context: RunContext<keyof SettlePorts>,
  { reply, answered, heard, step }: Carrying,
): Promise<readonly ActResult[]> {
  const { ports, issueNumber } = context;
  const resolutions = (reply.resolve ?? []).map(({ id, body }) => {
    const round = heard.get(id);
    return { id, body: body.trim() === '' ? PROCEEDING : body, ...(round === undefined ? {} : { round }) };
  });
  const mentionedIds = new Set([...resolutions, ...(reply.clarify ?? [])].map(({ id }) => id));
  const acceptances = answered
    .filter(({ id }) => !mentionedIds.has(id))
    .map(({ id, round }) => ({ id, body: PROCEEDING, round }));
  return inOrder([...resolutions, ...acceptances], ({ id, ...what }, index) =>
    part(context, actName('resolve', index), {
      blocking: false,
      work: async () => {
        requireOfIssue(id, issueNumber);
        await resolve(ports, { clarificationId: id, ...what, by: step.agent });
        return { blocking: false, clarificationId: id };
      },
    }),
  );
}

const PROCEEDING = 'Proceeding.';

/** Opens what the reply asks other agents; it is routed once the journal contains it. */
export async function clarify(context: RunContext<keyof AskPorts>, carrying: Carrying): Promise<readonly ActResult[]> {
  return allOf('clarify', carrying.reply.clarify, (request, index) => {
    const blocking = request.blocking ?? carrying.step.clarify_blocking_allowed;
    const act = actName('clarify', index);
    const origin = originOf(context, carrying.place, act);
    const work = () =>
      request.id === undefined
        ? ask(context, carrying, { asked: { ...request, blocking }, origin })
        : followUp(context, carrying, { asked: request, origin });
    return part(context, act, { blocking, work });
  });
}

interface Asking<T = ClarifyPart> {
  readonly asked: T;
  readonly origin: string;
}

async function ask(
  { ports, issueNumber }: RunContext<keyof AskPorts>,
  { step }: Carrying,
  { asked, origin }: Asking<ClarifyPart & { readonly blocking: boolean }>,
) {
  const { to, topic, question, blocking } = asked;
  const request = { issueNumber, from: step.agent, to, topic, question, blocking, stepId: step.id, origin };
  const record = await openAsk(ports, request);
  return { blocking, clarificationId: record.id, round: 1 };
}

/** After the last round the target is not asked: then a human's question holds the step up. */
async function followUp(
  { ports, issueNumber }: RunContext<keyof AskPorts>,
  { step }: Carrying,
  { asked, origin }: Asking,
) {
  const { id = '', question } = asked;
  requireOfIssue(id, issueNumber);
  const { record } = await openFollowUp(ports, { clarificationId: id, question, by: step.agent, origin });
  const entry = record.thread.find((candidate) => candidate.origin === origin);
  const opening = { blocking: record.blocking, clarificationId: record.id };
  if (entry?.type === 'escalation') return { ...opening, questionId: escalationQuestionId(record.id, entry.round) };
  return { ...opening, round: entry?.round ?? record.round };
}

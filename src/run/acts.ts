import { createIssue } from '../board/issues.js';
import type { BoardPorts } from '../board/ports.js';
import { askHumans } from '../inbox/ask.js';
import { recordAssumption } from '../inbox/assumptions.js';
import { heldBack } from '../inbox/fail-early.js';
import { asksHumans } from '../protocol/asks-humans.js';
import { messageOf } from '../protocol/errors.js';
import { keptDraftOf } from '../protocol/github.js';
import { MAX_OBSERVATION_CHARACTERS, MAX_OBSERVATIONS_PER_CAPTURE } from '../protocol/limits.js';
import { actName } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult } from '../protocol/run.js';
import { CLARIFY_FIRST, type WorkflowStep } from '../protocol/workflow.js';
import { writeArtifacts } from './act-artifacts.js';
import { clarify, resolveAnswered } from './act-clarifications.js';
import { proposeAll } from './act-proposals.js';
import { originOf, type RunContext } from './context.js';
import { type HeldParts, heldParts, stillWanted } from './held-back.js';
import { investigate } from './investigate.js';
import type { TurnPort } from './ports.js';
import { allOf, type Carrying, type GivenReply, inOrder, type PartResult, part } from './reply-part.js';

/**
 * Carries out everything that a reply asks for, one part after the other. A part that cannot be carried out is refused,
 * which the agent's next brief says, and the others go on. Repeating all of it is safe: each part is recognised by its
 * origin.
 */
export async function carryOutReply(
  context: RunContext<TurnPort>,
  step: WorkflowStep,
  givenReply: GivenReply,
): Promise<readonly ActResult[]> {
  const carrying = { ...givenReply, step };
  const { reply, place } = givenReply;
  const resolutionActs = await resolveAnswered(context, carrying);
  const { acts: questionActs, question } = asksHumans(reply) ? await askAll(context, carrying) : NOTHING_ASKED;
  const proposalActs = await proposeAll(context, carrying);
  const isHeld = heldBack(step.agent, question);
  const before = await heldParts(context, place);
  return [
    ...resolutionActs,
    ...questionActs,
    ...proposalActs,
    ...(await writeArtifacts(context, carrying, { isHeld: isHeld.artifacts, before: before.artifacts })),
    ...(await assume(context, carrying)),
    ...(await createIssues(context, carrying, { isHeld: isHeld.issues, before: before.issues })),
    ...observe(reply),
    ...(await clarify(context, carrying)),
  ];
}

interface AskedHumans {
  readonly acts: readonly ActResult[];
  readonly question?: Question;
}

const NOTHING_ASKED: AskedHumans = { acts: [] };

async function askAll(context: RunContext<TurnPort>, carrying: Carrying): Promise<AskedHumans> {
  const { ports, issueNumber, runId } = context;
  const { place, step } = carrying;
  const { reply, acts } = await investigate(context, carrying);
  const { issues = [] } = reply;
  if (!asksHumans(reply)) return { acts };
  let question: Question | undefined;
  const act = await part(context, actName('question', 0), {
    blocking: true,
    work: async () => {
      const origin = originOf(context, place, actName('question', 0));
      const { phase } = context.journal.run;
      const intake = await askHumans(ports, { origin, issueNumber, agent: step.agent, reply, runId, phase });
      question = intake.question;
      const { refused, assumption } = intake;
      return {
        // Parts held back for the reply's own questions make the step wait, even if the agent would not.
        blocking:
          (question?.blocking ?? false) ||
          refused !== undefined ||
          (question !== undefined && (issues.length > 0 || step.id === CLARIFY_FIRST)),
        ...(question === undefined ? {} : { questionId: question.id }),
        ...(refused === undefined ? {} : { refused }),
        ...(assumption?.id === undefined ? {} : { assumptionId: assumption.id }),
      };
    },
  });
  return { acts: [...acts, act], ...(question === undefined ? {} : { question }) };
}

async function assume(
  context: RunContext<'store' | 'clock' | 'log'>,
  { place, reply, step }: Carrying,
): Promise<readonly ActResult[]> {
  const { ports, issueNumber } = context;
  const artifacts = (reply.artifacts ?? []).map(({ path }) => path);
  return allOf('assumption', reply.assumptions, (assumption, index) =>
    part(context, actName('assumption', index), {
      blocking: false,
      work: async () => {
        const origin = originOf(context, place, actName('assumption', index));
        const { id } = await recordAssumption(ports, { origin, issueNumber, agent: step.agent, assumption, artifacts });
        return { blocking: false, ...(id === undefined ? {} : { assumptionId: id }) };
      },
    }),
  );
}

async function createIssues(
  context: RunContext<keyof BoardPorts | 'log'>,
  { place, reply }: Carrying,
  { isHeld, before }: { readonly isHeld: boolean; readonly before: HeldParts['issues'] },
): Promise<readonly ActResult[]> {
  const { ports } = context;
  const own = reply.issues ?? [];
  const create = (turn: number, index: number, { title, body, labels }: NonNullable<Reply['issues']>[number]) => ({
    blocking: true,
    work: async (): Promise<PartResult> => {
      const origin = originOf(context, { ...place, turn }, actName('issue', index));
      const draft = {
        title,
        origin,
        ...(body === undefined ? {} : { body }),
        ...(labels === undefined ? {} : { labels }),
      };
      const from = turn === place.turn ? {} : { from: turn };
      try {
        const { number } = await createIssue(ports, draft);
        return { blocking: false, issueNumber: number, ...from };
      } catch (error) {
        // It has no number yet, and no agent can do anything about that.
        if (keptDraftOf(error) === undefined) throw error;
        ports.log.warn('an issue waits for GitHub', { runId: context.runId, error: messageOf(error) });
        return { blocking: false, ...from };
      }
    },
  });
  const releasedActs = await inOrder(stillWanted(before, own), ({ turn, index, draft }) =>
    part(context, actName('issue', index), create(turn, index, draft)),
  );
  const newActs = await allOf('issue', own, async (draft, index): Promise<ActResult> => {
    if (isHeld) return { act: actName('issue', index), blocking: false, held: true };
    return part(context, actName('issue', index), create(place.turn, index, draft));
  });
  return [...releasedActs, ...newActs];
}

/** Observations stay with the reply in the session; here only those that are too long are refused. */
function observe({ observations = [] }: Reply): readonly ActResult[] {
  const refusal = (index: number, message: string): ActResult => ({
    act: actName('observation', index),
    blocking: false,
    refused: { code: 'INVALID_INPUT', message },
  });
  return observations.flatMap(({ content }, index) => {
    if (index >= MAX_OBSERVATIONS_PER_CAPTURE) {
      const message = `There are ${observations.length} observations. Allowed: up to ${MAX_OBSERVATIONS_PER_CAPTURE}.`;
      return index === MAX_OBSERVATIONS_PER_CAPTURE ? [refusal(index, message)] : [];
    }
    if ([...content].length <= MAX_OBSERVATION_CHARACTERS) return [];
    return [
      refusal(index, `Observation ${index + 1} is too long. Allowed: up to ${MAX_OBSERVATION_CHARACTERS} characters.`),
    ];
  });
}

import type { Brief } from '../protocol/brief.js';
import { type ClarificationRecord, noteWaiting } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import { MAX_QUESTIONS_PER_REPLY } from '../protocol/limits.js';
import type { Reply } from '../protocol/reply.js';
import { askHumans, isAwaited, needsHumans, note, questionsOf } from './ask-humans.js';
import { answerBrief, type Seen } from './brief.js';
import type { HubPorts, HubResult } from './ports.js';
import { resolve } from './resolve.js';

/** How often a target may ask others before it has to answer. */
const MAX_DEPTH = 3;

type Asked = NonNullable<Reply['clarify']>[number];

/** What a target made of a brief. */
export interface Turn {
  readonly reply: Reply;
  /** It waited for nothing, so that nobody was asked anything meanwhile. */
  readonly isAtOnce: boolean;
}

interface Replying {
  readonly run: (brief: Brief) => Promise<Turn>;
  /** For the first brief; what follows looks for itself. */
  readonly seen: Seen;
}

/** What a target said, or whom it waits for before it can say anything. */
type Said = Reply | { readonly waitingOn: readonly string[] };

/**
 * The reply of a target, which may have to ask further upstream before it can answer: then it is asked again, with what
 * it heard in its brief. What it asks goes through all guards of the hub, and a refusal is in its brief as well. Every
 * question carries its origin, so that a second process asks nobody twice. Where a human has to answer first, nobody
 * stays: the record is pending until it is routed again, and the answer is in the brief of whoever asked.
 */
export async function replyOf(
  ports: HubPorts,
  asked: ClarificationRecord,
  { run, seen: before }: Replying,
): Promise<Said> {
  const isNew = asked.questions === undefined && asked.awaits === undefined;
  const left = isNew ? { waitingOn: [], heard: [], turns: 0 } : await takeUp(ports, asked);
  if (left.waitingOn.length > 0) return left;
  let record = asked;
  let seen = isNew ? before : {};
  const heard: string[] = [...left.heard];
  let refused: Brief['refused'] = [];
  for (let depth = left.turns; ; depth++) {
    const { reply, isAtOnce } = await run({ ...(await answerBrief(ports, record, seen)), refused });
    const further = (reply.clarify ?? []).slice(0, MAX_QUESTIONS_PER_REPLY);
    const wantsHumans = needsHumans(ports, reply);
    const wantsMore = wantsHumans || further.length > 0;
    // What is said beside a question is no answer.
    const isAnswer = (reply.answer ?? (wantsMore ? undefined : reply.text)) !== undefined;
    const mayAsk = isAnswer || depth < MAX_DEPTH;
    const origin = `${record.id}/${record.round}/${depth}`;
    const human =
      wantsHumans && mayAsk ? await askHumans(ports, record, { reply, origin: `${origin}/question/0` }) : undefined;
    if (isAnswer || !mayAsk || !wantsMore) {
      await acceptAnswers(ports, record, { heard, seen: isAtOnce ? seen : {} });
      return isAnswer || !wantsMore ? reply : ASKS_TOO_OFTEN;
    }
    record = human?.record ?? record;
    const others = await askOthers(ports, record, { further, origin });
    const waitingOn = [...(human?.waitingOn ?? []), ...others.waitingOn];
    if (waitingOn.length > 0) return { waitingOn };
    heard.push(...others.heard);
    refused = [...(human?.refused ?? []), ...others.refused];
    seen = {};
  }
}

/** What it says beside is no answer, and what it asks is asked no more: its requester must not take it for one. */
const ASKS_TOO_OFTEN: Reply = { status: 'failed', text: `it asked others ${MAX_DEPTH} times and wants to ask again` };

/** Asks other agents what a target wants to know, side by side; whom it waits for is noted with its record. */
async function askOthers(
  ports: HubPorts,
  record: ClarificationRecord,
  { further, origin }: { readonly further: readonly Asked[]; readonly origin: string },
) {
  const results = await Promise.all(
    further.map((one, index) => askOn(ports, record, { asked: one, origin: `${origin}/clarify/${index}` })),
  );
  const routed = results.filter((result) => 'clarificationId' in result);
  return { ...(await noteAwaited(ports, record, routed)), refused: results.filter((result) => 'code' in result) };
}

async function noteAwaited(ports: HubPorts, record: ClarificationRecord, routed: readonly HubResult[]) {
  const waiting = routed.filter(({ waitingOn }) => waitingOn !== undefined);
  if (waiting.length > 0) {
    const ids = waiting.map(({ clarificationId }) => clarificationId);
    await note(ports, record.id, (current) => noteWaiting(current, 'awaits', ids));
  }
  return {
    waitingOn: waiting.flatMap((result) => result.waitingOn ?? []),
    heard: routed.map(({ clarificationId }) => clarificationId),
  };
}

/** What was left when humans had to answer first: whom the target still waits for, and how often it has been asked. */
async function takeUp(ports: HubPorts, record: ClarificationRecord) {
  const { awaits = [] } = record;
  const { clarifications } = await ports.store.ledgers.read(parseClarificationId(record.id).issueNumber);
  const below = clarifications.filter(({ id }) => awaits.includes(id));
  const { routeBelow } = await import('./route-below.js');
  const { waitingOn, heard } = await noteAwaited(
    ports,
    record,
    await Promise.all(below.map(({ id }) => routeBelow(ports, id))),
  );
  const own = await questionsOf(ports, record);
  const causes = [
    ...below,
    ...below.flatMap(({ thread }) => thread),
    ...own,
    ...own.flatMap(({ attached = [] }) => attached),
  ];
  const origins = causes.map(({ origin }) => origin ?? '');
  const turns = origins
    .filter((origin) => origin.startsWith(`${record.id}/${record.round}/`))
    .map((origin) => Number(origin.split('/')[2]) + 1);
  return {
    waitingOn: [...own.filter(isAwaited).map(({ id }) => id), ...waitingOn],
    heard,
    turns: Math.max(0, ...turns),
  };
}

/** The clarification, once its target has answered or waits for a human, or why there is none. */
async function askOn(
  ports: HubPorts,
  { id, to: from }: ClarificationRecord,
  { asked, origin }: { readonly asked: Asked; readonly origin: string },
): Promise<HubResult | Brief['refused'][number]> {
  // Loaded when it is needed: asking leads to routing, and routing leads here.
  const [{ openAsk }, { openFollowUp }, { routeBelow }] = await Promise.all([
    import('./ask.js'),
    import('./follow-up.js'),
    import('./route-below.js'),
  ]);
  const { to, topic, question, id: clarificationId } = asked;
  try {
    const { issueNumber } = parseClarificationId(id);
    const opened =
      clarificationId === undefined
        ? await openAsk(ports, { issueNumber, from, to, topic, question, origin, within: id })
        : (await openFollowUp(ports, { clarificationId, question, by: from, origin })).record;
    return await routeBelow(ports, opened.id);
  } catch (error) {
    if (!(error instanceof AgentXError) || OURS.includes(error.code)) throw error;
    return { code: error.code, message: error.message };
  }
}

const OURS: readonly string[] = ['STORE_ERROR', 'CORRUPT_FILE', 'CONFIG_ERROR'];

/** It has answered with what it heard. */
async function acceptAnswers(
  ports: HubPorts,
  record: ClarificationRecord,
  { heard, seen }: { readonly heard: readonly string[]; readonly seen: Seen },
): Promise<void> {
  const { issueNumber } = parseClarificationId(record.id);
  const clarifications = seen.clarifications ?? (await ports.store.ledgers.read(issueNumber)).clarifications;
  for (const { id, status, within } of clarifications) {
    if (status !== 'answered' || (within !== record.id && !heard.includes(id))) continue;
    await resolve(ports, { clarificationId: id, body: 'Proceeding.', by: record.to });
  }
}

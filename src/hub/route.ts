import type { Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import type { EscalationCause } from '../protocol/escalation.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { requireText } from '../protocol/parse.js';
import type { Reply } from '../protocol/reply.js';
import { replyOf, type Turn } from './ask-further.js';
import type { Seen } from './brief.js';
import { changeRecord, requireRecord } from './change-record.js';
import { isAbandoned } from './moved-on.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';

type Attempt =
  | { readonly answer: string }
  | { readonly failure: string }
  | { readonly waitingOn: readonly string[] }
  | 'a person';

export interface Routing {
  /** Done unless the target answers at once. */
  readonly whileAtWork?: () => Promise<void>;
  /** With the record in it as it is given. */
  readonly seen?: Seen;
}

/**
 * Has the target answer the present round; no lock is held meanwhile. A target that fails is asked once more after the
 * configured wait, then a human is. One that has to hear from a human first leaves the record pending. Whatever somebody
 * else did to the record in the meantime stands.
 */
export async function route(
  ports: HubPorts,
  record: ClarificationRecord,
  { whileAtWork = async () => {}, seen = {} }: Routing = {},
): Promise<HubResult> {
  const first = await attempt(ports, record, { whileAtWork, seen });
  if (first === 'a person') {
    const reason = `${record.to} is a person, who answers through the inbox`;
    return handToHuman(ports, record, { reason, targetIsHuman: true });
  }
  if ('answer' in first) return accept(ports, record, first.answer);
  if (!('waitingOn' in first)) logFailure(ports, record, first.failure);
  await whileAtWork();
  if ('waitingOn' in first) return waiting(ports, record, first.waitingOn);
  await ports.clock.sleep(ports.retryMs);
  const present = await presentState(ports, record);
  if (!isStillAsked(present, record)) return resultOf(present);
  const second = await attempt(ports, present, {});
  if (second === 'a person') {
    return handToHuman(ports, record, { reason: `${record.to} is a person now`, targetIsHuman: true });
  }
  if ('answer' in second) return accept(ports, record, second.answer);
  if ('waitingOn' in second) return waiting(ports, record, second.waitingOn);
  logFailure(ports, record, second.failure);
  const reason = `AGENT_ERROR: ${record.to} failed twice, the last time with: ${second.failure}`;
  return handToHuman(ports, record, { reason });
}

async function attempt(
  ports: HubPorts,
  record: ClarificationRecord,
  { whileAtWork = async () => {}, seen = {} }: Routing,
): Promise<Attempt> {
  const runner = ports.runnerFor(record.to);
  if (runner.isHuman) return 'a person';
  const run = (brief: Brief) => tried(() => besides(runner.run(brief), whileAtWork));
  const reply = await replyOf(ports, record, { run, seen });
  if ('waitingOn' in reply) return reply;
  const said = reply.answer ?? reply.text ?? '';
  if (reply.status === 'failed') return { failure: said === '' ? 'it says that it failed' : said };
  try {
    return { answer: requireText(said, 'answer', MAX_ANSWER_CHARACTERS) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

/** An agent that fails has said so; what is wrong with us is not its failure. */
async function tried(run: () => Promise<Turn>): Promise<Turn> {
  try {
    return await run();
  } catch (error) {
    if (isOurs(error)) throw error;
    return { reply: { status: 'failed', text: messageOf(error) }, isAtOnce: false };
  }
}

/**
 * Has something done while others work. Who is ready at once, without having waited for anything, is not kept: what
 * would have been done is undone by what follows from the answer.
 */
async function besides(work: Promise<Reply>, meanwhile: () => Promise<void>): Promise<Turn> {
  const isAtOnce = await isReadyAtOnce(work);
  if (!isAtOnce) await meanwhile();
  return { reply: await work, isAtOnce };
}

async function isReadyAtOnce(work: Promise<unknown>): Promise<boolean> {
  let isReady = false;
  const note = () => {
    isReady = true;
  };
  // A failure is told by whoever waits for the work itself; nothing follows from it yet.
  work.then(note, () => {});
  for (let turn = 0; turn < TURNS && !isReady; turn++) await undefined;
  return isReady;
}

/** Of the queue of promises. */
const TURNS = 10;

/** What this project's own settings refuse is nobody's failure, and asking again would not help. */
function isOurs(error: unknown): boolean {
  return error instanceof AgentXError && (error.code === 'UNAUTHORIZED' || error.code === 'CONFIG_ERROR');
}

/** An answer that nobody waited for, and that finds nobody either, ends like one that a sweep was quicker than. */
async function accept(ports: HubPorts, asked: ClarificationRecord, body: string): Promise<HubResult> {
  const isForNobody = !asked.blocking && (await isAbandoned(ports, asked));
  const { record, effects } = await changeRecord(ports, asked.id, (current) => {
    if (!isStillAsked(current, asked)) return undefined;
    const at = ports.clock.now();
    if (isForNobody && current.status === 'pending') return { type: 'abandon', at };
    return { type: 'answer', at, by: asked.to, body, round: asked.round };
  });
  if (effects.length === 0 || record.status === 'abandoned') {
    ports.log.info('a late answer was dropped', { ...fieldsOf(asked), status: record.status, answer: body });
  }
  return resultOf(record);
}

async function handToHuman(ports: HubPorts, asked: ClarificationRecord, cause: EscalationCause): Promise<HubResult> {
  const { record } = await changeRecord(ports, asked.id, (current) =>
    isStillAsked(current, asked) ? { type: 'escalate', at: ports.clock.now(), ...cause } : undefined,
  );
  return resultOf(record);
}

async function waiting(ports: HubPorts, asked: ClarificationRecord, waitingOn: readonly string[]): Promise<HubResult> {
  const present = await presentState(ports, asked);
  return isStillAsked(present, asked) ? { ...resultOf(present), waitingOn } : resultOf(present);
}

function isStillAsked(current: ClarificationRecord, asked: ClarificationRecord): boolean {
  return (current.status === 'pending' || current.status === 'stale') && current.round === asked.round;
}

async function presentState(ports: HubPorts, record: ClarificationRecord): Promise<ClarificationRecord> {
  const ledger = await ports.store.ledgers.read(resultOf(record).issueNumber);
  return requireRecord(ledger, record.id);
}

function logFailure(ports: HubPorts, record: ClarificationRecord, failure: string): void {
  ports.log.warn('the target failed', { ...fieldsOf(record), code: 'AGENT_ERROR', failure });
}

function fieldsOf(record: ClarificationRecord) {
  const { clarificationId, issueNumber, round } = resultOf(record);
  return { clarificationId, issueNumber, fromAgent: record.from, toAgent: record.to, round };
}

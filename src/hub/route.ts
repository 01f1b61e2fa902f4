import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { requireText } from '../protocol/parse.js';
import { answerBrief } from './brief.js';
import { changeRecord, messageOf, requireRecord } from './change-record.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';

type Attempt = { readonly answer: string } | { readonly failure: string } | 'a person';

/**
 * Has the target answer the present round; no lock is held meanwhile. A target that fails is asked once more after the
 * configured wait, then a human is. Whatever somebody else did to the record in the meantime stands.
 */
export async function route(ports: HubPorts, record: ClarificationRecord): Promise<HubResult> {
  const first = await attempt(ports, record);
  if (first === 'a person')
    return handToHuman(ports, record, `${record.to} is a person, who answers through the inbox`);
  if ('answer' in first) return accept(ports, record, first.answer);
  logFailure(ports, record, first.failure);
  await ports.clock.sleep(ports.retryMs);
  const present = await presentState(ports, record);
  if (!isStillAsked(present, record)) return resultOf(present);
  const second = await attempt(ports, present);
  if (second === 'a person') return handToHuman(ports, record, `${record.to} is a person now`);
  if ('answer' in second) return accept(ports, record, second.answer);
  logFailure(ports, record, second.failure);
  return handToHuman(ports, record, `AGENT_ERROR: ${record.to} failed twice, the last time with: ${second.failure}`);
}

async function attempt(ports: HubPorts, record: ClarificationRecord): Promise<Attempt> {
  const brief = await answerBrief(ports, record);
  try {
    const runner = ports.runnerFor(record.to);
    if (runner.isHuman) return 'a person';
    const reply = await runner.run(brief);
    const said = reply.answer ?? reply.text ?? '';
    if (reply.status === 'failed') return { failure: said === '' ? 'it says that it failed' : said };
    return { answer: requireText(said, 'answer', MAX_ANSWER_CHARACTERS) };
  } catch (error) {
    if (isOurs(error)) throw error;
    return { failure: messageOf(error) };
  }
}

/** What this project's own settings refuse is nobody's failure, and asking again would not help. */
function isOurs(error: unknown): boolean {
  return error instanceof AgentXError && (error.code === 'UNAUTHORIZED' || error.code === 'CONFIG_ERROR');
}

async function accept(ports: HubPorts, asked: ClarificationRecord, body: string): Promise<HubResult> {
  const { record, effects } = await changeRecord(ports, asked.id, (current) =>
    isStillAsked(current, asked)
      ? { type: 'answer', at: ports.clock.now(), by: asked.to, body, round: asked.round }
      : undefined,
  );
  if (effects.length === 0) {
    ports.log.info('a late answer was dropped', { ...fieldsOf(asked), status: record.status, answer: body });
  }
  return resultOf(record);
}

async function handToHuman(ports: HubPorts, asked: ClarificationRecord, reason: string): Promise<HubResult> {
  const { record } = await changeRecord(ports, asked.id, (current) =>
    isStillAsked(current, asked) ? { type: 'escalate', at: ports.clock.now(), reason } : undefined,
  );
  return resultOf(record);
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

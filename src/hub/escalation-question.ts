import { underClaim } from '../protocol/claim.js';
import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId, parseClarificationId } from '../protocol/ids.js';
import { MAX_LOCK_WAIT_MS } from '../protocol/limits.js';
import type { Question } from '../protocol/question.js';
import type { NewQuestion, QuestionEvent } from '../protocol/question-transition.js';
import { changeQuestion, createQuestion } from './change-question.js';
import type { BasePorts, RecordPorts } from './ports.js';
import { chainIn } from './wait-graph.js';

/** The question for a human when a clarification is escalated. Everything in it comes from the record. */
function escalationQuestion(
  record: ClarificationRecord,
  { projectId, chain }: { readonly projectId: string; readonly chain: readonly string[] },
): NewQuestion {
  const entry = record.thread.findLast(({ type }) => type === 'escalation');
  const createdAt = entry?.timestamp ?? record.created;
  return {
    id: escalationQuestionId(record.id, record.round),
    projectId,
    issueNumber: parseClarificationId(record.id).issueNumber,
    kind: 'escalation',
    source: 'clarification',
    sourceId: record.id,
    askedBy: { agent: record.from, chain },
    questions: [
      {
        id: 'q1',
        header: record.topic,
        text: entry === undefined ? `Topic: ${record.topic}` : withoutOptions(entry),
        createdAt,
        multiSelect: false,
        allowText: true,
        // Going on without an answer is never recommended.
        options: (entry?.options ?? []).map(({ id, label, action }, index) =>
          index === 0 && action !== 'assume' ? { id, label, recommended: true } : { id, label },
        ),
      },
    ],
    blocking: record.blocking,
    consequence: 'reversible',
    createdAt,
  };
}

/** Its id is derived, so that it is asked once however often this is called. */
export async function openEscalationQuestion(
  ports: Pick<RecordPorts, 'store' | 'bus' | 'log' | 'projectId'>,
  record: ClarificationRecord,
): Promise<Question> {
  const { projectId } = ports;
  const { clarifications } = await ports.store.ledgers.read(parseClarificationId(record.id).issueNumber);
  return createQuestion(ports, escalationQuestion(record, { projectId, chain: chainIn(clarifications, record) }));
}

/** The question of an escalation that was decided elsewhere no longer waits for an answer. */
export async function supersedeQuestion(ports: BasePorts, questionId: string): Promise<void> {
  if ((await ports.store.questions.read(questionId))?.status !== 'open') return;
  const at = ports.clock.now();
  await changeQuestion(ports, questionId, ({ status }) => (status === 'open' ? { type: 'supersede', at } : undefined));
}

/**
 * A human decides an escalation in its question or in its record, and either decision is written into both. One after the
 * other: each looks first whether the other was made.
 */
export function decidingAlone<T>(
  { store }: Pick<BasePorts, 'store'>,
  clarificationId: string,
  work: () => Promise<T>,
): Promise<T> {
  return underClaim(store.claim({ deciding: clarificationId }, { waitMs: MAX_LOCK_WAIT_MS }), work);
}

/** Changes the question of an escalation. If its record was decided first, the question is superseded: a CONFLICT. */
export async function changeEscalationQuestion(
  ports: BasePorts,
  { id, sourceId, issueNumber }: Question,
  decide: (question: Question) => Readonly<QuestionEvent> | undefined,
): Promise<Question> {
  return decidingAlone(ports, sourceId, async () => {
    if (await isDecided(ports, sourceId, issueNumber)) await supersedeQuestion(ports, id);
    return changeQuestion(ports, id, decide);
  });
}

/** A damaged ledger says nothing; the person is heard all the same. */
async function isDecided({ store }: Pick<BasePorts, 'store'>, id: string, issueNumber: number): Promise<boolean> {
  try {
    const { clarifications } = await store.ledgers.read(issueNumber);
    const record = clarifications.find((candidate) => candidate.id === id);
    return record !== undefined && record.status !== 'escalated';
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'CORRUPT_FILE') throw error;
    return false;
  }
}

/** The options are shown as options; the text is what comes before them. */
function withoutOptions({ body, options = [] }: ThreadEntry): string {
  const list = ['', 'Options:', ...options.map(({ id, label }) => `${id}) ${label}`)].join('\n');
  return body.endsWith(list) ? body.slice(0, -list.length) : body;
}

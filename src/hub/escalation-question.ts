import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { escalationQuestionId, parseClarificationId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import type { NewQuestion } from '../protocol/question-transition.js';
import { chainOf } from './chain.js';
import { changeQuestion, createQuestion } from './change-question.js';
import type { HubPorts } from './ports.js';

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
export async function openEscalationQuestion(ports: HubPorts, record: ClarificationRecord): Promise<Question> {
  const { projectId } = ports;
  const chain = await chainOf(ports, record);
  return createQuestion(ports, escalationQuestion(record, { projectId, chain }));
}

/** The question of an escalation that was decided elsewhere no longer waits for an answer. */
export async function supersedeQuestion(ports: HubPorts, questionId: string): Promise<void> {
  if ((await ports.store.questions.read(questionId))?.status !== 'open') return;
  const at = ports.clock.now();
  await changeQuestion(ports, questionId, ({ status }) => (status === 'open' ? { type: 'supersede', at } : undefined));
}

/** The options are shown as options; the text is what comes before them. */
function withoutOptions({ body, options = [] }: ThreadEntry): string {
  const list = ['', 'Options:', ...options.map(({ id, label }) => `${id}) ${label}`)].join('\n');
  return body.endsWith(list) ? body.slice(0, -list.length) : body;
}

import { decisionOf } from '../hub/comment-answer.js';
import { openQuestions } from '../inbox/open-question.js';
import { questionIdFor } from '../protocol/ids.js';
import { MAX_QUESTION_CHARACTERS } from '../protocol/limits.js';
import type { Question, QuestionPart } from '../protocol/question.js';
import type { Reply } from '../protocol/reply.js';
import type { SessionTurn } from '../protocol/session.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import { reviewedBy } from './clarify-first.js';
import { originOf, type Place, type RunContext } from './context.js';
import { workBrief } from './work-brief.js';
import { personPrompt } from './work-prompt.js';

const PART = 'work';

/**
 * A step that is a person's: it is asked of them through the inbox, and their answer is the reply. Asked again after
 * they answered, it gives that.
 */
export async function handTurn(
  context: RunContext,
  step: WorkflowStep,
  place: Place,
): Promise<SessionTurn | { readonly at: string; readonly questionId: string }> {
  const { ports } = context;
  const origin = originOf(context, place, 'handed/0');
  const known = await ports.store.questions.read(questionIdFor(origin));
  const question = known ?? (await ask(context, step, { place, origin }));
  if (question.status === 'open') return { at: ports.clock.now(), questionId: question.id };
  const endedAt = question.resolvedAt ?? ports.clock.now();
  return { turn: place.turn, startedAt: question.createdAt, endedAt, reply: replyFrom(question) };
}

async function ask(
  context: RunContext,
  step: WorkflowStep,
  { place, origin }: { readonly place: Place; readonly origin: string },
): Promise<Question> {
  const { ports, issueNumber, runId } = context;
  const brief = await workBrief(context, place);
  // Of this kind none is taken for another that says the same: each turn is asked anew.
  const source = { kind: 'approval' as const, source: 'execute' as const, sourceId: runId };
  const parts = [partFor(step, brief.step?.title ?? step.title, personPrompt(brief))];
  return openQuestions(ports, { origin, issueNumber, agent: step.agent, ...source, parts, blocking: true });
}

function partFor(step: WorkflowStep, title: string, prompt: string): QuestionPart {
  const needed = reviewedBy(step);
  const back = { id: 'back', label: `Send the work back to ${needed.join(', ')}` };
  return {
    id: PART,
    header: title,
    text: cut(prompt),
    allowText: true,
    options: [
      { id: 'done', label: 'It is done', recommended: true },
      ...(needed.length > 0 ? [back] : []),
      { id: 'failed', label: 'It cannot be done' },
    ],
  };
}

function replyFrom(question: Question): Reply {
  const chosen = (question.responses ?? []).flatMap(({ optionIds = [] }) => optionIds);
  const text = decisionOf(question);
  if (question.outcome !== 'answered') return { status: 'failed', text: `The question was ${question.outcome}.` };
  if (chosen.includes('failed')) return { status: 'failed', text };
  if (chosen.includes('back')) return { text, review: { verdict: 'rejected', cause: 'other', body: text } };
  return { status: 'done', text };
}

function cut(text: string): string {
  const characters = [...text];
  const max = MAX_QUESTION_CHARACTERS;
  return characters.length <= max ? text : `${characters.slice(0, max - 3).join('')}...`;
}

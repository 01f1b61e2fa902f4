import { section } from '../hub/brief.js';
import { toldClarification } from '../hub/brief-clarifications.js';
import type { Brief } from '../protocol/brief.js';
import { CLARIFY_FIRST } from '../protocol/workflow.js';
import { ASK_FIRST } from './clarify-first.js';

/** The whole work brief as one text, for agents that read nothing else. Pure. */
export function workPrompt(brief: Omit<Brief, 'prompt'>): string {
  const { agent, role = '', issue, step } = brief;
  return joined([
    role,
    `You are the ${agent}. Carry out the step "${step?.title ?? issue.title}" of issue #${issue.number}.`,
    ...whatIsKnown(brief),
    section('What you may decide', brief.autonomy?.text ?? ''),
    ...material(brief),
    section('How to reply', howToReply(step)),
  ]);
}

/** The same for a person who does the work: they know what they may decide, and answer in their own way. */
export function personPrompt(brief: Omit<Brief, 'prompt'>): string {
  const { agent, issue, step } = brief;
  const task = `Yours as ${agent}, on issue #${issue.number}: ${step?.title ?? issue.title}`;
  return joined([task, ...whatIsKnown(brief), ...material(brief)]);
}

function whatIsKnown(brief: Omit<Brief, 'prompt'>): readonly string[] {
  const { issue, step } = brief;
  return [
    section(`Issue #${issue.number}: ${issue.title}`, issue.body),
    section('What was said about it', (issue.comments ?? []).map(commentText).join('\n')),
    section('Ask first', step?.id === CLARIFY_FIRST ? ASK_FIRST : ''),
    ...stepSections(step),
    section('What was sent back to you', (step?.reviews ?? [step?.review]).map(reviewText).join('\n\n')),
    ...answersIn(brief),
    section('Your clarifications on this issue', brief.clarifications.map(toldClarification).join('\n')),
    section('What did not work in your last turn', brief.refused.map(({ message }) => `- ${message}`).join('\n')),
    section('Held back while you waited', heldText(brief.held)),
  ];
}

function material({ agent, memory = '', artifacts }: Omit<Brief, 'prompt'>): readonly string[] {
  return [
    memory,
    ...artifacts.map(({ path, agent: author, content }) => section(`${path} (${author ?? agent})`, content)),
  ];
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

export function answersIn({ answers }: Pick<Brief, 'answers'>): readonly string[] {
  const fromHumans = answers.filter(({ from }) => from === undefined);
  const agentAnswers = answers.filter(({ from }) => from !== undefined);
  return [
    section('Answers from humans', fromHumans.map(answered).join('\n')),
    section('What was found out for you', agentAnswers.map(answered).join('\n')),
  ];
}

function stepSections(step: Brief['step']): readonly string[] {
  if (step === undefined) return [];
  const rounds = step.iteration === undefined ? '' : `Round ${step.iteration} of at most ${step.max_iterations}. `;
  const criteria = step.completion_criteria === undefined ? '' : `It is done when: ${step.completion_criteria}`;
  return [
    section('Going round', `${rounds}${criteria}`),
    section('What it should look like', step.template ?? ''),
    step.output === undefined ? '' : section('Output', `Write ${step.output}.`),
  ];
}

const NO_WAITING =
  'In this step you cannot wait for the answer: leave "blocking" out or say false, go on, and the answer is in a later brief.';

function howToReply(step: Brief['step']): string {
  const targets = step?.can_clarify ?? [];
  const ask =
    targets.length === 0
      ? []
      : [
          `Do not guess. Ask an agent with "clarify": [{"to", "topic", "question", "blocking"}] (allowed: ${targets.join(', ')}); ` +
            'give "id" to follow up, and "resolve": [{"id", "body"}] once it is clear.',
          ...(step?.clarify_blocking_allowed === false ? [NO_WAITING] : []),
        ];
  return [
    'Plain text, or one JSON object with any of: "status" ("done", "continue" or "failed"), "text", ' +
      '"artifacts": [{"path", "content"}], "review": {"verdict", "cause", "body"}.',
    ...ask,
    'Ask a human with "open_questions": [{"text", "options": [{"label"}]}]; say what you assumed in "assumptions".',
  ].join('\n');
}

function reviewText(review: NonNullable<Brief['step']>['review']): string {
  if (review === undefined) return '';
  const cause = review.cause === undefined ? '' : ` (${review.cause})`;
  return `The review in step '${review.by}' rejected the work${cause}. ${review.body ?? ''}`;
}

function heldText(held: Brief['held']): string {
  if (held === undefined) return '';
  const what = [...held.issues.map((title) => `- the issue "${title}"`), ...held.artifacts.map((path) => `- ${path}`)];
  return `${what.join('\n')}\n\nThis is done with your reply. What you give anew takes its place.`;
}

function commentText({ author, body }: NonNullable<Brief['issue']['comments']>[number]): string {
  return `- ${author === undefined ? '' : `${author}: `}${body}`;
}

function answered({ text, answer, outcome, from }: Brief['answers'][number]): string {
  const by = from === undefined ? '' : ` (${from})`;
  return `- ${text} -> ${answer === '' ? `no answer (${outcome})` : answer}${by}`;
}

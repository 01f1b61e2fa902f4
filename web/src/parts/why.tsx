import type { Question } from '../../../src/protocol/question.js';
import type { Listed, State } from '../state.js';
import { ago } from './clock.js';
import { Thread } from './thread.js';

interface WhyProps {
  readonly question: Question;
  readonly state: State;
  readonly now: number;
}

const KINDS: Readonly<Record<Question['kind'], string>> = {
  open_question: 'The agent cannot go on without an answer.',
  pm_clarification: 'Planning needs a decision that nothing in the repository gives.',
  escalation: 'Two agents could not settle this between them.',
  approval: 'The agent proposes a change that your settings hold for approval.',
  agent_failed: 'An agent failed, and the run waits for what to do.',
  late_answer: 'An answer came after the fallback was taken.',
};

/** Why this is asked, and what happens if nobody answers. */
export function Why({ question, state, now }: WhyProps) {
  const record = state.clarifications.find(({ id }) => id === question.sourceId);
  return (
    <aside class="why" aria-label="Why this is asked">
      <h2>Why this is asked</h2>
      <p>{KINDS[question.kind]}</p>
      <p class="quiet">
        Asked {ago(question.createdAt, now)} by {question.askedBy.chain.join(', for ')}.
      </p>
      <Fallback question={question} />
      {record === undefined ? null : <Record record={record} />}
    </aside>
  );
}

function Fallback({ question: { fallback, questions, blocking } }: { readonly question: Question }) {
  if (fallback === undefined)
    return <p class="quiet">{blocking ? 'Work on this stands still until you answer.' : 'Work goes on meanwhile.'}</p>;
  const option = questions[0]?.options?.find(({ id }) => id === fallback.optionId);
  return (
    <dl>
      <dt>If nobody answers</dt>
      <dd>
        {option === undefined ? fallback.text : `${option.id}) ${option.label}`}
        {fallback.risk === undefined ? null : <span class="quiet"> risk {fallback.risk}</span>}
      </dd>
      {fallback.reasoning === undefined ? null : <dd class="quiet">{fallback.reasoning}</dd>}
    </dl>
  );
}

function Record({ record }: { readonly record: Listed }) {
  return (
    <>
      <h3>
        {record.topic} <span class="quiet">{record.id}</span>
      </h3>
      <Thread record={record} />
    </>
  );
}

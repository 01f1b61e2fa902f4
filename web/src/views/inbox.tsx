import type { Question } from '../../../src/protocol/question.js';
import { select } from '../actions.js';
import { countdown, useNow } from '../parts/clock.js';
import { QuestionForm } from '../parts/question-form.js';
import { VirtualList } from '../parts/virtual-list.js';
import { Why } from '../parts/why.js';
import type { State } from '../state.js';

const ROW_PX = 60;

export function InboxView({ state }: { readonly state: State }) {
  const now = useNow();
  const { questions, selected } = state;
  if (questions.length === 0) return <NothingWaits />;
  const index = questions.findIndex(({ id }) => id === selected);
  const question = questions[index];
  return (
    <div class="inbox">
      <VirtualList
        items={questions}
        rowHeight={ROW_PX}
        selectedIndex={index}
        label="Questions"
        keyOf={({ id }) => id}
        row={(item) => <Row question={item} isSelected={item.id === selected} now={now} />}
      />
      {question === undefined ? (
        <p class="quiet question">Choose a question on the left.</p>
      ) : (
        <>
          <QuestionForm key={question.id} question={question} state={state} now={now} />
          <Why question={question} state={state} now={now} />
        </>
      )}
    </div>
  );
}

interface RowProps {
  readonly question: Question;
  readonly isSelected: boolean;
  readonly now: number;
}

function Row({ question, isSelected, now }: RowProps) {
  const [part] = question.questions;
  const { issueNumber, askedBy, questions } = question;
  return (
    <button
      type="button"
      class="row"
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => select(question.id)}
    >
      <span class="row-title">
        {questions.length > 1 ? `${questions.length} questions: ${part?.text}` : part?.text}
      </span>
      <span class="row-meta quiet">
        <span>
          #{issueNumber} {askedBy.agent}
        </span>
        <span>{waitOf(question, now)}</span>
      </span>
    </button>
  );
}

function waitOf({ kind, expiresAt }: Question, now: number): string {
  if (kind === 'late_answer') return 'keep / rework';
  return expiresAt === undefined ? 'waits' : countdown(Date.parse(expiresAt) - now);
}

function NothingWaits() {
  return (
    <div class="alone">
      <h2>Nothing waits for you.</h2>
      <p>
        When agents cannot decide something themselves, it appears here, with options and what happens if nobody
        answers. You can leave this page open; it keeps itself up to date.
      </p>
    </div>
  );
}

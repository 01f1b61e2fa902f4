import { issueLabel } from '../../../src/protocol/issue-label.js';
import type { Question } from '../../../src/protocol/question.js';
import { titleOf as summaryTitle } from '../../../src/protocol/question-summary.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { dismissWelcome } from '../actions.js';
import { insertArrived, moveTo } from '../list.js';
import { isDecided } from '../outgoing.js';
import { inWords, timeLeft, useNow, whoElse } from '../parts/clock.js';
import { Link } from '../parts/link.js';
import { Missing } from '../parts/missing.js';
import { QuestionForm } from '../parts/question-form.js';
import { isSnoozed } from '../parts/snooze.js';
import { exactly } from '../parts/time.js';
import { VirtualList } from '../parts/virtual-list.js';
import { Why } from '../parts/why.js';
import type { State } from '../state.js';

/** Two lines of the title and one of facts. */
const ROW_PX = 84;

export function InboxView({ state }: { readonly state: State }) {
  const now = useNow();
  const { questions, selected } = state;
  const index = questions.findIndex(({ id }) => id === selected);
  const question = questions[index];
  const isNamed = selected !== undefined && question === undefined;
  // What the address names may arrive in a moment: then it is shown, with how it ended.
  if (questions.length === 0 && isNamed && state.missing?.id !== selected) {
    return (
      <div class="alone">
        <Missing id={selected} state={state} />
      </div>
    );
  }
  if (questions.length === 0) return <NothingWaits state={state} />;
  return (
    <div class="inbox">
      <div class="left">
        {state.isFirstVisit ? <Welcome /> : null}
        <ListHead state={state} />
        <VirtualList
          items={questions}
          rowHeight={ROW_PX}
          selectedIndex={index}
          label="Questions"
          keyOf={({ id }) => id}
          onMove={moveTo}
          row={(item, isStop) => <Row question={item} state={state} now={now} isStop={isStop} />}
        />
      </div>
      {question === undefined ? (
        <div class="question-none">
          {isNamed ? <Missing id={selected} state={state} /> : null}
          <p class="quiet">Choose a question from the list.</p>
        </div>
      ) : (
        <>
          <QuestionForm key={question.id} question={question} state={state} now={now} />
          <Why question={question} state={state} now={now} />
        </>
      )}
    </div>
  );
}

/** Keeps its height: new questions are announced here and move nothing. */
function ListHead({ state: { questions, arrived, ended, toCome } }: { readonly state: State }) {
  const open = questions.filter(({ id }) => ended[id] === undefined).length + toCome;
  return (
    <div class="list-head">
      <span class="quiet">{open === 0 ? 'nothing waits' : `${open} waiting for you`}</span>
      <span role="status">
        {arrived.length > 0 ? (
          <button type="button" class="new" onClick={insertArrived}>
            {arrived.length} new <kbd>n</kbd>
          </button>
        ) : null}
      </span>
    </div>
  );
}

interface RowProps {
  readonly question: Question;
  readonly state: State;
  readonly now: number;
  /** Whether the tab key stops here. */
  readonly isStop: boolean;
}

function Row({ question, state, now, isStop }: RowProps) {
  const { id, issueNumber, askedBy, expiresAt } = question;
  return (
    <Link
      to={{ view: 'inbox', id }}
      class={state.ended[id] === undefined ? 'row' : 'row over'}
      current={id === state.selected ? 'true' : undefined}
      tabIndex={isStop ? 0 : -1}
    >
      <span class="row-title" dir="auto" title={titleOf(question)}>
        {question.consequence === 'irreversible' ? <span class="for-good-mark" aria-hidden="true" /> : null}
        {titleOf(question)}
      </span>
      <span class="row-meta quiet">
        <span class="cut">
          {issueLabel(issueNumber)} {askedBy.agent}
        </span>
        <span class="wait" title={expiresAt === undefined ? undefined : exactly(expiresAt)}>
          {waitOf(question, state, now)}
        </span>
      </span>
    </Link>
  );
}

/** As every list names it; of several parts, the first one says what they are about. */
export function titleOf(question: Question): string {
  const { questions, rework } = question;
  if (rework !== undefined) return `Late answer: ${plainLine(rework.answer)}`;
  const [first = ''] = questions[0]?.text.trim().split('\n') ?? [];
  return plainLine(`${summaryTitle(question)}${questions.length > 1 ? `: ${first}` : ''}`);
}

function waitOf(question: Question, { ended, principal }: State, now: number): string {
  const { id, kind, expiresAt, consequence } = question;
  const end = ended[id];
  if (end !== undefined) return end.outcome === 'fallback_applied' ? 'too late' : (end.outcome ?? 'ended');
  if (isDecided(id)) return 'to be sent';
  const other = whoElse(question, principal, now);
  if (other !== undefined) return `${other} answers`;
  if (kind === 'late_answer') return 'keep / rework';
  if (consequence === 'irreversible') return 'cannot be undone';
  if (expiresAt === undefined && isSnoozed(question, now)) return 'snoozed';
  return expiresAt === undefined ? 'waits' : inWords(timeLeft(question, now).left);
}

function Welcome() {
  return (
    <div class="welcome">
      <p>
        Agents ask here what they cannot decide themselves. Choose or write an answer; they go on with it at once, and
        with their fallback if nobody answers in time.
      </p>
      <button type="button" onClick={dismissWelcome}>
        Understood
      </button>
    </div>
  );
}

function NothingWaits({ state }: { readonly state: State }) {
  const workingAgents = Object.values(state.board?.agents ?? {}).filter(({ status }) => BUSY.includes(status));
  const issues = new Set(workingAgents.flatMap(({ issue }) => issue ?? []));
  return (
    <div class="alone">
      {state.selected === undefined ? null : <Missing id={state.selected} state={state} />}
      <h2 tabIndex={-1}>Nothing waits for you.</h2>
      <p>
        {state.board === undefined
          ? ''
          : issues.size === 0
            ? 'No agent is at work.'
            : `Agents are working on ${issues.size} ${issues.size === 1 ? 'issue' : 'issues'}.`}
      </p>
      <p class="quiet">
        When agents cannot decide something themselves, it appears here, with options and what happens if nobody
        answers. You can leave this page open; it keeps itself up to date.
      </p>
    </div>
  );
}

const BUSY: readonly string[] = ['working', 'clarifying', 'blocked-clarification'];

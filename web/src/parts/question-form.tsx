import type { Question, QuestionPart } from '../../../src/protocol/question.js';
import { decide, draftFor, edit, leave } from '../actions.js';
import type { PartDraft, State } from '../state.js';
import { countdown } from './clock.js';
import { Text } from './text.js';

interface QuestionFormProps {
  readonly question: Question;
  readonly state: State;
  readonly now: number;
}

const EMPTY: PartDraft = { text: '', optionIds: [] };
const LAST_SECONDS_MS = 30_000;
const TYPING_MS = 30_000;

interface DeadlineProps {
  readonly question: Question;
  readonly principal: string;
  readonly now: number;
}

export function QuestionForm({ question, state, now }: QuestionFormProps) {
  const ended = state.ended[question.id];
  const draft = draftFor(state, question.id);
  const answered = new Set((question.responses ?? []).map(({ questionId }) => questionId));
  return (
    <section class="question" aria-label="Question">
      <p class="quiet asker">
        {question.askedBy.agent} asks, #{question.issueNumber}
        <Deadline question={question} principal={state.principal} now={now} />
      </p>
      {ended === undefined ? null : <Ended question={ended} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          decide(question, 'answer', 'Answer');
        }}
      >
        {question.questions.map((part, index) => (
          <Part
            key={part.id}
            part={part}
            isFirst={index === 0}
            isAnswered={answered.has(part.id)}
            draft={draft[part.id] ?? EMPTY}
            onEdit={(next) => edit(question, part.id, next)}
          />
        ))}
        <Buttons question={question} isEnded={ended !== undefined} draftState={state.draftState} />
      </form>
    </section>
  );
}

function Deadline({ question, principal, now }: DeadlineProps) {
  const { expiresAt, fallback, questions, consequence, typing } = question;
  if (expiresAt === undefined) {
    const text = consequence === 'irreversible' ? 'cannot be undone, waits for you' : 'waits for you';
    return <span class="deadline">{text}</span>;
  }
  const left = Date.parse(expiresAt) - now;
  // A keystroke holds the clock for half a minute.
  const isHeld = typing !== undefined && now - Date.parse(typing.at) < TYPING_MS;
  const option = questions[0]?.options?.find(({ id }) => id === fallback?.optionId);
  const what = option === undefined ? (fallback?.text ?? 'the fallback') : `${option.id}) ${option.label}`;
  const then = left > 0 ? `${countdown(left)} to ${what}` : `${what} is being taken`;
  const paused = `paused while ${typing?.principal === principal ? 'you type' : `${typing?.principal} types`}, then `;
  return (
    <span class={left < LAST_SECONDS_MS ? 'deadline soon' : 'deadline'}>{isHeld ? `${paused}${then}` : then}</span>
  );
}

/** Answered elsewhere: by whom, through what, and what was written here is still here. */
function Ended({ question: { outcome, answeredBy, responses = [] } }: { readonly question: Question }) {
  const said = responses.map(({ answer, optionIds = [] }) => answer ?? optionIds.join(', ')).join('; ');
  const who = answeredBy === undefined ? '' : ` by ${answeredBy.principal} (${answeredBy.channel})`;
  return (
    <p class="ended" role="status">
      {outcome === 'fallback_applied'
        ? `Nobody answered in time, so the fallback was taken${said === '' ? '' : `: ${said}`}. Your answer is kept as a late one.`
        : `This was ${outcome ?? 'ended'}${who} meanwhile${said === '' ? '.' : `: ${said}`}`}
    </p>
  );
}

interface PartProps {
  readonly part: QuestionPart;
  readonly isFirst: boolean;
  readonly isAnswered: boolean;
  readonly draft: PartDraft;
  readonly onEdit: (draft: PartDraft) => void;
}

function Part({ part, isFirst, isAnswered, draft, onEdit }: PartProps) {
  const { id, text, header, options = [], multiSelect = false } = part;
  return (
    <fieldset disabled={isAnswered}>
      <legend>
        {header === undefined ? null : <span class="quiet">{header}</span>}
        <Text>{text}</Text>
        {isAnswered ? <span class="quiet"> answered</span> : null}
      </legend>
      {options.map((option, index) => (
        <label key={option.id} class="option">
          <input
            type={multiSelect ? 'checkbox' : 'radio'}
            name={`part-${id}`}
            checked={draft.optionIds.includes(option.id)}
            onChange={() => onEdit({ ...draft, optionIds: chosen(draft.optionIds, option.id, multiSelect) })}
          />
          {isFirst ? <kbd>{String.fromCharCode(97 + index)}</kbd> : null}
          <span class="option-text">
            <span>
              {option.label}
              {option.recommended ? <em class="recommended">recommended</em> : null}
            </span>
            {option.description === undefined ? null : <span class="quiet">{option.description}</span>}
            <Sides option={option} />
          </span>
        </label>
      ))}
      <label class="free">
        <span class="quiet">{options.length > 0 ? 'Something else, or more to say' : 'Your answer'}</span>
        <textarea
          rows={options.length > 0 ? 2 : 4}
          value={draft.text}
          onInput={(event) => onEdit({ ...draft, text: event.currentTarget.value })}
        />
      </label>
    </fieldset>
  );
}

/** Pros and cons, where whoever asked gave them. */
function Sides({ option }: { readonly option: object }) {
  const lines = (['pros', 'cons'] as const).flatMap((side) => {
    const given: unknown = side in option ? Reflect.get(option, side) : undefined;
    return Array.isArray(given) ? given.map((line) => ({ side, line: String(line) })) : [];
  });
  if (lines.length === 0) return null;
  return (
    <ul class="sides">
      {lines.map(({ side, line }) => (
        <li key={`${side} ${line}`} class={side}>
          {side === 'pros' ? '+' : '-'} {line}
        </li>
      ))}
    </ul>
  );
}

function chosen(optionIds: readonly string[], id: string, isMultiple: boolean): readonly string[] {
  if (!isMultiple) return [id];
  return optionIds.includes(id) ? optionIds.filter((other) => other !== id) : [...optionIds, id];
}

interface ButtonsProps {
  readonly question: Question;
  readonly isEnded: boolean;
  readonly draftState: State['draftState'];
}

const DRAFT_TEXT: Readonly<Record<State['draftState'], string>> = {
  none: '',
  typing: 'saving the draft',
  saved: 'draft saved',
  unsaved: 'the draft is only here until the server is back',
};

function Buttons({ question, isEnded, draftState }: ButtonsProps) {
  if (isEnded) {
    return (
      <p class="buttons">
        <button type="button" class="main" onClick={() => leave(question.id)}>
          Next <kbd>Enter</kbd>
        </button>
      </p>
    );
  }
  return (
    <p class="buttons">
      <button type="submit" class="main">
        Answer <kbd>Enter</kbd>
      </button>
      <button type="button" onClick={() => decide(question, 'decline', 'Decline')}>
        Decline <kbd>x</kbd>
      </button>
      <button type="button" onClick={() => decide(question, 'dismiss', 'Dismiss')}>
        Dismiss
      </button>
      <span class="quiet" role="status">
        {DRAFT_TEXT[draftState]}
      </span>
    </p>
  );
}

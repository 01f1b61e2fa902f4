import { issueLabel } from '../../../src/protocol/issue-label.js';
import type { Question } from '../../../src/protocol/question.js';
import { isFallback, unansweredParts } from '../../../src/protocol/question-answerers.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { isKeptInBrowser } from '../browser-storage.js';
import { actAfterEnd, confirm, decide, responsesTo, stepBack } from '../decide.js';
import { EMPTY } from '../draft-versions.js';
import { discardDraft, draftFor, edit, hasDraft } from '../drafts.js';
import { leave } from '../list.js';
import { isDecided } from '../outgoing.js';
import type { Act, DraftState, State } from '../state.js';
import { answererText, answersTo, isByHuman } from './answerers.js';
import { countdown, timeLeft, whoElse } from './clock.js';
import { fallbacksOf } from './fallback.js';
import { focusOnce } from './focus-once.js';
import { noteFootHeight } from './foot-height.js';
import { OtherDrafts } from './other-drafts.js';
import { QuestionPartFields } from './question-part.js';
import { Snooze } from './snooze.js';
import { Line, Title } from './text.js';
import { exactly } from './time.js';
import { leftAlone } from './without-decision.js';

interface QuestionFormProps {
  readonly question: Question;
  readonly state: State;
  readonly now: number;
}

const LAST_SECONDS_MS = 30_000;

export function QuestionForm({ question, state, now }: QuestionFormProps) {
  const endedQuestion = state.ended[question.id];
  const draft = draftFor(state, question.id);
  const isSending = isDecided(question.id);
  const shownQuestion = endedQuestion ?? question;
  const answeredIds = answeredParts(question, endedQuestion);
  const issue = state.board?.tasks.find(({ number }) => number === question.issueNumber);
  return (
    <section class="question" aria-labelledby="asked">
      <div class="question-body">
        <h2 id="asked" tabIndex={-1}>
          <Line>{nameOf(question)}</Line>
          <span class="quiet">
            {' '}
            from {question.askedBy.agent}, {issueLabel(question.issueNumber)} <Title>{issue?.title ?? ''}</Title>
          </span>
        </h2>
        <Deadline question={shownQuestion} principal={state.principal} now={now} />
        <form
          id="answer"
          onSubmit={(event) => {
            event.preventDefault();
            if (endedQuestion === undefined) decide(question, 'answer');
          }}
        >
          {question.questions.map((part, index) => (
            <QuestionPartFields
              key={part.id}
              question={question}
              index={index}
              said={shownQuestion.questions.length > 1 ? answersTo(shownQuestion, part.id) : []}
              isDisabled={isSending || answeredIds.includes(part.id)}
              draft={draft[part.id] ?? EMPTY}
              onEdit={(next) => edit(question, part.id, next)}
            />
          ))}
        </form>
        <OtherDrafts question={question} state={state} isDisabled={isSending} />
      </div>
      <div class="question-foot" ref={noteFootHeight}>
        {endedQuestion === undefined ? (
          <>
            <Buttons question={question} isSending={isSending} state={state} />
            {isSending || state.toConfirm?.id === question.id ? null : <Snooze question={question} now={now} />}
          </>
        ) : (
          <Ended question={endedQuestion} isSending={isSending} />
        )}
      </div>
    </section>
  );
}

/** The parts that take no answer any more. If none takes a late one, everything left open can be added as a comment. */
function answeredParts(question: Question, endedQuestion: Question | undefined): readonly string[] {
  const lateParts =
    endedQuestion?.outcome === 'fallback_applied' ? unansweredParts(endedQuestion).map(({ id }) => id) : [];
  if (lateParts.length === 0) return (question.responses ?? []).map(({ questionId }) => questionId);
  return question.questions.map(({ id }) => id).filter((id) => !lateParts.includes(id));
}

function nameOf({ kind, questions }: Question): string {
  if (kind === 'escalation') return 'Escalation';
  return questions.length > 1 ? `${questions.length} questions` : plainLine(questions[0]?.header ?? 'Question');
}

/** Says what will happen, not only when; red only in the last half minute. */
function Deadline({
  question,
  principal,
  now,
}: Pick<QuestionFormProps, 'question' | 'now'> & { readonly principal: string }) {
  const { expiresAt, consequence, status } = question;
  const other = whoElse(question, principal, now);
  const typing = other === undefined ? '' : `${other} is answering now. `;
  if (status === 'resolved') return <p class="deadline quiet">Ended.</p>;
  if (expiresAt === undefined) {
    const waits = consequence === 'irreversible' ? 'Cannot be undone later: waits for you.' : 'Waits for you.';
    return <p class="deadline quiet">{`${typing}${waits}`}</p>;
  }
  const { left, isHeld } = timeLeft(question, now);
  const then = left > 0 ? `${countdown(left)} until ${whatHappens(question)}` : `Now: ${whatHappens(question)}`;
  const pausedText = other === undefined ? 'Paused while you type, ' : `Paused while ${other} types, `;
  const isSoon = left < LAST_SECONDS_MS && !isHeld;
  return (
    <p class={isSoon ? 'deadline soon' : 'deadline quiet'} dir="auto" title={exactly(expiresAt)}>
      {isHeld ? `${pausedText}${then}` : `${typing}${then}`}
    </p>
  );
}

function whatHappens(question: Question): string {
  const choices = fallbacksOf(question).flatMap(({ choice }) => (choice === '' ? [] : `"${choice}"`));
  return `the agent goes on with ${choices.length === 0 ? 'its fallback' : [...new Set(choices)].join(', ')}`;
}

/** Why a question ended without a decision. */
function endText(outcome: string, reason: string | undefined): string {
  const because = reason === undefined ? '' : `: ${plainLine(reason)}`;
  if (outcome === 'superseded') return `No longer needed${because}`;
  return outcome === 'unreachable' ? `Nobody could be asked${because}` : capital(outcome);
}

function sentence(what: string, detail: string): string {
  return detail === '' ? `${what}.` : `${what}: ${detail.replace(/[.]$/, '')}.`;
}

/** Each answer with its answerer, if another person ended the question. */
function answersText({ responses = [] }: Question): string {
  return responses
    .map(({ answer = '', answeredBy }) => plainLine(answer) + (answeredBy ? ` (${answererText(answeredBy)})` : ''))
    .join('; ');
}

/** Answers in time, then the fallbacks for the other parts. */
function wentOn(question: Question): string {
  const responses = question.responses ?? [];
  const humanResponses = responses.filter((one) => !isFallback(question, one));
  const fallbackText = answersText({ ...question, responses: responses.filter((one) => isFallback(question, one)) });
  if (humanResponses.length === 0) return sentence('Nobody answered in time. The agent went on with', fallbackText);
  const rest = sentence('Nobody answered the rest in time. The agent went on with', fallbackText);
  return `${sentence('Answered', answersText({ ...question, responses: humanResponses }))} ${rest}`;
}

/** Ended elsewhere: by whom and on which surface. The text written here is kept. */
function Ended({ question, isSending }: { readonly question: Question; readonly isSending: boolean }) {
  const { id, outcome = 'ended', answeredBy, reason, issueNumber } = question;
  const hasFallenBack = outcome === 'fallback_applied';
  const who = answeredBy !== undefined && isByHuman(outcome) ? ` ${answererText(answeredBy)}` : '';
  const act = actAfterEnd(question);
  const isLate = act === 'late';
  return (
    <>
      <p class="ended" role="status" dir="auto">
        {hasFallenBack ? wentOn(question) : sentence(`${endText(outcome, reason)}${who}`, answersText(question))}{' '}
        {hasDraft(id) ? 'What you wrote is still here.' : ''}
      </p>
      <p class="buttons">
        {act !== undefined && (hasDraft(id) || isLate) ? (
          <button type="button" class="main" disabled={isSending} onClick={() => decide(question, act)}>
            {isLate ? 'Send as a late answer' : `Add as a late answer to #${issueNumber}`}
          </button>
        ) : null}
        <button type="button" disabled={isSending} onClick={() => leave(id)}>
          Next <kbd>Enter</kbd>
        </button>
        {hasDraft(id) ? (
          <button type="button" disabled={isSending} onClick={() => void discardDraft(id)}>
            Discard
          </button>
        ) : null}
      </p>
    </>
  );
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace('_', ' ')}`;

function draftText(state: DraftState | undefined): string {
  const keeper = isKeptInBrowser() ? 'browser' : 'tab';
  switch (state?.kind) {
    case 'typing':
      return 'saving';
    case 'saved':
      return 'draft saved';
    case 'unsaved':
      return `draft kept in this ${keeper} until the server is back`;
    case 'refused':
      return `kept in this ${keeper}; the server did not take it: ${state.why}`;
    default:
      return '';
  }
}

interface ButtonsProps {
  readonly question: Question;
  readonly isSending: boolean;
  readonly state: State;
}

function Buttons({ question, isSending, state }: ButtonsProps) {
  const { toConfirm } = state;
  if (toConfirm?.id === question.id && !isSending) return <Confirmation question={question} act={toConfirm.act} />;
  const isForGood = question.consequence === 'irreversible';
  return (
    <>
      <p class="buttons">
        <button type="submit" form="answer" class={isForGood ? 'main for-good' : 'main'} disabled={isSending}>
          {isForGood ? 'Answer for good' : 'Answer'} <kbd>Enter</kbd>
        </button>
        <button type="button" disabled={isSending} aria-describedby="left" onClick={() => decide(question, 'decline')}>
          Decline <kbd>x</kbd>
        </button>
        <button type="button" disabled={isSending} aria-describedby="left" onClick={() => decide(question, 'dismiss')}>
          Dismiss
        </button>
        <span class="quiet" role="status">
          {isSending ? 'waiting to be sent' : draftText(state.draftStates[question.id])}
        </span>
      </p>
      <p id="left" class="quiet left-alone">
        Decline: you will not decide this. Dismiss: it is not worth deciding. Either way {leftAlone(question)}.
      </p>
    </>
  );
}

/** Another key, in another place, than the one that asked for the confirmation: pressing twice by mistake goes back. */
function Confirmation({ question, act }: { readonly question: Question; readonly act: Act }) {
  return (
    <div class="confirmation" role="alertdialog" aria-labelledby="doubt" tabIndex={-1} ref={focusOnce}>
      <p id="doubt">
        <strong>This cannot be undone.</strong> {whatIsConfirmed(question, act)}
      </p>
      <p class="buttons">
        <button type="button" onClick={stepBack}>
          Go back <kbd>Esc</kbd>
        </button>
        <button type="button" class="main for-good" onClick={confirm}>
          {FOR_GOOD[act]} <kbd>y</kbd>
        </button>
      </p>
    </div>
  );
}

const FOR_GOOD: Readonly<Record<Act, string>> = {
  answer: 'Answer for good',
  late: 'Answer for good',
  comment: 'Add for good',
  decline: 'Decline for good',
  dismiss: 'Dismiss for good',
};

function whatIsConfirmed(question: Question, act: Act): string {
  if (act === 'decline' || act === 'dismiss') return `Then ${leftAlone(question)}.`;
  const answers = responsesTo(question, act).map(({ questionId, answer, optionIds = [] }) => {
    const part = question.questions.find(({ id }) => id === questionId);
    const labels = (part?.options ?? []).filter(({ id }) => optionIds.includes(id)).map(({ label }) => label);
    return plainLine([...labels, ...(answer === undefined ? [] : [answer])].join(', '));
  });
  return `Your answer: ${answers.join('; ')}`;
}

import type { AgentXEventMap, RunSummary } from '../protocol/events.js';
import type { Question, QuestionOutcome, QuestionPart } from '../protocol/question.js';
import { answererOf, isFallback } from '../protocol/question-answerers.js';
import { outlookWithoutAnswer } from '../protocol/question-outlook.js';
import { shorten } from '../protocol/shorten.js';
import { tokensOf, type Usage } from '../protocol/usage.js';
import { columnsOf, cutTo, padTo, spread } from './columns.js';
import { agentTitle, type StreamView, under } from './conversation.js';
import { plainLine, plainText } from './plain-text.js';
import { answerOfPart, howToAnswer, responseText } from './question.js';
import { labelled } from './thread.js';
import { costText, renderStepUsage } from './usage.js';

/** The right edge of a step's line on wide terminals. */
const MAX_LINE = 84;
const MIN_TITLE = 14;
const MAX_SAID_LINES = 6;
const MAX_SAID_CHARACTERS = 1000;

/** `[Engineer] `: names of usual length align. */
export function nameColumn(agent: string): string {
  return `${padTo(`[${agentTitle(agent)}]`, 17)} `;
}

export function renderRunStarted(run: AgentXEventMap['run-started'], view: StreamView): string {
  const { paint, width = Number.POSITIVE_INFINITY } = view;
  const { issueNumber, workflow, steps, isResumed, branch, notice } = run;
  const number = `#${issueNumber}`;
  const title = plainLine(run.title);
  const parts = [
    plainLine(workflow),
    counted(steps, 'step'),
    ...(branch === undefined ? [] : [`on branch ${branch.name}`]),
    ...(isResumed ? ['goes on where it was'] : []),
  ];
  const facts = `(${parts.join(', ')})`;
  const indented = (text: string) => under({ label: '  ' }, text, width);
  const head =
    columnsOf(`${number} ${title}  ${facts}`) <= width
      ? `${paint.name(`${number} ${title}`)}  ${paint.quiet(facts)}`
      : `${under({ label: `${number} `, paint: paint.name }, title, width)}\n${paint.quiet(indented(facts))}`;
  return notice === undefined ? head : `${head}\n${paint.waiting(indented(plainLine(notice)))}`;
}

export interface StepLine {
  readonly agent: string;
  readonly title: string;
  /** `started`, `done`, `failed` or `skipped`; undefined while the step goes on. */
  readonly state?: string;
  readonly durationMs?: number;
  /** What it wrote and said, and why it ended. */
  readonly artifacts?: readonly string[];
  readonly said?: string;
  readonly reason?: string;
}

/** A step's title, its state and what it produced. */
export function renderStep(step: StepLine, view: StreamView): string {
  const { paint } = view;
  const width = view.width ?? Number.POSITIVE_INFINITY;
  const name = nameColumn(step.agent);
  const { state = '', durationMs } = step;
  const time = durationMs === undefined ? '' : seconds(durationMs).padStart(6);
  const end = `${state}${state !== '' && time !== '' ? ' ' : ''}${time}`;
  const title = plainLine(step.title);
  const room = Math.min(width, MAX_LINE) - columnsOf(name);
  // In a narrow window the title moves below instead of being cut to nothing.
  const fits = room - columnsOf(end) >= Math.min(MIN_TITLE, columnsOf(title) + 2);
  const line = fits ? (end === '' ? cutTo(`${title}...`, room) : spread(title, end, room)) : end;
  const tone = state === 'done' ? paint.good : state === 'failed' ? paint.alarming : paint.quiet;
  const paintedLine = end === '' ? line : `${line.slice(0, -end.length)}${tone(end)}`;
  return [
    `${paint.name(name.trimEnd())}${name.slice(name.trimEnd().length)}${paintedLine}`,
    ...(fits ? [] : [under({ label: '  ' }, title, width)]),
    ...(step.reason === undefined ? [] : [under({ label: '  ' }, plainLine(step.reason), width)]),
    ...(step.said === undefined ? [] : [under({ label: '  ' }, firstLines(step.said), width)]),
    ...(step.artifacts ?? []).map((path) => paint.quiet(`  ${plainLine(path)}`)),
  ].join('\n');
}

/** Text of an agent outside of any clarification. */
export function renderSaid(
  agent: string,
  text: string,
  { paint, width = Number.POSITIVE_INFINITY }: StreamView,
): string {
  return under({ label: `[${agentTitle(agent)}] `, paint: paint.name }, firstLines(text), width);
}

export function renderTrouble(agent: string, trouble: string, text: string, view: StreamView): string {
  const { paint, width = Number.POSITIVE_INFINITY } = view;
  return under({ label: `[${agentTitle(agent)}] ${trouble}: `, paint: paint.alarming }, firstLines(text), width);
}

/** What an agent's program wrote to stderr, line by line. */
export function renderStderr(agent: string, stderr: string, view: StreamView): string {
  const { paint, width = Number.POSITIVE_INFINITY } = view;
  const head = under({ label: '' }, `[${agentTitle(agent)}] on stderr:`, width);
  return `${head}\n${labelled('  ', stderr.trimEnd(), width)}`.split('\n').map(paint.quiet).join('\n');
}

/** A question to a human, with everything needed to answer it. */
export function renderAsked(question: Question, view: StreamView): string {
  const { paint, width = Number.POSITIVE_INFINITY } = view;
  const { id, askedBy, questions } = question;
  const label = { label: '[QUESTION] ', paint: paint.waiting };
  const head = under(label, `${agentTitle(askedBy.agent)} asks you (${id})`, width);
  return [
    head,
    ...questions.map((part) => renderPart(question, part, width)),
    `  ${howToAnswer(question)}`,
    under({ label: '  ' }, whatHappens(question, view.waits ?? true), width),
  ].join('\n');
}

/** What happens to the question, and to the agent that asked, without an answer. */
export function whatHappens(question: Question, waits: boolean): string {
  const { issueNumber, blocking, consequence, askedBy } = question;
  const outlook = outlookWithoutAnswer(question);
  const why = consequence === 'irreversible' ? 'It is irreversible: nothing' : 'Nothing';
  const decision =
    outlook === undefined
      ? `${why} is decided without you.`
      : `Without an answer by ${outlook.at}, the fallback is taken: ${outlook.decides.map(plainLine).join('; ')}.`;
  const afterwards = waits
    ? 'The run waits, and goes on with what is decided.'
    : `The run does not wait: afterwards, go on with agentx run ${issueNumber}; a running agentx serve does so by itself.`;
  return `${decision} ${blocking ? afterwards : `${agentTitle(askedBy.agent)} goes on meanwhile.`}`;
}

function renderPart(question: Question, part: QuestionPart, width: number): string {
  const { text, options = [] } = part;
  const head = under({ label: '  ' }, text, width);
  const [answerer, answer] = answerOfPart(question, part) ?? [];
  if (answer !== undefined) return `${head}\n${under({ label: `    ${answerer}` }, answer, width)}`;
  return [
    head,
    ...options.map(({ id, label, recommended }) =>
      under(
        { label: `    ${plainLine(id)}) `, margin: '       ' },
        `${plainLine(label)}${recommended === true ? ' (recommended)' : ''}`,
        width,
      ),
    ),
  ].join('\n');
}

export interface DecisionView extends StreamView {
  /** The name of the reader. */
  readonly you: string;
  /** The surface on which the reader is; the command line unless it is said. */
  readonly channel?: NonNullable<Question['answeredBy']>['channel'];
}

/** How a question ended: who decided what. If it was asked in place, the subject is repeated. */
export function renderDecision(question: Question, view: DecisionView): string {
  const { asksInPlace = false, paint, width = Number.POSITIVE_INFINITY } = view;
  const { outcome = 'answered', responses = [], questions } = question;
  const shownParts = asksInPlace && question.kind !== 'escalation' ? questions : [];
  const answersByPerson = new Map<string, string[]>();
  for (const response of responses) {
    const label = isFallback(question, response) ? AGENT_X : nameOf(answererOf(question, response), view);
    const part = questions.find(({ id }) => id === response.questionId) ?? {};
    answersByPerson.set(label, [...(answersByPerson.get(label) ?? []), responseText(part, response)]);
  }
  const fallbackAnswers = answersByPerson.get(AGENT_X) ?? [];
  answersByPerson.delete(AGENT_X);
  if (outcome !== 'answered') answersByPerson.set(AGENT_X, [endOf(outcome, question, fallbackAnswers.join(', '))]);
  return [
    ...shownParts.map((part) => under({ label: `${agentTitle(question.askedBy.agent)} asks: ` }, part.text, width)),
    ...[...answersByPerson].map(([label, texts]) =>
      under({ label: `[${label}] `, paint: paint.name }, texts.join('\n'), width),
    ),
  ].join('\n');
}

const AGENT_X = 'Agent X';

function nameOf(answeredBy: Question['answeredBy'], { you, channel: own = 'cli' }: DecisionView): string {
  const { principal = 'Somebody', channel = 'cli' } = answeredBy ?? {};
  return principal === you && channel === own ? 'You' : `${plainLine(principal)}, ${channel}`;
}

function endOf(
  outcome: Exclude<QuestionOutcome, 'answered'>,
  { answeredBy: { principal } = { principal: 'Somebody', channel: 'cli' }, reason }: Question,
  text: string,
): string {
  const because = reason === undefined ? '' : `: ${reason}`;
  switch (outcome) {
    case 'declined':
      return `${principal} will not decide it. The agent goes on with an assumption.`;
    case 'dismissed':
      return `${principal} put it away. The agent goes on with an assumption.`;
    case 'fallback_applied':
      return `Nobody answered in time; the fallback is taken: ${text}`;
    case 'superseded':
      return `The question no longer matters${because}.`;
    case 'unreachable':
      return `Nobody could be asked${because}. The agent goes on with an assumption.`;
  }
}

const ENDS = { done: 'complete', paused: 'paused', failed: 'failed' } as const;

/** The last line: what the run cost. */
function usageFigures(total: Usage): readonly string[] {
  const cost = total.unpricedTokens === 0 ? costText(total.cost) : 'unknown';
  return [`tokens=${tokensOf(total)}`, `cost=${cost}`];
}

export function renderSummary(
  { status, summary }: { readonly status: keyof typeof ENDS; readonly summary: RunSummary },
  { paint, width = Number.POSITIVE_INFINITY }: StreamView,
): string {
  const { iterations, tools, rounds, escalations, durationMs, usage } = summary;
  const tone = { done: paint.good, paused: paint.waiting, failed: paint.alarming }[status];
  const figures = [
    `iterations=${iterations}`,
    `tools=${tools}`,
    `rounds=${rounds}`,
    ...(escalations > 0 ? [`escalations=${escalations}`] : []),
    ...(usage === undefined || usage.total.calls === 0 ? [] : usageFigures(usage.total)),
    `time=${seconds(durationMs)}`,
    `exit=${ENDS[status]}`,
  ];
  const steps =
    usage === undefined ? [] : renderStepUsage(usage, seconds).map((line) => paint.quiet(cutTo(line, width)));
  return [under({ label: `Run ${ENDS[status]}: `, paint: tone }, `${figures.join(', ')}.`, width), ...steps].join('\n');
}

/** Where the work of a run is, and how a person looks at it; undefined for a run in the repository's own folder. */
export function renderBranch(
  { status, branch, notice }: Pick<AgentXEventMap['run-finished'], 'status' | 'branch' | 'notice'>,
  { paint, width = Number.POSITIVE_INFINITY }: StreamView,
): string | undefined {
  if (branch === undefined) return undefined;
  const { name, base, folder } = branch;
  return [
    ...(notice === undefined ? [] : [paint.alarming(under({ label: '' }, plainLine(notice), width))]),
    `Its work is on the branch ${name}: git diff ${base.slice(0, 12)} ${name}`,
    ...(status === 'paused' ? [] : [paint.quiet(`When you have merged it: git worktree remove ${folder}`)]),
  ].join('\n');
}

/** `2.1s`, `48s`, `3m 05s`. */
export function seconds(milliseconds: number): string {
  const tenths = Math.round(Math.max(0, milliseconds) / 100);
  if (tenths < 100) return `${Math.floor(tenths / 10)}.${tenths % 10}s`;
  const wholeSeconds = Math.round(tenths / 10);
  return wholeSeconds < 100
    ? `${wholeSeconds}s`
    : `${Math.floor(wholeSeconds / 60)}m ${String(wholeSeconds % 60).padStart(2, '0')}s`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The full text is in the agent's artifacts and its session. */
function firstLines(text: string): string {
  const lines = plainText(text).trim().split('\n');
  const first = lines.slice(0, MAX_SAID_LINES).join('\n');
  if (first.length > MAX_SAID_CHARACTERS) return shorten(first, MAX_SAID_CHARACTERS);
  return lines.length <= MAX_SAID_LINES ? first : `${first}\n...`;
}

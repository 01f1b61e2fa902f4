import type { AgentStandingEntry, AgentStandings } from '../protocol/agent-standing.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { issueLabel } from '../protocol/issue-label.js';
import type { Question } from '../protocol/question.js';
import { titleOf } from '../protocol/question-summary.js';
import type { RunStanding } from '../protocol/run-standing.js';
import { usageOfRun } from '../protocol/run-usage.js';
import { columnsOf, cutTo, padTo, spread } from './columns.js';
import { plainLine } from './plain-text.js';
import { outlookOf } from './question.js';
import { type StepsOf, stepsOf } from './run-progress.js';
import { isAtWork, otherIssues, whatFor } from './status.js';
import type { View } from './thread.js';
import { ageText } from './time.js';
import { usageText } from './usage.js';

/** Everything that the live board shows. */
export interface WatchedState {
  readonly project: string;
  readonly agents: AgentStandings;
  /** Runs that have not ended. */
  readonly runs: readonly RunStanding[];
  readonly endedRuns: number;
  readonly clarifications: readonly ClarificationRecord[];
  readonly questions: readonly Question[];
  readonly ready: number;
  readonly blocked: number;
  /** What could not be read, and what goes on only after a command, in words. */
  readonly problems: readonly string[];
}

export interface WatchView extends View {
  readonly height: number;
}

interface Section {
  readonly title: string;
  /** Stands in the title: how many there are. */
  readonly count: string;
  readonly rows: readonly (readonly string[])[];
  readonly tone: (row: readonly string[]) => (text: string) => string;
}

/** A frame of the board: no more lines than the window is high, none longer than it is wide. */
export function renderWatch(state: WatchedState, view: WatchView): readonly string[] {
  const { width, height, paint } = view;
  const sections = [
    questionsOf(state, view),
    agentsOf(state, view),
    runsOf(state, view),
    clarificationsOf(state, view),
  ];
  const queue = `${state.ready} ready, ${state.blocked} blocked`;
  const head =
    columnsOf(queue) + 12 > width ? queue : spread(`AgentX  ${plainLine(state.project)}`, queue, Math.min(width, 100));
  const problems = state.problems.slice(0, 1).map((problem) => paint.alarming(cutTo(plainLine(problem), width)));
  const lines = [paint.name(cutTo(head, width)), ...problems];
  const space = height - lines.length - sections.length;
  const shares = sharesOf(sections, space);
  const isRoomy = space - sum(shares) >= sections.length;
  for (const [index, section] of sections.entries()) {
    if (isRoomy) lines.push('');
    lines.push(...sectionLines(section, shares[index] ?? 0, view));
  }
  return lines.slice(0, height);
}

function sectionLines({ title, count, rows, tone }: Section, share: number, { width, paint }: WatchView): string[] {
  const heading = cutTo(`${title}  ${count}`, width);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => columnsOf(row[column] ?? ''))));
  const lines = rows.slice(0, share).map((row) => {
    const text = row.map((cell, column) => padTo(cell, widths[column] ?? 0)).filter((cell) => cell !== '');
    return tone(row)(cutTo(`  ${text.join('  ')}`.trimEnd(), width));
  });
  return [`${paint.name(heading.slice(0, title.length))}${paint.quiet(heading.slice(title.length))}`, ...lines];
}

/** How many rows each section may show: sections get one row in turn, as long as there is space. */
function sharesOf(sections: readonly Section[], space: number): readonly number[] {
  const shares = sections.map(() => 0);
  let rowsLeft = Number.isFinite(space) ? space : sum(sections.map(({ rows }) => rows.length));
  while (rowsLeft > 0) {
    const hungry = sections.flatMap(({ rows }, index) => (rows.length > (shares[index] ?? 0) ? [index] : []));
    if (hungry.length === 0) break;
    for (const index of hungry.slice(0, rowsLeft)) shares[index] = (shares[index] ?? 0) + 1;
    rowsLeft -= hungry.length;
  }
  return shares;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function questionsOf({ questions }: WatchedState, view: WatchView): Section {
  const rows = questions.map((question) => [
    question.id,
    issueLabel(question.issueNumber),
    `${question.askedBy.agent} asks`,
    outlookOf(question, view),
    plainLine(titleOf(question)),
  ]);
  const count = rows.length === 0 ? 'none waits for you' : `${rows.length} for you: agentx inbox`;
  return { title: 'QUESTIONS', count, rows, tone: () => view.paint.waiting };
}

const AT_WORK: readonly string[] = ['working', 'clarifying'];

function agentsOf({ agents }: WatchedState, view: WatchView): Section {
  const { paint } = view;
  const rowsOf = Object.entries(agents).map(([agent, entry]) => activityRows(agent, entry, view));
  const active = rowsOf.filter((rows) => rows.length > 0);
  const busy = active.filter((rows) => rows.some(([, status = '']) => AT_WORK.includes(status)));
  const waitingCount = active.length - busy.length;
  const resting = rowsOf.length - active.length;
  const count = [
    `${busy.length} at work`,
    ...(waitingCount > 0 ? [`${waitingCount} waiting`] : []),
    ...(resting > 0 ? [`${resting} at rest`] : []),
  ].join(', ');
  const tones: Readonly<Record<string, (text: string) => string>> = {
    stuck: paint.alarming,
    interrupted: paint.alarming,
    paused: paint.waiting,
    'blocked-clarification': paint.waiting,
  };
  return { title: 'AGENTS', count, rows: active.flat(), tone: ([, status = '']) => tones[status] ?? String };
}

/** Only the latest activity has a known start. */
function activityRows(agent: string, entry: AgentStandingEntry, view: WatchView): readonly (readonly string[])[] {
  const name = plainLine(agent);
  const latest = [
    name,
    entry.status,
    entry.issue === null ? '' : `#${entry.issue}`,
    ageText(entry.lastActivity, view),
    whatFor(entry),
  ];
  const others = otherIssues(entry).map(([issue, at]) => [name, at.status, `#${issue}`, '', whatFor(at)]);
  return isAtWork(entry) ? [latest, ...others] : others;
}

function runsOf({ runs, endedRuns }: WatchedState, view: WatchView): Section {
  const { paint } = view;
  const rows = runs.map((run) => {
    const steps = stepsOf(run);
    return [
      `#${run.issueNumber}`,
      plainLine(run.workflow),
      run.status,
      `${steps.done}/${steps.total}`,
      ageText(run.startedAt, view),
      usageOf(run),
      outlookOfRun(run, steps),
    ];
  });
  const interruptedCount = runs.filter(({ status }) => status === 'interrupted').length;
  const count = [
    `${runs.length - interruptedCount} under way`,
    ...(interruptedCount > 0 ? [`${interruptedCount} interrupted`] : []),
    ...(endedRuns > 0 ? [`${endedRuns} ended`] : []),
  ].join(', ');
  const tones: Readonly<Record<string, (text: string) => string>> = {
    paused: paint.waiting,
    interrupted: paint.alarming,
  };
  return { title: 'RUNS', count, rows, tone: ([, , status = '']) => tones[status] ?? String };
}

/** What it has used of models so far. */
function usageOf(run: RunStanding): string {
  const { total } = usageOfRun(run);
  return total.calls === 0 ? '' : usageText(total);
}

/** What the run does, what it waits for, or how it goes on. */
function outlookOfRun({ status, waitingOn, ended, goOn }: RunStanding, steps: StepsOf): string {
  const open = waitingOn.filter((id) => !ended.includes(id));
  // The command comes first, because the end of a line may be cut.
  const parts = [
    ...(goOn === undefined ? [] : [`go on: ${goOn}`]),
    ...(status === 'paused' ? [] : [stepText(steps)]),
    ...(open.length > 0 ? [`waits for ${open.join(', ')}`] : []),
    ...(ended.length > 0 ? [`${ended.join(', ')} ${ended.length === 1 ? 'has' : 'have'} ended`] : []),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function stepText({ atWork }: StepsOf): string {
  return atWork.map(({ step, agent }) => `${plainLine(step)} (${plainLine(agent)})`).join(', ');
}

function clarificationsOf({ clarifications }: WatchedState, view: WatchView): Section {
  const { paint } = view;
  const rows = clarifications.map((record) => [
    record.id,
    record.status,
    `${record.round}/${record.maxRounds}`,
    ageText(record.thread.at(-1)?.timestamp ?? record.created, view),
    `${plainLine(record.from)} -> ${plainLine(record.to)}`,
    plainLine(record.topic),
  ]);
  const tones: Readonly<Record<string, (text: string) => string>> = { escalated: paint.alarming, stale: paint.waiting };
  const tone = ([, status = '']: readonly string[]) => tones[status] ?? String;
  return { title: 'CLARIFICATIONS', count: `${rows.length} active`, rows, tone };
}

import { surroundings } from '../../app/environment.js';
import { followAll } from '../../app/follow-all.js';
import { AgentXError } from '../../protocol/errors.js';
import type { RunResult } from '../../protocol/events.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import type { Question } from '../../protocol/question.js';
import { outlookWithoutAnswer } from '../../protocol/question-outlook.js';
import { plainLine } from '../../render/plain-text.js';
import { renderBranch, renderSummary } from '../../render/run.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';
import { plainJson } from '../plain-json.js';
import { approvesPrograms } from '../trust/in-place.js';
import { Interrupt } from './interrupt.js';
import { failedLine, type RunOutcome, runSeveral } from './several.js';
import { Stage } from './stage.js';

export interface RunOptions {
  readonly workflow?: string;
  readonly wait?: boolean;
  readonly clarifyFirst?: boolean;
  readonly verbose?: boolean;
  readonly jobs?: string;
  readonly here?: boolean;
}

const EXIT_CODES = { done: 0, failed: 1, paused: 3 } as const;

export async function run(line: CommandLine, issues: readonly string[], options: RunOptions): Promise<number> {
  const isAttended = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const { workflow, wait = isAttended, clarifyFirst = false, verbose: isVerbose = false } = options;
  const interrupt = new Interrupt();
  // Until the run has ended: a process that exits because its stdout is not read has not finished the run.
  process.exitCode = EXIT_CODES.failed;
  const request = {
    wait,
    clarifyFirst,
    here: options.here ?? false,
    signal: interrupt.signal,
    behindServer: ({ message }: Error) => line.out.note(`${message} Waiting until it has ended or paused there.`),
    ...(workflow === undefined ? {} : { workflow }),
  };
  const [issueNumber = 0, ...others] = [...new Set(issues.map((issue) => parseIssueNumber(issue)))];
  const jobs = jobsIn(options.jobs);
  const work = () => line.app().run({ ...request, issueNumber });
  const display = { waits: wait, isAttended, isVerbose };
  try {
    if (!(await approvesPrograms(line))) return EXIT_CODES.failed;
    if (others.length > 0) {
      const several = { issues: [issueNumber, ...others], jobs, signal: interrupt.signal };
      const results = await runSeveral(line, several, {
        work: (number) => line.app().run({ ...request, issueNumber: number }),
        stage: () => aStage(line, interrupt, { ...display, showsIssue: true }),
      });
      return exitCodeOf(line, results, interrupt.code);
    }
    const result = line.out.isJson
      ? await runAsJson(line, issueNumber, work)
      : await runOnStage(line, work, interrupt, display);
    if (interrupt.code === undefined || result.status !== 'paused') return EXIT_CODES[result.status];
    line.out.note(`Paused. Go on with: agentx run ${result.issueNumber}`);
    return interrupt.code;
  } finally {
    interrupt.close();
  }
}

/** A person has to answer before one of them goes on; else whether one has failed. */
function exitCodeOf({ out }: CommandLine, results: readonly RunOutcome[], interrupted: number | undefined): number {
  const waitingIssues = results.filter(({ status }) => status === 'paused').map(({ issueNumber }) => issueNumber);
  if (waitingIssues.length > 0) out.note(`Waits for you: agentx inbox, then: agentx run ${waitingIssues.join(' ')}`);
  if (waitingIssues.length > 0) return interrupted ?? EXIT_CODES.paused;
  return results.some(({ status }) => status === 'failed') ? EXIT_CODES.failed : EXIT_CODES.done;
}

function jobsIn(typedJobs: string | undefined): number {
  const jobs = Number(typedJobs ?? 1);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= MAX_JOBS) return jobs;
  throw new AgentXError('INVALID_INPUT', `--jobs ${typedJobs} is no number of runs. Allowed: 1 to ${MAX_JOBS}.`, {
    jobs: typedJobs,
  });
}

const MAX_JOBS = 64;

/** One event per line; the last line says how the run ended. */
async function runAsJson(line: CommandLine, issueNumber: number, work: () => Promise<RunResult>): Promise<RunResult> {
  let isBegun = false;
  const write = (event: object) => {
    isBegun = true;
    process.stdout.write(`${plainJson(event)}\n`);
  };
  const end = followAll(line.app(), ({ name, payload }) => {
    if (name !== 'run-finished') write({ type: name, ...payload });
  });
  try {
    const result = await work();
    write({ type: 'run-finished', ...result });
    return result;
  } catch (error) {
    if (isBegun && error instanceof AgentXError) write(failedLine(issueNumber, error));
    throw error;
  } finally {
    end();
  }
}

interface Shown {
  readonly waits: boolean;
  readonly isAttended: boolean;
  readonly isVerbose: boolean;
  readonly showsIssue?: boolean;
}

function aStage(line: CommandLine, interrupt: Interrupt, { isAttended, ...display }: Shown): Stage {
  const isLive = process.stderr.isTTY === true && !line.out.isQuiet && surroundings().env.TERM !== 'dumb';
  const asksInPlace = isLive && isAttended && display.waits && line.agent === undefined;
  return new Stage(line, { ...display, isLive, asksInPlace, interrupt: () => interrupt.hit() });
}

async function runOnStage(
  line: CommandLine,
  work: () => Promise<RunResult>,
  interrupt: Interrupt,
  display: Shown,
): Promise<RunResult> {
  const { out } = line;
  const stage = aStage(line, interrupt, display);
  let isBegun = false;
  const end = line.app().bus.on('run-started', () => {
    isBegun = true;
  });
  try {
    const result = await work();
    await stage.close();
    if (!isBegun) out.say(alreadyOver(result));
    out.print(`\n${renderSummary(result, out)}`);
    if (result.reason !== undefined) out.say(plainLine(result.reason));
    const branch = renderBranch(result, out);
    if (branch !== undefined) out.print(branch);
    if (result.status === 'paused' && interrupt.code === undefined) {
      out.say(
        `Waits for you${deadline(await waitedFor(line, result))}: agentx inbox, then: agentx run ${result.issueNumber}`,
      );
      notePageLink(line, { view: 'inbox' });
    }
    return result;
  } finally {
    end();
    await stage.close();
  }
}

async function waitedFor({ app }: CommandLine, { waitingOn }: RunResult): Promise<readonly Question[]> {
  const storedQuestions = await Promise.all(waitingOn.map((id) => app().question(id)));
  return storedQuestions.filter((question) => question !== undefined);
}

/** When the last fallback applies; empty if a question has none. */
function deadline(questions: readonly Question[]): string {
  const ends = questions.flatMap((question) => outlookWithoutAnswer(question)?.at ?? []).toSorted();
  if (ends.length < questions.length || ends.length === 0) return '';
  return ` until ${ends.at(-1)}`;
}

/** A run that ended well is not started again, nor a run that another process ended while this process waited. */
function alreadyOver({ issueNumber, status }: RunResult): string {
  if (status !== 'done') return `#${issueNumber} was run by another process, which has just ended:`;
  return `#${issueNumber} is done already. To do it again: agentx issue reopen ${issueNumber}, then agentx run ${issueNumber}`;
}

import { followAll } from '../../app/follow-all.js';
import { AgentXError } from '../../protocol/errors.js';
import type { RunResult } from '../../protocol/events.js';
import { plainLine } from '../../render/plain-text.js';
import { renderBranch, renderSummary } from '../../render/run.js';
import type { ToldEvent } from '../../render/run-stream.js';
import type { CommandLine } from '../command-line.js';
import { errorMessage, underLabel } from '../error-text.js';
import { plainJson } from '../plain-json.js';
import type { Stage } from './stage.js';

export type RunOutcome = Pick<RunResult, 'issueNumber' | 'status'>;

interface Several {
  readonly issues: readonly number[];
  readonly jobs: number;
  readonly signal: AbortSignal;
}

interface Means {
  readonly work: (issueNumber: number) => Promise<RunResult>;
  readonly stage: () => Stage;
}

/** Carries several issues out, `jobs` at once. An issue that cannot be run does not hold up the others. */
export async function runSeveral(line: CommandLine, several: Several, means: Means): Promise<readonly RunOutcome[]> {
  const show = line.out.isJson ? asJson(line) : onStage(line, means.stage());
  const waitingIssues = [...several.issues];
  const outcomes: RunOutcome[] = [];
  const worker = async (): Promise<void> => {
    for (let issue = waitingIssues.shift(); issue !== undefined; issue = waitingIssues.shift()) {
      outcomes.push(several.signal.aborted ? notBegun(issue) : await carriedOut(issue, means, show));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(several.jobs, several.issues.length) }, worker));
    return outcomes;
  } finally {
    await show.end();
  }
}

interface Show {
  finished(result: RunResult): void;
  failed(issueNumber: number, error: AgentXError): void;
  end(): Promise<void>;
}

function notBegun(issueNumber: number): RunOutcome {
  return { issueNumber, status: 'paused' };
}

async function carriedOut(issueNumber: number, { work }: Means, show: Show): Promise<RunOutcome> {
  try {
    const result = await work(issueNumber);
    show.finished(result);
    return result;
  } catch (error) {
    // Our own failures are the same for every run, and end all of them.
    if (!(error instanceof AgentXError)) throw error;
    show.failed(issueNumber, error);
    return { issueNumber, status: 'failed' };
  }
}

/** The last line of a run that an error stopped. */
export function failedLine(issueNumber: number, { code, message }: AgentXError): object {
  return { type: 'run-finished', issueNumber, status: 'failed', reason: message, code };
}

/** Every line names its issue. */
function asJson(line: CommandLine): Show {
  const write = (event: object) => process.stdout.write(`${plainJson(event)}\n`);
  const issueOf = issues();
  const end = followAll(line.app(), (event) => {
    if (event.name !== 'run-finished') write({ type: event.name, ...issueOf(event), ...event.payload });
  });
  return {
    finished: (result) => write({ type: 'run-finished', ...result }),
    failed: (issueNumber, error) => write(failedLine(issueNumber, error)),
    end: async () => end(),
  };
}

/** What questions and tasks belong to is not in all their events. */
function issues(): (event: ToldEvent) => { readonly issueNumber?: number } {
  const issueOfQuestion = new Map<string, number>();
  return ({ name, payload }) => {
    if (name === 'notification-added') {
      const { id, issueNumber } = payload.notification;
      issueOfQuestion.set(id, issueNumber);
      return { issueNumber };
    }
    const questionIssue = name === 'notification-resolved' ? issueOfQuestion.get(payload.notificationId) : undefined;
    if (questionIssue !== undefined) return { issueNumber: questionIssue };
    return name === 'task-updated' ? { issueNumber: Number(payload.taskId) } : {};
  };
}

function onStage({ out }: CommandLine, stage: Stage): Show {
  return {
    finished: (result) => {
      const why = result.reason === undefined ? '' : `\n${plainLine(result.reason)}`;
      const branch = renderBranch(result, out);
      const where = branch === undefined ? '' : `\n${branch}`;
      stage.print(`\n#${result.issueNumber}  ${renderSummary(result, out)}${why}${where}`);
    },
    failed: (issueNumber, error) => {
      const width = out.isTerminal ? out.width : undefined;
      stage.print(`\n${underLabel(`#${issueNumber}  cannot be run: `, errorMessage(error), width)}`);
    },
    end: () => stage.close(),
  };
}

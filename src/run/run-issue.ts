import { setMaxListeners } from 'node:events';
import type { BoardPorts } from '../board/ports.js';
import { completeEffects } from '../hub/complete-effects.js';
import { writeTaskConfig } from '../inbox/autonomy.js';
import { completeInbox } from '../inbox/complete-inbox.js';
import type { Claim } from '../ports/store.js';
import { SERVER } from '../protocol/claim.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import type { RunResult } from '../protocol/events.js';
import { parseIssueNumber } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import { type Run, stepsUnderWay } from '../protocol/run.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { type RunContext, readIssue } from './context.js';
import { Driver } from './driver.js';
import { finalText } from './final-text.js';
import { leaveTask, takeTask } from './issue-state.js';
import { JournalBuffer } from './journal-buffer.js';
import { hasEndedSince, isOver, type OpenedRun, openRun, presentWorkflow } from './open-run.js';
import type { RunPorts } from './ports.js';
import { progressOf, stateOf } from './step-state.js';
import { storeJournal, underClaim } from './store-journal.js';
import { summaryOf } from './summary.js';
import { LedgerTeller } from './tell-ledger.js';
import { branchOf, keepWork, openPlace } from './work-place.js';

export interface RunRequest {
  readonly issueNumber: number;
  /** The name of a workflow instead of the one that follows from the issue's type. */
  readonly workflow?: string;
  /** Whether to stay while humans are asked. */
  readonly wait: boolean;
  /** Whether everything unclear is asked, and answered, before the first step begins; only for a new run. */
  readonly clarifyFirst?: boolean;
  /** Whether a new run works in the repository's own folder, whatever the settings say. */
  readonly here?: boolean;
  /**
   * Called once if a server carries the run on; this process then waits. The result is how the run ended there; if it
   * paused there, this process goes on. Without this, a server is a CONFLICT, as any other process is.
   */
  readonly behindServer?: (conflict: AgentXError) => void;
  /** The name of the process that carries it on, for people. */
  readonly by?: string;
  /** Ctrl-C: programs are ended, the journal stays as it is, and the run counts as paused. */
  readonly signal?: AbortSignal;
}

/**
 * Carries out the workflow of an issue, from where an earlier process left it. CONFLICT if another live process carries
 * it on. Failures of our own files or settings are thrown; the journal stays as it is, and a later call goes on.
 */
export async function runIssue(outerPorts: RunPorts, request: RunRequest): Promise<RunResult> {
  const issueNumber = parseIssueNumber(request.issueNumber);
  const runBefore = await outerPorts.store.runs.read(issueNumber);
  const { claim, hasWaited } = await claimed(outerPorts, request);
  try {
    // A person may have corrected the settings meanwhile.
    if (hasWaited) outerPorts.renew();
    const ports = { ...outerPorts, store: underClaim(outerPorts.store, claim) };
    // The process that had the claim may have ended the run while we waited, so the state is read now.
    const issue = await readIssue({ ports, issueNumber });
    const journal = storeJournal(ports.store, issueNumber);
    const lastRun = await journal.read();
    if (lastRun !== undefined && (isOver(lastRun, issue) || hasEndedSince(lastRun, runBefore))) {
      return tell(ports, resultOf(ports, lastRun, []));
    }
    requireOpen(issue);
    const { workflow, clarifyFirst = false, here = false } = request;
    const runRequest = { issue, last: lastRun, clarifyFirst, here, ...(workflow === undefined ? {} : { workflow }) };
    const openedRun = await openRun(ports, journal, runRequest);
    const opened = withNotice(openedRun, await openPlace(ports, openedRun.run));
    const buffer = new JournalBuffer(opened.run, journal);
    return await carryOn(ports, request, { opened, issue, buffer, claim });
  } finally {
    await claim.release();
  }
}

function withNotice(openedRun: OpenedRun, notice: string | undefined): OpenedRun {
  if (notice === undefined) return openedRun;
  return { ...openedRun, notice: openedRun.notice === undefined ? notice : `${openedRun.notice} ${notice}` };
}

const SERVER_LOOK_MS = 300;

async function claimed(
  { store, clock }: Pick<RunPorts, 'store' | 'clock'>,
  request: RunRequest,
): Promise<{ readonly claim: Claim; readonly hasWaited: boolean }> {
  const { issueNumber, by, behindServer, signal } = request;
  for (let isTold = false; ; isTold = true) {
    try {
      return { claim: await store.claim({ run: issueNumber }, { by }), hasWaited: isTold };
    } catch (error) {
      const isServer = error instanceof AgentXError && error.code === 'CONFLICT' && error.details.by === SERVER;
      if (!isServer || behindServer === undefined || signal?.aborted) throw error;
      if (!isTold) behindServer(error);
      // Ctrl-C ends the waiting, and the refusal is the result.
      await clock.sleep(SERVER_LOOK_MS, signal).catch(() => {});
    }
  }
}

interface OpenedClaim {
  readonly opened: OpenedRun;
  readonly issue: Issue;
  readonly buffer: JournalBuffer;
  readonly claim: Claim;
}

async function carryOn(
  outerPorts: RunPorts,
  { wait, signal }: RunRequest,
  { opened, issue, buffer, claim }: OpenedClaim,
) {
  const over = new AbortController();
  // Any number of agents may be at work.
  setMaxListeners(0, over.signal);
  const stop = () => over.abort();
  const { lost } = claim;
  for (const end of [signal, lost]) {
    if (end?.aborted) stop();
    end?.addEventListener('abort', stop, { once: true });
  }
  const { clarifications } = await outerPorts.store.ledgers.read(issue.number);
  const teller = new LedgerTeller(outerPorts.bus, clarifications);
  const ports: RunPorts = { ...withSnapshot(outerPorts, opened), bus: teller.bus, signal: over.signal };
  const context: RunContext<keyof RunPorts> = {
    ports,
    issueNumber: issue.number,
    runId: opened.run.id,
    get workflow() {
      return buffer.run.definition ?? opened.located.workflow;
    },
    presentWorkflow: () => presentWorkflow(outerPorts, issue, buffer.run),
    journal: buffer,
    underWay: new Set(stepsUnderWay(opened.run)),
    teller,
  };
  announceStart(context, issue, opened);
  const unfollow = followLedger(context);
  const driver = new Driver({
    context,
    journal: buffer,
    signal: over.signal,
    claim,
    wait,
  });
  try {
    await writeTaskConfig(ports, issue.number);
    if (opened.isResumed) {
      await completeEffects(ports, [issue.number]);
      await completeInbox(ports);
      await takeAgain(context);
    }
    const waitingOn = await driver.drive();
    lost.throwIfAborted();
    await buffer.flush();
    const notice = await keepWork(ports, buffer.run, issue);
    const result = resultOf(outerPorts, buffer.run, waitingOn);
    const text = result.waitingOn.length === 0 ? undefined : await finalText(outerPorts.store, result.waitingOn);
    return tell(outerPorts, {
      ...result,
      ...(text === undefined ? {} : { text }),
      ...(notice === undefined ? {} : { notice }),
    });
  } finally {
    stop();
    unfollow();
    for (const end of [signal, lost]) end?.removeEventListener('abort', stop);
    await driver.rest();
    // A process that has taken the run over has the issue too.
    if (!claim.lost.aborted) await leave(outerPorts, issue.number);
  }
}

/** Shows what an agent asks from inside a turn during the turn, not only when it is over. */
function followLedger({ ports, issueNumber, teller }: RunContext<'store' | 'log'>): () => void {
  let isReading = false;
  const read = async () => {
    if (isReading) return;
    isReading = true;
    try {
      teller.tell((await ports.store.ledgers.read(issueNumber)).clarifications);
    } catch (error) {
      // A caller that needs the ledger gets the error; here it is only shown, so the run goes on.
      ports.log.warn('what others wrote could not be told', { issueNumber, error: messageOf(error) });
    } finally {
      isReading = false;
    }
  };
  return ports.store.watch(() => void read(), { kind: 'clarifications', id: String(issueNumber) });
}

/** The process that left the run freed the issue; it is assigned again to a step that had begun. */
async function takeAgain(context: RunContext<keyof BoardPorts>): Promise<void> {
  const progress = progressOf(context.journal.run);
  const step = context.workflow.steps.find(({ id }) => {
    const { isStarted, outcome } = stateOf(progress, id);
    return isStarted && outcome === undefined;
  });
  // A blocked issue stays so until its question has ended.
  const issue = await readIssue(context);
  if (step !== undefined && issue.taskStatus === 'open') await takeTask(context, issue, step);
}

/** However the run ended, the issue is free for the next run. A failure to free it does not hide how the run ended. */
async function leave(ports: BoardPorts & Pick<RunPorts, 'log'>, issueNumber: number): Promise<void> {
  try {
    await leaveTask({ ports, issueNumber });
  } catch (error) {
    ports.log.error('an issue is still marked as in progress', { issueNumber, error: messageOf(error) });
  }
}

/** While the run lasts its issue follows the workflow it began with; this decides what an agent may do. */
function withSnapshot(ports: RunPorts, { located, run }: OpenedRun): RunPorts {
  const { workflows } = ports;
  return {
    ...ports,
    workflows: {
      named: (name) => workflows.named(name),
      forIssue: async (issue) => (issue.number === run.issueNumber ? located : workflows.forIssue(issue)),
    },
  };
}

function announceStart(
  { ports, workflow, runId }: RunContext<'bus' | 'clock' | 'log' | 'workTrees'>,
  issue: Issue,
  opened: OpenedRun,
): void {
  const { isResumed, notice, run } = opened;
  const branch = branchOf(ports, run);
  if (notice !== undefined) ports.log.warn(notice, { runId });
  ports.bus.emit('run-started', {
    runId,
    issueNumber: issue.number,
    title: issue.title,
    workflow: run.workflow,
    steps: workflow.steps.length,
    isResumed,
    ...(branch === undefined ? {} : { branch }),
    ...(notice === undefined ? {} : { notice }),
    timestamp: toEpochMs(ports.clock.now()),
  });
}

function tell({ bus, clock }: Pick<RunPorts, 'bus' | 'clock'>, result: RunResult): RunResult {
  bus.emit('run-finished', { ...result, timestamp: toEpochMs(clock.now()) });
  return result;
}

function resultOf(ports: Pick<RunPorts, 'clock' | 'workTrees'>, run: Run, waitingOn: readonly string[]): RunResult {
  const { clock } = ports;
  const { id: runId, issueNumber, status } = run;
  const branch = branchOf(ports, run);
  const reasons = run.journal.flatMap((entry) =>
    entry.type === 'fail' || entry.type === 'stop' ? [entry.reason] : [],
  );
  const reason = reasons.at(-1);
  const isEnded = status === 'failed' || status === 'stopped';
  return {
    runId,
    issueNumber,
    status: isEnded ? 'failed' : status === 'done' ? 'done' : 'paused',
    summary: summaryOf(run, status === 'done' || isEnded ? run.updatedAt : clock.now()),
    waitingOn: isEnded ? [] : waitingOn,
    ...(isEnded && reason !== undefined ? { reason } : {}),
    ...(branch === undefined ? {} : { branch }),
  };
}

function requireOpen({ number, state }: Issue): void {
  if (state === 'open') return;
  throw new AgentXError(
    'INVALID_STATE',
    `Issue #${number} is closed. Open it again with: agentx issue reopen ${number}.`,
    {
      issueNumber: number,
    },
  );
}

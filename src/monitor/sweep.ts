import { abandon } from '../hub/abandon.js';
import { findAbandoned, type Whereabouts } from '../hub/abandoned.js';
import { lastHeard } from '../hub/awaited.js';
import { changeRecord } from '../hub/change-record.js';
import { completeEffects, issuesToRefresh } from '../hub/complete-effects.js';
import type { BasePorts, RecordPorts, ResolvePorts, RoutePorts } from '../hub/ports.js';
import type { LedgerStore, ListedClarification, Listing } from '../ports/store.js';
import { findAwaiting, hasAsked } from '../protocol/awaiting.js';
import { isActive } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { DEFAULT_SLA_MINUTES } from '../protocol/limits.js';
import { addMinutes, isBefore } from '../protocol/timestamp.js';
import { breakDeadlocks } from './break-deadlock.js';
import { findDeadlocks } from './deadlock.js';
import { findStale } from './stale.js';
import { findStuck, repeatsItself, type StuckClarification } from './stuck.js';

export interface CheckOptions {
  /** False starts no targets: what would be asked again is only reported. */
  readonly retry?: boolean;
  /** Prints a line for the user who waits while an agent works. */
  readonly announce?: (line: string) => void;
}

export interface CheckResult {
  readonly stale: readonly ListedClarification[];
  readonly stuck: readonly ListedClarification[];
  readonly deadlocked: readonly ListedClarification[];
  readonly abandoned: readonly ListedClarification[];
  /** The active clarifications, so that a caller that shows them need not read them again. */
  readonly active: readonly ListedClarification[];
  /** What could not be read or handled; the rest went on. */
  readonly warnings: readonly AgentXError[];
}

type Findings = Omit<CheckResult, 'active' | 'warnings'>;

interface Circumstances extends Whereabouts {
  /** Records whose targets wait for a human: their time stands still, and begins anew when the human has answered. */
  readonly awaiting: ReadonlySet<string>;
  /** Repeated questions that a process has the target answer, or that a run is about to route. */
  readonly atWork: ReadonlySet<string>;
}

/**
 * For commands, which mostly find nothing to do: then the settings, needed only to act, are not even read. `open`
 * returns the ports for acting.
 */
export async function runCheckIfNeeded(
  ports: LookingPorts,
  open: () => Promise<RoutePorts>,
  options?: CheckOptions,
): Promise<CheckResult> {
  const listing = await ports.store.ledgers.list({ unfinished: true });
  const quickResult = await nothingToDo(ports, listing);
  if (quickResult === undefined) return checkListed(await open(), listing, options);
  report(ports, quickResult);
  return { ...quickResult, active: listing.items, warnings: [] };
}

type LookingPorts = Pick<BasePorts, 'store' | 'clock' | 'log'>;

async function nothingToDo(ports: LookingPorts, listing: Listing<ListedClarification>): Promise<Findings | undefined> {
  const { items, damaged } = listing;
  const isFollowed = items.some(({ record }) => record.status === 'escalated' || record.unsettled === true);
  if (damaged.length > 0 || isFollowed) return undefined;
  const { store, clock } = ports;
  const questions = await store.questions.summaries({ status: 'open' });
  if (questions.items.some(({ kind }) => kind === 'escalation')) return undefined;
  // The full check warns of what cannot be read and goes on.
  const statuses = await store.statuses.read().catch(() => undefined);
  if (statuses === undefined || issuesToRefresh(statuses, items, clock.now()).length > 0) return undefined;
  const sweep = new Sweep(ports);
  const findings = inspect(items, await sweep.circumstancesOf(items), clock.now());
  return isEmpty(findings) && sweep.warnings.length === 0 ? findings : undefined;
}

/**
 * Looks at every active clarification and acts on what is wrong with it. Returns the records as the check left them.
 * Any number of checks may run at once: every act is decided again inside the update of its ledger, from the state at
 * that moment.
 */
export async function runCheck(ports: RoutePorts, options?: CheckOptions): Promise<CheckResult> {
  return checkListed(ports, await ports.store.ledgers.list({ unfinished: true }), options);
}

async function checkListed(
  ports: RoutePorts,
  listing: Listing<ListedClarification>,
  { retry = true, announce = () => {} }: CheckOptions = {},
): Promise<CheckResult> {
  const sweep = new Sweep(ports);
  const { items } = onlyActive(listing);
  for (const error of listing.damaged) sweep.warn(error);
  // Must come before effects are completed: those would put a requester that has left back to waiting.
  const circumstances = await sweep.circumstancesOf(items);
  await sweep.attempt(() => completeEffects(withListing(ports, listing)));

  const findings = inspect(items, circumstances, ports.clock.now());
  report(ports, findings);
  if (isEmpty(findings)) {
    // An escalated record may have been settled with an earlier answer of a human.
    const isAsSeen = !items.some(({ record }) => record.status === 'escalated');
    return { ...findings, active: isAsSeen ? items : await sweep.active(), warnings: sweep.warnings };
  }

  for (const { record } of findings.abandoned) {
    await sweep.attempt(() => abandon(ports, { clarificationId: record.id, round: record.round }));
  }
  const remainingItems = without(items, findings.abandoned);
  const deadlocks = (await sweep.attempt(() => breakDeadlocks(ports, remainingItems))) ?? [];
  const escalatedIds = new Set(deadlocks.flatMap((deadlock) => deadlock.escalated));
  // Two threads that mirror each other are often a deadlock as well; with one of them escalated the other can go on.
  const undecidedItems = remainingItems.filter(({ record }) => !escalatedIds.has(record.id));
  const stuck = findStuck(undecidedItems, circumstances.atWork);
  for (const stuckItem of stuck) await sweep.attempt(() => escalateStuck(ports, stuckItem));
  for (const { record, expiry } of late(without(undecidedItems, stuck), circumstances, ports.clock.now())) {
    const { id: clarificationId } = record;
    // Most checks find no late record and do not need the code that asks targets.
    const { autoRetry, escalateExpired } = await import('./retry.js');
    if (expiry === 'second') await sweep.attempt(() => escalateExpired(ports, clarificationId));
    else if (retry) await sweep.attempt(() => autoRetry(ports, { clarificationId, announce }));
  }
  return { ...(await sweep.asLeft(findings)), active: await sweep.active(), warnings: sweep.warnings };
}

/** Pure: everything that is wrong. One record may be wrong in several ways. */
function inspect(items: readonly ListedClarification[], circumstances: Circumstances, now: string): Findings {
  const abandoned = findAbandoned(items, circumstances);
  const remainingItems = without(items, abandoned);
  const deadlockedIds = new Set(findDeadlocks(remainingItems).flatMap(({ records }) => records.map(({ id }) => id)));
  return {
    abandoned,
    deadlocked: remainingItems.filter(({ record }) => deadlockedIds.has(record.id)),
    stuck: findStuck(remainingItems, circumstances.atWork),
    stale: late(remainingItems, circumstances, now),
  };
}

function late(items: readonly ListedClarification[], { awaiting }: Circumstances, now: string) {
  return findStale(
    items.filter(({ record }) => !awaiting.has(record.id)),
    now,
  );
}

/**
 * One listing of the ledgers serves the whole check, because listing many of them is the main cost. Acting on a record
 * reads its ledger again.
 */
function withListing(ports: ResolvePorts, listing: Listing<ListedClarification>): ResolvePorts {
  const { ledgers } = ports.store;
  const list: LedgerStore['list'] = async (filter) => {
    if (filter?.unfinished === true) return listing;
    return filter?.active === true ? onlyActive(listing) : ledgers.list(filter);
  };
  return { ...ports, store: { ...ports.store, ledgers: { ...ledgers, list } } };
}

function onlyActive({ items, damaged }: Listing<ListedClarification>): Listing<ListedClarification> {
  return { items: items.filter(({ record }) => isActive(record)), damaged };
}

async function escalateStuck(ports: RecordPorts, { record, reason }: StuckClarification): Promise<void> {
  await changeRecord(ports, record.id, ({ status, round }) =>
    status === record.status && round === record.round
      ? { type: 'escalate', at: ports.clock.now(), reason }
      : undefined,
  );
}

function report(ports: Pick<BasePorts, 'log'>, findings: Findings): void {
  const counts = {
    staleCount: findings.stale.length,
    stuckCount: findings.stuck.length,
    deadlockedCount: findings.deadlocked.length,
    abandonedCount: findings.abandoned.length,
  };
  ports.log.info('monitor check', counts);
}

/** One check in progress: it goes on if a part of it fails. */
class Sweep {
  readonly warnings: AgentXError[] = [];

  constructor(private readonly ports: LookingPorts) {}

  warn(error: AgentXError): void {
    // One agent that cannot be started may keep many waiting.
    if (this.warnings.some(({ message }) => message === error.message)) return;
    this.warnings.push(error);
    this.ports.log.warn('monitor check goes on without', { code: error.code, error: error.message });
  }

  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      // Another process, most likely another check, has acted first.
      if (error.code !== 'INVALID_STATE' && error.code !== 'CONFLICT') this.warn(error);
      return undefined;
    }
  }

  async circumstancesOf(items: readonly ListedClarification[]): Promise<Circumstances> {
    return {
      ...(await this.#whereaboutsOf(items)),
      awaiting: await this.#awaitingOf(items),
      atWork: await this.#atWorkOf(items),
    };
  }

  async #atWorkOf(items: readonly ListedClarification[]): Promise<Circumstances['atWork']> {
    const repeatedItems = items.filter(({ record }) => record.status === 'pending' && repeatsItself(record));
    if (repeatedItems.length === 0) return new Set();
    const { store } = this.ports;
    const unfinishedRuns = await this.attempt(() =>
      store.runs.list({ finished: false, issues: new Set(repeatedItems.map(({ issueNumber }) => issueNumber)) }),
    );
    const carriedRuns = (unfinishedRuns?.items ?? []).filter(({ isCarried }) => isCarried);
    const atWork = new Set<string>();
    for (const { issueNumber, record } of repeatedItems) {
      const isRun = carriedRuns.some(({ run }) => run.issueNumber === issueNumber);
      if (isRun || (await store.heldBy({ route: record.id })) === 'live') atWork.add(record.id);
    }
    return atWork;
  }

  async #awaitingOf(items: readonly ListedClarification[]): Promise<Circumstances['awaiting']> {
    const records = items.map(({ record }) => record);
    if (!records.some(hasAsked)) return new Set();
    const { store, clock } = this.ports;
    const openQuestions = await this.attempt(() => store.questions.summaries({ status: 'open' }));
    const awaiting = new Set(findAwaiting(records, openQuestions?.items ?? []).keys());
    const now = clock.now();
    for (const { record } of findStale(items, now)) {
      if (!hasAsked(record) || awaiting.has(record.id)) continue;
      const heardAt = await this.attempt(() => lastHeard({ store }, record));
      const { slaMinutes = DEFAULT_SLA_MINUTES } = record;
      if (heardAt !== undefined && isBefore(now, addMinutes(heardAt, slaMinutes))) awaiting.add(record.id);
    }
    return awaiting;
  }

  async #whereaboutsOf(items: readonly ListedClarification[]): Promise<Whereabouts> {
    const pendingItems = items.filter(({ record }) => record.status === 'pending');
    if (pendingItems.length === 0) return { statuses: {}, runs: [] };
    const { store } = this.ports;
    const statuses = (await this.attempt(() => store.statuses.read())) ?? {};
    const issueNumbers = [...new Set(pendingItems.map(({ issueNumber }) => issueNumber))];
    const runs = await Promise.all(issueNumbers.map((number) => this.attempt(() => store.runs.read(number))));
    return { statuses, runs: runs.filter((run) => run !== undefined) };
  }

  async active(): Promise<readonly ListedClarification[]> {
    return (await this.attempt(() => this.ports.store.ledgers.list({ active: true })))?.items ?? [];
  }

  async asLeft(findings: Findings): Promise<Findings> {
    const all = [...findings.stale, ...findings.stuck, ...findings.deadlocked, ...findings.abandoned];
    const records = new Map(all.map(({ record }) => [record.id, record]));
    for (const issueNumber of new Set(all.map((one) => one.issueNumber))) {
      const ledger = await this.attempt(() => this.ports.store.ledgers.read(issueNumber));
      for (const record of ledger?.clarifications ?? []) if (records.has(record.id)) records.set(record.id, record);
    }
    const present = (items: readonly ListedClarification[]) =>
      items.map(({ issueNumber, record }) => ({ issueNumber, record: records.get(record.id) ?? record }));
    return {
      stale: present(findings.stale),
      stuck: present(findings.stuck),
      deadlocked: present(findings.deadlocked),
      abandoned: present(findings.abandoned),
    };
  }
}

function without(items: readonly ListedClarification[], leftOut: readonly ListedClarification[]) {
  const ids = new Set(leftOut.map(({ record }) => record.id));
  return items.filter(({ record }) => !ids.has(record.id));
}

function isEmpty({ stale, stuck, deadlocked, abandoned }: Findings): boolean {
  return stale.length + stuck.length + deadlocked.length + abandoned.length === 0;
}

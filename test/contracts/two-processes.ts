import type { Store } from '../../src/ports/store.js';
import type { ClaimOn } from '../../src/protocol/claim.js';
import { nextClarificationId } from '../../src/protocol/clarification.js';
import { AgentXError } from '../../src/protocol/errors.js';
import { aClarification } from '../builders/clarification.js';
import { anIssue } from '../builders/issue.js';
import { aRun } from '../builders/run.js';
import { until } from '../support/until.js';

/*
 * What every store promises to programs in two processes. The functions return what is wrong instead of failing a test,
 * so that a test can check that they find it.
 */

/** The same store in another process, which can be stopped and killed. */
export interface StoreElsewhere {
  /** The result of a command there, or the code of its error. */
  call(command: Command): Promise<Outcome>;
  stop(): Promise<void>;
  goOn(): void;
  kill(): Promise<void>;
}

export type Command =
  | { readonly do: 'claim'; readonly on: ClaimOn; readonly waitMs?: number }
  | { readonly do: 'release' }
  /** Writes the run of issue 42 with the claim that was taken last. */
  | { readonly do: 'write'; readonly workflow: string }
  | { readonly do: 'create issues'; readonly count: number }
  | { readonly do: 'ask'; readonly count: number };

export type Outcome = { readonly result: readonly string[] } | { readonly code: string };

export interface TwoProcesses {
  readonly here: Store;
  /** Starts a process and opens the same store there. */
  readonly start: () => Promise<StoreElsewhere>;
  /** Makes others take a live holder for dead, as an expired lease does. */
  readonly outlast: (on: ClaimOn) => Promise<void>;
}

/** What is wrong with a new, empty store that two processes use; empty if it keeps its promises. */
export async function problemsOfTwo(open: () => Promise<TwoProcesses>): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const look of [exclusion, waiting, fencing, numbering, watching]) problems.push(...(await look(await open())));
  return problems;
}

const CLAIMS: readonly ClaimOn[] = [{ run: 42 }, { route: 'CLR-42-001' }, { asking: 42 }];

async function exclusion({ here, start }: TwoProcesses): Promise<readonly string[]> {
  const problems: string[] = [];
  const other = await start();
  for (const on of CLAIMS) {
    const what = JSON.stringify(on);
    const there = await start();
    const claimed = await there.call({ do: 'claim', on });
    if ('code' in claimed) problems.push(`${what} is free and refused with ${claimed.code}`);
    if ((await here.heldBy(on)) !== 'live') problems.push(`${what} is held by a live process, which is not seen`);
    const second = await codeOf(async () => (await here.claim(on)).release());
    if (second !== 'CONFLICT') problems.push(`${what} is held by two processes at once`);
    await there.kill();
    // At once, or when a lease is over.
    const heir = await until(() => here.claim(on).catch(() => undefined));
    const third = await other.call({ do: 'claim', on });
    if (!('code' in third) || third.code !== 'CONFLICT') problems.push(`${what} of a dead process goes to two heirs`);
    await heir.release();
    const last = await other.call({ do: 'claim', on });
    if ('code' in last) problems.push(`${what} was released here and is refused there`);
  }
  return problems;
}

async function waiting({ here, start }: TwoProcesses): Promise<readonly string[]> {
  const problems: string[] = [];
  const on = { asking: 42 };
  const there = await start();
  await there.call({ do: 'claim', on });
  const inVain = await codeOf(async () => (await here.claim(on, { waitMs: 50 })).release());
  if (inVain !== 'LOCK_TIMEOUT') problems.push(`a wait in vain ends with ${inVain}`);
  const mine = here.claim(on, { waitMs: 60_000 });
  await there.call({ do: 'release' });
  const code = await codeOf(async () => (await mine).release());
  if (code !== undefined) problems.push(`what was released is refused to a process that waits for it: ${code}`);
  return problems;
}

/** A holder that stood still for so long that another has its claim. */
async function fencing({ here, start, outlast }: TwoProcesses): Promise<readonly string[]> {
  const problems: string[] = [];
  const on = { run: 42 };
  const there = await start();
  await there.call({ do: 'claim', on });
  const before = await there.call({ do: 'write', workflow: 'the first' });
  if ('code' in before) problems.push(`the holder of a claim is refused with ${before.code}`);
  await there.stop();
  await outlast(on);
  const claim = await until(() => here.claim(on).catch(() => undefined));
  await here.runs.update(42, (run) => ({ next: aRun({ ...run, workflow: 'the second' }), result: undefined }), claim);
  there.goOn();
  const late = await there.call({ do: 'write', workflow: 'too late' });
  if (!('code' in late) || late.code !== 'CONFLICT') problems.push('a holder that was replaced writes all the same');
  const workflow = (await here.runs.read(42))?.workflow;
  if (workflow !== 'the second') problems.push(`the run is as its former holder wrote it: ${workflow}`);
  if (claim.lost.aborted) problems.push('the claim of its holder counts as lost');
  await there.call({ do: 'release' });
  const third = await codeOf(async () => (await here.claim(on)).release());
  if (third !== 'CONFLICT') problems.push('a holder that was replaced releases the claim of another');
  await claim.release();
  return problems;
}

async function numbering({ here, start }: TwoProcesses): Promise<readonly string[]> {
  const count = 12;
  const there = await start();
  const numbers = await Promise.all([there.call({ do: 'create issues', count }), createIssues(here, count)]);
  const ids = await Promise.all([there.call({ do: 'ask', count }), askTimes(here, count)]);
  return [
    ...repeats('number of an issue', [...resultIn(numbers[0]), ...numbers[1]], 2 * count),
    ...repeats('id of a clarification', [...resultIn(ids[0]), ...ids[1]], 2 * count),
  ];
}

async function watching({ here, start }: TwoProcesses): Promise<readonly string[]> {
  const there = await start();
  const heard = new Set<string>();
  const end = here.watch(({ kind, id }) => void heard.add(`${kind} ${id}`));
  await there.call({ do: 'ask', count: 1 });
  // Later changes are reported later.
  await here.ledgers.update(43, (ledger) => ({ next: { ...ledger, lastSequence: 0 }, result: undefined }));
  await until(() => heard.has('clarifications 43'));
  end();
  return heard.has('clarifications 42') ? [] : ['what another process changed is not heard here'];
}

export async function createIssues({ issues }: Pick<Store, 'issues'>, count: number): Promise<readonly string[]> {
  const create = async () => String((await issues.create(anIssue())).number);
  return Promise.all(Array.from({ length: count }, create));
}

export async function askTimes({ ledgers }: Pick<Store, 'ledgers'>, count: number): Promise<readonly string[]> {
  const ask = () =>
    ledgers.update(42, (ledger) => {
      const id = nextClarificationId(ledger);
      const clarifications = [...ledger.clarifications, aClarification({ id })];
      return { next: { ...ledger, clarifications }, result: id };
    });
  return Promise.all(Array.from({ length: count }, ask));
}

function resultIn(outcome: Outcome): readonly string[] {
  return 'result' in outcome ? outcome.result : [outcome.code];
}

function repeats(what: string, numbers: readonly string[], count: number): readonly string[] {
  const different = new Set(numbers).size;
  return different === count ? [] : [`of ${count} times, one ${what} was given ${count - different} times again`];
}

async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof AgentXError) return error.code;
    throw error;
  }
}

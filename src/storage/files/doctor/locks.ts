import type { HeldLock, Problem } from '../../../protocol/diagnosis.js';
import { AgentXError } from '../../../protocol/errors.js';
import { STALE_LOCK_THRESHOLD_MS } from '../../../protocol/limits.js';
import { toEpochMs } from '../../../protocol/timestamp.js';
import { isThere } from '../file-system.js';
import { findLitter, sweepLitter } from '../litter.js';
import { acquireLock } from '../lock.js';
import { type LockOnDisk, readLock } from '../lock-claim.js';
import { thisProcess } from '../process-identity.js';
import { problemAndRemedy } from '../store-error.js';
import { asRepair, type Examination, type Findings, REPAIR } from './examination.js';

const LOCK = /\.(?:json|ndjson)\.lock$/;
const RUN_CLAIM = /issue-(\d+)\.claim\.json\.lock$/;
const PRIVATE = /\.(?:claim|heir|waiting)\.lock$/;
/** Longer than a lock that looks too old is watched before it is broken. */
const WATCH_MS = 2_000;

/** Locks with their holders, and what dead processes left behind. */
export async function examineLocks(context: Examination): Promise<Findings & { readonly locks: readonly HeldLock[] }> {
  const { fs, contents } = context;
  const litter = contents.folders.flatMap(({ path }) => findLitter(fs, path));
  const swept = describeLitter(context, litter);
  if (context.wantsRepair) for (const { path } of contents.folders) sweepLitter(fs, path);
  const isLeft = ({ path }: Located): boolean => !context.wantsRepair || isThere(fs, path);
  const others = contents.files
    .filter(({ path }) => LOCK.test(path) && !PRIVATE.test(path) && !litter.includes(path))
    .map(({ path }) => judge(context, path));
  const unreadableLocks = others.flatMap((lock) =>
    lock !== undefined && 'reason' in lock && !('path' in lock) ? [lock] : [],
  );
  const stale = others.filter((lock) => lock !== undefined && 'path' in lock);
  const findings = await Promise.all(stale.map((lock) => breakStale(context, lock)));
  return {
    problems: [
      ...swept.filter(isLeft).map(({ path: _, ...problem }) => problem),
      ...unreadableLocks,
      ...findings.flatMap(({ problems }) => problems),
    ],
    repaired: [...swept.filter((one) => !isLeft(one)).map(asRepair), ...findings.flatMap(({ repaired }) => repaired)],
    locks: others.filter((lock) => lock !== undefined && 'holder' in lock),
  };
}

function describeLitter({ fs, nameOf }: Examination, litter: readonly string[]): readonly (Problem & Located)[] {
  return litter.map((path) => {
    const body = LOCK.test(path) && !PRIVATE.test(path) ? readLock(fs, path)?.body : undefined;
    const reason = body ? `its holder ${body.agent} (pid ${body.pid}) has died` : 'left behind by a process that died';
    const todo = goOnWith(path) ?? `No process waits for it: the next command that writes here removes it. ${REPAIR}`;
    return { file: nameOf(path), reason, todo, path };
  });
}

/** A run that its process left is not lost: going on with it takes over its claim. */
function goOnWith(path: string): string | undefined {
  const [, issueNumber] = RUN_CLAIM.exec(path) ?? [];
  return issueNumber === undefined ? undefined : `The run was interrupted. Go on with: agentx run ${issueNumber}`;
}

interface Located {
  readonly path: string;
}

type StaleLock = Problem & Located;

function judge(context: Examination, path: string): HeldLock | StaleLock | Problem | undefined {
  const file = context.nameOf(path);
  try {
    const lock = readLock(context.fs, path);
    return lock && judgeByAge(context, { ...lock, path, file });
  } catch (error) {
    return { file, ...problemAndRemedy('read', path, error) };
  }
}

/**
 * A holder on this host is known to live; of holders elsewhere, and of programs that say less, only the age is known.
 */
function judgeByAge(
  { at }: Examination,
  { body, modifiedMs, path, file }: LockOnDisk & Located & { readonly file: string },
): HeldLock | StaleLock {
  const age = toEpochMs(at) - modifiedMs;
  const isOurs = body?.token !== undefined && body.host === thisProcess().host;
  if (isOurs || age <= STALE_LOCK_THRESHOLD_MS) {
    const since = body?.since === undefined ? body?.timestamp : new Date(body.since).toISOString();
    const heldSince = since ?? new Date(modifiedMs).toISOString();
    return {
      file: file.slice(0, -'.lock'.length),
      holder: body?.agent ?? 'an unknown process',
      pid: body?.pid ?? 0,
      since: heldSince,
      // A lock from the future, after the clock was set back, is dated today by the next process that wants it.
      ...(isOurs ? {} : { freeAt: new Date(toEpochMs(at) - Math.max(0, age) + STALE_LOCK_THRESHOLD_MS).toISOString() }),
    };
  }
  const holder = body ? `${body.agent} (pid ${body.pid})` : 'an unknown process';
  const reason = `${holder} has not touched it for ${Math.round(age / 1000)} s`;
  const todo = goOnWith(path) ?? `The next command that writes here takes it over. ${REPAIR}`;
  return { file, reason, todo, path };
}

/** Taken over and released by the rules that hold for every process. */
async function breakStale({ wantsRepair, fs, agent }: Examination, { path, ...problem }: StaleLock): Promise<Findings> {
  if (!wantsRepair) return { problems: [problem], repaired: [] };
  try {
    (await acquireLock(path.slice(0, -'.lock'.length), { fs, agent, waitMs: WATCH_MS })).release();
    return { problems: [], repaired: [asRepair(problem)] };
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    return { problems: [{ ...problem, reason: error.message }], repaired: [] };
  }
}

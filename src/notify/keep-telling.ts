import type { Store } from '../ports/store.js';
import { AgentXError, isStoreFailure, messageOf } from '../protocol/errors.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { isDueWithin, type NotifyPorts, Sending, tellPeople } from './tell-people.js';

/*
 * A long-lived process tells people the news until it ends. One process of a project does so at a time; the others wait
 * for its end, and then one of them takes its place.
 */

const CLAIM_LOOK_MS = 2_000;
/** Due times and changes of records wake the process earlier; changed settings do not. */
const LONGEST_REST_MS = 15_000;
const SHORTEST_REST_MS = 50;

export interface TellingOptions {
  readonly signal: AbortSignal;
  /** The process ends when nothing is due within this time; absent for a process that stays. */
  readonly untilIdleForMs?: number;
  /** How often it looks whether it gets the claim. */
  readonly claimLookMs?: number;
}

type Ports = NotifyPorts & { readonly store: Pick<Store, 'questions' | 'deliveries' | 'claim' | 'watch'> };

/**
 * `open` reads the settings before each look, because a server may live for weeks. It returns undefined if there are no
 * channels.
 */
export async function keepTelling(open: () => Promise<Ports | undefined>, options: TellingOptions): Promise<void> {
  const { signal, untilIdleForMs, claimLookMs = CLAIM_LOOK_MS } = options;
  while (!signal.aborted) {
    const ports = await open();
    const hadClaim = ports !== undefined && (await tellWhileClaimed(ports, open, options));
    if (untilIdleForMs === undefined) await rest(ports === undefined ? LONGEST_REST_MS : claimLookMs, signal);
    // A command that saw our claim left its news to us, even if we were just releasing the claim.
    else if (!hadClaim || !(await isDueWithin(ports, untilIdleForMs))) return;
  }
}

/** False if another process has the claim, or the disk of a process that stays refuses it for now. */
async function tellWhileClaimed(
  first: Ports,
  open: () => Promise<Ports | undefined>,
  options: TellingOptions,
): Promise<boolean> {
  const { signal, untilIdleForMs } = options;
  const claim = await first.store.claim({ notify: 'people' }).catch((error: unknown) => {
    if (error instanceof AgentXError && (error.code === 'CONFLICT' || error.code === 'LOCK_TIMEOUT')) return undefined;
    if (untilIdleForMs !== undefined || !isStoreFailure(error)) throw error;
    first.log.error('people could not be told the news', { error: messageOf(error) });
    return undefined;
  });
  if (claim === undefined) return false;
  const bell = new WakeSignal();
  const unwatch = first.store.watch(({ kind }) => {
    if (kind === 'questions' || kind === 'everything') bell.ring();
  });
  const sending = new Sending(() => bell.ring());
  try {
    let ports: Ports | undefined = first;
    while (!signal.aborted && !claim.lost.aborted && ports !== undefined) {
      bell.quiet();
      const nextAt = await tellOrLog(ports, sending);
      const restMs = nextAt === undefined ? Number.POSITIVE_INFINITY : nextAt - toEpochMs(ports.clock.now());
      if (untilIdleForMs !== undefined && restMs > untilIdleForMs && sending.isOver) break;
      await bell.heardWithin(Math.min(Math.max(restMs, SHORTEST_REST_MS), LONGEST_REST_MS), signal);
      ports = await open();
    }
    return true;
  } finally {
    unwatch();
    // Another process would take these messages for those of a dead process.
    await sending.ended();
    await claim.release();
  }
}

/** A failure is logged, and the next look tries again. */
async function tellOrLog(ports: Ports, sending: Sending): Promise<number | undefined> {
  try {
    return await tellPeople(ports, sending);
  } catch (error) {
    ports.log.error('people could not be told the news', { error: messageOf(error) });
    return toEpochMs(ports.clock.now()) + CLAIM_LOOK_MS;
  }
}

class WakeSignal {
  #isRung = false;
  #wake = (): void => {};

  quiet(): void {
    this.#isRung = false;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  async heardWithin(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#isRung) return;
    const ringing = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const waitController = new AbortController();
    try {
      await Promise.race([ringing, rest(milliseconds, AbortSignal.any([signal, waitController.signal]))]);
    } finally {
      waitController.abort();
    }
  }
}

/** A pause that the signal ends without an error. */
function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

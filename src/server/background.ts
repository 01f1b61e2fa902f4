import type { App } from '../app/app.js';
import { SERVER } from '../protocol/claim.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import type { RunStanding } from '../protocol/run-standing.js';
import type { Feed } from './feed.js';
import { goOn } from './go-on.js';

/* What a server does at intervals, without a request. Each function returns the one that ends it. */

/** Works at intervals, never twice at once. A failure is logged, and the next interval tries again. */
function repeat(app: App, { everyMs, failure }: { everyMs: number; failure: string }, work: () => Promise<void>) {
  let isBusy = false;
  const workOnce = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      // Without its folder there is nothing to do, and nothing may be written in its place.
      if (await isServed(app)) await work();
    } catch (error) {
      app.log.error(failure, { error: messageOf(error) });
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void workOnce(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function isServed(app: App): Promise<boolean> {
  return app.requireServed().then(
    () => true,
    () => false,
  );
}

const FALLBACKS_LOOK_MS = 300;
const AFTER_NOTHING_MS = 1_000;
/** What failed now would fail a moment later too. */
const AFTER_FAILED_FALLBACK_MS = 10_000;

/**
 * Applies a fallback when its time has come, without waiting for the next sweep. Other processes may do so at the same
 * moment.
 */
export function takeFallbacksWhenDue(app: App, feed: Feed, everyMs: number = FALLBACKS_LOOK_MS): () => void {
  let restUntil = 0;
  return repeat(app, { everyMs, failure: 'taking a fallback failed' }, async () => {
    if (performance.now() < restUntil || !isAnyDue(app, feed)) return;
    restUntil = performance.now() + AFTER_FAILED_FALLBACK_MS;
    const endedQuestions = await app.completeInbox();
    for (const { id } of endedQuestions) goOn(app, id);
    // Another process was quicker, which is seen in a moment, or it cannot be applied now.
    restUntil = endedQuestions.length === 0 ? performance.now() + AFTER_NOTHING_MS : 0;
  });
}

/** Runs over thousands of questions every few moments; stored times have already been validated. */
function isAnyDue(app: App, feed: Feed): boolean {
  const now = Date.parse(app.clock.now());
  for (const { expiresAt } of feed.openQuestions()) {
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now) return true;
  }
  return false;
}

const SWEEP_MS = 30_000;

/** A running server notices what is stale or due by itself, so that no user has to run a command for it. */
export function sweepNowAndThen(app: App, everyMs: number = SWEEP_MS): () => void {
  return repeat(app, { everyMs, failure: 'a sweep failed' }, async () => {
    await app.runCheck();
  });
}

const RUNS_LOOK_MS = 1_000;
/** How long a person who has just answered has to go on in a terminal of their own and watch. */
const GRACE_MS = 3_000;
/** What failed now would fail a moment later too. */
const AFTER_FAILED_RUN_MS = 30_000;

export interface CarryOnOptions {
  /** False if the server only shows: then it starts no agents. */
  readonly goesOn: boolean;
  readonly lookMs?: number;
  readonly graceMs?: number;
}

/**
 * Looks at the runs now and then. A run that paused for people goes on here when one of its questions has ended, in any
 * way, unless another process carries it on. An interrupted run, or a run that is to do work again, is left to people.
 * Clients are told about it, because no file changes when a process dies. Returns the function that ends this; it
 * resolves when everything carried on here has stopped.
 */
export function carryRunsOn(app: App, feed: Feed, options: CarryOnOptions): () => Promise<void> {
  const { goesOn, lookMs = RUNS_LOOK_MS, graceMs = GRACE_MS } = options;
  const stop = new AbortController();
  const runByIssue = new Map<number, Promise<void>>();
  /** Since when each run could go on, and when it may be tried. */
  const notBefore = new Map<number, number>();
  const lastStatus = new Map<number, string>();

  const carry = async (issueNumber: number) => {
    try {
      await app.run({ issueNumber, wait: false, signal: stop.signal, by: SERVER });
      notBefore.delete(issueNumber);
    } catch (error) {
      notBefore.set(issueNumber, performance.now() + AFTER_FAILED_RUN_MS);
      // Another process was quicker.
      if (error instanceof AgentXError && error.code === 'CONFLICT') return;
      app.log.error('a run did not go on', { issueNumber, error: messageOf(error) });
    } finally {
      runByIssue.delete(issueNumber);
    }
  };

  const consider = ({ issueNumber, ended, goOn }: RunStanding) => {
    if (!goesOn || ended.length === 0 || goOn === undefined) {
      notBefore.delete(issueNumber);
      return;
    }
    const now = performance.now();
    const start = notBefore.get(issueNumber) ?? now + graceMs;
    notBefore.set(issueNumber, start);
    if (start <= now && !runByIssue.has(issueNumber)) runByIssue.set(issueNumber, carry(issueNumber));
  };

  const end = repeat(app, { everyMs: lookMs, failure: 'runs could not be looked at' }, async () => {
    const { items } = await app.unfinishedRuns();
    for (const run of items) {
      const { issueNumber, status, goOn = '' } = run;
      if (lastStatus.get(issueNumber) !== `${status} ${goOn}`) feed.lookAt({ kind: 'runs', id: String(issueNumber) });
      lastStatus.set(issueNumber, `${status} ${goOn}`);
      if (!stop.signal.aborted) consider(run);
    }
  });

  return async () => {
    end();
    stop.abort();
    await Promise.all(runByIssue.values());
  };
}

import type { App } from '../app/app.js';
import { messageOf } from '../protocol/errors.js';
import type { Feed } from './feed.js';
import { goOn } from './go-on.js';

const LOOK_MS = 300;
const AFTER_NOTHING_MS = 1_000;
/** What failed now would fail a moment later too. */
const AFTER_FAILURE_MS = 10_000;

/**
 * Applies a fallback when its time has come, without waiting for the next sweep. Other processes may do so at the same
 * moment.
 */
export function takeFallbacksWhenDue(app: App, feed: Feed, everyMs: number = LOOK_MS): () => void {
  let isBusy = false;
  let restUntil = 0;
  const take = async () => {
    if (isBusy || performance.now() < restUntil || !isAnyDue(app, feed)) return;
    isBusy = true;
    try {
      const applied = await app.completeInbox();
      for (const { id } of applied) goOn(app, id);
      // Another process was quicker, which is seen in a moment, or it cannot be applied now.
      if (applied.length === 0) restUntil = performance.now() + AFTER_NOTHING_MS;
    } catch (error) {
      restUntil = performance.now() + AFTER_FAILURE_MS;
      app.log.error('taking a fallback failed', { error: messageOf(error) });
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void take(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Runs over thousands of questions every few moments; stored times have already been validated. */
function isAnyDue(app: App, feed: Feed): boolean {
  const now = Date.parse(app.clock.now());
  for (const { expiresAt } of feed.openQuestions()) {
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now) return true;
  }
  return false;
}

import type { App } from '../app/app.js';
import { messageOf } from '../protocol/errors.js';

const SWEEP_MS = 30_000;

/** A running server notices what is stale or due by itself, so that no user has to run a command for it. */
export function sweepNowAndThen(app: App, everyMs: number = SWEEP_MS): () => void {
  let isSweeping = false;
  const sweep = async () => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      await app.runCheck();
    } catch (error) {
      app.log.error('a sweep failed', { error: messageOf(error) });
    } finally {
      isSweeping = false;
    }
  };
  const timer = setInterval(() => void sweep(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

import type { App } from '../app/create-app.js';
import { messageOf } from '../protocol/errors.js';

const SWEEP_MS = 30_000;

/** While somebody serves anyway, nobody has to wait for the next command to notice what is stale or due. */
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

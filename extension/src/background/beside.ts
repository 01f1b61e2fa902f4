import type { App } from '../../../src/app/app.js';

/** What an open project does by itself, as a server does: it tells channels the news, and keeps in step with GitHub. */
export function workBeside(app: Pick<App, 'hasChannels' | 'tellNews' | 'keepInStep'>): () => Promise<void> {
  const quiet = app.hasChannels() ? app.tellNews() : undefined;
  const inStep = app.keepInStep();
  return async () => {
    await quiet?.();
    await (await inStep)?.end();
  };
}

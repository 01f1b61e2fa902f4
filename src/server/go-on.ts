import type { App } from '../app/app.js';
import { messageOf } from '../protocol/errors.js';

/**
 * Agents that waited for a question which has ended go on with its answer. The caller does not wait for them: the
 * answer stands whatever becomes of them, and failures are left to the sweep.
 */
export function goOn(app: Pick<App, 'whoWaitsFor' | 'route' | 'log'>, questionId: string): void {
  const fail = (error: unknown) => {
    const message = messageOf(error);
    app.log.error('what waited for a human was not routed', { questionId, error: message });
  };
  app.whoWaitsFor(questionId).then((ids) => {
    for (const id of ids) app.route(id).catch(fail);
  }, fail);
}

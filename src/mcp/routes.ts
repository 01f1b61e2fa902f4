import type { App } from '../app/app.js';
import { messageOf } from '../protocol/errors.js';

type HubResult = Awaited<ReturnType<App['route']>>;

/** The targets that answer in this process. A call that gives up leaves its target at work. */
export class Routes {
  readonly #underWay = new Map<string, Promise<HubResult>>();
  /** Those for which a process was started that has not ended. */
  readonly #elsewhere = new Set<string>();

  /** `startLater` has a target answer for an asker that does not wait; by default, this process does. */
  constructor(private readonly startLater?: (clarificationId: string, onEnd: () => void) => void) {}

  now(app: App, clarificationId: string): Promise<HubResult> {
    const routeUnderWay = this.#underWay.get(clarificationId);
    if (routeUnderWay !== undefined) return routeUnderWay;
    const routing = app.route(clarificationId).finally(() => this.#underWay.delete(clarificationId));
    this.#underWay.set(clarificationId, routing);
    // The call that started the route may be over; then only the log tells of the error.
    routing.catch((error: unknown) =>
      app.log.warn('a target was not asked', { clarificationId, error: messageOf(error) }),
    );
    return routing;
  }

  later(app: App, clarificationId: string): void {
    if (this.startLater === undefined) return void this.now(app, clarificationId).catch(() => {});
    if (this.#elsewhere.has(clarificationId)) return;
    this.#elsewhere.add(clarificationId);
    this.startLater(clarificationId, () => this.#elsewhere.delete(clarificationId));
  }
}

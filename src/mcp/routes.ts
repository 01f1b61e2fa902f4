import type { App } from '../app/app.js';
import { messageOf } from '../protocol/errors.js';

type HubResult = Awaited<ReturnType<App['route']>>;

/** The targets that this process is having answered. A call that gives up leaves its target at work. */
export class Routes {
  readonly #underWay = new Map<string, Promise<HubResult>>();

  /** `later` has a target answer for an asker that does not wait; by default here. */
  constructor(private readonly startLater?: (clarificationId: string) => void) {}

  now(app: App, clarificationId: string): Promise<HubResult> {
    const routeUnderWay = this.#underWay.get(clarificationId);
    if (routeUnderWay !== undefined) return routeUnderWay;
    const routing = app.route(clarificationId).finally(() => this.#underWay.delete(clarificationId));
    this.#underWay.set(clarificationId, routing);
    // The call that started it may be over; what went wrong is then only for the log.
    routing.catch((error: unknown) =>
      app.log.warn('a target was not asked', { clarificationId, error: messageOf(error) }),
    );
    return routing;
  }

  later(app: App, clarificationId: string): void {
    if (this.startLater !== undefined) this.startLater(clarificationId);
    else void this.now(app, clarificationId).catch(() => {});
  }
}

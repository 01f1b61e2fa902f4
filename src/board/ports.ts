import type { Clock } from '../ports/clock.js';
import type { EventBus } from '../ports/event-bus.js';
import type { Store } from '../ports/store.js';

export interface BoardPorts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly projectId: string;
}

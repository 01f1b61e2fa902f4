import type { AgentXEvent, EventBus } from '../ports/event-bus.js';
import type { AgentXEventMap, AgentXEventName } from '../protocol/events.js';

const HISTORY_LENGTH = 200;

export interface EventBusOptions {
  /** Called when a listener threw, because nothing else reports it. */
  readonly onError?: (error: unknown, event: AgentXEvent) => void;
}

export function createEventBus({ onError = () => {} }: EventBusOptions = {}): EventBus {
  const subscriptions = new Set<(event: AgentXEvent) => void>();
  const history: AgentXEvent[] = [];

  return {
    emit(name, payload) {
      const event = eventOf(name, payload);
      // A model that speaks would push everything else out.
      if (name !== 'turn-progress') history.push(event);
      if (history.length > HISTORY_LENGTH) history.shift();
      // Over a copy: a listener added during an event gets the next one, not this one.
      for (const deliver of [...subscriptions]) {
        try {
          if (subscriptions.has(deliver)) deliver(event);
        } catch (error) {
          onError(error, event);
        }
      }
    },
    on(name, listener) {
      const deliver = (event: AgentXEvent) => {
        if (isNamed(event, name)) listener(event.payload);
      };
      subscriptions.add(deliver);
      return () => subscriptions.delete(deliver);
    },
    history: () => [...history],
  };
}

/** The first signature ties name and payload together, which the compiler cannot follow through a generic name. */
function eventOf<Name extends AgentXEventName>(name: Name, payload: AgentXEventMap[Name]): AgentXEvent;
function eventOf(name: AgentXEventName, payload: AgentXEventMap[AgentXEventName]) {
  return { name, payload };
}

function isNamed<Name extends AgentXEventName>(
  event: AgentXEvent,
  name: Name,
): event is AgentXEvent & { readonly name: Name; readonly payload: AgentXEventMap[Name] } {
  return event.name === name;
}

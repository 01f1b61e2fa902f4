import type { AgentXEventMap, AgentXEventName } from '../protocol/events.js';

export type AgentXEvent = {
  readonly [Name in AgentXEventName]: { readonly name: Name; readonly payload: AgentXEventMap[Name] };
}[AgentXEventName];

export interface EventBus {
  /** Calls every listener, in the order in which they subscribed. One that throws does not stop the others. */
  emit<Name extends AgentXEventName>(name: Name, payload: AgentXEventMap[Name]): void;
  /** Returns the function that ends the subscription. */
  on<Name extends AgentXEventName>(name: Name, listener: (payload: AgentXEventMap[Name]) => void): () => void;
  /** The last 200, oldest first. */
  history(): readonly AgentXEvent[];
}

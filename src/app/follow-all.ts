import type { AgentXEventMap, AgentXEventName } from '../protocol/events.js';
import type { ToldEvent } from '../render/run-stream.js';
import type { App } from './app.js';

/** The compiler reports a missing name. */
const NAMES: { readonly [Name in AgentXEventName]: Name } = {
  'run-started': 'run-started',
  'step-started': 'step-started',
  'step-skipped': 'step-skipped',
  'turn-started': 'turn-started',
  'turn-progress': 'turn-progress',
  'turn-ended': 'turn-ended',
  'turn-failed': 'turn-failed',
  'step-ended': 'step-ended',
  'steps-reopened': 'steps-reopened',
  'run-paused': 'run-paused',
  'run-resumed': 'run-resumed',
  'run-finished': 'run-finished',
  'clarification-requested': 'clarification-requested',
  'clarification-answered': 'clarification-answered',
  'clarification-stale': 'clarification-stale',
  'clarification-resolved': 'clarification-resolved',
  'clarification-escalated': 'clarification-escalated',
  'clarification-abandoned': 'clarification-abandoned',
  'memory-stored': 'memory-stored',
  'memory-recalled': 'memory-recalled',
  'context-compacted': 'context-compacted',
  'agent-status-changed': 'agent-status-changed',
  'notification-added': 'notification-added',
  'notification-resolved': 'notification-resolved',
  'task-updated': 'task-updated',
};

/** Passes on every event of the bus, in order. Returns the function that stops this. */
export function followAll({ bus }: Pick<App, 'bus'>, listener: (event: ToldEvent) => void): () => void {
  const ends = Object.values(NAMES).map((name) => bus.on(name, (payload) => listener(toldEvent(name, payload))));
  return () => {
    for (const end of ends) end();
  };
}

/** The first signature ties name and payload together, which the compiler cannot follow through a generic name. */
function toldEvent<Name extends AgentXEventName>(name: Name, payload: AgentXEventMap[Name]): ToldEvent;
function toldEvent(name: AgentXEventName, payload: AgentXEventMap[AgentXEventName]) {
  return { name, payload };
}

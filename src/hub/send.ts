import type { EventBus } from '../ports/event-bus.js';
import type { EmitEffect } from '../protocol/events.js';

/** Emits the events of a transition. */
export function send(
  { bus }: { readonly bus: EventBus },
  effects: readonly (EmitEffect | { readonly type: string })[],
): void {
  for (const effect of effects) if (isEmit(effect)) bus.emit(effect.name, effect.payload);
}

function isEmit(effect: EmitEffect | { readonly type: string }): effect is EmitEffect {
  return effect.type === 'emit';
}

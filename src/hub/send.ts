import type { EventBus } from '../ports/event-bus.js';
import type { ClarificationEffect } from '../protocol/clarification-transition.js';
import type { QuestionEffect } from '../protocol/question-transition.js';

/** Emits the events of a transition. */
export function send(
  { bus }: { readonly bus: EventBus },
  effects: readonly (ClarificationEffect | QuestionEffect)[],
): void {
  for (const effect of effects) if (effect.type === 'emit') bus.emit(effect.name, effect.payload);
}

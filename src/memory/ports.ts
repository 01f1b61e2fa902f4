import type { Clock } from '../ports/clock.js';
import type { EventBus } from '../ports/event-bus.js';
import type { Log } from '../ports/log.js';
import type { IObservationStore } from '../ports/observations.js';
import type { Tokenizer } from '../ports/tokenizer.js';
import type { ScoreWeights } from './relevance-scorer.js';

export interface MemorySettings {
  readonly enabled: boolean;
  /** 0: nothing is recalled, while capture goes on. */
  readonly maxTokens: number;
  readonly weights?: ScoreWeights | undefined;
}

/** What the memory works with. */
export interface MemoryPorts {
  readonly store: { readonly observations: IObservationStore };
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  readonly tokenizer: Tokenizer;
  readonly settings: MemorySettings;
  /** Six letters and digits, different each time. */
  readonly random: () => string;
}

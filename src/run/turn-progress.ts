import type { TurnProgress } from '../ports/runner.js';
import type { RunStepPayload } from '../protocol/events.js';
import { toEpochMs } from '../protocol/timestamp.js';
import type { RunPorts } from './ports.js';

/** Pieces shorter than this wait for the next one: a model speaks in half words. */
const PIECE = 80;

interface Place {
  readonly payload: Omit<RunStepPayload, 'timestamp'>;
  readonly turn: number;
  readonly sessionId: string;
}

/** Tells the followers of a run what happens inside a turn. */
export class ProgressTeller {
  #text = '';

  constructor(
    private readonly ports: Pick<RunPorts, 'bus' | 'clock'>,
    private readonly place: Place,
  ) {}

  tell(progress: TurnProgress): void {
    if (progress.type === 'text') {
      this.#text += progress.text;
      if (this.#text.length >= PIECE || this.#text.endsWith('\n')) this.flush();
      return;
    }
    this.flush();
    if (progress.type === 'tool') this.#emit({ tool: progress.tool, about: progress.about });
    else this.#compacted(progress);
  }

  flush(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#emit({ text });
  }

  #emit(what: { readonly text?: string; readonly tool?: string; readonly about?: string }): void {
    const { payload, turn } = this.place;
    this.ports.bus.emit('turn-progress', { ...payload, turn, ...what, timestamp: this.#now() });
  }

  #compacted({ originalTokens, compactedTokens, summary }: Extract<TurnProgress, { type: 'compacted' }>): void {
    const { agent, issueNumber } = this.place.payload;
    const { sessionId } = this.place;
    const figures = { originalTokens, compactedTokens, summary };
    this.ports.bus.emit('context-compacted', { agent, issueNumber, sessionId, ...figures, timestamp: this.#now() });
  }

  #now(): number {
    return toEpochMs(this.ports.clock.now());
  }
}

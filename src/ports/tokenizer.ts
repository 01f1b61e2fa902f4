/** Counts tokens exactly. Loading one takes long: only what writes an observation counts, and what reads it does not. */
export interface Tokenizer {
  /** Stored beside a count, so that readers know which ones are exact. */
  readonly name: string;
  count(text: string): Promise<number>;
}

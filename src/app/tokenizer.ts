import type { Tokenizer } from '../ports/tokenizer.js';
import { ESTIMATE, estimateTokens } from '../protocol/tokens.js';

const EXACT = 'o200k_base';

/** Loaded with the first text: its table takes half a second to read. Without the package, counts are estimates. */
export function openTokenizer(): Tokenizer {
  let count: Promise<(text: string) => number> | undefined;
  let name = EXACT;
  const load = async (): Promise<(text: string) => number> => {
    try {
      const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
      // What an agent wrote may spell the names of special tokens: they are text.
      return (text) => countTokens(text, { disallowedSpecial: new Set() });
    } catch {
      name = ESTIMATE;
      return estimateTokens;
    }
  };
  return {
    get name() {
      return name;
    },
    async count(text) {
      count ??= load();
      return (await count)(text);
    },
  };
}

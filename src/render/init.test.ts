import { describe, expect, it } from 'vitest';
import { renderInit } from './init.js';

describe('renderInit', () => {
  it('names what is new and what stayed', () => {
    const text = renderInit({ created: ['.agentx/config.toml'], existing: ['.agentx/workflows/bug.toml'] });
    expect(text).toBe('created  .agentx/config.toml\nkept     .agentx/workflows/bug.toml');
  });

  it('says in one line that nothing was to be done', () => {
    expect(renderInit({ created: [], existing: ['a', 'b'] })).toBe('Nothing to do: all 2 files are there already.');
  });
});

import { expect, it } from 'vitest';
import type { Observation } from './observation.js';
import { storable } from './storable.js';

const KEY = `ghp_${'a1B2'.repeat(9)}`;
const observed = (content: string, summary: string): Observation => ({
  id: 'obs-engineer-42-1772100000000-a1b2c3',
  agent: 'engineer',
  issueNumber: 42,
  category: 'key-fact',
  content,
  summary,
  tokens: 10,
  timestamp: '2026-02-26T10:00:00.000Z',
  sessionId: 's-1',
});

it.each([
  ['a content without one', 'The mirror is private.', `The mirror needs ${KEY}`],
  ['a content that has it too', `The mirror needs ${KEY}, and a proxy.`, `The mirror needs ${KEY}`],
])('takes a secret out of the summary of %s', (_, content, summary) => {
  expect(JSON.stringify(storable(observed(content, summary)))).not.toContain(KEY);
});

it('cuts a long summary that is a part of its content', () => {
  const content = 'word '.repeat(200).trim();
  expect(storable(observed(content, content)).summary).toHaveLength(300);
});

import { expect, it } from 'vitest';
import { wrapSentence } from './wrap-sentence.js';

it('breaks between words, and never inside a command that can be copied', () => {
  const sentence = '#1 is done already. To do it again: agentx issue reopen 1, then agentx run 1';
  expect(wrapSentence(sentence, 40)).toBe(
    '#1 is done already. To do it again:\nagentx issue reopen 1, then agentx run 1',
  );
  expect(wrapSentence('Nothing waits for you. What was: agentx inbox --all', 40)).toBe(
    'Nothing waits for you. What was:\nagentx inbox --all',
  );
  expect(wrapSentence('There is no copy yet: agentx sync. The network is away, as before.', 24)).toBe(
    'There is no copy yet:\nagentx sync. The network\nis away, as before.',
  );
});

it('leaves a word or a command that is longer than the line to the terminal, so that it is copied whole', () => {
  expect(wrapSentence('Answer: agentx inbox answer oq-1c75e702e48808d0', 20)).toBe(
    'Answer:\nagentx inbox answer oq-1c75e702e48808d0',
  );
});

it.each([
  ['what fits', 'Nothing is stale.', 40],
  ['what is laid out', '  agentx run 1      starts it, and asks you', 20],
  ['a table', 'draft 12ab  A title that is long enough  (offline)', 20],
  ['what has colours', '\u001b[1mA name that is long\u001b[22m is shown', 10],
  ['a pipe', 'Nothing waits for you. What was: agentx inbox --all', undefined],
])('leaves %s as it is', (_, text, width) => {
  expect(wrapSentence(text, width)).toBe(text);
});

it('keeps lines apart', () => {
  expect(wrapSentence('One line here.\nAnother line here.', 10)).toBe('One line\nhere.\nAnother\nline here.');
});

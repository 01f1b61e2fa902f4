import { expect, it } from 'vitest';
import { onceFor } from './once-for.js';

it('calls the function once for each object, whatever the result is', () => {
  const calls: object[] = [];
  const told = onceFor((key: { readonly text: string }) => {
    calls.push(key);
    return key.text === '' ? undefined : key.text;
  });
  const [first, second, empty] = [{ text: 'a' }, { text: 'a' }, { text: '' }];
  expect([told(first), told(first), told(second), told(empty), told(empty)]).toEqual([
    'a',
    'a',
    'a',
    undefined,
    undefined,
  ]);
  expect(calls).toEqual([first, second, empty]);
});

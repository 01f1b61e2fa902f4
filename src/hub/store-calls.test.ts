import { expect, it } from 'vitest';
import { aHub, anAsk } from '../../test/builders/hub.js';
import { ask } from './conversation.js';
import { resolve } from './resolve.js';

/** Counts the calls to each part of an object, by the name of the part and of the method. */
function counted<T extends object>(whole: T, calls: string[], path = ''): T {
  return new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      const here = `${path}${String(name)}`;
      if (typeof value === 'object' && value !== null) return counted(value, calls, `${here}.`);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => {
        calls.push(here);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

it('writes the ledger three times until an ask is resolved, once more when it is remembered, and the statuses when they change', async () => {
  const hub = await aHub();
  const calls: string[] = [];
  const ports = { ...hub, remembers: true, store: counted(hub.store, calls) };
  const { clarificationId } = await ask(ports, anAsk());
  await resolve(ports, { clarificationId, body: 'Clear.', by: 'engineer' });
  expect(calls.filter((call) => call.endsWith('.update'))).toEqual([
    'ledgers.update',
    'statuses.update',
    'ledgers.update',
    'statuses.update',
    'ledgers.update',
    'observations.update',
    'ledgers.update',
  ]);
  // The statuses show whether agents wait for each other: only the issue's own ledger is read.
  expect(calls.filter((call) => call.startsWith('ledgers.list'))).toEqual([]);
  // Once for whom may be asked, once for the brief.
  expect(calls.filter((call) => call === 'issues.read' || call === 'runs.read')).toHaveLength(4);
});

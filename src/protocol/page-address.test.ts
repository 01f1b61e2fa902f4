import { expect, it } from 'vitest';
import { pathOf, placeAt } from './page-address.js';

it.each([
  ['/', { view: 'inbox' }],
  ['/inbox', { view: 'inbox' }],
  ['/inbox/oq-1a2b3c4d', { view: 'inbox', id: 'oq-1a2b3c4d' }],
  ['/board', { view: 'board' }],
  ['/board/', { view: 'board' }],
  ['/asks/CLR-42-001', { view: 'asks', id: 'CLR-42-001' }],
  ['/asks/CLR-42-001/', { view: 'asks', id: 'CLR-42-001' }],
  ['/assumptions', { view: 'assumptions' }],
  ['/digest/2026-W47', { view: 'digest', id: '2026-W47' }],
  ['/inbox/no%20such%2Fthing', { view: 'inbox', id: 'no such/thing' }],
])('leads from %s to a place', (path, place) => {
  expect(placeAt(path)).toEqual(place);
});

it.each(['/nowhere', '/board/42', '/inbox/a/b', '/inbox/%E0%A4%A', '//', '//inbox', '/api', '/Inbox', ''])(
  'leads nowhere from %j',
  (path) => {
    expect(placeAt(path)).toBeUndefined();
  },
);

it('leads back to every place', () => {
  for (const place of [
    { view: 'board' },
    { view: 'inbox', id: 'oq-1a2b3c4d' },
    { view: 'digest', id: '2026-W47' },
    { view: 'asks', id: '../../etc/?#' },
  ] as const) {
    expect(placeAt(pathOf(place))).toEqual(place);
  }
});

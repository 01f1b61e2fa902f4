import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { anObservation } from '../../test/builders/observation.js';
import { refusalOf } from '../../test/builders/refusal.js';
import { MAX_OBSERVATION_CHARACTERS } from './limits.js';
import { Observation, ObservationCategory, ObservationFile, ObservationIndex, toIndex } from './observation.js';
import { compactObservations } from './observation-compaction.js';
import { parseFilter } from './observation-filter.js';

it('has nine fields, all of them needed [ME-1/12]', () => {
  expect(z.parse(Observation, anObservation())).toEqual(anObservation());
  for (const field of Object.keys(anObservation())) {
    expect([field, z.safeParse(Observation, { ...anObservation(), [field]: undefined }).success]).toEqual([
      field,
      false,
    ]);
  }
});

it.each(['2026-02-30', '2026-04-31T10:00:00Z', '2026-13-01', '2026-02-26T25:00:00Z'])(
  'is not searched from %s, which is no date',
  (since) => {
    expect(refusalOf(() => parseFilter({ since })).code).toBe('INVALID_INPUT');
  },
);

it('is indexed without its text and its session [ME-1/13]', () => {
  const { content: _content, sessionId: _sessionId, ...expected } = anObservation({ recallCount: 3 });
  const index = toIndex(anObservation({ recallCount: 3 }));
  expect(index).toEqual(expected);
  expect(z.parse(ObservationIndex, index)).toEqual(index);
});

it('is of one of five categories [ME-1/14]', () => {
  expect(ObservationCategory.options).toEqual(['decision', 'code-change', 'error', 'key-fact', 'compaction-summary']);
  expect(z.safeParse(Observation, { ...anObservation(), category: 'gossip' }).success).toBe(false);
});

it('may have the later fields and may lack them [ME-1/15]', () => {
  const later = anObservation({ recallCount: 2, relevanceScore: 0.5, archived: true });
  expect(z.parse(Observation, later)).toEqual(later);
  for (const wrong of [{ recallCount: 'often' }, { relevanceScore: 'high' }, { archived: 1 }])
    expect(z.safeParse(Observation, { ...later, ...wrong }).success).toBe(false);
  expect(z.parse(Observation, anObservation())).toEqual(anObservation());
  expect(z.parse(ObservationIndex, toIndex(anObservation()))).toEqual(toIndex(anObservation()));
});

it('refuses malformed ids, issue numbers and versions', () => {
  for (const wrong of [
    { id: 'obs-1' },
    { id: 'obs-a-1-2-../../x' },
    { issueNumber: '1' },
    { issueNumber: -1 },
    { tokens: -1 },
  ]) {
    expect(z.safeParse(Observation, { ...anObservation(), ...wrong }).success).toBe(false);
  }
  const file = { version: 2, issueNumber: 42, updatedAt: '2026-02-26T10:00:00Z', observations: [] };
  expect(z.safeParse(ObservationFile, file).success).toBe(false);
  expect(z.safeParse(ObservationFile, { ...file, version: 1 }).success).toBe(true);
});

it('stays within its limit when several are merged, whatever their agents are called', () => {
  const batch = Array.from({ length: 12 }, (_, place) => {
    const agent = place === 0 ? 'engineer' : `a${'x'.repeat(60)}-${place}`;
    return anObservation({
      id: `obs-engineer-29-${1_709_035_200_000 + place}-a1b2c3`,
      agent,
      content: 'y'.repeat(1900),
    });
  });
  const [merged, ...others] = compactObservations(batch).observations;
  expect(others).toEqual([]);
  expect(merged?.content.length).toBeLessThanOrEqual(MAX_OBSERVATION_CHARACTERS);
});

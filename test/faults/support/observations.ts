import type { Observation } from '../../../src/protocol/observation.js';
import { anObservation } from '../../builders/observation.js';

/** What one session found out: one batch, as a capture stores it. */
export function captured(name: string, count = 6): readonly Observation[] {
  return Array.from({ length: count }, (_, number) => {
    const id = `obs-engineer-42-${1_772_100_000_000 + number}-${name
      .replace(/[^a-z]/g, '')
      .padEnd(6, 'x')
      .slice(0, 6)}`;
    const content = `The ${name} session found fact ${number} about module m${number}.`;
    return anObservation({ id, content, summary: content, category: number % 2 === 0 ? 'decision' : 'key-fact' });
  });
}

import { findCycles, type WaitCycle } from '../hub/wait-graph.js';
import type { ListedClarification } from '../ports/store.js';

/** Cycles of any length among agents that wait for each other, across issues. */
export function findDeadlocks(active: readonly ListedClarification[]): readonly WaitCycle[] {
  return findCycles(active.map(({ record }) => record));
}

import * as z from 'zod/mini';
import type { Shape } from './shape.js';

/** How far agents may go without asking, for one kind of change. */
export const AutonomyLevel = z.enum(['automated', 'notify_and_proceed', 'requires_approval']);
export type AutonomyLevel = z.infer<typeof AutonomyLevel>;

export const Autonomy = z.object({
  scopeChanges: AutonomyLevel,
  architectureDecisions: AutonomyLevel,
  dependencyModifications: AutonomyLevel,
});
export type Autonomy = Shape<typeof Autonomy>;

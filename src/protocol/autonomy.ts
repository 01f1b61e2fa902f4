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

const TITLES = {
  scopeChanges: 'Scope changes',
  architectureDecisions: 'Architecture decisions',
  dependencyModifications: 'Dependency modifications',
} as const;
const READS: Readonly<Record<AutonomyLevel, string>> = {
  automated: 'Full autonomy: proceed without confirmation',
  notify_and_proceed: 'Notify user but proceed',
  requires_approval: 'Confirm all changes before proceeding',
};

/** `Scope changes: Notify user but proceed` */
export function levelInWords(kind: keyof Autonomy, level: AutonomyLevel): string {
  return `${TITLES[kind]}: ${READS[level]}`;
}

/** For agents: the levels, and each in words. */
export function autonomyBrief({ autonomy }: { readonly autonomy: Autonomy }): Autonomy & { readonly text: string } {
  const { scopeChanges, architectureDecisions, dependencyModifications } = autonomy;
  const levels = { scopeChanges, architectureDecisions, dependencyModifications };
  const keys = ['scopeChanges', 'architectureDecisions', 'dependencyModifications'] as const;
  return { ...levels, text: keys.map((key) => levelInWords(key, levels[key])).join('\n') };
}

import * as z from 'zod/mini';
import type { Shape } from './shape.js';

/** What a planning agent tried before it asks (002). */
export const Evidence = z.looseObject({
  codebase_search: z.exactOptional(z.string()),
  similar_features: z.exactOptional(z.string()),
  attempted_inference: z.exactOptional(z.string()),
  investigator_findings: z.exactOptional(z.string()),
});
export type Evidence = Shape<typeof Evidence>;

export const EVIDENCE: Readonly<Record<keyof Evidence, string>> = {
  codebase_search: 'Codebase search',
  similar_features: 'Similar features',
  attempted_inference: 'Attempted inference',
  investigator_findings: 'Investigator findings',
};
export const EVIDENCE_KEYS = [
  'codebase_search',
  'similar_features',
  'attempted_inference',
  'investigator_findings',
] as const satisfies readonly (keyof Evidence)[];

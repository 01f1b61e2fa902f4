import type { Diagnosis, Problem, Repair } from '../../../protocol/diagnosis.js';
import type { RepairContext } from './repair.js';
import type { Walk } from './walk.js';

/** What the parts of an examination share. */
export interface Examination extends RepairContext {
  readonly at: string;
  /** The `.agentx` folder, without links. */
  readonly root: string;
  readonly wantsRepair: boolean;
  readonly contents: Walk;
  /** The name of a file for people: relative to the repository. */
  readonly nameOf: (path: string) => string;
}

export type Findings = Pick<Diagnosis, 'problems' | 'repaired'>;

export const REPAIR = 'Run: agentx doctor --repair';

export const asRepair = ({ file, reason }: Problem): Repair => ({ file, summary: `Removed: ${reason}.`, lost: [] });

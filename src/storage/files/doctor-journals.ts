import { asRepair, type Examination, type Findings, REPAIR } from './doctor-examination.js';
import { journalsOfTheDead, recoverJournals } from './journal-recovery.js';
import { layoutOf } from './layout.js';
import { asStoreError } from './store-error.js';

/** What processes that died had made durable nowhere but in their journals. Whoever opens the store puts it in place. */
export function examineJournals({ fs, root, agent, nameOf, wantsRepair }: Examination): Findings {
  const options = { fs, layout: layoutOf(root), agent };
  const dead = journalsOfTheDead(options).map((path) => ({
    file: nameOf(path),
    reason: 'the journal of a process that died: what it holds may not be in place',
    todo: REPAIR,
  }));
  if (!wantsRepair) return { problems: dead, repaired: [] };
  const left = recoverJournals(options).map(({ path, error }) => ({
    file: nameOf(path),
    reason: asStoreError('recover', path, error).message,
    todo: 'See to that, then try again.',
  }));
  const isLeft = ({ file }: { readonly file: string }): boolean => left.some((problem) => problem.file === file);
  return { problems: left, repaired: dead.filter((one) => !isLeft(one)).map(asRepair) };
}

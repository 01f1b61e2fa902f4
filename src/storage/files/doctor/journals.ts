import { orElse } from '../file-system.js';
import { journalsOfTheDead, type RecoveryOptions, UnsettledJournals } from '../journal-recovery.js';
import { layoutOf } from '../layout.js';
import { problemAndRemedy } from '../store-error.js';
import { asRepair, type Examination, type Findings, REPAIR } from './examination.js';

/** What dead processes had made durable only in their journals. Opening the store puts it in place. */
export function examineJournals(context: Examination): Findings & { readonly unsettled?: UnsettledJournals } {
  const { fs, root, agent, nameOf, wantsRepair } = context;
  const options = { fs, layout: layoutOf(root), agent };
  const dead = deadIn(options).map((path) => ({
    file: nameOf(path),
    reason: 'the journal of a process that died: what it holds may not be in place',
    todo: REPAIR,
  }));
  if (!wantsRepair) return { problems: dead, repaired: [] };
  const unsettled = new UnsettledJournals(options);
  const remaining = unsettled.left
    .filter(({ path, error }) => error !== undefined && path !== options.layout.journal)
    .map(({ path, error }) => ({ file: nameOf(path), ...problemAndRemedy('recover', path, error) }));
  const isLeft = ({ file }: { readonly file: string }): boolean => remaining.some((problem) => problem.file === file);
  return { problems: remaining, repaired: dead.filter((one) => !isLeft(one)).map(asRepair), unsettled };
}

/** A folder that cannot be read is reported with all others of that kind. */
function deadIn(options: RecoveryOptions): readonly string[] {
  return orElse<readonly string[]>([], () => journalsOfTheDead(options));
}

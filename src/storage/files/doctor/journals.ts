import { journalsOfTheDead } from '../journal-recovery.js';
import { layoutOf } from '../layout.js';
import { problemAndRemedy } from '../store-error.js';
import { UnsettledJournals } from '../unsettled-journals.js';
import { asRepair, type Examination, type Findings, REPAIR } from './examination.js';

/** What processes that died had made durable nowhere but in their journals. Whoever opens the store puts it in place. */
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
  const left = unsettled.left
    .filter(({ path, error }) => error !== undefined && path !== options.layout.journal)
    .map(({ path, error }) => ({ file: nameOf(path), ...problemAndRemedy('recover', path, error) }));
  const isLeft = ({ file }: { readonly file: string }): boolean => left.some((problem) => problem.file === file);
  return { problems: left, repaired: dead.filter((one) => !isLeft(one)).map(asRepair), unsettled };
}

/** A folder that cannot be read is told with all the others of that kind. */
function deadIn(options: Parameters<typeof journalsOfTheDead>[0]): readonly string[] {
  try {
    return journalsOfTheDead(options);
  } catch {
    return [];
  }
}

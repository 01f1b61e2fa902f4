import { join } from 'node:path';
import type { Problem, Repair } from '../../../protocol/diagnosis.js';
import { type FileSystem, orElse, readIfThere } from '../file-system.js';
import { ensureGitIgnore, GIT_IGNORE } from '../layout.js';
import { asStoreError, problemAndRemedy } from '../store-error.js';
import { type Examination, type Findings, REPAIR } from './examination.js';

/** What other users must not read, and what must not be committed. */
export function examinePrivacy(context: Examination): Findings {
  const parts = [gitIgnoreOrProblem(context), examinePermissions(context)];
  return {
    problems: parts.flatMap(({ problems }) => problems),
    repaired: parts.flatMap(({ repaired }) => repaired),
  };
}

function gitIgnoreOrProblem(context: Examination): Findings {
  const path = join(context.root, '.gitignore');
  try {
    return examineGitIgnore(context, path);
  } catch (error) {
    return problem({ file: context.nameOf(path), ...problemAndRemedy('examine', path, error) });
  }
}

/** An existing one belongs to the user: only they add to it. */
function examineGitIgnore({ fs, root, nameOf, wantsRepair }: Examination, path: string): Findings {
  const file = nameOf(path);
  const text = readIfThere(fs, path)?.toString('utf8');
  if (text === undefined) {
    if (!wantsRepair) return problem({ file, reason: 'it is missing: private files may be committed', todo: REPAIR });
    ensureGitIgnore(fs, root);
    return repaired({ file, summary: 'Written anew.', lost: [] });
  }
  const lines = new Set(text.split(/\r?\n/).map(withoutSlashes));
  const missingLines = GIT_IGNORE.split('\n').filter((line) => line !== '' && !lines.has(withoutSlashes(line)));
  if (missingLines.length === 0 || lines.has('*')) return { problems: [], repaired: [] };
  const reason = `it lacks ${missingLines.join(', ')}: files that are private or derived may be committed`;
  return problem({ file, reason, todo: `Add ${missingLines.length === 1 ? 'that line' : 'those lines'}.` });
}

/** `/state` and `state/` mean the same here. */
const withoutSlashes = (line: string): string =>
  line
    .trim()
    .replace(/^(!?)\//, '$1')
    .replace(/\/$/, '');

const OTHERS = 0o077;

/** Every user may read locks; everything else below `state` is for its owner alone. */
function examinePermissions({ fs, root, contents, nameOf, wantsRepair }: Examination): Findings {
  if (process.platform === 'win32') return { problems: [], repaired: [] };
  const open = [...contents.folders, ...contents.files]
    .filter(({ name }) => /^state(?:\/|$)/.test(name) && !/\.(?:lock|tmp)$/.test(name))
    .filter(({ path }) => (orElse(0, () => fs.statSync(path).mode) & OTHERS) !== 0);
  const [first] = open;
  if (first === undefined) return { problems: [], repaired: [] };
  const file = nameOf(join(root, 'state'));
  const more = open.length === 1 ? '' : ` and ${open.length - 1} more`;
  const what = `${nameOf(first.path)}${more}`;
  if (!wantsRepair) return problem({ file, reason: `open to others: ${what}`, todo: REPAIR });
  try {
    for (const { path } of open) closeToOthers(fs, path);
    return repaired({ file, summary: `Closed to others: ${what}.`, lost: [] });
  } catch (error) {
    return problem({ file, reason: asStoreError('change', file, error).message, todo: `Run: chmod -R go-rwx ${file}` });
  }
}

function closeToOthers(fs: FileSystem, path: string): void {
  const fd = fs.openSync(path, 'r');
  try {
    fs.fchmodSync(fd, fs.fstatSync(fd).mode & 0o700);
  } finally {
    fs.closeSync(fd);
  }
}

const problem = (description: Problem): Findings => ({ problems: [description], repaired: [] });
const repaired = (repair: Repair): Findings => ({ problems: [], repaired: [repair] });

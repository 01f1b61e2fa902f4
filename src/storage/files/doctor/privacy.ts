import { join } from 'node:path';
import type { Problem, Repair } from '../../../protocol/diagnosis.js';
import { type FileSystem, readIfThere } from '../file-system.js';
import { ensureGitIgnore, GIT_IGNORE } from '../layout.js';
import { asStoreError } from '../store-error.js';
import { type Examination, type Findings, REPAIR } from './examination.js';

/** What other users must not read, and what must not be committed. */
export function examinePrivacy(context: Examination): Findings {
  const parts = [examineGitIgnore(context), examinePermissions(context)];
  return {
    problems: parts.flatMap(({ problems }) => problems),
    repaired: parts.flatMap(({ repaired }) => repaired),
  };
}

/** An existing one belongs to the user: only they add to it. */
function examineGitIgnore({ fs, root, nameOf, wantsRepair }: Examination): Findings {
  const path = join(root, '.gitignore');
  const file = nameOf(path);
  const text = readIfThere(fs, path)?.toString('utf8');
  if (text === undefined) {
    if (!wantsRepair) return problem({ file, reason: 'it is missing: private files may be committed', todo: REPAIR });
    ensureGitIgnore(fs, root);
    return repaired({ file, summary: 'Written anew.', lost: [] });
  }
  const lines = new Set(text.split(/\r?\n/).map(bare));
  const missing = GIT_IGNORE.split('\n').filter((line) => line !== '' && !lines.has(bare(line)));
  if (missing.length === 0 || lines.has('*')) return { problems: [], repaired: [] };
  const reason = `it lacks ${missing.join(', ')}: files that are private or derived may be committed`;
  return problem({ file, reason, todo: `Add ${missing.length === 1 ? 'that line' : 'those lines'}.` });
}

/** `/state` and `state/` mean the same here. */
const bare = (line: string): string =>
  line
    .trim()
    .replace(/^(!?)\//, '$1')
    .replace(/\/$/, '');

const OTHERS = 0o077;

/** Every user may read locks; everything else below `state` is for its owner alone. */
function examinePermissions({ fs, root, found, nameOf, wantsRepair }: Examination): Findings {
  if (process.platform === 'win32') return { problems: [], repaired: [] };
  const open = [...found.folders, ...found.files]
    .filter(({ name }) => /^state(?:\/|$)/.test(name) && !/\.(?:lock|tmp)$/.test(name))
    .filter(({ path }) => ((fs.statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0);
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

const problem = (found: Problem): Findings => ({ problems: [found], repaired: [] });
const repaired = (done: Repair): Findings => ({ problems: [], repaired: [done] });

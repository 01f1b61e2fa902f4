import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { ChangeLog, type Mark } from './change-log.js';
import { realFileSystem } from './file-system.js';

function logs() {
  const path = join(temporaryFolder(), 'index', 'clarifications.changes');
  return { path, ours: new ChangeLog(realFileSystem, path), theirs: new ChangeLog(realFileSystem, path) };
}

function markOf(log: ChangeLog): Mark {
  const mark = log.mark();
  if (mark === undefined) throw new Error('there is no log');
  return mark;
}

it('tells what others changed since, each once', () => {
  const { ours, theirs } = logs();
  ours.note('1');
  const mark = markOf(ours);
  expect(ours.since(mark)).toEqual({ names: [], mark });
  for (const name of ['42', '7', '42']) theirs.note(name);
  const told = ours.since(mark);
  expect(told?.names).toEqual(['42', '7']);
  expect(ours.since(told?.mark ?? mark)?.names).toEqual([]);
});

it('says once what was written together, and again what is written later', async () => {
  const { path, ours } = logs();
  for (let n = 0; n < 3; n++) ours.note('1');
  await Promise.resolve();
  ours.note('1');
  expect(readFileSync(path, 'utf8')).toBe('1\n1\n');
});

it('knows nothing of what was before it was begun anew, and stays small', () => {
  const { path, ours, theirs } = logs();
  ours.note('1');
  const mark = markOf(ours);
  const long = 'x'.repeat(1_000);
  for (let n = 0; n < 300; n++) theirs.note(`${long} ${n}`);
  expect(ours.since(mark)).toBeUndefined();
  theirs.note('1');
  expect(readFileSync(path).length).toBeLessThan(256 * 1024);
});

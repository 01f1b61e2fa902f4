import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { isDatabaseFile, isReadableFile } from './readable-file.js';

describe('isReadableFile', () => {
  it('takes a file, also by a link that leads elsewhere', () => {
    const folder = temporaryFolder();
    const otherFile = join(temporaryFolder(), 'session.jsonl');
    writeFileSync(otherFile, '{}');
    symlinkSync(otherFile, join(folder, 'link.jsonl'));
    expect([otherFile, join(folder, 'link.jsonl')].map(isReadableFile)).toEqual([true, true]);
  });

  it('takes nothing else: no folder, no pipe, nothing that is not there', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder'));
    execFileSync('bash', ['-c', 'mkfifo "$0"', join(folder, 'pipe')]);
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    for (const name of ['folder', 'pipe', 'dangling', 'none', 'folder/none', 'a\0b', 'x'.repeat(5000)]) {
      expect(isReadableFile(join(folder, name)), name.slice(0, 20)).toBe(false);
    }
  });
});

describe('isDatabaseFile', () => {
  it('knows a database by how it begins', () => {
    const folder = temporaryFolder();
    const contents = ['SQLite format 3\0\0\0', 'SQLite format 3 is described here.', ''];
    const files = contents.map((content, index) => {
      const file = join(folder, String(index));
      writeFileSync(file, content);
      return file;
    });
    expect(files.map(isDatabaseFile)).toEqual([true, false, false]);
  });
});

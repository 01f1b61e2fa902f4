import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { writeDigest } from './digests.js';
import { type FileSystem, realFileSystem } from './file-system.js';

describe('the file of a digest', () => {
  it('is replaced whole, and the folder made with it', () => {
    const root = join(temporaryFolder(), '.agentx');
    expect(writeDigest(root, '2026-W09', 'first\n')).toBe(join(root, 'digests/DIGEST-2026-W09.md'));
    expect(readFileSync(writeDigest(root, '2026-W09', 'second\n'), 'utf8')).toBe('second\n');
    expect(readdirSync(join(root, 'digests'))).toEqual(['DIGEST-2026-W09.md']);
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toContain('digests/');
  });

  it('stays as it was when the disk is full', () => {
    const root = temporaryFolder();
    const path = writeDigest(root, '2026-W09', 'first\n');
    const full: FileSystem = {
      ...realFileSystem,
      writeSync: () => {
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    };
    expect(() => writeDigest(root, '2026-W09', 'second\n', full)).toThrow('the disk is full');
    expect(readFileSync(path, 'utf8')).toBe('first\n');
    expect(readdirSync(join(root, 'digests'))).toHaveLength(1);
  });

  it('is refused where something else has its place', () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'digests'), '');
    expect(() => writeDigest(root, '2026-W09', 'text\n')).toThrow(/Cannot write/);
    const other = temporaryFolder();
    mkdirSync(join(other, 'digests/DIGEST-2026-W09.md'), { recursive: true });
    expect(() => writeDigest(other, '2026-W09', 'text\n')).toThrow('it is a folder');
  });
});

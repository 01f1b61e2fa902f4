import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openRoles } from './roles.js';

function aRoot() {
  const root = temporaryFolder();
  mkdirSync(join(root, 'agents'));
  const file = join(root, 'agents/engineer.md');
  return { file, role: () => openRoles({ root }).of('engineer') };
}

describe('the role of an agent', () => {
  it.each([
    ['what its file says', '\ufeff# Engineer\n\nBe brief.\n', '# Engineer\n\nBe brief.'],
    ['none, if the file is empty', '', undefined],
    ['none, if the file is blank', ' \n\t\n', undefined],
  ])('is %s', async (_, content, expected) => {
    const { file, role } = aRoot();
    writeFileSync(file, content);
    expect(await role()).toBe(expected);
  });

  it('is none without a file, and that of the file that a link names', async () => {
    const { file, role } = aRoot();
    expect(await role()).toBeUndefined();
    writeFileSync(`${file}.shared`, 'Shared.');
    symlinkSync(`${file}.shared`, file);
    expect(await role()).toBe('Shared.');
  });

  it.each<[string, (file: string) => void, string]>([
    ['is no UTF-8', (file) => writeFileSync(file, Buffer.from('caf\xe9', 'latin1')), 'is no UTF-8 text'],
    ['has a NUL', (file) => writeFileSync(file, 'a\0b'), 'has a NUL character'],
    ['is too long', (file) => writeFileSync(file, 'x'.repeat(2 ** 20 + 1)), 'has more than 1048576 bytes'],
    ['is a link to nothing', (file) => symlinkSync(`${file}.gone`, file), 'is a link to nothing'],
    ['is a pipe, for which nobody waits', (file) => execFileSync('mkfifo', [file]), 'is no file'],
  ])('is refused with its file if that %s', async (_, make, problem) => {
    const { file, role } = aRoot();
    make(file);
    await expect(role()).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: `${file} ${problem}.`,
      details: { file, problem: `it ${problem}` },
    });
  });

  it('is refused if its file is a folder', async () => {
    const { file, role } = aRoot();
    mkdirSync(file);
    await expect(role()).rejects.toMatchObject({ code: 'STORE_ERROR', message: expect.stringContaining('a folder') });
  });
});

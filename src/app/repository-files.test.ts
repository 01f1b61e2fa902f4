import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openRepositoryFiles } from './repository-files.js';

let repository = '';
let outside = '';

function put(root: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

beforeEach(() => {
  repository = temporaryFolder();
  outside = temporaryFolder();
  put(repository, 'src/a.ts', 'one\nTwo of them\nthree\n');
  put(repository, 'docs/read me.md', 'two words\n');
  for (const hiddenPath of ['.git/config', '.agentx/state/token', '.env', 'sub/.env.local']) {
    put(repository, hiddenPath, 'two secrets\n');
  }
  put(repository, 'node_modules/x/index.js', 'two\n');
  put(outside, 'secret.txt', 'two secrets\n');
});

const files = () => openRepositoryFiles({ repository });

describe('what agents see of a repository', () => {
  it('is its text files, with numbered lines', async () => {
    expect(await files().read({ path: 'src/a.ts' })).toBe('1\tone\n2\tTwo of them\n3\tthree\n4\t');
    expect(await files().read({ path: './src/../src/a.ts', from: 2, lines: 1 })).toBe('2\tTwo of them\n[2 more lines]');
    expect(await files().read({ path: join(repository, 'src/a.ts'), lines: 1 })).toContain('1\tone');
    expect(await files().list({})).toBe('docs/read me.md\nsrc/a.ts');
    expect(await files().list({ folder: 'src' })).toBe('src/a.ts');
    expect(await files().search({ text: 'TWO' })).toBe('docs/read me.md:1: two words\nsrc/a.ts:2: Two of them');
    expect(await files().search({ text: 'two', folder: 'src/' })).toBe('src/a.ts:2: Two of them');
  });

  it.each([
    ['../x'],
    ['/etc/passwd'],
    ['src/../../x'],
    ['.git/config'],
    ['.GIT/config'],
    ['.agentx/state/token'],
    ['.env'],
    ['sub/.env.local'],
    ['a\0b'],
    [''],
    ['src'],
  ])('is not %j', async (path) => {
    await expect(files().read({ path })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is nothing that links lead to outside, whichever parent is the link', async () => {
    symlinkSync(join(outside, 'secret.txt'), join(repository, 'link.txt'));
    symlinkSync(outside, join(repository, 'folder'));
    symlinkSync(join(repository, '.git'), join(repository, 'docs/git'));
    symlinkSync('..', join(repository, 'src/up'));
    for (const path of ['link.txt', 'folder/secret.txt', 'docs/git/config', 'src/up/.env']) {
      await expect(files().read({ path }), path).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    await expect(files().list({ folder: 'folder' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await files().list({})).not.toContain('folder');
    expect(await files().search({ text: 'secrets' })).toBe('Nothing was found.');
    // A link that stays inside is followed.
    expect(await files().read({ path: 'src/up/docs/read me.md' })).toContain('two words');
  });

  it('is told whole, or that it is cut', async () => {
    for (let number = 0; number < 101; number++) put(repository, `many/${number}.txt`, 'needle\n');
    const lines = (await files().search({ text: 'needle' })).split('\n');
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe('[cut: the first 100]');
  });

  it('is everything but a folder that cannot be opened', async () => {
    // Its name is no UTF-8, so that no text names it.
    execFileSync('sh', ['-c', `mkdir "$(printf 'caf\\351')"`], { cwd: repository });
    expect(await files().list({})).toBe('docs/read me.md\nsrc/a.ts');
    expect(await files().search({ text: 'one' })).toBe('src/a.ts:1: one');
  });

  it('is no pipe, which would block, and nothing that is no text', async () => {
    execFileSync('mkfifo', [join(repository, 'pipe')]);
    put(repository, 'picture.png', new Uint8Array([0, 1, 2]));
    put(repository, 'large.txt', 'x'.repeat(3 * 1024 * 1024));
    for (const path of ['pipe', 'picture.png', 'large.txt']) {
      await expect(files().read({ path }), path).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    await expect(files().read({ path: 'none.txt' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

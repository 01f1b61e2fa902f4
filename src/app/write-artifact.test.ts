import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { ArtifactWriter, MAX_WRITTEN_BYTES } from './artifacts.js';

function aRepository() {
  const folder = temporaryFolder();
  const repository = join(folder, 'repository');
  const outside = join(folder, 'outside');
  for (const path of ['repository/docs', 'repository/.git', 'repository/.agentx/state', 'outside']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  const writer = new ArtifactWriter({ repository });
  const write = (path: string, content = 'new') => writer.write({ path, content });
  const link = (target: string, path: string) => symlinkSync(target, join(repository, path));
  return { repository, outside, write, link, file: (path: string) => join(repository, path) };
}

describe('writing an artifact', () => {
  it('makes the folders above it and says where it is', async () => {
    const { write, file } = aRepository();
    expect(await write('docs/adr/0001/./ADR-1.md', 'Use SQLite.')).toBe('docs/adr/0001/ADR-1.md');
    expect(readFileSync(file('docs/adr/0001/ADR-1.md'), 'utf8')).toBe('Use SQLite.');
  });

  it('takes a full path into the repository', async () => {
    const { write, file } = aRepository();
    expect(await write(file('docs/a.md'))).toBe('docs/a.md');
  });

  it('replaces what is there, whole, keeps who may read it, and leaves nothing beside it', async () => {
    const { write, file } = aRepository();
    writeFileSync(file('docs/a.md'), 'old');
    chmodSync(file('docs/a.md'), 0o640);
    await write('docs/a.md');
    expect(readFileSync(file('docs/a.md'), 'utf8')).toBe('new');
    expect(statSync(file('docs/a.md')).mode & 0o777).toBe(0o640);
    expect(readdirSync(file('docs'))).toEqual(['a.md']);
    expect(readdirSync(file('.agentx/state/scratch'))).toEqual([]);
  });

  it('does not touch what has the content already', async () => {
    const { write, file } = aRepository();
    await write('docs/a.md');
    const before = statSync(file('docs/a.md')).ino;
    await write('docs/a.md');
    expect(statSync(file('docs/a.md')).ino).toBe(before);
  });

  it('follows links that stay inside, of folders and of the file', async () => {
    const { write, link, file } = aRepository();
    link('docs', 'pages');
    expect(await write('pages/a.md')).toBe('docs/a.md');
    link('a.md', 'docs/latest.md');
    expect(await write('docs/latest.md', 'through')).toBe('docs/a.md');
    expect(readFileSync(file('docs/a.md'), 'utf8')).toBe('through');
  });

  it.each([
    '../outside/a.md',
    'docs/../../outside/a.md',
    '/etc/agentx-test',
    '.git/hooks/pre-commit',
    '.GIT/config',
    'sub/.git/config',
    '.agentx/config.toml',
    '.agentx/state/x.json',
    '.',
    '',
    'docs/a\0.md',
  ])('refuses %j [US-6.2/16]', async (path) => {
    const { write, outside } = aRepository();
    await expect(write(path)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(readdirSync(outside)).toEqual([]);
  });

  it('refuses what links lead out, to what is closed or nowhere [US-6.2/16]', async () => {
    const { write, link, outside, file } = aRepository();
    link(outside, 'docs/out');
    link('../.git', 'docs/git');
    link(join(outside, 'not-there-yet'), 'docs/new.md');
    link(join(outside, 'folder-to-come'), 'docs/new');
    for (const path of ['docs/out/a.md', 'docs/out/deeper/a.md', 'docs/git/config', 'docs/new.md', 'docs/new/a.md']) {
      await expect(write(path), path).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    }
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(file('.git'))).toEqual([]);
  });

  it('refuses what is too large, a folder, or below a file', async () => {
    const { write, file } = aRepository();
    await expect(write('a.md', 'x'.repeat(MAX_WRITTEN_BYTES + 1))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(write('docs')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await write('a.md');
    await expect(write('a.md/b.md')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(existsSync(file('a.md/b.md'))).toBe(false);
  });

  it('does not wait for whoever reads a pipe', async () => {
    const { write, file } = aRepository();
    execFileSync('sh', ['-c', 'mkfifo "$0"', file('docs/pipe')]);
    expect(await write('docs/pipe', '')).toBe('docs/pipe');
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { MAX_ARTIFACT_BYTES, openArtifacts } from './artifacts.js';

function aRepository() {
  const folder = temporaryFolder();
  const repository = join(folder, 'repository');
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  };
  write('docs/adr.md', 'Use SQLite.');
  mkdirSync(join(repository, '.agentx'));
  const artifacts = openArtifacts({
    placeOf: async () => repository,
    scratch: join(repository, '.agentx', 'state', 'scratch'),
  });
  const contentOf = async (path: string): Promise<string | undefined> => (await artifacts.read([path], 1))[0]?.content;
  return { folder, repository, write, artifacts, contentOf };
}

describe('artifacts', () => {
  it('that a person saves while they are changed are changed as the person saved them', async () => {
    const { artifacts, contentOf, write } = aRepository();
    const texts: (string | undefined)[] = [];
    await artifacts.change('docs/adr.md', 1, (content) => {
      texts.push(content);
      if (texts.length === 1) write('docs/adr.md', 'Use MariaDB.');
      return `${content} Indeed.`;
    });
    expect(texts).toEqual(['Use SQLite.', 'Use MariaDB.']);
    expect(await contentOf('docs/adr.md')).toBe('Use MariaDB. Indeed.');
  });

  it('are those that exist, in the order asked for', async () => {
    const { artifacts, write } = aRepository();
    write('docs/prd.md', 'Fast.');
    expect(await artifacts.read(['docs/prd.md', 'docs/missing.md', './docs/adr.md', 'docs'], 1)).toEqual([
      { path: 'docs/prd.md', content: 'Fast.' },
      { path: './docs/adr.md', content: 'Use SQLite.' },
    ]);
  });

  it('may be named by whole paths, through links too, and are told by those from the repository', async () => {
    const { folder, repository, artifacts } = aRepository();
    const link = join(folder, 'link');
    symlinkSync(repository, link);
    const linkedArtifacts = openArtifacts({ placeOf: async () => link });
    const adr = { path: 'docs/adr.md', content: 'Use SQLite.' };
    expect(await artifacts.read([join(repository, 'docs', 'adr.md')], 1)).toEqual([adr]);
    expect(await linkedArtifacts.read([join(link, 'docs/adr.md'), join(repository, 'docs/adr.md')], 1)).toEqual([
      adr,
      adr,
    ]);
    expect(
      await artifacts.read([repository, `${repository}/`, join(repository, '.env'), join(folder, 'x')], 1),
    ).toEqual([]);
  });

  it.each([
    ['../secret.txt'],
    ['docs/../../secret.txt'],
    ['.git/config'],
    ['.GIT/config'],
    ['docs/../.git/config'],
    ['.agentx/state/token'],
    ['.env'],
    ['.env.local'],
    ['app/.env/key'],
    ['docs/adr.md\0'],
    [''],
  ])('are never read from %j', async (path) => {
    const { folder, write, contentOf } = aRepository();
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    for (const secret of ['.git/config', '.GIT/config', '.agentx/state/token', '.env', '.env.local', 'app/.env/key']) {
      write(secret, 'secret');
    }
    expect(await contentOf(path)).toBeUndefined();
  });

  it('are never read through a link that leads outside or to what is private', async () => {
    const { folder, repository, write, contentOf } = aRepository();
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    write('.git/config', 'secret');
    write('.env', 'secret');
    symlinkSync(join(folder, 'secret.txt'), join(repository, 'docs', 'file.md'));
    symlinkSync(folder, join(repository, 'docs', 'up'));
    symlinkSync('../.git', join(repository, 'docs', 'history'));
    symlinkSync('../.env', join(repository, 'docs', 'settings.md'));
    symlinkSync('loop', join(repository, 'docs', 'loop'));
    for (const path of ['file.md', 'up/secret.txt', 'history/config', 'settings.md', 'loop']) {
      expect(await contentOf(`docs/${path}`), path).toBeUndefined();
    }
  });

  it('are read through a link that stays inside', async () => {
    const { repository, contentOf } = aRepository();
    symlinkSync('docs', join(repository, 'documents'));
    expect(await contentOf('documents/adr.md')).toBe('Use SQLite.');
  });

  it('may be issues and workflows, which people share', async () => {
    const { write, contentOf } = aRepository();
    write('.agentx/issues/42.json', '{}');
    expect(await contentOf('.agentx/issues/42.json')).toBe('{}');
  });

  it('are cut at 64 KiB with a note, never inside a character', async () => {
    const { write, contentOf } = aRepository();
    write('full.md', 'x'.repeat(MAX_ARTIFACT_BYTES));
    expect(await contentOf('full.md')).toBe('x'.repeat(MAX_ARTIFACT_BYTES));
    write('long.md', `${'x'.repeat(MAX_ARTIFACT_BYTES - 1)}\u20ac and more`);
    expect(await contentOf('long.md')).toBe(
      `${'x'.repeat(MAX_ARTIFACT_BYTES - 1)}\n[cut: the first 64 KiB of 65547 bytes]`,
    );
  });

  it('are never pipes, which would hold the reader up', async () => {
    const { repository, contentOf } = aRepository();
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(repository, 'docs', 'pipe')]);
    expect(await contentOf('docs/pipe')).toBeUndefined();
  });
});

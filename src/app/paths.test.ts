import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openPaths } from './paths.js';

function aRepository() {
  const repository = temporaryFolder();
  mkdirSync(join(repository, 'src'));
  writeFileSync(join(repository, 'src', 'a.ts'), '');
  symlinkSync(temporaryFolder(), join(repository, 'out'));
  return openPaths({ placeOf: async () => repository });
}

describe('the paths of a repository', () => {
  it.each(['src', 'src/', './src/a.ts', '/src/a.ts', 'src/../src/a.ts'])('have %s', async (path) => {
    expect(await aRepository().exists(path, 1)).toBe(true);
  });

  it.each(['src/b.ts', '..', '../', '/etc/passwd', 'out', 'src/a.ts/x', 'a\0b'])('do not have %j', async (path) => {
    expect(await aRepository().exists(path, 1)).toBe(false);
  });
});

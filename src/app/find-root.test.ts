import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { findRoot } from './find-root.js';

function aRepository(): string {
  const repository = temporaryFolder();
  mkdirSync(join(repository, '.agentx'));
  mkdirSync(join(repository, 'src', 'deep'), { recursive: true });
  return repository;
}

describe('the .agentx folder', () => {
  it('is the nearest one above the current folder', () => {
    const repository = aRepository();
    expect(findRoot({ cwd: join(repository, 'src', 'deep'), env: {} })).toBe(join(repository, '.agentx'));
    expect(findRoot({ cwd: join(repository, '.agentx'), env: {} })).toBe(join(repository, '.agentx'));
  });

  it('is that of the project, not the copy of it in the work tree of a run', () => {
    const repository = aRepository();
    const cwd = join(repository, '.agentx', 'state', 'worktrees', 'run-4-0a1b2c3d', 'src');
    mkdirSync(join(cwd, '..', '.agentx'), { recursive: true });
    mkdirSync(cwd);
    expect(findRoot({ cwd, env: {} })).toBe(join(repository, '.agentx'));
  });

  it('is no file that is called like it', () => {
    const repository = aRepository();
    writeFileSync(join(repository, 'src', '.agentx'), '');
    expect(findRoot({ cwd: join(repository, 'src', 'deep'), env: {} })).toBe(join(repository, '.agentx'));
  });

  it('is not the next one above where the system cannot tell', () => {
    const repository = aRepository();
    const cwd = join(repository, 'src');
    const refusal = Object.assign(new Error('EIO: i/o error, stat'), { code: 'EIO' });
    const look = (path: string) => {
      if (path === join(cwd, '.agentx')) throw refusal;
      return { isDirectory: () => true };
    };
    expect(() => findRoot({ cwd, env: {}, look })).toThrow(refusal);
    expect(() => findRoot({ cwd: '/', root: cwd, env: {}, look })).toThrow(refusal);
  });

  it('is the one that --root names, before AGENTX_ROOT, before the current folder', () => {
    const [ownRepository, namedRepository, other] = [aRepository(), aRepository(), aRepository()];
    const env = { AGENTX_ROOT: other };
    expect(findRoot({ cwd: ownRepository, root: namedRepository, env })).toBe(join(namedRepository, '.agentx'));
    expect(findRoot({ cwd: ownRepository, env })).toBe(join(other, '.agentx'));
    expect(findRoot({ cwd: ownRepository, env: { AGENTX_ROOT: '' } })).toBe(join(ownRepository, '.agentx'));
  });

  it('may be named itself, by a relative path, or under another name', () => {
    const repository = aRepository();
    expect(findRoot({ cwd: '/', root: join(repository, '.agentx'), env: {} })).toBe(join(repository, '.agentx'));
    expect(findRoot({ cwd: join(repository, 'src'), root: '..', env: {} })).toBe(join(repository, '.agentx'));
    const otherFolder = temporaryFolder();
    mkdirSync(join(otherFolder, 'state'));
    expect(findRoot({ cwd: '/', root: otherFolder, env: {} })).toBe(otherFolder);
  });

  it('is looked for inside the named folder first, although that has a config.toml of its own', () => {
    const repository = aRepository();
    writeFileSync(join(repository, 'config.toml'), '');
    expect(findRoot({ cwd: '/', root: repository, env: {} })).toBe(join(repository, '.agentx'));
  });

  it('is NOT_FOUND where something else is called like it, with what is in the way', () => {
    const folder = temporaryFolder();
    const path = join(folder, '.agentx');
    const cases: readonly (readonly [string, () => void])[] = [
      ['is a file', () => writeFileSync(path, '')],
      ['is a link to nothing', () => symlinkSync(join(folder, 'gone'), path)],
      ['is a link to nothing', () => symlinkSync('.agentx', path)],
    ];
    for (const [what, make] of cases) {
      make();
      expect(refusalOf(() => findRoot({ cwd: join(folder, 'src'), env: {} })).message).toBe(
        `No .agentx folder in ${join(folder, 'src')} or above it: ${path} ${what}. Move it away, then: agentx init`,
      );
      for (const root of [folder, path]) {
        expect(refusalOf(() => findRoot({ cwd: '/', root, env: {} })).message).toBe(
          `--root names ${root}, which has no .agentx folder: ${path} ${what}. Move it away, then: agentx init --root ${folder}`,
        );
      }
      rmSync(path);
    }
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(refusalOf(() => findRoot({ cwd: '/', root: file, env: {} }))).toMatchObject({
      code: 'NOT_FOUND',
      message: `--root names ${file}, which is a file. Name the folder that holds .agentx.`,
    });
  });

  it('is NOT_FOUND where there is none, with what to do', () => {
    const folder = temporaryFolder();
    for (const root of [folder, join(folder, '.agentx'), join(folder, 'missing')]) {
      const refusal = refusalOf(() => findRoot({ cwd: '/', root, env: {} }));
      expect(refusal.code).toBe('NOT_FOUND');
      expect(refusal.message).toBe(
        `--root names ${root}, which has no .agentx folder. Make one: agentx init --root ${root}`,
      );
    }
    expect(refusalOf(() => findRoot({ cwd: folder, env: {} })).message).toContain(`in ${folder} or above it.`);
  });
});

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { type ClientFileChange, readClientFile, realClientPath, replaceClientFiles } from './client-files.js';

const replaceClientFile = (change: ClientFileChange) => replaceClientFiles([change]);

describe('a file of another program', () => {
  it('is replaced whole and keeps its mode', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'settings.json');
    writeFileSync(path, '{}');
    chmodSync(path, 0o640);
    replaceClientFile({ path, before: '{}', after: '{"a":1}' });
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('stays a link, also through a linked folder, and also if the target is yet to be made', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'dotfiles'));
    symlinkSync('dotfiles', join(folder, 'linked'));
    symlinkSync('linked/real.json', join(folder, 'settings.json'));
    const path = join(folder, 'settings.json');
    expect(readClientFile({ path })).toBeUndefined();
    replaceClientFile({ path, before: undefined, after: 'one' });
    replaceClientFile({ path, before: 'one', after: 'two' });
    expect(readlinkSync(path)).toBe('linked/real.json');
    expect(readFileSync(join(folder, 'dotfiles/real.json'), 'utf8')).toBe('two');
    expect(lstatSync(join(folder, 'linked')).isSymbolicLink()).toBe(true);
  });

  it('is made with its folders, for its owner alone if it is private', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a/b/c.json');
    replaceClientFile({ path, before: undefined, after: 'x', isPrivate: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    replaceClientFile({ path, before: 'x', after: undefined });
    expect(readClientFile({ path })).toBeUndefined();
  });

  it('is not overwritten if another program changed it meanwhile', () => {
    const path = join(temporaryFolder(), 'settings.json');
    writeFileSync(path, 'newer');
    expect(() => replaceClientFile({ path, before: 'older', after: 'mine' })).toThrow('changed by another program');
    expect(() => replaceClientFile({ path, before: undefined, after: 'mine' })).toThrow('changed by another program');
    expect(readFileSync(path, 'utf8')).toBe('newer');
  });

  it('stays as it is if another one that belongs to the change cannot be written', () => {
    const folder = temporaryFolder();
    const [first = '', second = '', third = ''] = ['a.json', 'b.json', 'c.json'].map((name) => join(folder, name));
    for (const path of [first, second, third]) writeFileSync(path, 'theirs');
    const changes = [
      { path: first, before: 'theirs', after: 'mine' },
      { path: second, before: 'theirs', after: undefined },
      { path: third, before: 'older', after: 'mine' },
    ];
    expect(() => replaceClientFiles(changes)).toThrow('Nothing was written');
    expect(readdirSync(folder)).toEqual(['a.json', 'b.json', 'c.json']);
    for (const path of [first, second, third]) expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  it('is not reached through a link that leads out of the project', () => {
    const folder = temporaryFolder();
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(folder, '.bashrc'), 'mine');
    symlinkSync('../.bashrc', join(project, 'AGENTS.md'));
    symlinkSync('..', join(project, '.cursor'));
    for (const name of ['AGENTS.md', '.cursor/.bashrc', '.cursor/new/mcp.json']) {
      const request = { path: join(project, name), within: project };
      expect(() => readClientFile(request), name).toThrow('leads out of');
      expect(() => replaceClientFile({ ...request, before: 'mine', after: 'theirs' }), name).toThrow('leads out of');
    }
    expect(readFileSync(join(folder, '.bashrc'), 'utf8')).toBe('mine');
  });

  it('may be a link within the project', () => {
    const project = temporaryFolder();
    writeFileSync(join(project, 'AGENTS.md'), 'text');
    symlinkSync('AGENTS.md', join(project, 'CLAUDE.md'));
    replaceClientFile({ path: join(project, 'CLAUDE.md'), within: project, before: 'text', after: 'more' });
    expect(readFileSync(join(project, 'AGENTS.md'), 'utf8')).toBe('more');
  });

  it('keeps a byte order mark and is refused if it is no text, a folder or a circle of links', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    writeFileSync(path, '\uFEFFa\r\n');
    expect(readClientFile({ path })).toBe('\uFEFFa\r\n');
    writeFileSync(path, Uint8Array.of(0xff, 0xfe, 0x41, 0));
    expect(() => readClientFile({ path })).toThrow('is no UTF-8 text');
    expect(() => readClientFile({ path: folder })).toThrow('is no file');
    symlinkSync('loop', join(folder, 'loop'));
    expect(() => readClientFile({ path: join(folder, 'loop') })).toThrow('in a circle');
  });
});

it('is one file by the names of its links, and a link in a circle is a file of its own', () => {
  const folder = realpathSync(temporaryFolder());
  const [file, link, circle] = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'].map((name) => join(folder, name));
  symlinkSync('AGENTS.md', String(link));
  symlinkSync('GEMINI.md', String(circle));
  expect([file, link, circle].map((path) => realClientPath(String(path)))).toEqual([file, file, circle]);
});

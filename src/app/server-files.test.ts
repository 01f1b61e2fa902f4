import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { serverToken } from './server-files.js';

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

it('makes a token that only its owner can read, and keeps it', () => {
  const state = join(temporaryFolder(), 'state');
  const token = serverToken(state);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(modeOf(join(state, 'server-token'))).toBe(0o600);
  expect(serverToken(state)).toBe(token);
  expect(readdirSync(state)).toEqual(['server-token']);
});

it.each([0o000, 0o777])('makes the same of it whatever the umask is (%o)', (umask) => {
  const state = join(temporaryFolder(), 'state');
  mkdirSync(state);
  const before = process.umask(umask);
  try {
    serverToken(state);
  } finally {
    process.umask(before);
  }
  expect(modeOf(join(state, 'server-token'))).toBe(0o600);
});

it.each([0o644, 0o640, 0o620])('replaces a token that others could have read or written (%o)', (mode) => {
  const state = temporaryFolder();
  const token = serverToken(state);
  chmodSync(join(state, 'server-token'), mode);
  const next = serverToken(state);
  expect(next).not.toBe(token);
  expect(modeOf(join(state, 'server-token'))).toBe(0o600);
  expect(serverToken(state)).toBe(next);
});

it.each(['', '\n', 'short', 'with spaces in it, which no token of ours has in it'])(
  'replaces what is no token (%j): a session signed with nothing could be forged',
  (text) => {
    const state = temporaryFolder();
    writeFileSync(join(state, 'server-token'), text, { mode: 0o600 });
    const token = serverToken(state);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(join(state, 'server-token'), 'utf8')).toBe(`${token}\n`);
  },
);

it('follows no link to a file that somebody else may know', () => {
  const state = temporaryFolder();
  const otherFile = join(temporaryFolder(), 'known');
  writeFileSync(otherFile, 'x'.repeat(43), { mode: 0o600 });
  symlinkSync(otherFile, join(state, 'server-token'));
  expect(serverToken(state)).not.toBe('x'.repeat(43));
  expect(lstatSync(join(state, 'server-token')).isFile()).toBe(true);
  expect(readFileSync(otherFile, 'utf8')).toBe('x'.repeat(43));
});

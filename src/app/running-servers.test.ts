import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { noteServer, runningServer } from './running-servers.js';

it('is known while it runs, and no longer', () => {
  const state = temporaryFolder();
  expect(runningServer(state)).toBeUndefined();
  const forget = noteServer(state, 'http://127.0.0.1:4820');
  expect(runningServer(state)).toBe('http://127.0.0.1:4820');
  forget();
  expect(runningServer(state)).toBeUndefined();
});

it('of several, one that still runs is named', () => {
  const state = temporaryFolder();
  const forget = noteServer(state, 'http://127.0.0.1:4820');
  noteServer(state, 'http://127.0.0.1:4821');
  forget();
  expect(runningServer(state)).toBe('http://127.0.0.1:4821');
});

it.each([
  ['killed', (note: object) => ({ ...note, pid: gonePid(), start: 0 })],
  ['another process with the same number', (note: object) => ({ ...note, start: 12 })],
  ['on another machine', (note: object) => ({ ...note, host: 'elsewhere' })],
])('is not named when it was %s', (_, changed) => {
  const state = temporaryFolder();
  noteServer(state, 'http://127.0.0.1:4820');
  const [name = ''] = readdirSync(join(state, 'servers'));
  const path = join(state, 'servers', name);
  writeFileSync(path, JSON.stringify(changed(JSON.parse(readFileSync(path, 'utf8')))));
  expect(runningServer(state)).toBeUndefined();
});

it.each(['', '{', '[]', '{"pid":1}'])('is not named by a note that says nothing (%j)', (text) => {
  const state = temporaryFolder();
  noteServer(state, 'http://127.0.0.1:4820');
  const [name = ''] = readdirSync(join(state, 'servers'));
  writeFileSync(join(state, 'servers', name), text);
  expect(runningServer(state)).toBeUndefined();
});

it('takes away what killed ones left, when the next one starts', () => {
  const state = temporaryFolder();
  noteServer(state, 'http://127.0.0.1:4820');
  const [name = ''] = readdirSync(join(state, 'servers'));
  const note = JSON.parse(readFileSync(join(state, 'servers', name), 'utf8'));
  writeFileSync(join(state, 'servers/99-4819.json'), JSON.stringify({ ...note, pid: gonePid(), start: 0 }));
  noteServer(state, 'http://127.0.0.1:4821');
  expect(readdirSync(join(state, 'servers'))).toHaveLength(2);
});

/** The number of a process that has ended. */
function gonePid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

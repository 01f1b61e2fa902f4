import { existsSync, mkdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { aQuestion } from '../../../test/builders/question.js';
import { aroundEachChange } from '../../../test/faults/support/strange-file-systems.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { messageOf } from '../../protocol/errors.js';
import type { Question } from '../../protocol/question.js';
import { openFileStore } from './store.js';

it.each([
  ['nothing', 'other'],
  ['the repository', 'repository'],
  ['the folder of private files', 'repository/.agentx/state'],
])('new folders are on the disk when a write is acknowledged, even if a link leads to %s', async (_, link) => {
  const top = temporaryFolder();
  const repository = join(top, 'repository');
  for (const folder of [dirname(join(top, link)), join(top, 'elsewhere')]) mkdirSync(folder, { recursive: true });
  symlinkSync(join(top, 'elsewhere'), join(top, link));
  mkdirSync(repository, { recursive: true });
  const opened = new Map<unknown, string>();
  const synced = new Set<string | undefined>();
  const fs = aroundEachChange((name, call, args) => {
    const result = call();
    if (name === 'openSync') opened.set(result, realpathSync(String(args[0])));
    if (name === 'fsync') synced.add(opened.get(args[0]));
    return result;
  });
  await openFileStore({ root: join(repository, '.agentx'), fs }).questions.create(aQuestion());
  const folders = ['', '.agentx', '.agentx/state', '.agentx/state/questions'];
  const real = folders.map((folder) => realpathSync(join(repository, folder)));
  expect([...synced].toSorted()).toEqual(real.toSorted());
});

it('an update says that the root is gone at whichever call it was moved away, and makes none in its place', async () => {
  const messages = new Set<string>();
  for (let moment = 1, isReached = true; isReached; moment++) {
    const root = join(temporaryFolder(), '.agentx');
    const { id } = await openFileStore({ root }).questions.create(aQuestion());
    let calls = 0;
    const fs = aroundEachChange((_, call) => {
      if (++calls === moment) renameSync(root, `${root}-away`);
      return call();
    });
    const change = (question: Question) => ({ next: { ...question, revision: 2 }, result: 'written' });
    const outcome = await openFileStore({ root, fs }).questions.update(id, change).catch(messageOf);
    isReached = calls >= moment;
    if (isReached) expect(existsSync(root)).toBe(false);
    expect(moment).toBeLessThan(200);
    messages.add(outcome.replace(root, 'ROOT'));
  }
  expect([...messages].toSorted()).toEqual([
    'The folder ROOT was removed or moved away meanwhile. Put it back, then try again.',
    'written',
  ]);
});

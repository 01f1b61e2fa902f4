import { mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { AgentXError } from '../../protocol/errors.js';
import { ChangeLog } from './change-log.js';
import { CLOCK_STEP_MS, realFileSystem } from './file-system.js';
import { FolderIndex, type ListOptions } from './folder-index.js';

const COUNT = 600;

/** A folder of many files that nobody has touched for a while, and processes that list it. */
async function manyFiles() {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  mkdirSync(data);
  const pathOf = (name: string) => join(data, `${name}.txt`);
  const past = Date.now() / 1000 - 3600;
  for (let n = 0; n < COUNT; n++) {
    writeFileSync(pathOf(String(n)), 'quiet');
    utimesSync(pathOf(String(n)), past, past);
  }
  await settle();
  const changes = new ChangeLog(realFileSystem, join(folder, 'index', 'data.changes'));
  const file = (name: string) => join(folder, 'index', `data.${name}`);
  let looked = 0;
  let time = Date.now();
  const statSync = new Proxy(realFileSystem.statSync, {
    apply(call, self, args) {
      if (String(args[0]).endsWith('.txt')) looked++;
      return Reflect.apply(call, self, args);
    },
  });
  const open = (onRead: (name: string) => void = () => {}) =>
    new FolderIndex<string>({
      fs: { ...realFileSystem, statSync },
      now: () => time,
      folder: data,
      indexFile: file('json'),
      changes: new ChangeLog(realFileSystem, file('changes')),
      version: 1,
      isMember: (name) => name.endsWith('.txt'),
      compare: (left, right) => (left < right ? -1 : 1),
      summarise: (name) => {
        onRead(name);
        const text = readFileSync(join(data, name), 'utf8');
        if (text === 'broken') throw new AgentXError('CORRUPT_FILE', `${name} is broken`);
        return `${name} ${text}`;
      },
    });
  const list = (index: FolderIndex<string>, options?: ListOptions) => {
    looked = 0;
    const { summaries, damaged } = index.list(options);
    return { has: (text: string) => summaries.includes(text), size: summaries.length, damaged, looked };
  };
  /** As one of our processes does, except for the note. */
  const replace = (name: string, text: string) => {
    writeFileSync(`${pathOf(name)}.tmp`, text);
    renameSync(`${pathOf(name)}.tmp`, pathOf(name));
  };
  const update = (name: string, text: string) => {
    replace(name, text);
    changes.note(`${name}.txt`);
  };
  /** One that has looked at everything, and left that look. The first one finds no log, and begins it. */
  const afterALook = () => {
    list(open());
    const index = open();
    list(index);
    return index;
  };
  const wait = (ms: number) => {
    time += ms;
  };
  return { pathOf, file, open, list, replace, update, changes, afterALook, wait };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, CLOCK_STEP_MS + 20));

it('looks at no file while nothing happens, in this process and the next', async () => {
  const { open, list, afterALook } = await manyFiles();
  const index = afterALook();
  expect(list(index)).toMatchObject({ looked: 0, size: COUNT, damaged: [] });
  const next = list(open());
  expect(next).toMatchObject({ looked: 0, size: COUNT });
  expect(next.has('7.txt quiet')).toBe(true);
});

it('sees at once what a process of ours has changed, added or removed, and looks at nothing else', async () => {
  const { pathOf, open, list, update, changes, afterALook } = await manyFiles();
  const index = afterALook();
  update('7', 'noisy');
  update('new', 'fresh');
  rmSync(pathOf('9'));
  changes.note('9.txt');
  for (const listed of [list(index), list(open())]) {
    expect(listed.looked).toBe(3);
    expect([listed.has('7.txt noisy'), listed.has('new.txt fresh'), listed.has('9.txt quiet')]).toEqual([
      true,
      true,
      false,
    ]);
  }
  expect(list(index).looked).toBe(0);
});

it('sees at once what another program replaced, or one of ours that died before it could say so', async () => {
  const { open, list, replace, afterALook } = await manyFiles();
  const index = afterALook();
  replace('7', 'noisy');
  for (const listed of [list(index), list(open())]) {
    expect(listed.has('7.txt noisy')).toBe(true);
    expect(listed.looked).toBeGreaterThanOrEqual(COUNT);
  }
});

it('sees what another program edited in place, without a lock, when the look is over', async () => {
  const { pathOf, open, list, afterALook, wait } = await manyFiles();
  const index = afterALook();
  writeFileSync(pathOf('7'), 'noisy');
  expect([list(index).has('7.txt noisy'), list(open()).has('7.txt noisy')]).toEqual([false, false]);
  wait(1_001);
  expect([list(index).has('7.txt noisy'), list(open()).has('7.txt noisy')]).toEqual([true, true]);
  writeFileSync(pathOf('8'), 'noisy');
  wait(9_999);
  expect(list(open()).has('8.txt noisy')).toBe(false);
  wait(2);
  expect(list(open()).has('8.txt noisy')).toBe(true);
});

it('sees what died between other changes of ours when the look is over', async () => {
  const { open, list, replace, update, afterALook, wait } = await manyFiles();
  const index = afterALook();
  replace('7', 'noisy');
  update('8', 'noisy');
  expect([list(index).has('8.txt noisy'), list(open()).has('8.txt noisy')]).toEqual([true, true]);
  wait(1_001);
  expect([list(index).has('7.txt noisy'), list(open()).has('7.txt noisy')]).toEqual([true, true]);
});

it('sees what changed while it looked', async () => {
  const { open, list, update, replace } = await manyFiles();
  list(open());
  let count = 0;
  const index = open(() => {
    // In the middle of a look: the first files are looked at, the last are not.
    if (++count === 1) for (const name of ['0', '1', '598', '599']) update(name, 'amid');
  });
  replace('300', 'noisy');
  list(index);
  const listed = list(index);
  expect(['0', '1', '598', '599'].map((name) => listed.has(`${name}.txt amid`))).toEqual([true, true, true, true]);
});

it('looks at everything when the log was begun anew, is gone, or what was left is damaged or of the future', async () => {
  const { file, open, list, update, changes, afterALook } = await manyFiles();
  const index = afterALook();
  update('7', 'lost1');
  unlinkSync(file('changes'));
  changes.note('8.txt');
  expect([list(index).has('7.txt lost1'), list(open()).has('7.txt lost1')]).toEqual([true, true]);
  update('7', 'lost2');
  unlinkSync(file('changes'));
  expect([list(index).has('7.txt lost2'), list(open()).has('7.txt lost2')]).toEqual([true, true]);
  await settle();
  for (const damage of ['', '{', '[]', '{"at":1}']) {
    afterALook();
    writeFileSync(file('look'), damage);
    expect(list(open()).looked).toBeGreaterThanOrEqual(COUNT);
  }
  afterALook();
  const left = JSON.parse(readFileSync(file('look'), 'utf8'));
  for (const at of [left.at + 60_000, left.at - 60_000]) {
    writeFileSync(file('look'), JSON.stringify({ ...left, at }));
    expect(list(open()).looked).toBeGreaterThanOrEqual(COUNT);
  }
});

it('leaves no look at a folder that had just changed', async () => {
  const { open, list, replace, afterALook } = await manyFiles();
  afterALook();
  replace('7', 'noisy');
  list(open());
  // Within the same step of the clock this may leave the folder as it was.
  replace('8', 'noisy');
  expect(list(open()).has('8.txt noisy')).toBe(true);
});

it('goes on reporting a damaged file', async () => {
  const { list, update, afterALook } = await manyFiles();
  const index = afterALook();
  update('7', 'broken');
  for (let n = 0; n < 3; n++) {
    expect(list(index).damaged.map(({ message }) => message)).toEqual(['7.txt is broken']);
  }
  update('7', 'quiet');
  expect(list(index)).toMatchObject({ size: COUNT, damaged: [] });
});

it('is right for the next process about the few files that the index is wrong about', async () => {
  const { open, list, update, afterALook, wait } = await manyFiles();
  const index = afterALook();
  for (const name of ['1', '2']) update(name, 'noisy');
  await settle();
  wait(1_001);
  expect(list(index).looked, 'the last look is over').toBeGreaterThanOrEqual(COUNT);
  const next = list(open());
  expect(next.looked).toBe(2);
  expect([next.has('1.txt noisy'), next.has('2.txt noisy'), next.has('3.txt quiet')]).toEqual([true, true, true]);
});

it('looks less often, where that will do, the longer it takes', async () => {
  const { open, list, replace, update, changes, wait } = await manyFiles();
  changes.begin();
  // 600 files are read in 6 ms.
  const index = open(() => wait(0.01));
  list(index);
  replace('7', 'noisy');
  for (const name of ['20', '21', '22']) {
    update(name, 'noisy');
    const listed = list(index, { isQuick: true });
    expect([listed.has('7.txt noisy'), listed.has(`${name}.txt noisy`)]).toEqual([false, true]);
    wait(2_001);
  }
  update('23', 'noisy');
  expect(list(index, { isQuick: true }).has('7.txt noisy')).toBe(true);
});

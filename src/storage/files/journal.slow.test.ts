import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aroundEachChange } from '../../../test/faults/support/strange-file-systems.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { Disk } from './disk.js';
import { type FileSystem, realFileSystem } from './file-system.js';
import { filesContext } from './files-context.js';
import { Journal, type JournalOptions } from './journal.js';
import { HEADER_BYTES, JournalFile } from './journal-file.js';
import { decodeRecords, encodeHead } from './journal-record.js';
import { JsonFile } from './json-file.js';
import { thisProcess } from './process-identity.js';

const KIND = { parse: (value: unknown) => String(value), mode: 0o600, durable: true };

function aStore(options: Partial<JournalOptions> = {}) {
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  const { fs = realFileSystem } = options;
  const context = filesContext(root, { fs, agent: 'writer' });
  const { layout } = context;
  const journal = new Journal({ ...context, inARow: 1, bytes: 16_384, ...options });
  const file = new JsonFile({ ...context, journal }, KIND, join(layout.sessions, 'a.json'));
  const write = (value: string) => file.update(() => ({ next: value, result: value }));
  const files = () => (existsSync(layout.journal) ? readdirSync(layout.journal) : []);
  const journals = () => files().filter((name) => name.endsWith('.log'));
  const records = () =>
    journals().flatMap((name) => decodeRecords(readFileSync(join(layout.journal, name)).subarray(HEADER_BYTES)));
  return { journal, file, write, files, journals, records, layout };
}

async function aJournalFile(fs: FileSystem = realFileSystem) {
  const folder = temporaryFolder();
  const file = await JournalFile.make(fs, new Disk(fs), { root: folder, folder, owner: thisProcess(), bytes: 4096 });
  return { file, folder, record: { mtimeMs: 1, mode: 0o600, content: Buffer.from('{}') } };
}

/** Writes until the journal takes part. */
async function becomesBusy({ write, records }: ReturnType<typeof aStore>): Promise<void> {
  await expect
    .poll(async () => {
      await write(`value ${Math.random()}`);
      return records().length;
    })
    .toBeGreaterThan(0);
}

describe('a journal', () => {
  it('is not made for a few updates', async () => {
    const store = aStore({ inARow: 32 });
    for (let count = 0; count < 31; count++) await store.write(`value ${count}`);
    expect(store.files()).toEqual([]);
  });

  it('holds what its documents became, for its owner alone', async () => {
    const store = aStore();
    await becomesBusy(store);
    await store.write('the last');
    const last = store.records().findLast(() => true);
    expect(last).toMatchObject({ path: 'state/sessions/a.json', mode: 0o600, isVoid: false });
    expect(last?.content.toString()).toBe('"the last"\n');
    expect(last?.mtimeMs).toBe(statSync(store.file.path).mtimeMs);
    const modes = [store.layout.journal, ...store.files().map((name) => join(store.layout.journal, name))];
    expect(modes.map((path) => statSync(path).mode & 0o077)).toEqual(modes.map(() => 0));
  });

  it('dates each content later than the one before, also when the clock stands still or goes back', async () => {
    const store = aStore();
    await becomesBusy(store);
    const hourAhead = Date.now() / 1000 + 3600;
    const fd = realFileSystem.openSync(store.file.path, 'r+');
    realFileSystem.futimesSync(fd, hourAhead, hourAhead);
    realFileSystem.closeSync(fd);
    const times: number[] = [statSync(store.file.path).mtimeMs];
    for (let count = 0; count < 20; count++) {
      await store.write(`value ${count}`);
      times.push(statSync(store.file.path).mtimeMs);
    }
    expect(times).toEqual([...new Set(times)].sort((left, right) => left - right));
  });

  it('begins again when it is full, and keeps going', async () => {
    const store = aStore();
    await becomesBusy(store);
    const journals = store.journals();
    for (let count = 0; count < 300; count++) {
      await store.write(`${count} ${'x'.repeat(500)}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await store.file.read()).toMatch(/^299 /);
    await becomesBusy(store);
    expect(store.journals()).toEqual(journals);
  });

  it('holds nothing of what was in it before it was full, whatever that looked like', async () => {
    const { file, folder, record } = await aJournalFile();
    const records = () =>
      decodeRecords(readFileSync(join(folder, readdirSync(folder)[0] ?? '')).subarray(HEADER_BYTES));
    const commit = (name: string, content: string) =>
      file.commit(join(folder, name), { ...record, content: Buffer.from(content) }, () => {});
    const forgedRecord = encodeHead({ ...record, path: 'forged.json', content: Buffer.alloc(0) }).toString();
    for (let length = 0; length < 2 * forgedRecord.length; length++) {
      await commit('before.json', forgedRecord.repeat(30));
      expect(await file.empty()).toBe(true);
      await commit('after.json', 'x'.repeat(length));
      expect(records().map(({ path }) => path)).toEqual(['after.json']);
      expect(await file.empty()).toBe(true);
    }
    expect(await file.end()).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not used again if its documents could not be synced when it was full', async () => {
    const isBroken = { now: false };
    const store = aStore({ fs: refusingToSync(/\.json$/, isBroken) });
    await becomesBusy(store);
    const journals = store.journals();
    isBroken.now = true;
    for (let count = 0; count < 100; count++) {
      await store.write(`${count} ${'x'.repeat(500)}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    isBroken.now = false;
    const paths = store.journals().map((name) => join(store.layout.journal, name));
    const left = paths.map((path) => readFileSync(path));
    for (let count = 0; count < 50; count++) await store.write(`value ${count}`);
    await store.journal.rest();
    expect(store.journals()).toEqual(journals);
    expect(paths.map((path) => readFileSync(path))).toEqual(left);
  });

  it('leaves nothing when its process rests', async () => {
    const store = aStore({ restAfterMs: 300 });
    await becomesBusy(store);
    await expect.poll(() => store.files()).toEqual([]);
    expect(await store.write('afterwards')).toBe('afterwards');
  });

  it('leaves nothing when its process ends', async () => {
    const { file, folder, record } = await aJournalFile();
    expect(await file.commit(join(folder, 'a.json'), record, () => {})).toBe(true);
    expect(readdirSync(folder)).toHaveLength(1);
    file.endNow();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not count an update whose rename failed', async () => {
    let isBroken = false;
    const fs: FileSystem = {
      ...realFileSystem,
      renameSync: (from, to) => {
        if (isBroken) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
        realFileSystem.renameSync(from, to);
      },
    };
    const store = aStore({ fs });
    await becomesBusy(store);
    isBroken = true;
    await expect(store.write('refused')).rejects.toThrow('EIO');
    isBroken = false;
    const refused = store.records().find(({ content }) => content.toString().includes('refused'));
    expect(refused).toMatchObject({ isVoid: true });
    await store.journal.rest();
    expect(store.files()).toEqual([]);
  });

  it('that somebody removed is not relied on', async () => {
    const store = aStore();
    await becomesBusy(store);
    for (const name of store.files()) rmSync(join(store.layout.journal, name));
    expect(await store.write('after')).toBe('after');
    for (let count = 0; count < 50; count++) await store.write(`value ${count}`);
    expect(store.records()).toEqual([]);
  });

  it('that went elsewhere with its folder is not relied on', async () => {
    const store = aStore();
    await becomesBusy(store);
    renameSync(store.layout.state, `${store.layout.state}.away`);
    expect(await store.write('after')).toBe('after');
    expect(store.files()).toEqual([]);
    expect(await store.file.read()).toBe('after');
  });

  it('counts nothing any more once the disk has refused to sync it', async () => {
    const outcomes = ['refuses', 'calls it done'];
    const sync = (_: number, done: (error: NodeJS.ErrnoException | null) => void) =>
      done(outcomes.shift() === 'refuses' ? Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }) : null);
    const { __promisify__ } = realFileSystem.fdatasync;
    const fs: FileSystem = { ...realFileSystem, fdatasync: Object.assign(sync, { __promisify__ }) };
    const { file, folder, record } = await aJournalFile(fs);
    const inPlace: string[] = [];
    const commit = (name: string) => file.commit(join(folder, name), record, () => inPlace.push(name));
    expect([await commit('a.json'), await commit('b.json')]).toEqual([false, false]);
    expect(inPlace).toEqual([]);
    expect(outcomes).toEqual([]);
    expect(await file.end()).toBe(true);
  });

  it('stays if its documents could not be synced, and no later sync makes up for it', async () => {
    const isBroken = { now: false };
    const listeners = process.listenerCount('exit');
    const store = aStore({ fs: refusingToSync(/\.json$/, isBroken) });
    await becomesBusy(store);
    await store.write('the last');
    const journals = store.journals();
    isBroken.now = true;
    await store.journal.rest();
    isBroken.now = false;
    for (let count = 0; count < 50; count++) await store.write(`value ${count}`);
    await store.journal.rest();
    expect(process.listenerCount('exit')).toBeLessThanOrEqual(listeners);
    expect(store.journals()).toEqual(journals);
    expect(store.records().at(-1)?.content.toString()).toBe('"the last"\n');
  });

  it.each([
    ['there is no room for it', 'write', 'ENOSPC'],
    ['its folder may not be written to', 'open', 'EROFS'],
  ])('is done without where %s', async (_why, call, code) => {
    const store = aStore({ fs: refusing(call, code) });
    for (let count = 0; count < 50; count++) await store.write(`value ${count}`);
    await store.journal.rest();
    expect(store.files()).toEqual([]);
    expect(await store.file.read()).toBe('value 49');
  });

  it('is done without where nobody could tell later whether its process runs', async () => {
    const store = aStore({ owner: { ...thisProcess(), start: 0 } });
    for (let count = 0; count < 50; count++) await store.write(`value ${count}`);
    expect(existsSync(store.layout.journal)).toBe(false);
  });
});

/** A disk that does not sync files of these names, while it is broken. */
function refusingToSync(names: RegExp, isBroken: { readonly now: boolean }): FileSystem {
  const open = new Map<unknown, string>();
  return aroundEachChange((name, call, args) => {
    if (name === 'openSync') {
      const fd = call();
      open.set(fd, String(args[0]));
      return fd;
    }
    const isRefused = isBroken.now && name === 'fsync' && names.test(open.get(args[0]) ?? '');
    const done = args.at(-1);
    if (!isRefused || typeof done !== 'function') return call();
    return setImmediate(() => done(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })));
  });
}

/** Refuses one of the calls that run in the thread pool. */
function refusing(refused: string, code: string): FileSystem {
  return aroundEachChange((name, call, args) => {
    if (name !== refused) return call();
    const done = args.at(-1);
    return setImmediate(() => typeof done === 'function' && done(Object.assign(new Error(code), { code })));
  });
}

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusingAny } from '../../../test/faults/support/strange-file-systems.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import { type FileSystem, realFileSystem } from './file-system.js';
import { filesContext } from './files-context.js';
import { JsonFile } from './json-file.js';

interface Counter {
  readonly count: number;
}

/** The real file system, with a list of the calls that change something or wait for the disk. */
function recorded(overrides: Partial<FileSystem> = {}) {
  const calls: string[] = [];
  const note = (call: string) => void calls.push(call);
  const fs: FileSystem = {
    ...realFileSystem,
    renameSync: (from, to) => {
      if (String(to).endsWith('.json')) note('rename');
      realFileSystem.renameSync(from, to);
    },
    unlinkSync: (path) => {
      if (String(path).endsWith('.json.lock')) note('release');
      realFileSystem.unlinkSync(path);
    },
    fdatasync: afterEach(realFileSystem.fdatasync, () => note('content durable')),
    fsync: afterEach(realFileSystem.fsync, () => note('folder durable')),
    ...overrides,
  };
  return { fs, calls };
}

type Sync = FileSystem['fsync'];

function afterEach(sync: Sync, afterwards: () => void): Sync {
  return asSync((fd, done) =>
    sync(fd, (error) => {
      afterwards();
      done(error);
    }),
  );
}

function asSync(call: (fd: number, done: (error: NodeJS.ErrnoException | null) => void) => void): Sync {
  return Object.assign(call, { __promisify__: realFileSystem.fsync.__promisify__ });
}

interface FileOptions {
  readonly fs: FileSystem;
  readonly durable?: boolean;
  readonly root?: string;
}

function aFile({ fs, durable = true, root = temporaryFolder() }: FileOptions) {
  const context = filesContext(join(root, '.agentx'), { fs, agent: 'tester' });
  const parse = (value: unknown): Counter => {
    if (typeof value === 'object' && value && 'count' in value && typeof value.count === 'number') {
      return { ...value, count: value.count };
    }
    throw new Error('it has no count');
  };
  return new JsonFile<Counter>(context, { parse, mode: 0o600, durable }, join(context.layout.ledgers, 'counter.json'));
}

const increment = (file: JsonFile<Counter>) =>
  file.update((current) => {
    const count = (current?.count ?? 0) + 1;
    return { next: { ...current, count }, result: count };
  });

describe('JsonFile', () => {
  it('acknowledges when content and name are on the disk, and not before', async () => {
    const { fs, calls } = recorded();
    const file = aFile({ fs });
    await increment(file);
    // The first time, the new folders above are made durable too: clarifications, state, .agentx and its parent.
    expect(calls).toEqual(['content durable', 'rename', 'release', ...new Array(4).fill('folder durable')]);
    calls.length = 0;
    await increment(file);
    expect(calls).toEqual(['content durable', 'rename', 'release', 'folder durable']);
  });

  it('refuses content that does not fit, and serves those who waited beside it', async () => {
    const file = aFile({ fs: realFileSystem });
    const invalid = { count: 'many' };
    const results = await Promise.allSettled([
      increment(file),
      file.update<void>(() => ({ next: Object.assign({ count: 0 }, invalid), result: undefined })),
      increment(file),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await file.read()).toEqual({ count: 2 });
  });

  it('carries out what waits together, with one write, each with its own result', async () => {
    const { fs, calls } = recorded();
    const file = aFile({ fs });
    const first = increment(file);
    const rest = Array.from({ length: 63 }, () => increment(file));
    expect(await Promise.all([first, ...rest])).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
    expect(calls.filter((call) => call === 'rename').length).toBeLessThanOrEqual(2);
  });

  it('writes nothing when an update changes nothing', async () => {
    const { fs, calls } = recorded();
    const file = aFile({ fs });
    await increment(file);
    calls.length = 0;
    expect(await file.update((current) => ({ next: current ?? { count: 0 }, result: 'same' }))).toBe('same');
    expect(calls).toEqual(['release']);
  });

  it.each([
    ['is acknowledged with it', null, 'fulfilled'],
    ['is refused with it', new Error('input/output error'), 'rejected'],
  ])('what changes nothing while the last change is on its way to the disk %s', async (_, error, status) => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isSyncing = false;
    const fsync = asSync((_, done) => {
      isSyncing = true;
      void released.then(() => done(error));
    });
    const { fs } = recorded({ fsync });
    const file = aFile({ fs });
    const changed = increment(file);
    await until(() => isSyncing);
    const same = file.update((current) => ({ next: current ?? { count: 0 }, result: current?.count }));
    let isTold = false;
    const told = same.finally(() => {
      isTold = true;
    });
    const settled = Promise.allSettled([changed, told]);
    await until(() => existsSync(file.path) && !existsSync(`${file.path}.lock`));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTold).toBe(false);
    release();
    expect((await settled).map((outcome) => outcome.status)).toEqual([status, status]);
  });

  it('does not wait for the disk where the content is derivable', async () => {
    const { fs, calls } = recorded();
    await increment(aFile({ fs, durable: false }));
    expect(calls).toEqual(['rename', 'release']);
  });

  it('keeps the permissions that a file has, and makes new ones private', async () => {
    const file = aFile({ fs: realFileSystem });
    await increment(file);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    chmodSync(file.path, 0o660);
    await increment(aFile({ fs: realFileSystem, root: join(file.path, '../../../..') }));
    expect(statSync(file.path).mode & 0o777).toBe(0o660);
  });

  it('tells what went wrong when the disk is full, changes nothing and leaves nothing behind', async () => {
    const fdatasync = asSync((_, done) => done(Object.assign(new Error('no space'), { code: 'ENOSPC' })));
    const root = temporaryFolder();
    const file = aFile({ fs: realFileSystem, root });
    await increment(file);
    const before = readFileSync(file.path, 'utf8');
    const failing = increment(aFile({ fs: recorded({ fdatasync }).fs, root }));
    await expect(failing).rejects.toMatchObject({
      code: 'STORE_ERROR',
      message: expect.stringContaining('disk is full'),
    });
    expect(readFileSync(file.path, 'utf8')).toBe(before);
    await expect.poll(() => realFileSystem.readdirSync(join(file.path, '..'))).toEqual(['counter.json']);
    expect(await increment(file)).toBe(2);
  });

  it('says so when the name could not be made durable', async () => {
    const { fs } = recorded({ fsync: asSync((_, done) => done(new Error('input/output error'))) });
    await expect(increment(aFile({ fs }))).rejects.toMatchObject({
      code: 'STORE_ERROR',
      message: expect.stringContaining('make durable'),
    });
  });

  it('is written once more if it was put in place and its update failed all the same', async () => {
    let looksRefused = 0;
    let isJustRenamed = false;
    const syncs: string[] = [];
    const fs = refusingAny((name, on) => {
      if (name === 'fdatasync' || name === 'fsync') syncs.push(name);
      const isRefused = isJustRenamed && name === 'statSync' && looksRefused === 0;
      if (isRefused) looksRefused += 1;
      isJustRenamed = name === 'renameSync' && /counter\.json\..*\.tmp$/.test(String(on));
      return isRefused ? 'EIO' : undefined;
    });
    const file = aFile({ fs });
    const begin = () => file.update((current) => ({ next: current ?? { count: 1 }, result: 'on the disk' }));
    await expect(begin()).rejects.toMatchObject({ code: 'STORE_ERROR' });
    syncs.length = 0;
    expect(await begin()).toBe('on the disk');
    expect(syncs).toEqual(expect.arrayContaining(['fdatasync', 'fsync']));
  });

  it('fails with LOCK_LOST, and writes nothing, when its lock was broken while it stood still [US-1.2/26]', async () => {
    const root = temporaryFolder();
    const path = join(root, '.agentx/state/clarifications/counter.json');
    const fdatasync = asSync((_, done) => {
      realFileSystem.unlinkSync(`${path}.lock`);
      done(null);
    });
    await expect(increment(aFile({ fs: recorded({ fdatasync }).fs, root }))).rejects.toMatchObject({
      code: 'LOCK_LOST',
    });
    expect(existsSync(path)).toBe(false);
    expect(realFileSystem.readdirSync(join(path, '..'))).toEqual([]);
  });

  it('never overwrites what it cannot read', async () => {
    const file = aFile({ fs: realFileSystem });
    mkdirSync(join(file.path, '..'), { recursive: true });
    writeFileSync(file.path, '{"count": "many"}');
    await expect(increment(file)).rejects.toMatchObject({ code: 'CORRUPT_FILE', details: { path: file.path } });
    await expect(file.read()).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    expect(readFileSync(file.path, 'utf8')).toBe('{"count": "many"}');
  });

  it.each(['', '\0\0\0\0'])(
    'makes derivable content anew if a power cut left the file without any (%j)',
    async (left) => {
      for (const durable of [false, true]) {
        const file = aFile({ fs: realFileSystem, durable });
        await increment(file);
        writeFileSync(file.path, left);
        if (durable) await expect(increment(file)).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
        else
          expect([await file.read(), await increment(file), await file.read()]).toEqual([undefined, 1, { count: 1 }]);
      }
    },
  );

  it('reads a file that begins with a byte order mark', async () => {
    const file = aFile({ fs: realFileSystem });
    mkdirSync(join(file.path, '..'), { recursive: true });
    writeFileSync(file.path, '\ufeff{"count": 3}');
    expect(await increment(file)).toBe(4);
  });

  it('waits for somebody who writes in place to finish', async () => {
    const file = aFile({ fs: realFileSystem });
    await increment(file);
    writeFileSync(`${file.path}.lock`, '');
    writeFileSync(file.path, '{"count": ');
    setTimeout(() => {
      writeFileSync(file.path, '{"count": 7}');
      realFileSystem.unlinkSync(`${file.path}.lock`);
    }, 40);
    expect(await file.read()).toEqual({ count: 7 });
  });

  it('sees a change in place that comes at once and keeps the size', async () => {
    const file = aFile({ fs: realFileSystem, durable: false });
    for (let round = 0; round < 500; round++) {
      await file.update(() => ({ next: { count: 100 }, result: undefined }));
      writeFileSync(file.path, readFileSync(file.path, 'utf8').replace('100', '999'));
      expect(await file.read()).toEqual({ count: 999 });
      expect(await increment(file)).toBe(1000);
    }
  });
});

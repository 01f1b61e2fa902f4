import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aroundEachChange, refusingAny } from '../../../test/faults/support/strange-file-systems.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { AgentXError } from '../../protocol/errors.js';
import { orElse } from './file-system.js';
import { openFileStore } from './store.js';

const line = (id: string) => ({
  request_type: 'pm_clarification',
  status: 'pending' as const,
  content: 'Which? \u00e4',
  id,
});

async function aLog() {
  const root = join(temporaryFolder(), '.agentx');
  const { interactions } = openFileStore({ root, sync: false });
  await interactions.append(line('1'));
  return { interactions, path: join(root, 'state', 'interactions.ndjson'), root };
}

/** More calls than an append makes. */
const MAX_CALLS = 200;

describe('the interaction log', () => {
  it('is one JSON object a line, and only grows', async () => {
    const { interactions, path } = await aLog();
    const before = readFileSync(path, 'utf8');
    await interactions.append(line('2'));
    expect(readFileSync(path, 'utf8')).toBe(`${before}${JSON.stringify(line('2'))}\n`);
  });

  it('loses nothing to a line that a crash tore', async () => {
    const { interactions, path } = await aLog();
    appendFileSync(path, '{"request_type":"pm_cl');
    expect(await interactions.list()).toEqual({ items: [line('1')], damaged: [] });
    await interactions.append(line('2'));
    const { items, damaged } = await interactions.list();
    expect(items).toEqual([line('1'), line('2')]);
    expect(damaged).toMatchObject([{ code: 'CORRUPT_FILE', message: expect.stringContaining('line 2') }]);
  });

  it('takes lines as others write them, and shows what is no line of it', async () => {
    const { interactions, path } = await aLog();
    writeFileSync(
      path,
      '\n{"request_type":"x","status":"resolved","content":"","user_response":null,"extra":1}\n[]\n\xff\n',
      'latin1',
    );
    const { items, damaged } = await interactions.list();
    expect(items).toMatchObject([{ request_type: 'x', user_response: null, extra: 1 }]);
    expect(damaged).toHaveLength(2);
  });

  it('has every line of many writers, none twice', async () => {
    const { interactions, root } = await aLog();
    const others = [interactions, openFileStore({ root, sync: false }).interactions];
    await Promise.all(Array.from({ length: 40 }, (_, index) => others[index % 2]?.append(line(String(index % 20)))));
    const { items } = await interactions.list();
    expect(items.map(({ id }) => id).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, index) => String(index)).toSorted(),
    );
  });

  it('refuses what is no interaction', async () => {
    const { interactions } = await aLog();
    const wrong = { ...line('3'), resolved_at: 'yesterday' };
    await expect(interactions.append(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('does not follow a link, which would have a file elsewhere grow by what agents say', async () => {
    const { interactions, path } = await aLog();
    const target = join(temporaryFolder(), '.bashrc');
    writeFileSync(target, 'alias ll="ls -l"\n');
    rmSync(path);
    symlinkSync(target, path);
    await expect(interactions.append(line('2'))).rejects.toMatchObject({
      code: 'STORE_ERROR',
      message: expect.stringContaining('is a link'),
    });
    expect(readFileSync(target, 'utf8')).toBe('alias ll="ls -l"\n');
  });

  it('is a STORE_ERROR where its links lead in a circle', async () => {
    const { interactions, path } = await aLog();
    rmSync(path);
    symlinkSync(path, path);
    await expect(interactions.append(line('2'))).rejects.toMatchObject({ code: 'STORE_ERROR' });
  });
});

describe('a line of the interaction log', () => {
  it('is not acknowledged if its folder was moved away before it was on the disk', async () => {
    const { root } = await aLog();
    const { interactions } = synced(root, (call) => {
      renameSync(join(root, 'state'), join(root, 'moved'));
      mkdirSync(join(root, 'state'));
      return call();
    });
    await expect(interactions.append(line('2'))).rejects.toMatchObject({ code: 'STORE_ERROR' });
  });

  it('of another process stays if that of a process that lost its lock cannot be synced', async () => {
    const { root, path } = await aLog();
    const { interactions } = synced(root, (_call, [, done]) => {
      rmSync(`${path}.lock`);
      appendFileSync(path, `${JSON.stringify(line('of another'))}\n`);
      if (typeof done === 'function') done(Object.assign(new Error('EIO'), { code: 'EIO' }));
    });
    await expect(interactions.append(line('2'))).rejects.toMatchObject({ code: 'STORE_ERROR' });
    expect(readFileSync(path, 'utf8')).toContain('of another');
  });

  it('leaves no file open if the disk refuses any of its calls', async () => {
    for (let at = 0, isReached = true; isReached; at++) {
      const { root, path } = await aLog();
      let call = -1;
      const { interactions } = openFileStore({ root, fs: refusingAny(() => (++call === at ? 'EIO' : undefined)) });
      await interactions.append(line('2')).catch((error: unknown) => expect(error).toBeInstanceOf(AgentXError));
      isReached = call >= at;
      await expect.poll(() => openFilesAt(path), { message: `call ${at}` }).toBe(0);
      expect(at).toBeLessThan(MAX_CALLS);
    }
  });

  it('that could not be synced is taken back: the next sync says nothing of it', async () => {
    const { root, path } = await aLog();
    const before = readFileSync(path, 'utf8');
    let isRefused = true;
    const { interactions } = synced(root, (call, [, done]) => {
      if (!isRefused || typeof done !== 'function') return call();
      return done(Object.assign(new Error('EIO'), { code: 'EIO' }));
    });
    await expect(interactions.append(line('2'))).rejects.toMatchObject({ code: 'STORE_ERROR' });
    expect(readFileSync(path, 'utf8')).toBe(before);
    isRefused = false;
    await interactions.append(line('2'));
    expect((await interactions.list()).items).toEqual([line('1'), line('2')]);
  });

  it('that a process wrote and did not live to sync is synced before it is acknowledged', async () => {
    const { root } = await aLog();
    let syncs = 0;
    const { interactions } = synced(root, (call) => {
      syncs += 1;
      return call();
    });
    await interactions.append(line('1'));
    expect(syncs).toBe(1);
    expect((await interactions.list()).items).toEqual([line('1')]);
  });
});

/** On systems that list the open files of a process. */
function openFilesAt(path: string): number {
  const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [];
  const pathOf = (fd: string) => orElse('', () => readlinkSync(`/proc/self/fd/${fd}`));
  return descriptors.filter((fd) => pathOf(fd) === path).length;
}

/** A store whose disk does something else when it is to sync the content of a file. */
function synced(root: string, sync: (call: () => unknown, args: readonly unknown[]) => unknown) {
  const fs = aroundEachChange((name, call, args) => (name === 'fdatasync' ? sync(call, args) : call()));
  return openFileStore({ root, fs });
}

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { LockFile } from '../../protocol/lock-file.js';
import { parseWith } from '../../protocol/parse.js';
import { FileLockManager, JsonFileLock } from './json-file-lock.js';

const ledgerIn = (folder: string): string => join(folder, 'issue-42.json');
const writeLock = (file: string, body: string, ageSeconds: number): void => {
  writeFileSync(`${file}.lock`, body);
  const then = Date.now() / 1000 - ageSeconds;
  utimesSync(`${file}.lock`, then, then);
};
const literalBody = (ageSeconds: number): string =>
  JSON.stringify({
    pid: process.pid,
    timestamp: new Date(Date.now() - ageSeconds * 1000).toISOString(),
    agent: 'other',
  });

describe('JsonFileLock', () => {
  it('keeps the lock file beside the file while it is held, and removes it [US-1.2/1] [US-1.2/20]', async () => {
    const file = ledgerIn(temporaryFolder());
    const lock = new JsonFileLock();
    expect(await lock.acquire(file, 'engineer')).toBe(true);
    expect(existsSync(`${file}.lock`)).toBe(true);
    lock.release(file);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('writes pid, timestamp and agent first, for participants in other languages [US-1.2/9]', async () => {
    const file = ledgerIn(temporaryFolder());
    await new JsonFileLock().withLock(file, 'engineer', () => {
      const body: unknown = JSON.parse(readFileSync(`${file}.lock`, 'utf8'));
      expect(parseWith(LockFile, body, 'The lock')).toMatchObject({ pid: process.pid, agent: 'engineer' });
      expect(Object.keys({ ...Object(body) }).slice(0, 3)).toEqual(['pid', 'timestamp', 'agent']);
    });
  });

  it('gives the lock to exactly one of many who ask at once [US-1.2/2]', async () => {
    const file = ledgerIn(temporaryFolder());
    const holders = await Promise.all(
      Array.from({ length: 20 }, () => new JsonFileLock({ waitMs: 0 }).acquire(file, 'engineer')),
    );
    expect(holders.filter(Boolean)).toHaveLength(1);
  });

  it('releases the lock when the work throws [US-1.2/6]', async () => {
    const file = ledgerIn(temporaryFolder());
    const failing = new JsonFileLock().withLock(file, 'engineer', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('waits for its turn instead of failing at the first refusal [US-1.2/4]', async () => {
    const file = ledgerIn(temporaryFolder());
    const holder = new JsonFileLock();
    await holder.acquire(file, 'architect');
    const waiting = new JsonFileLock().acquire(file, 'engineer');
    await sleep(60);
    holder.release(file);
    expect(await waiting).toBe(true);
  });

  it('gives up with LOCK_TIMEOUT and names the file, the holder, its pid and age [US-1.2/5] [US-1.2/22]', async () => {
    const file = ledgerIn(temporaryFolder());
    const holder = new JsonFileLock();
    await holder.acquire(file, 'architect');
    const impatient = new JsonFileLock({ waitMs: 50 });
    await expect(impatient.withLock(file, 'engineer', () => 'never')).rejects.toMatchObject({
      code: 'LOCK_TIMEOUT',
      message: expect.stringMatching(
        new RegExp(`issue-42\\.json: held by architect \\(pid ${process.pid}\\) for \\d+ s`),
      ),
      details: { path: file, holder: 'architect', pid: process.pid, ageSeconds: expect.any(Number) },
    });
    expect(await impatient.acquire(file, 'engineer')).toBe(false);
    holder.release(file);
  });

  it('breaks the lock of a literal participant after 30 seconds, not before [US-1.2/3] [US-1.2/13]', async () => {
    const folder = temporaryFolder();
    const [young, old] = [join(folder, 'young.json'), join(folder, 'old.json')];
    writeLock(young, literalBody(20), 20);
    writeLock(old, literalBody(31), 31);
    const lock = new JsonFileLock({ waitMs: 2_000 });
    expect(await Promise.all([lock.acquire(young, 'engineer'), lock.acquire(old, 'engineer')])).toEqual([false, true]);
    expect(readFileSync(`${young}.lock`, 'utf8')).toContain('other');
    lock.release(old);
  });

  it('never releases a lock that is not its own [US-1.2/26]', async () => {
    const file = ledgerIn(temporaryFolder());
    const holder = new JsonFileLock();
    await holder.acquire(file, 'architect');
    rmSync(`${file}.lock`);
    writeLock(file, literalBody(0), 0);
    holder.release(file);
    expect(readFileSync(`${file}.lock`, 'utf8')).toContain('other');
  });

  it('says LOCK_LOST when somebody broke the lock meanwhile', async () => {
    const file = ledgerIn(temporaryFolder());
    const work = new JsonFileLock().withLock(file, 'engineer', () => rmSync(`${file}.lock`));
    await expect(work).rejects.toMatchObject({ code: 'LOCK_LOST' });
  });

  it('is one lock for one file, whatever links lead to it', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'real'));
    writeFileSync(join(folder, 'real', 'a.json'), '{}');
    symlinkSync(join(folder, 'real'), join(folder, 'linked'));
    symlinkSync(join(folder, 'real', 'a.json'), join(folder, 'b.json'));
    const holder = new JsonFileLock();
    await holder.acquire(join(folder, 'real', 'a.json'), 'architect');
    const impatient = new JsonFileLock({ waitMs: 0 });
    expect(await impatient.acquire(join(folder, 'linked', 'a.json'), 'engineer')).toBe(false);
    expect(await impatient.acquire(join(folder, 'b.json'), 'engineer')).toBe(false);
    holder.release(join(folder, 'b.json'));
    expect(await impatient.acquire(join(folder, 'linked', 'a.json'), 'engineer')).toBe(true);
  });
});

describe('FileLockManager', () => {
  it('serves those in this process in order and holds the file lock meanwhile [US-1.2/20]', async () => {
    const file = ledgerIn(temporaryFolder());
    const manager = new FileLockManager();
    const log: number[] = [];
    await Promise.all(
      [1, 2, 3].map((n) =>
        manager.withSafeLock(file, 'engineer', async () => {
          expect(existsSync(`${file}.lock`)).toBe(true);
          await sleep(5 - n);
          log.push(n);
        }),
      ),
    );
    expect(log).toEqual([1, 2, 3]);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('rejects with a STORE_ERROR where links lead in a circle', async () => {
    const file = ledgerIn(temporaryFolder());
    symlinkSync(file, file);
    const work = async () => new FileLockManager().withSafeLock(file, 'engineer', () => {});
    await expect(work()).rejects.toMatchObject({ code: 'STORE_ERROR' });
  });
});

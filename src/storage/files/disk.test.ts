import { describe, expect, it } from 'vitest';
import { Disk } from './disk.js';
import { type FileSystem, realFileSystem } from './file-system.js';

/** A disk that only records its calls, and takes as long as the test says. */
function aDisk(atFirst = 0) {
  let milliseconds = atFirst;
  const calls: string[] = [];
  let time = 0;
  const fs: FileSystem = {
    ...realFileSystem,
    fdatasyncSync: () => {
      calls.push('in place');
      time += milliseconds;
    },
    fdatasync: Object.assign(
      (_fd: number, done: (error: NodeJS.ErrnoException | null) => void) => {
        calls.push('in the pool');
        setImmediate(done, null);
      },
      { __promisify__: realFileSystem.fdatasync.__promisify__ },
    ),
  };
  const takes = (from: number) => {
    milliseconds = from;
  };
  const passes = (span: number) => {
    time += span;
  };
  return { disk: new Disk(fs, () => time), calls, takes, passes };
}

describe('Disk', () => {
  it('is waited for in place while it is quick and only one writes', async () => {
    const { disk, calls } = aDisk();
    disk.addWriter();
    await disk.syncContent(0);
    await disk.syncContent(0);
    expect(calls).toEqual(['in place', 'in place']);
  });

  it('works in the pool while several write', async () => {
    const { disk, calls } = aDisk();
    const [leave] = [disk.addWriter(), disk.addWriter()];
    await Promise.all([disk.syncContent(0), disk.syncContent(1)]);
    leave();
    await disk.syncContent(0);
    expect(calls).toEqual(['in the pool', 'in the pool', 'in place']);
  });

  it('syncs a file once for all who want it before the sync begins', async () => {
    const { disk, calls } = aDisk();
    disk.addWriter();
    disk.addWriter();
    await Promise.all([disk.syncContent(0), disk.syncContent(0), disk.syncContent(0)]);
    await disk.syncContent(0);
    expect(calls).toEqual(['in the pool', 'in the pool']);
  });

  it('syncs once more for a caller that comes during a sync, after it', async () => {
    const { disk, calls } = aDisk();
    disk.addWriter();
    disk.addWriter();
    const first = disk.syncContent(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toHaveLength(1);
    const later = [disk.syncContent(0), disk.syncContent(0)];
    await first;
    expect(calls).toHaveLength(1);
    await Promise.all(later);
    expect(calls).toHaveLength(2);
  });

  it('tells each writer of its own failure', async () => {
    const failing = (fd: number, done: (error: NodeJS.ErrnoException | null) => void) =>
      void setImmediate(done, fd === 1 ? new Error('The disk is gone.') : null);
    const { __promisify__ } = realFileSystem.fdatasync;
    const disk = new Disk({ ...realFileSystem, fdatasync: Object.assign(failing, { __promisify__ }) });
    disk.addWriter();
    disk.addWriter();
    const outcomes = await Promise.allSettled([disk.syncContent(0), disk.syncContent(1), disk.syncContent(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('works in the pool for a while after it was slow, then in place again', async () => {
    const { disk, calls, takes, passes } = aDisk(6);
    disk.addWriter();
    for (let n = 0; n < 3; n++) await disk.syncContent(0);
    expect(calls.splice(0)).toEqual(['in place', 'in the pool', 'in the pool']);
    takes(0);
    passes(299);
    await disk.syncContent(0);
    passes(1);
    for (let n = 0; n < 2; n++) await disk.syncContent(0);
    expect(calls).toEqual(['in the pool', 'in place', 'in place']);
  });
});

import { describe, expect, it } from 'vitest';
import { Disk } from './disk.js';
import { type FileSystem, realFileSystem } from './file-system.js';

/** A disk that only tells how it was asked, and takes as long as it is told. */
function aDisk(milliseconds = 0) {
  const calls: string[] = [];
  const fs: FileSystem = {
    ...realFileSystem,
    fdatasyncSync: () => {
      calls.push('in place');
      const started = performance.now();
      while (performance.now() - started < milliseconds);
    },
    fdatasync: Object.assign(
      (_fd: number, done: (error: NodeJS.ErrnoException | null) => void) => {
        calls.push('in the pool');
        setImmediate(done, null);
      },
      { __promisify__: realFileSystem.fdatasync.__promisify__ },
    ),
  };
  return { disk: new Disk(fs), calls };
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
    await Promise.all([disk.syncContent(0), disk.syncContent(0)]);
    leave();
    await disk.syncContent(0);
    expect(calls).toEqual(['in the pool', 'in the pool', 'in place']);
  });

  it('works in the pool after it was slow, and in place again once it is quick', async () => {
    const { disk, calls } = aDisk(6);
    disk.addWriter();
    for (let n = 0; n < 3; n++) await disk.syncContent(0);
    expect(calls).toEqual(['in place', 'in the pool', 'in place']);
  });
});

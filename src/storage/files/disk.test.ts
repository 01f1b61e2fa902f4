import { describe, expect, it } from 'vitest';
import { Disk } from './disk.js';
import { type FileSystem, realFileSystem } from './file-system.js';

type Done = (error: NodeJS.ErrnoException | null) => void;

/** A disk that records which files were synced, and refuses some. */
function aDisk(refuses: (fd: number) => boolean = () => false) {
  const synced: number[] = [];
  const sync = (fd: number, done: Done) => {
    synced.push(fd);
    setImmediate(done, refuses(fd) ? new Error('The disk is gone.') : null);
  };
  const { __promisify__ } = realFileSystem.fdatasync;
  const fs: FileSystem = { ...realFileSystem, fdatasync: Object.assign(sync, { __promisify__ }) };
  return { disk: new Disk(fs), synced };
}

describe('Disk', () => {
  it('syncs a file once for all who want it before the sync begins', async () => {
    const { disk, synced } = aDisk();
    await Promise.all([disk.syncContent(0), disk.syncContent(0), disk.syncContent(1)]);
    expect(synced).toEqual([0, 1]);
    await disk.syncContent(0);
    expect(synced).toEqual([0, 1, 0]);
  });

  it('syncs once more for a caller that comes during a sync, after it', async () => {
    const { disk, synced } = aDisk();
    const first = disk.syncContent(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(synced).toHaveLength(1);
    const later = [disk.syncContent(0), disk.syncContent(0)];
    await first;
    expect(synced).toHaveLength(1);
    await Promise.all(later);
    expect(synced).toHaveLength(2);
  });

  it('tells each writer of its own failure', async () => {
    const { disk } = aDisk((fd) => fd === 1);
    const outcomes = await Promise.allSettled([disk.syncContent(0), disk.syncContent(1), disk.syncContent(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

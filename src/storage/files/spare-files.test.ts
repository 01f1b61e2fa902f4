import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type FileSystem, realFileSystem } from './file-system.js';
import { SpareFiles } from './spare-files.js';

function spares(fs: FileSystem = realFileSystem) {
  const folder = mkdtempSync(join(tmpdir(), 'agentx-spares-'));
  const files = new SpareFiles(fs, folder);
  onTestFinished(async () => {
    files.discard();
    // Until the last of those that are still being made is gone.
    await vi.waitFor(() => rmSync(folder, { recursive: true, force: true }));
  });
  return { files, folder, names: () => readdirSync(folder) };
}

/** Asks until one has been made. */
async function taken({ files, folder }: ReturnType<typeof spares>, name: string): Promise<number> {
  let fd: number | undefined;
  await expect
    .poll(() => {
      fd = files.take(join(folder, name));
      return fd;
    })
    .toBeDefined();
  if (fd === undefined) throw new Error('None was made.');
  onTestFinished(() => realFileSystem.closeSync(fd ?? -1));
  return fd;
}

describe('files that are made ahead', () => {
  it('are empty, private and get the name that is wanted', async () => {
    const made = spares();
    writeSync(await taken(made, 'wanted'), 'content');
    expect(readFileSync(join(made.folder, 'wanted'), 'utf8')).toBe('content');
    expect(statSync(join(made.folder, 'wanted')).mode & 0o777).toBe(0o600);
  });

  it('are each given away once', async () => {
    const made = spares();
    const fds = [await taken(made, 'first'), await taken(made, 'second')];
    for (const [index, fd] of fds.entries()) writeSync(fd, String(index));
    expect(['first', 'second'].map((name) => readFileSync(join(made.folder, name), 'utf8'))).toEqual(['0', '1']);
  });

  it('are gone when nobody needs them any more, also those that are still being made', async () => {
    const made = spares();
    await taken(made, 'kept');
    made.files.discard();
    await expect.poll(made.names).toEqual(['kept']);
    expect(made.files.take(join(made.folder, 'late'))).toBeUndefined();
  });

  it('are done without where they cannot get the name', async () => {
    const removed: string[] = [];
    const made = spares({
      ...realFileSystem,
      renameSync: () => {
        throw Object.assign(new Error('EXDEV: cross-device link not permitted'), { code: 'EXDEV' });
      },
      unlinkSync: (path) => {
        removed.push(String(path));
        realFileSystem.unlinkSync(path);
      },
    });
    await expect
      .poll(() => {
        expect(made.files.take(join(made.folder, 'wanted'))).toBeUndefined();
        return removed.length;
      })
      .toBeGreaterThan(0);
    expect(removed.map((path) => made.names().includes(path))).not.toContain(true);
  });

  it('are done without where none can be made', async () => {
    const made = spares({
      ...realFileSystem,
      open: Object.assign(
        (...args: unknown[]) => {
          const done = args.at(-1);
          if (typeof done === 'function') setImmediate(() => done(new Error('ENOSPC: no space left on device')));
        },
        { __promisify__: realFileSystem.open.__promisify__ },
      ),
    });
    for (let count = 0; count < 20; count++) {
      expect(made.files.take(join(made.folder, 'wanted'))).toBeUndefined();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(made.names()).toEqual([]);
  });
});

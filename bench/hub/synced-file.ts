import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file such that it survives a power cut: temporary file, fdatasync, rename, fsync of the folder. */
export function replaceSynced(path: string, text: string): void {
  const fd = openSync(`${path}.tmp`, 'w');
  try {
    writeSync(fd, text);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.tmp`, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The same without blocking the process. */
export async function replaceSyncedAtOnce(path: string, text: string): Promise<void> {
  const file = await open(`${path}.tmp`, 'w');
  try {
    await file.write(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { errorCode } from '../../../src/storage/files/file-system.js';
import { isRunning } from '../../../src/storage/files/process-identity.js';

/**
 * Work that only one process at a time may do. A symbolic link is its door plate: it is made in one step and names the
 * process inside. A process that finds the plate of a living one has found two holders of one lock.
 */
export async function enterAlone(plate: string, work: () => Promise<unknown>): Promise<void> {
  putUp(plate);
  await work();
  const inside = readlinkSync(plate);
  if (inside !== String(process.pid)) throw new Error(`Two holders: ${process.pid} was joined by ${inside}.`);
  unlinkSync(plate);
}

function putUp(plate: string): void {
  try {
    symlinkSync(String(process.pid), plate);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const inside = Number(readlinkSync(plate));
    if (isRunning({ pid: inside, start: 0 })) throw new Error(`Two holders: ${process.pid} joined ${inside}.`);
    unlinkSync(plate); // Of a holder that was killed.
    putUp(plate);
  }
}

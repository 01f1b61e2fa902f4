import { join } from 'node:path';
import { diskFolder, makeWorkFolder, memoryFolder } from '../work-folder.js';
import { ALL_CONTENDERS } from './contender.js';
import type { Case } from './measure.js';

const PROCESSES = [1, 2, 8, 32] as const;
export const QUEUED = '64 queued, sync';

export const caseName = (processes: number, sync: boolean): string =>
  `${processes} ${processes === 1 ? 'process' : 'processes'}, ${sync ? 'sync' : 'no sync'}`;

/**
 * Without sync in memory, so that the lock is measured and not the disk; with sync in the folder for temporary files.
 */
export function makeCases(): Case[] {
  const [memory, disk] = [makeWorkFolder(memoryFolder()), makeWorkFolder(diskFolder())];
  const sharedCases = [false, true].flatMap((sync) =>
    PROCESSES.map((processes): Case => {
      const folder = join(sync ? disk : memory, String(processes));
      return { name: caseName(processes, sync), processes, outstanding: 1, sync, contenders: ALL_CONTENDERS, folder };
    }),
  );
  const queuedCase: Case = {
    name: QUEUED,
    processes: 1,
    outstanding: 64,
    sync: true,
    contenders: ['ours', 'sqlite'],
    folder: join(disk, 'queued'),
  };
  return [...sharedCases, queuedCase];
}

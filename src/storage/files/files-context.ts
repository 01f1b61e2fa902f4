import { resolve } from 'node:path';
import { Disk } from './disk.js';
import { type FileSystem, realFileSystem } from './file-system.js';
import type { Journal } from './journal.js';
import type { UnsettledJournals } from './journal-recovery.js';
import { type Layout, layoutOf } from './layout.js';
import type { LockOptions } from './lock.js';
import { Folders } from './prepared-folders.js';

/** What the files of one store share. */
export interface FilesContext {
  readonly fs: FileSystem;
  readonly layout: Layout;
  readonly disk: Disk;
  readonly folders: Folders;
  readonly journal?: Journal | undefined;
  readonly unsettled?: UnsettledJournals | undefined;
  /** The name of the writer, for people who read a lock file. */
  readonly agent: string;
  readonly lockWaitMs?: number | undefined;
  /** False leaves durability to the operating system: for tests and benchmarks. */
  readonly sync: boolean;
  readonly onContention?: LockOptions['onContention'];
}

/** What others may decide. */
export type FilesOptions = Partial<Omit<FilesContext, 'layout' | 'disk' | 'folders'>>;

/** For the `.agentx` folder at `root`. */
export function filesContext(root: string, options: FilesOptions = {}): FilesContext {
  const { fs = realFileSystem, agent = 'agentx', sync = true } = options;
  const layout = layoutOf(resolve(root));
  const disk = new Disk(fs);
  return { ...options, fs, layout, disk, folders: new Folders(fs, disk, layout), agent, sync };
}

/** The input of the program `full-disk`: a folder on a small file system of its own, which it may fill and remount. */
export interface FullDiskConfig {
  readonly folder: string;
}

/** One attempt to write. Before each, only so many pages of the disk were free. */
export interface FullDiskReport {
  readonly freePages: number | 'enough' | 'read-only';
  readonly refused?: string;
  readonly message?: string;
  readonly isIntact: boolean;
  readonly litter: readonly string[];
  readonly readable: number;
}

import { dirname } from 'node:path';
import { type FileSystem, readIfThere } from './file-system.js';

/** Small, so that reading it whole costs nothing; whoever missed the end of one looks at everything once. */
const MAX_BYTES = 4096;

/** How far somebody has read. */
export interface Mark {
  readonly file: string;
  readonly size: number;
}

/**
 * The keys of documents that were changed, one a line, appended after each change by every process of ours. It is a hint
 * for those who would otherwise look at all documents: it is not synced, and other programs do not write it.
 */
export class ChangeLog {
  constructor(
    private readonly fs: FileSystem,
    private readonly path: string,
  ) {}

  note(key: string): void {
    try {
      this.#append(`${key}\n`);
    } catch {
      // A full or read-only disk must not undo a change that is made. Without a file nobody relies on it.
      this.#remove();
    }
  }

  mark(): Mark | undefined {
    const stat = this.fs.statSync(this.path, { throwIfNoEntry: false });
    return stat && { file: `${stat.ino} ${stat.birthtimeMs}`, size: stat.size };
  }

  /** What changed since, and how far that is; undefined if it cannot be known any more. */
  since(mark: Mark): { readonly keys: readonly string[]; readonly mark: Mark } | undefined {
    const now = this.mark();
    if (now === undefined || now.file !== mark.file || now.size < mark.size) return undefined;
    if (now.size === mark.size) return { keys: [], mark };
    const text = readIfThere(this.fs, this.path)?.toString('utf8', mark.size, now.size);
    return text === undefined ? undefined : { keys: [...new Set(text.trimEnd().split('\n'))], mark: now };
  }

  #append(line: string): void {
    const fd = this.#open();
    try {
      this.fs.writeSync(fd, line);
      if (this.fs.fstatSync(fd).size > MAX_BYTES) this.#remove();
    } finally {
      this.fs.closeSync(fd);
    }
  }

  #open(): number {
    try {
      return this.fs.openSync(this.path, 'a', 0o600);
    } catch {
      this.fs.mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      return this.fs.openSync(this.path, 'a', 0o600);
    }
  }

  #remove(): void {
    try {
      this.fs.unlinkSync(this.path);
    } catch {
      // Somebody else has.
    }
  }
}

import { dirname } from 'node:path';
import { type FileSystem, openToRead } from './file-system.js';

/** Whoever misses the end of one, when it is full, looks at everything once. */
const MAX_BYTES = 256 * 1024;
const ATTEMPTS = 3;

/** How far somebody has read. */
export interface Mark {
  readonly file: string;
  readonly size: number;
}

/**
 * The names of files that were replaced, one a line, appended after each change, and before it is acknowledged, by every
 * process of ours. It is a hint for those who would otherwise look at all files: it is not synced, and other programs do
 * not write it.
 */
export class ChangeLog {
  #justNoted: string | undefined;

  constructor(
    private readonly fs: FileSystem,
    private readonly path: string,
  ) {}

  /** Changes that were written together are acknowledged one after the other: one note serves them all. */
  note(name: string): void {
    if (this.#justNoted === name) return;
    this.#justNoted = name;
    queueMicrotask(() => {
      this.#justNoted = undefined;
    });
    this.#attempt(() => this.#append(`${name}\n`));
  }

  /** Without a log nobody can tell what changed; it is begun where listings would gain by it. */
  begin(): void {
    this.#attempt(() => this.#append(''));
  }

  /** How far it goes now; undefined where there is none, or none that can be seen. */
  mark(): Mark | undefined {
    try {
      const stat = this.fs.statSync(this.path, { throwIfNoEntry: false });
      return stat && markOf(stat);
    } catch {
      return undefined;
    }
  }

  /** What changed since, and how far that is; undefined if it cannot be known any more. */
  since(mark: Mark): { readonly names: readonly string[]; readonly mark: Mark } | undefined {
    const fd = this.#openToRead();
    if (fd === undefined) return undefined;
    try {
      const now = markOf(this.fs.fstatSync(fd));
      if (now.file !== mark.file || now.size < mark.size) return undefined;
      return now.size === mark.size
        ? { names: [], mark }
        : { names: this.#namesIn(fd, mark.size, now.size), mark: now };
    } finally {
      this.fs.closeSync(fd);
    }
  }

  /** Others' log that may not be read is as good as none. */
  #openToRead(): number | undefined {
    try {
      return openToRead(this.fs, this.path);
    } catch {
      return undefined;
    }
  }

  #namesIn(fd: number, from: number, to: number): readonly string[] {
    const bytes = Buffer.allocUnsafe(to - from);
    const length = this.fs.readSync(fd, bytes, 0, bytes.length, from);
    return [...new Set(bytes.toString('utf8', 0, length).trimEnd().split('\n'))];
  }

  /** A full or read-only disk must not undo a change that is made. Without a file nobody relies on it. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch {
      this.#remove();
    }
  }

  /** Where it was removed meanwhile, as one that is full is, the line goes to its successor. */
  #append(line: string): void {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const fd = this.#open();
      try {
        if (line !== '') this.fs.writeSync(fd, line);
        const { nlink, size } = this.fs.fstatSync(fd);
        if (nlink === 0) continue;
        if (size > MAX_BYTES) this.#remove();
        return;
      } finally {
        this.fs.closeSync(fd);
      }
    }
    throw new Error(`${this.path} is removed again and again`);
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

function markOf({ ino, birthtimeMs, size }: { ino: number; birthtimeMs: number; size: number }): Mark {
  return { file: `${ino} ${birthtimeMs}`, size };
}

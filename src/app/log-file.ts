import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 5;
/** Nobody needs this long to rename a few files: whoever made such an old lock has died. */
const STALE_ROTATION_MS = 10_000;

/**
 * `agentx.log` and, older and older, `agentx.1.log` to `agentx.4.log`. Any number of processes may write: a line is
 * appended with one call, which the system keeps whole, and the file is opened anew for each, so that nobody goes on
 * writing to one that was rotated away.
 */
export class LogFile {
  readonly #path: string;

  constructor(private readonly folder: string) {
    this.#path = join(folder, 'agentx.log');
  }

  append(line: string): void {
    if (this.#isFull(line)) this.#rotate(line);
    try {
      this.#write(line);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      this.#write(line);
    }
  }

  #write(line: string): void {
    appendFileSync(this.#path, line, { mode: 0o600 });
  }

  #isFull(line: string): boolean {
    const { size } = statSync(this.#path, { throwIfNoEntry: false }) ?? { size: 0 };
    return size > 0 && size + Buffer.byteLength(line) > MAX_FILE_BYTES;
  }

  /** One process rotates; the others go on writing to the full file for that moment. */
  #rotate(line: string): void {
    const release = this.#claimRotation();
    if (release === undefined) return;
    try {
      // Somebody may have rotated between the look and the claim.
      if (!this.#isFull(line)) return;
      for (let age = MAX_FILES - 2; age >= 1; age--) renameIfThere(this.#rotated(age), this.#rotated(age + 1));
      renameIfThere(this.#path, this.#rotated(1));
    } finally {
      release();
    }
  }

  #rotated(age: number): string {
    return join(this.folder, `agentx.${age}.log`);
  }

  #claimRotation(): (() => void) | undefined {
    const lock = `${this.#path}.lock`;
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      return () => unlinkIfThere(lock);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      // Whoever writes next claims it.
      if (Date.now() - made > STALE_ROTATION_MS) unlinkIfThere(lock);
      return undefined;
    }
  }
}

function renameIfThere(from: string, to: string): void {
  ignoreMissing(() => renameSync(from, to));
}

function unlinkIfThere(path: string): void {
  ignoreMissing(() => unlinkSync(path));
}

function ignoreMissing(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

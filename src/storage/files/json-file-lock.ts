import { AgentXError } from '../../protocol/errors.js';
import { AsyncMutex } from './async-mutex.js';
import { type FileSystem, realFileSystem } from './file-system.js';
import { acquireLock, canonicalPath, type FileLock, type LockOptions, lockLost } from './lock.js';

export type JsonFileLockOptions = Omit<LockOptions, 'agent'>;

/** The lock of `lock.ts` for any path: for other programs that write JSON beside AgentX. */
export class JsonFileLock {
  readonly #held = new Map<string, FileLock>();
  readonly #fs: FileSystem;

  constructor(private readonly options: JsonFileLockOptions = {}) {
    this.#fs = options.fs ?? realFileSystem;
  }

  /** False if another process kept the lock for the whole wait. */
  async acquire(filePath: string, agent: string): Promise<boolean> {
    try {
      const file = canonicalPath(this.#fs, filePath);
      this.#held.set(file, await acquireLock(file, { ...this.options, agent }));
      return true;
    } catch (error) {
      if (error instanceof AgentXError && error.code === 'LOCK_TIMEOUT') return false;
      throw error;
    }
  }

  /** Releases what this instance holds, and nothing that belongs to others. */
  release(filePath: string): void {
    const file = canonicalPath(this.#fs, filePath);
    this.#held.get(file)?.release();
    this.#held.delete(file);
  }

  /**
   * Fails with LOCK_LOST if the lock was broken while `work` stood still: another writer may have been at work
   * meanwhile.
   */
  async withLock<T>(filePath: string, agent: string, work: () => T | Promise<T>): Promise<T> {
    const file = canonicalPath(this.#fs, filePath);
    const lock = await acquireLock(file, { ...this.options, agent });
    try {
      const result = await work();
      if (!lock.isMine()) throw lockLost(file);
      return result;
    } finally {
      lock.release();
    }
  }
}

/** Orders the work of this process first and of all processes second, so that a process waits for a lock only once. */
export class FileLockManager {
  readonly #fileLock: JsonFileLock;
  readonly #processMutex = new AsyncMutex();

  constructor(private readonly options: JsonFileLockOptions = {}) {
    this.#fileLock = new JsonFileLock(options);
  }

  async withSafeLock<T>(filePath: string, agent: string, work: () => T | Promise<T>): Promise<T> {
    const file = canonicalPath(this.options.fs ?? realFileSystem, filePath);
    return this.#processMutex.withLock(file, () => this.#fileLock.withLock(file, agent, work));
  }
}

/* The parts of the measured packages that are used here; none of them brings types of its own. */

declare module 'proper-lockfile' {
  export interface LockOptions {
    readonly stale?: number;
    readonly realpath?: boolean;
    readonly retries?: {
      readonly retries: number;
      readonly forever?: boolean;
      readonly factor?: number;
      readonly minTimeout?: number;
      readonly maxTimeout?: number;
      readonly maxRetryTime?: number;
      readonly randomize?: boolean;
    };
  }
  const lockfile: { lock(file: string, options?: LockOptions): Promise<() => Promise<void>> };
  export default lockfile;
}

declare module 'write-file-atomic' {
  export default function writeFileAtomic(
    file: string,
    data: string,
    options?: { readonly fsync?: boolean; readonly mode?: number },
  ): Promise<void>;
}

declare module 'better-sqlite3' {
  export interface Statement {
    get(): unknown;
    run(...values: readonly unknown[]): void;
  }
  export default class Database {
    constructor(path: string, options?: { readonly readonly?: boolean; readonly timeout?: number });
    pragma(source: string): unknown;
    exec(source: string): this;
    prepare(source: string): Statement;
    transaction(work: () => void): { immediate(): void };
    close(): void;
  }
}

declare module 'fs-ext' {
  const fsExt: { flockSync(fd: number, operation: 'ex' | 'un'): void };
  export default fsExt;
}

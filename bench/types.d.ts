/* The parts of the measured packages that are used here; declared so that checking types takes no installation. */

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
    all(...values: readonly unknown[]): readonly unknown[];
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

declare module '@langchain/langgraph' {
  interface Config {
    readonly configurable: { readonly thread_id: string };
    readonly recursionLimit?: number;
  }
  interface Graph<S> {
    invoke(input: Partial<S> | Command, config: Config): Promise<S>;
  }
  interface Builder<S> {
    addNode(name: string, work: (state: S) => Partial<S> | Promise<Partial<S>>): Builder<S>;
    addEdge(from: string, to: string): Builder<S>;
    addConditionalEdges(from: string, next: (state: S) => string): Builder<S>;
    compile(options: { readonly checkpointer: unknown }): Graph<S>;
  }
  export const Annotation: { <T>(): T; Root<S>(fields: S): S };
  export const START: string;
  export const END: string;
  export class Command {
    constructor(options: { readonly resume: string });
  }
  export const StateGraph: new <S>(state: S) => Builder<S>;
  export function interrupt(question: string): string;
}

declare module '@langchain/langgraph-checkpoint-sqlite' {
  export class SqliteSaver {
    static fromConnString(path: string): SqliteSaver;
    readonly db: { pragma(source: string): unknown; close(): void };
  }
}

declare module 'minisearch' {
  export default class MiniSearch<T> {
    constructor(options: { readonly fields: readonly string[]; readonly idField: string });
    addAll(documents: readonly T[]): void;
    search(query: string): readonly { readonly id: unknown }[];
  }
}

declare module 'flexsearch' {
  export class Index {
    constructor(options: { readonly tokenize: string });
    add(id: number, text: string): this;
    search(query: string, options: { readonly limit: number; readonly suggest: boolean }): readonly unknown[];
  }
}

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
  interface State {
    readonly question: string;
    readonly answer: string;
  }
  interface Graph {
    invoke(
      input: { readonly question: string } | Command,
      config: { readonly configurable: { readonly thread_id: string } },
    ): Promise<State>;
  }
  interface Builder {
    addNode(name: string, work: (state: State) => { readonly answer: string }): Builder;
    addEdge(from: string, to: string): Builder;
    compile(options: { readonly checkpointer: unknown }): Graph;
  }
  export const Annotation: { <T>(): T; Root(fields: State): unknown };
  export const START: string;
  export const END: string;
  export class Command {
    constructor(options: { readonly resume: string });
  }
  export const StateGraph: new (state: unknown) => Builder;
  export function interrupt(question: string): string;
}

declare module '@langchain/langgraph-checkpoint-sqlite' {
  export class SqliteSaver {
    static fromConnString(path: string): SqliteSaver;
    readonly db: { pragma(source: string): unknown; close(): void };
  }
}

declare module 'ai' {
  export type ModelMessage =
    | { readonly role: 'user' | 'assistant'; readonly content: unknown }
    | {
        readonly role: 'tool';
        readonly content: readonly {
          readonly type: 'tool-approval-response';
          readonly approvalId: string;
          readonly approved: boolean;
        }[];
      };
  export interface Generated {
    readonly text: string;
    readonly content: readonly { readonly type: 'tool-approval-request'; readonly approvalId: string }[];
    readonly response: { readonly messages: readonly ModelMessage[] };
  }
  export function generateText(options: {
    readonly model: unknown;
    readonly tools: unknown;
    readonly messages: readonly ModelMessage[];
  }): Promise<Generated>;
  export function jsonSchema(schema: unknown): unknown;
  export function tool(options: {
    readonly description: string;
    readonly inputSchema: unknown;
    readonly needsApproval: boolean;
    readonly execute: () => Promise<string>;
  }): unknown;
}

declare module 'ai/test' {
  export class MockLanguageModelV3 {
    constructor(options: {
      readonly doGenerate: (call: { readonly prompt: readonly { readonly role: string }[] }) => Promise<unknown>;
    });
  }
}

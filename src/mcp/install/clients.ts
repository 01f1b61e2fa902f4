import type { OwnProgram } from '../../app/own-program.js';

export const CLIENT_NAMES = [
  'claude',
  'codex',
  'copilot',
  'gemini',
  'qwen',
  'opencode',
  'continue',
  'cursor',
  'vscode',
] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

export const SCOPES = ['user', 'project'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a client's files depend on. */
export interface Place {
  readonly scope: Scope;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
  /** The folder of the repository. */
  readonly project: string;
  /** Whether there is a file of this path. */
  readonly has: (path: string) => boolean;
  /** Where the file really is, if links lead to it. */
  readonly real: (path: string) => string;
}

/** Where a client keeps its servers, and how an entry is written there. */
export interface ServerFile {
  readonly path: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /** The key, or the keys from the outside in, that hold the servers by name. */
  readonly servers: readonly string[];
  /** What a new file needs beside the entry. */
  readonly frame?: Readonly<Record<string, unknown>>;
  /** A file that the client would no longer read if ours were made. */
  readonly instead?: string;
}

export interface EntryOptions {
  readonly program: OwnProgram;
  /** Our tools run without a question to the user. */
  readonly approve: boolean;
}

export interface Hooks {
  readonly path: string;
  readonly start: string;
  /** Undefined if the client does not report when a session ends. */
  readonly finish?: string;
  /** The entry of one hook. */
  readonly entry: (command: string) => Readonly<Record<string, unknown>>;
  readonly frame?: Readonly<Record<string, unknown>>;
}

/** Files of instructions. Clients read the first one of several names, so a new file could hide the one in use. */
export interface InstructionFiles {
  /** The first that is there gets our text. */
  readonly paths: readonly string[];
  /** The one that is made if none is there. */
  readonly fresh: string;
  /** What stands first in a new file. */
  readonly frontMatter?: string;
}

export interface Client {
  readonly name: ClientName;
  readonly title: string;
  /** Programs and folders by which we see that the client is used on this machine. */
  readonly program: string;
  readonly defaultScope: Scope;
  /** It has windows, and so perhaps not the PATH of a shell. */
  readonly isEditor?: boolean;
  readonly server: (place: Place) => ServerFile;
  readonly entry: (options: EntryOptions, place: Place) => Readonly<Record<string, unknown>>;
  /** Undefined if the client reads none in this scope. */
  readonly instructions: (place: Place) => InstructionFiles | undefined;
  /** Settings in another file by which our tools run without a question. */
  readonly approval?: (place: Place) => {
    readonly path: string;
    readonly list: readonly string[];
    readonly value: string;
  };
  readonly hooks?: (place: Place) => Hooks;
  /** The variables that it passes on to a server; undefined if it passes on all of them. */
  readonly passesOn?: readonly string[];
  /** What has to be done before the client sees the change. */
  readonly restart: (scope: Scope) => string;
}

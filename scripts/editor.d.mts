export interface EditorOptions {
  /** A new folder, for everything that the editor keeps. */
  readonly folder: string;
  /** Packaged extensions. */
  readonly extensions?: readonly string[];
  /** Folders of extensions. */
  readonly unpacked?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The whole environment; that of this process if it is not given. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether every folder is trusted, without a question. */
  readonly isTrusting?: boolean;
}

export interface RunningEditor {
  readonly url: string;
  stop(): Promise<void>;
}

export function whyNoEditor(): string | undefined;
export function installEditor(): Promise<{ readonly node: string; readonly server: string }>;
export function startEditor(options: EditorOptions): Promise<RunningEditor>;

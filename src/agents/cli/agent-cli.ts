import type { AgentCliName, AgentPermission } from '../../protocol/config.js';
import type { JsonEvent } from './json-event.js';

/*
 * What AgentX knows of an agent CLI: how to start it headless for one turn, and how to read what it prints. Everything
 * here is pure; `cli-runner.ts` starts programs and touches files.
 */

/** Our own MCP server, for the turn of one agent. */
export interface TurnServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that name the agent, its issue and its turn. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the other variables that it inherits where a CLI does not hold them back. Their values stay unseen. */
  readonly passed: readonly string[];
}

export interface CliTurn {
  readonly permission: AgentPermission;
  readonly model?: string | undefined;
  /** Further arguments, from the configuration. */
  readonly args: readonly string[];
  readonly server: TurnServer;
  /** A session that goes on, or the id of a new one, for CLIs that let us choose it. */
  readonly session: { readonly id: string; readonly isNew: boolean };
  /** A private folder of this turn, for files that the CLI needs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file of the user; undefined if there is none. */
  readonly readFile: (path: string) => string | undefined;
  /** The names in a folder; none if there is no such folder. */
  readonly listFolder: (path: string) => readonly string[];
}

export interface Invocation {
  readonly args: readonly string[];
  /** Undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Contents by path, all of them in the turn's folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Links in the turn's folder, and where they lead. */
  readonly links?: Readonly<Record<string, string>>;
  /** Folders of the user that must be there. */
  readonly folders?: readonly string[];
}

/** What a turn used, as far as the CLI reports it. */
export interface CliUsage {
  /** All of it, also what came from a cache. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** In dollars; absent if the CLI does not report it. */
  readonly cost?: number;
}

export const NO_USAGE: CliUsage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** What the stream of a CLI says so far. */
export interface CliOutcome {
  /** By which the conversation can be resumed. */
  readonly session?: string;
  /** The agent's last words, once it has said them. */
  readonly answer?: string;
  /** Whether the event that ends the stream has come. Without it the answer may be half of one. */
  readonly isFinal: boolean;
  /** Why there is no answer, in the CLI's words. */
  readonly error?: string;
  /** The last thing that went wrong and was tried again. */
  readonly trouble?: string;
  /** Whether the model has said or done anything. */
  readonly isBegun: boolean;
  /** What the CLI did not allow, one entry for each call. */
  readonly denied: readonly string[];
  readonly usage?: CliUsage;
}

export const NOTHING_YET: CliOutcome = { isBegun: false, isFinal: false, denied: [] };

export interface AgentCli {
  readonly name: AgentCliName;
  /** The executable. */
  readonly program: string;
  /** The npm package that brings it. */
  readonly package: string;
  /** What its user does once, after the installation. */
  readonly login: string;
  /** Variables that hold a key for it, so that no login is needed. */
  readonly keys: readonly string[];
  /** Whether the id of a new session is ours to choose. */
  readonly choosesSession: boolean;
  invoke(turn: CliTurn): Invocation;
  /** The outcome after one more event. */
  read(outcome: CliOutcome, event: JsonEvent): CliOutcome;
  /** For a CLI that prints no events: the outcome from its whole output. */
  readOutput?(output: CliOutput): CliOutcome;
  /** Where it keeps the conversation: a path whose parts may hold `*`. Without it, what the CLI prints is kept. */
  transcript?(session: string, home: CliHome): string;
  /** For a CLI that does not tell its session: the folder of its sessions, one file each, named by the session. */
  sessions?(home: CliHome): string;
  /** Which of its figures are those of the whole session, not of the turn. */
  readonly totals: readonly ('tokens' | 'cost')[];
  /** What it wrote into a file of the turn's folder, or into that of its session, once it has ended. */
  readUsage?(turn: Pick<CliTurn, 'folder' | 'readFile'>, transcript?: string): CliUsage | undefined;
}

interface CliOutput {
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliHome {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Variables that a CLI holds back from servers because they look like secrets, by reference: `$NAME` is filled in there. */
export function heldBack(
  { passed }: TurnServer,
  reference: (name: string) => string,
): Readonly<Record<string, string>> {
  const secrets = passed.filter((name) => /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i.test(name));
  return Object.fromEntries(secrets.map((name) => [name, reference(name)]));
}

export function withDenied(outcome: CliOutcome, ...denied: readonly string[]): CliOutcome {
  return denied.length === 0 ? outcome : { ...outcome, denied: [...outcome.denied, ...denied] };
}

/** Only if anything was used. */
export function usageField(usage: CliUsage): Pick<CliOutcome, 'usage'> {
  return usage.inputTokens + usage.outputTokens === 0 ? {} : { usage };
}

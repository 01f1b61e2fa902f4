import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { AgentXError } from '../protocol/errors.js';
import { FROM_ENVIRONMENT, type NotifyTable } from '../protocol/notify.js';
import type { AgentsConfig, AgentTable } from './agents-config.js';
import type { AgentCli } from './cli/agent-cli.js';
import { cliOf } from './cli/find-cli.js';
import { errorCode } from './error-code.js';
import { showWord } from './first-lines.js';
import { makeFolder } from './make-folder.js';
import { plainAddress } from './plain-address.js';
import { addApproval, readApprovals } from './trust-file.js';

/*
 * A cloned repository must not run programs without approval. A person approves the list of programs that a config
 * would run, as a hash. After a program is changed or added, or the repository moved, approval is needed again.
 * Approvals are kept in the user's own state folder, where no repository can write them.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** A lock between processes, such as FileLockManager. */
interface TrustLock {
  withSafeLock<T>(filePath: string, agent: string, work: () => T | Promise<T>): Promise<T>;
}

export interface TrustOptions {
  /** The folder in which programs are started. */
  readonly repository: string;
  readonly env: Environment;
}

export interface Trust {
  readonly file: string;
  /** Also true if the config runs no program, or AGENTX_TRUST=1 is set. */
  isApproved(config: AgentsConfig): boolean;
  /** UNAUTHORIZED unless approved; `agent` is the one whose program was about to start. */
  requireApproval(config: AgentsConfig, agent: string): void;
  /** Approving the same programs twice is not an error. */
  approve(config: AgentsConfig, lock: TrustLock): Promise<void>;
}

export interface Program {
  readonly agent: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Variables and command on one line, with nothing hidden in it. */
  readonly shown: string;
}

export function openTrust({ repository, env }: TrustOptions): Trust {
  const place = realpathSync(repository);
  const file = trustFile(env);
  const isApproved = (config: AgentsConfig): boolean =>
    env.AGENTX_TRUST === '1' || programsOf(config).length === 0 || hashOf(config, place) in readApprovals(file);
  return {
    file,
    isApproved,
    requireApproval: (config, agent) => {
      if (!isApproved(config)) throw notApproved(config, agent, place);
    },
    approve: async (config, lock) => {
      makeFolder(dirname(file), 0o700);
      await lock.withSafeLock(file, 'trust', () => addApproval(file, hashOf(config, place), { repository: place }));
    },
  };
}

/** The programs that a config would run, by agent; a person sees this list before approving it. */
export function programsOf({ agents, notify = [] }: AgentsConfig): readonly Program[] {
  const programs = Object.entries(agents)
    .flatMap(([agent, table]) => programsOfAgent(agent, table))
    .sort(byAgent);
  return [...programs, ...notify.filter(needsTrust).map(programOfChannel)];
}

/**
 * A channel that starts a program, or that sends questions to a place which the config names. That place is an address
 * elsewhere, or a recipient of mail: a mail server on this machine reaches every recipient. What a variable holds was
 * chosen by the person who set it.
 */
export function needsTrust({ channel, url = '', to = [] }: NotifyTable): boolean {
  return channel === 'command' || (isNamed(url) && isElsewhere(url)) || to.some(isNamed);
}

function isNamed(value: string): boolean {
  return !FROM_ENVIRONMENT.test(value);
}

const NOTIFY = 'notify';

function programOfChannel({ channel, command = [], env = {}, url = '', to = [] }: NotifyTable): Program {
  const place = showWord(isNamed(url) ? withoutPassword(url) : url);
  const address = channel === 'mail' ? `${to.map(showWord).join(', ')} by ${place}` : place;
  const description =
    channel === 'command'
      ? `${show(command, env)}  (gets questions on stdin)`
      : `sends questions to ${address} (${channel})`;
  return { agent: NOTIFY, command, env, shown: description };
}

/** What a person approves is the place; the path of a webhook may be its key. */
function withoutPassword(url: string): string {
  return URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}/...` : url;
}

function programsOfAgent(agent: string, table: AgentTable): readonly Program[] {
  const { runner, command = [], env = {}, commands = [], base_url = '', model = '' } = table;
  const cli = cliOf(runner);
  if (cli !== undefined) return [cliProgram(agent, cli, table)];
  if (runner === 'command') return [{ agent, command, env, shown: show(command, env) }];
  if (!isModel(runner)) return [];
  const programs = commands.map((words) => ({ agent, command: words, env: {}, shown: `may run ${show(words, {})}` }));
  const description = `sends files of this repository, and your key, to ${showWord(plainAddress(base_url))} (${showWord(model)})`;
  return isElsewhere(base_url) ? [...programs, { agent, command: [], env: {}, shown: description }] : programs;
}

function isModel(runner: string | undefined): boolean {
  return runner === 'model' || runner === 'editor';
}

/** A model that runs commands, or that a config sends somewhere else than to its provider or to this machine. */
export function needsApproval(table: AgentTable): boolean {
  return programsOfAgent('', table).length > 0;
}

function isElsewhere(address: string): boolean {
  if (address === '' || !URL.canParse(address)) return address !== '';
  const { hostname } = new URL(address);
  return !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function cliProgram(agent: string, cli: AgentCli, { args = [], permission = 'edit', env = {} }: AgentTable): Program {
  const command = [cli.program, ...args];
  return { agent, command, env, shown: `${show(command, env)}  (${cli.name}, permission "${permission}")` };
}

function show(command: readonly string[], env: Readonly<Record<string, string>>): string {
  const variables = Object.entries(env).map(([name, value]) => `${showWord(name)}=${showWord(value)}`);
  return [...variables, ...command.map(showWord)].join(' ');
}

/**
 * Scripts start nothing and need no approval of their own; beside approved programs, a changed script needs a new one.
 * Variables count because some of them (NODE_OPTIONS) run programs.
 */
function hashOf({ agents, notify = [] }: AgentsConfig, repository: string): string {
  const parts = Object.entries(agents)
    .filter(([, table]) => table.runner === 'command' || table.runner === 'script' || needsApproval(table))
    .map(([agent, { runner, command, args, permission, env = {}, script, commands, base_url, model }]) => ({
      agent,
      runner,
      command,
      args,
      permission,
      ...(isModel(runner) ? { commands, base_url, model } : {}),
      env: Object.entries(env).sort(([left], [right]) => (left < right ? -1 : 1)),
      script: contentHash(script, repository),
    }))
    .sort(byAgent);
  const channels = notify
    .filter(needsTrust)
    .map(({ channel, command, env = {}, url, to }) => ({ channel, command, env: Object.entries(env).sort(), url, to }));
  // Approvals from before there were channels stay valid.
  return sha256(JSON.stringify({ repository, parts, ...(channels.length > 0 && { channels }) }));
}

function contentHash(script: string | undefined, repository: string): string | undefined {
  if (script === undefined) return undefined;
  try {
    const file = resolve(repository, script);
    return statSync(file).isFile() ? sha256(readFileSync(file)) : 'no file';
  } catch (error) {
    return errorCode(error) ?? 'unreadable';
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function byAgent(left: { readonly agent: string }, right: { readonly agent: string }): number {
  return left.agent < right.agent ? -1 : 1;
}

/** A relative XDG_STATE_HOME is ignored, as its specification says: otherwise a repository could contain it. */
function trustFile(env: Environment): string {
  const stateHome = env.XDG_STATE_HOME;
  const folder = stateHome && isAbsolute(stateHome) ? stateHome : join(env.HOME || homedir(), '.local', 'state');
  return join(folder, 'agentx', 'trust.json');
}

function notApproved(config: AgentsConfig, agent: string, repository: string): AgentXError {
  const program = programsOf(config).find((candidate) => candidate.agent === agent);
  const does =
    isModel(config.agents[agent]?.runner) && program !== undefined
      ? program.shown
      : `would run ${program?.shown ?? 'a program'}`;
  return new AgentXError(
    'UNAUTHORIZED',
    `Agent '${agent}' ${does}, and you have not approved the programs of ${repository}. ` +
      'See and approve them with: agentx trust (or set AGENTX_TRUST=1, for CI).',
    { agent, repository, programs: programsOf(config) },
  );
}

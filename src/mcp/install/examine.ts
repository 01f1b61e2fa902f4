import type { Client, Place } from './clients.js';
import { hasBlock } from './marked-block.js';
import { type ProbeResult, probe } from './probe.js';
import { commandOf, type Entry, isOurs, readEntry } from './server-entry.js';
import { UneditableError } from './uneditable.js';

/** Longer than any client waits for a server. */
const TIMEOUT_MS = 30_000;

export interface Finding {
  readonly client: string;
  readonly scope: Place['scope'];
  readonly path: string;
  /** The program and its arguments, as the settings have them. */
  readonly command?: readonly string[];
  readonly result: ProbeResult;
  /** What to do about a problem. */
  readonly todo?: string;
  /** What is not wrong but worth knowing. */
  readonly notes: readonly string[];
}

export interface ExamineRequest {
  readonly client: Client;
  readonly place: Place;
  readonly read: (path: string) => string | undefined;
}

/** Starts what the client's settings say and sees whether it answers; undefined if they do not name our server. */
export async function examine(request: ExamineRequest): Promise<Finding | undefined> {
  const { client, place } = request;
  const about = { client: client.name, scope: place.scope, path: client.server(place).path };
  const again = `agentx mcp install ${client.name} --scope ${place.scope}`;
  try {
    const entry = entryOf(request);
    if (entry === undefined) return undefined;
    const command = commandOf(entry);
    const notes = notesOf(request, again);
    const commandProblem = problemOf(entry, command, again);
    if (commandProblem !== undefined)
      return {
        ...about,
        notes,
        result: { isAnswered: false, problem: commandProblem.problem },
        todo: commandProblem.todo,
      };
    const result = await probe(startOf(entry, command ?? [], request));
    return {
      ...about,
      command: command ?? [],
      notes,
      result,
      ...(result.isAnswered ? {} : { todo: `Run this again: ${again}` }),
    };
  } catch (error) {
    if (!(error instanceof UneditableError)) throw error;
    const problem = `the file ${error.message}`;
    return {
      ...about,
      notes: [],
      result: { isAnswered: false, problem },
      todo: error.todo.replace('run this again', `run: ${again}`),
    };
  }
}

function entryOf({ client, place, read }: ExamineRequest): Entry | undefined {
  const server = client.server(place);
  const text = read(server.path);
  return text === undefined ? undefined : readEntry(server, text);
}

function problemOf(entry: Entry, command: readonly string[] | undefined, again: string) {
  if (command === undefined) {
    const url = entry.url ?? entry.httpUrl;
    const problem =
      url === undefined ? 'the entry names no program' : `the entry names an address, ${String(url)}, and no program`;
    return {
      problem,
      todo: 'Remove the entry, or leave it if you reach AgentX that way; only programs are examined here.',
    };
  }
  if (!isOurs(entry))
    return {
      problem: `it starts another program: ${command.join(' ')}`,
      todo: `Rename or remove the entry, then: ${again}`,
    };
  if (entry.enabled === false || entry.disabled === true) {
    return { problem: 'the entry is switched off', todo: 'Switch it on in the client, or remove "enabled" from it.' };
  }
  return undefined;
}

/** Exactly what the client would start, in the environment that it gives to a server. */
function startOf(entry: Entry, [command = '', ...args]: readonly string[], { client, place }: ExamineRequest) {
  const expand = (text: string) =>
    text.replace(/\$\{(?:env:)?(\w+)\}/g, (whole, name: string) =>
      name === 'workspaceFolder' ? place.project : (place.env[name] ?? whole),
    );
  const variables = Array.isArray(entry.env_vars) ? entry.env_vars.map(String) : [];
  const passedNames = client.passesOn === undefined ? Object.keys(place.env) : [...client.passesOn, ...variables];
  const inheritedVariables = passedNames.flatMap((name) => {
    const value = place.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const own = Object.entries(Object(entry.env)).map(([name, value]) => [name, expand(String(value))] as const);
  const cwd = typeof entry.cwd === 'string' ? expand(entry.cwd) : place.project;
  return {
    command: expand(command),
    args: args.map(expand),
    env: Object.fromEntries([...inheritedVariables, ...own]),
    cwd,
    timeoutMs: TIMEOUT_MS,
  };
}

function notesOf({ client, place, read }: ExamineRequest, again: string): readonly string[] {
  const paths = client.instructions(place)?.paths;
  if (paths === undefined) return [];
  const isTold = paths.some((path) => hasBlock(read(path) ?? ''));
  return isTold ? [] : [`No file of instructions tells the agent when to ask: ${again}`];
}

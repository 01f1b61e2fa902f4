import type { OwnProgram } from '../../app/own-program.js';
import { AgentXError } from '../../protocol/errors.js';
import { CLIENTS } from './client-table.js';
import { CLIENT_NAMES, type Client, type Place, type Scope, type ServerFile } from './clients.js';
import { editJson, readJson } from './edit-json.js';
import { INSTRUCTIONS } from './instructions.js';
import { hasBlock, removeBlock, setBlock } from './marked-block.js';
import { isOnlyFrame, isOurs, mergedEntry, readEntry, removeEntry, removeIfEmpty, writeEntry } from './server-entry.js';
import { hasHooks, removeHooks, setHooks } from './session-hooks.js';
import { UneditableError } from './uneditable.js';

/** What is written into a file. */
type Part = 'server' | 'instructions' | 'approval' | 'hooks';

export interface PlannedFile {
  readonly path: string;
  readonly parts: readonly Part[];
  /** Undefined if there is no such file. */
  readonly before: string | undefined;
  /** Undefined if the file is to go. */
  readonly after: string | undefined;
}

export interface InstallPlan {
  readonly files: readonly PlannedFile[];
  readonly notes: readonly string[];
}

export interface PlanRequest {
  readonly client: Client;
  readonly place: Place;
  readonly program: OwnProgram;
  readonly approve: boolean;
  readonly hooks: boolean;
  /** The agent as whom the hooks report. */
  readonly agent: string;
  /** The text of a file; undefined if there is none. */
  readonly read: (path: string) => string | undefined;
}

/** What has to be written so that the client starts our server and its agent knows when to ask. Nothing is written. */
export function planInstall(request: PlanRequest): InstallPlan {
  const { client, place, program, approve, agent } = request;
  const edits = new Edits(request);
  const server = client.server(place);
  refuseInstead(server, place);
  edits.change(server.path, 'server', (text) => {
    const existingEntry = readEntry(server, text);
    if (existingEntry !== undefined && !isOurs(existingEntry)) throw foreign(server.path, request);
    return writeEntry(server, text, mergedEntry(client.entry({ program, approve }, place), existingEntry));
  });
  const approval = approve ? client.approval?.(place) : undefined;
  if (approval !== undefined) {
    edits.change(approval.path, 'approval', (text) => {
      const list = Object(readJson(text));
      const presentValue = approval.list.reduce((value, key) => Object(value)[key], list);
      if (Array.isArray(presentValue) && presentValue.includes(approval.value)) return text;
      return editJson(text, (json) => json.append(approval.list, approval.value));
    });
  }
  const hooks = client.hooks?.(place);
  if (hooks !== undefined && (request.hooks || hasHooks(hooks, edits.text(hooks.path)))) {
    edits.change(hooks.path, 'hooks', (text) => setHooks(hooks, text, { program, agent }));
  }
  const instructions = client.instructions(place);
  if (instructions !== undefined) {
    const path = instructions.paths.find(place.has) ?? instructions.fresh;
    edits.change(path, 'instructions', (text) =>
      setBlock(text === '' ? (instructions.frontMatter ?? '') : text, INSTRUCTIONS),
    );
  }
  return { files: edits.files(), notes: notesOf(request) };
}

type UninstallRequest = Omit<PlanRequest, 'program' | 'approve' | 'hooks' | 'agent'> & {
  /** What a file held that was there before the installation and empty; undefined for any other. */
  readonly wasEmpty?: (path: string) => string | undefined;
};

/** What has to be written so that nothing of ours is left. */
export function planUninstall(request: UninstallRequest): InstallPlan {
  const { client, place, wasEmpty } = request;
  const edits = new Edits(request, wasEmpty);
  const notes: string[] = [];
  const server = client.server(place);
  edits.change(server.path, 'server', (text) => {
    const existingEntry = readEntry(server, text);
    if (existingEntry === undefined) return text;
    if (isOurs(existingEntry)) return removeEntry(server, text);
    notes.push(`${server.path} has a server 'agentx' that was not installed by this command; it stays.`);
    return text;
  });
  const approval = client.approval?.(place);
  if (approval !== undefined) edits.change(approval.path, 'approval', (text) => withoutApproval(text, approval));
  const hooks = client.hooks?.(place);
  if (hooks !== undefined) edits.change(hooks.path, 'hooks', (text) => removeHooks(hooks, text));
  const seenPaths = new Set<string>();
  for (const path of client.instructions(place)?.paths ?? []) {
    if (!place.has(path) || seenPaths.has(place.real(path)) || !hasBlock(edits.text(path))) continue;
    seenPaths.add(place.real(path));
    const [other] = othersThatRead(path, request);
    if (other === undefined) edits.change(path, 'instructions', removeBlock);
    else notes.push(`The instructions in ${path} stay: ${other.title} reads them too.`);
  }
  return { files: edits.files(), notes };
}

function withoutApproval(
  text: string,
  { list, value }: { readonly list: readonly string[]; readonly value: string },
): string {
  const presentValue = list.reduce((part, key) => Object(part)[key], Object(readJson(text)));
  const index = Array.isArray(presentValue) ? presentValue.indexOf(value) : -1;
  if (index < 0) return text;
  const rest = editJson(text, (json) => {
    json.remove([...list, index]);
    removeIfEmpty(json, list);
  });
  return isOnlyFrame(rest, {}) ? '' : rest;
}

/** Other clients that have our server in the same scope and read the same file of instructions. */
function othersThatRead(
  path: string,
  { client, place, read }: Pick<PlanRequest, 'client' | 'place' | 'read'>,
): readonly Client[] {
  return CLIENT_NAMES.map((name) => CLIENTS[name]).filter((other) => {
    const isRead = other.instructions(place)?.paths.some((one) => place.real(one) === place.real(path)) === true;
    return other.name !== client.name && isRead && isInstalled(other, place, read);
  });
}

/** Whether the client's file names our server. A file that cannot be read names nothing. */
function isInstalled(client: Client, place: Place, read: PlanRequest['read']): boolean {
  const server = client.server(place);
  try {
    const entry = readEntry(server, read(server.path) ?? '');
    return entry !== undefined && isOurs(entry);
  } catch (error) {
    if (error instanceof UneditableError || error instanceof AgentXError) return false;
    throw error;
  }
}

/** Changes of several parts of one file, one after the other. */
class Edits {
  readonly #files = new Map<string, { path: string; before: string | undefined; text: string; parts: Part[] }>();

  constructor(
    private readonly request: Pick<PlanRequest, 'place' | 'read'>,
    private readonly wasEmpty: (path: string) => string | undefined = () => undefined,
  ) {}

  text(path: string): string {
    return this.#at(path).text;
  }

  change(path: string, part: Part, edit: (text: string) => string): void {
    const file = this.#at(path);
    try {
      const next = edit(file.text);
      file.parts.push(part);
      file.text = next;
    } catch (error) {
      if (!(error instanceof UneditableError)) throw error;
      throw new AgentXError(
        'CONFIG_ERROR',
        `${path} ${error.message}. Nothing was written. ${error.todo}`,
        { path },
        { cause: error },
      );
    }
  }

  files(): readonly PlannedFile[] {
    return [...this.#files.values()].flatMap(({ path, before, text, parts }) => {
      if (parts.length === 0 || (before === undefined && text === '')) return [];
      return [{ path, parts, before, after: text === '' && before !== '' ? this.wasEmpty(path) : text }];
    });
  }

  #at(path: string) {
    const { place, read } = this.request;
    const plannedFile = this.#files.get(place.real(path));
    if (plannedFile !== undefined) return plannedFile;
    const textBefore = read(path);
    const file = { path, before: textBefore, text: textBefore ?? '', parts: [] };
    this.#files.set(place.real(path), file);
    return file;
  }
}

/** A new file of ours would end the use of another one. */
function refuseInstead({ path, instead }: ServerFile, { has }: Place): void {
  if (instead === undefined || has(path) || !has(instead)) return;
  throw new AgentXError(
    'CONFIG_ERROR',
    `The client reads ${instead}, and would no longer do so if ${path} were made. Nothing was written. Convert it to ${path}, or use --scope project.`,
    { path: instead },
  );
}

function foreign(path: string, { client, place }: PlanRequest): AgentXError {
  return new AgentXError(
    'CONFLICT',
    `${path} has a server 'agentx' that is not started by 'agentx mcp'. Nothing was written. Rename or remove it there, then: agentx mcp install ${client.name} --scope ${place.scope}`,
    { path },
  );
}

function notesOf({ client, place, program, hooks }: PlanRequest): readonly string[] {
  const notes = [`${[program.command, ...program.args].join(' ')} mcp: ${program.reason}.`];
  if (place.scope === 'project' && !program.isPortable) {
    notes.push('That path is of this machine: do not commit the file for others.');
  }
  if (hooks && client.hooks === undefined)
    notes.push(`${client.title} has no hooks at the start and end of a session; none were written.`);
  if (hooks && client.hooks !== undefined && client.hooks(place).finish === undefined) {
    notes.push(`${client.title} does not tell when a session ends: only the hook at its start was written.`);
  }
  if (client.instructions(place) === undefined) notes.push(noInstructions(client, place.scope));
  return notes;
}

function noInstructions({ title, name }: Client, scope: Scope): string {
  const other = scope === 'user' ? 'project' : 'user';
  return `${title} has no file of instructions in this scope: agentx mcp install ${name} --scope ${other} writes them.`;
}

import { relative } from 'node:path';
import { replaceClientFiles } from '../../app/client-files.js';
import { type EmptyFiles, emptyFiles } from '../../app/empty-files.js';
import { surroundings } from '../../app/environment.js';
import { ownProgram } from '../../app/own-program.js';
import { CLIENTS } from '../../mcp/install/client-table.js';
import { CLIENT_NAMES, type Client, type Scope } from '../../mcp/install/clients.js';
import { type InstallPlan, type PlannedFile, planInstall, planUninstall } from '../../mcp/install/plan.js';
import { AgentXError } from '../../protocol/errors.js';
import { diffText, lineDiff } from '../../render/line-diff.js';
import { plainLine, plainText } from '../../render/plain-text.js';
import { canAsk } from '../can-ask.js';
import type { CommandLine } from '../command-line.js';
import { confirm } from '../confirm.js';
import { type ClientPlace, clientPlace } from './client-place.js';

export interface InstallOptions {
  readonly scope?: Scope;
  readonly root?: string;
  readonly hooks?: boolean;
  readonly agent: string;
  readonly approve: boolean;
  readonly uninstall?: boolean;
  readonly print?: boolean;
  readonly yes?: boolean;
}

const DECLINED = 1;

export async function install(line: CommandLine, name: string, options: InstallOptions): Promise<number | undefined> {
  const client = clientNamed(name);
  const { scope = client.defaultScope, uninstall = false, print = false, yes = false } = options;
  if (line.agent !== undefined && !print) throw onlyPeople(line.agent, client.name);
  const where = clientPlace(line.cwd, scope, options.root);
  const empty = emptyFiles(surroundings().env);
  const plan = uninstall ? planUninstall({ client, ...where, wasEmpty: empty.was }) : planFor(client, where, options);
  const changedFiles = plan.files.filter(({ before, after }) => before !== after);
  show(line, plan, changedFiles);
  const isWritten = !print && changedFiles.length > 0 && (yes || (await agrees(line, changedFiles)));
  if (isWritten) write(changedFiles, { where, scope, empty });
  report(line, { client, scope, plan, changed: changedFiles, isWritten, uninstall, where });
  return changedFiles.length > 0 && !print && !isWritten ? DECLINED : undefined;
}

function clientNamed(name: string): Client {
  const client = CLIENT_NAMES.find((one) => one === name);
  if (client !== undefined) return CLIENTS[client];
  throw new AgentXError('INVALID_INPUT', `There is no client '${name}'. Allowed: ${CLIENT_NAMES.join(', ')}.`, {
    client: name,
  });
}

function planFor(client: Client, where: ClientPlace, { hooks = false, agent, approve }: InstallOptions): InstallPlan {
  if (!/^[\w-]+$/.test(agent)) throw new AgentXError('INVALID_INPUT', `'${agent}' is no name of an agent.`, { agent });
  // What is shared in a repository names the program; an editor of this user alone gets its whole path.
  const needsPath = client.isEditor === true && where.place.scope === 'user';
  const program = ownProgram({ env: surroundings().env, needsPath });
  return planInstall({ client, ...where, program, hooks, agent, approve });
}

/** Each file with what changes in it. */
function show({ out, cwd }: CommandLine, { files }: InstallPlan, changedFiles: readonly PlannedFile[]): void {
  for (const file of files) {
    const { path, before, after, parts } = file;
    if (!changedFiles.includes(file)) {
      out.print(`${out.paint.quiet('unchanged')}  ${shown(path, cwd)}`);
      continue;
    }
    const verb =
      before === undefined
        ? out.paint.good('new')
        : after === undefined
          ? out.paint.alarming('remove')
          : out.paint.waiting('change');
    out.print(`${verb}  ${out.paint.name(shown(path, cwd))}  ${out.paint.quiet(parts.join(', '))}`);
    for (const row of lineDiff(before ?? '', after ?? '')) {
      const text = `  ${plainText(diffText(row))}`;
      out.print(
        row.kind === 'added'
          ? out.paint.good(text)
          : row.kind === 'removed'
            ? out.paint.alarming(text)
            : out.paint.quiet(text),
      );
    }
  }
}

/** On a terminal a person is asked; a script has asked for it by calling us. */
async function agrees({ out }: CommandLine, changedFiles: readonly PlannedFile[]): Promise<boolean> {
  if (!canAsk(out)) return true;
  return confirm(
    `Write ${changedFiles.length === 1 ? 'this file' : `these ${changedFiles.length} files`}? [Y/n] `,
    true,
  );
}

interface Writing {
  readonly where: ClientPlace;
  readonly scope: Scope;
  readonly empty: EmptyFiles;
}

function write(files: readonly PlannedFile[], { where: { within }, scope, empty }: Writing): void {
  const isPrivate = scope === 'user';
  const changes = files.map(({ path, before, after }) => ({ path, before, after, within, isPrivate }));
  const noteChange = empty.after(changes);
  replaceClientFiles(noteChange === undefined ? changes : [...changes, noteChange]);
}

interface Outcome {
  readonly client: Client;
  readonly scope: Scope;
  readonly plan: InstallPlan;
  readonly changed: readonly PlannedFile[];
  readonly isWritten: boolean;
  readonly uninstall: boolean;
  readonly where: ClientPlace;
}

function report({ out }: CommandLine, outcome: Outcome): void {
  const { client, scope, plan, changed, isWritten, uninstall, where } = outcome;
  const restart = client.restart(scope);
  out.json({
    client: client.name,
    scope,
    written: isWritten,
    files: plan.files.map((file) => ({ path: file.path, parts: file.parts, change: changeOf(file) })),
    notes: plan.notes,
    ...(uninstall ? {} : { restart }),
  });
  for (const note of plan.notes) out.note(`note: ${plainLine(note)}`);
  if (changed.length === 0) {
    out.print(
      uninstall
        ? `Nothing to remove: ${client.title} has nothing of AgentX in scope ${scope}.`
        : `Nothing to do: ${client.title} has it already.`,
    );
    return;
  }
  if (!isWritten) {
    out.print('Nothing was written.');
    return;
  }
  out.print(
    `${out.paint.good(uninstall ? 'Removed.' : 'Installed.')} ${uninstall ? `Start a new session of ${client.title}.` : restart}`,
  );
  if (uninstall) return;
  if (!where.hasRoot)
    out.note('There is no .agentx folder here yet. In the repository where the agent works: agentx init');
  out.note(`See that it answers: agentx mcp doctor ${client.name}`);
}

function changeOf({ before, after }: PlannedFile): 'new' | 'removed' | 'changed' | 'none' {
  if (before === after) return 'none';
  if (before === undefined) return 'new';
  return after === undefined ? 'removed' : 'changed';
}

/** Below the current folder as people write it, else whole. */
function shown(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return plainLine(below.startsWith('..') ? path : below);
}

function onlyPeople(agent: string, client: string): AgentXError {
  return new AgentXError(
    'UNAUTHORIZED',
    `Agent '${agent}' cannot change the settings of clients: only a person can. Ask one to run: agentx mcp install ${client}`,
    { agent },
  );
}

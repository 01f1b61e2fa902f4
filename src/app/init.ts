import { closeSync, fdatasyncSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../agents/make-folder.js';
import { openTrust } from '../agents/trust.js';
import type { Config } from '../protocol/config.js';
import { AgentXError } from '../protocol/errors.js';
import { errorCode, isThere, realFileSystem } from '../storage/files/file-system.js';
import { FileLockManager } from '../storage/files/json-file-lock.js';
import { ensureGitIgnore } from '../storage/files/layout.js';
import { makeToken, scratchPath } from '../storage/files/lock-names.js';
import { asStoreError } from '../storage/files/store-error.js';
import { roleInstructions, SHIPPED_AGENTS } from '../workflow/shipped/agents.js';
import { SHIPPED_WORKFLOWS } from '../workflow/shipped/workflows.js';
import { loadConfig, projectNameOf } from './config.js';
import { configTemplate } from './config-template.js';
import { FOLDER } from './find-root.js';
import type { Proposal } from './found-agents.js';

export interface InitRequest {
  /** The folder that gets a `.agentx` folder. */
  readonly repository: string;
  readonly mode?: 'local' | 'github' | undefined;
  /** `owner/name` on GitHub. */
  readonly repo?: string | undefined;
  /** Who does the work of the agents, in a config.toml that is not there yet. */
  readonly proposal?: Proposal | undefined;
}

export interface InitResult {
  /** The `.agentx` folder. */
  readonly root: string;
  /** Paths from the repository, in the order in which they were written. */
  readonly created: readonly string[];
  readonly existing: readonly string[];
  /** Requests without effect, because the user's own config.toml says otherwise. */
  readonly notes: readonly string[];
}

/** Writes the missing files of a `.agentx` folder. An existing file belongs to the user and stays. */
export function initFolder({ repository, mode, repo, proposal }: InitRequest): InitResult {
  if (mode === 'github' && repo === undefined) {
    const problem = 'The repository on GitHub is not known: git has no remote "origin". Say: --repo owner/name';
    throw new AgentXError('INVALID_INPUT', problem, { mode });
  }
  if (repo !== undefined && !/^[\w.-]+\/[\w.-]+$/.test(repo)) {
    throw new AgentXError('INVALID_INPUT', `'${repo}' is no repository. Allowed: owner/name, such as octocat/shop.`, {
      repo,
    });
  }
  const root = join(resolve(repository), FOLDER);
  const created: string[] = [];
  const existingFiles: string[] = [];
  const config = configTemplate({ project: projectNameOf(repository), mode, repo, proposal });
  for (const [name, text] of [['config.toml', config] as const, ...shippedFiles()]) {
    (writeNew(join(root, name), text) ? created : existingFiles).push(`${FOLDER}/${name}`);
  }
  (writeGitIgnore(root) ? created : existingFiles).push(`${FOLDER}/.gitignore`);
  return { root, created, existing: existingFiles, notes: differences(loadConfig(root), { mode, repo }) };
}

/** The programs of a config that this command wrote need no second approval. */
export async function approveWritten(root: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const trust = openTrust({ repository: dirname(root), env });
  const config = loadConfig(root);
  if (!trust.isApproved(config)) await trust.approve(config, new FileLockManager());
}

function shippedFiles(): readonly (readonly [name: string, text: string])[] {
  return [
    ...Object.entries(SHIPPED_WORKFLOWS).map(([type, text]) => [`workflows/${type}.toml`, text] as const),
    ...SHIPPED_AGENTS.map((agent) => [`agents/${agent}.md`, roleInstructions(agent)] as const),
  ];
}

/** Whole or not at all, and never over a file: a link, unlike a rename, replaces nothing. */
function writeNew(path: string, text: string): boolean {
  try {
    // If there is nothing to do, nothing is written, so that this works on a read-only disk.
    if (isThere(realFileSystem, path)) return false;
    makeFolder(dirname(path));
    const scratch = scratchPath(path, makeToken());
    writeDurably(scratch, text);
    try {
      linkSync(scratch, path);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      // A file system without hard links.
      return writeDurablyIfNew(path, text);
    } finally {
      unlinkSync(scratch);
    }
  } catch (error) {
    throw asStoreError('write', path, error);
  }
}

function writeDurablyIfNew(path: string, text: string): boolean {
  try {
    writeDurably(path, text);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o666);
  try {
    writeFileSync(fd, text);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeGitIgnore(root: string): boolean {
  const path = join(root, '.gitignore');
  try {
    if (isThere(realFileSystem, path)) return false;
    ensureGitIgnore(realFileSystem, root);
    return true;
  } catch (error) {
    throw asStoreError('write', path, error);
  }
}

function differences(
  { github, ...config }: Config,
  { mode, repo }: Pick<InitRequest, 'mode' | 'repo'>,
): readonly string[] {
  const there = `${FOLDER}/config.toml was there already and`;
  const isOtherMode = mode !== undefined && mode !== config.mode;
  const isOtherRepo = repo !== undefined && repo !== github.repo;
  const repoThere = github.repo === undefined ? 'has no github.repo' : `says github.repo = "${github.repo}"`;
  return [
    ...(isOtherMode ? [`${there} says mode = "${config.mode}". To change it, write mode = "${mode}" there.`] : []),
    ...(isOtherRepo ? [`${there} ${repoThere}. To change it, write github.repo = "${repo}" there.`] : []),
  ];
}

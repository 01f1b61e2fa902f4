import { basename, dirname, resolve } from 'node:path';
import { surroundings } from '../../app/environment.js';
import { FOLDER, findRoot } from '../../app/find-root.js';
import { findAgents, proposalOf } from '../../app/found-agents.js';
import { approveWritten, type InitRequest, initFolder } from '../../app/init.js';
import { AgentXError } from '../../protocol/errors.js';
import { renderInit } from '../../render/init.js';
import { plainText } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';

export interface InitOptions extends Pick<InitRequest, 'mode' | 'repo'> {
  readonly root?: string | undefined;
}

export async function init({ cwd, out }: CommandLine, { mode, repo, root }: InitOptions): Promise<undefined> {
  const repository = repositoryOf(cwd, root);
  const { env } = surroundings();
  const proposal = proposalOf(await findAgents({ cwd: repository, env }));
  const result = initFolder({ repository, mode, repo, proposal });
  const isProposed = proposal !== undefined && result.created.includes(`${FOLDER}/config.toml`);
  // The user has just had it written, on this machine.
  if (isProposed) await approveWritten(result.root, env);
  out.json(result);
  out.print(renderInit(result, out.paint));
  const above = result.created.length > 0 ? folderAbove(result.root) : undefined;
  const notes = above === undefined ? [] : [`${above} was there already; in this folder the new one counts now.`];
  for (const note of [...notes, ...result.notes]) out.note(`note: ${plainText(note)}`);
  if (isProposed) out.note(`note: ${proposal.reason}, so ${FOLDER}/config.toml gives it the work of every agent.`);
  const first = isProposed ? 'look at' : 'say in';
  const who = isProposed ? '' : ' who does the work';
  out.note(`Next: ${first} ${FOLDER}/config.toml${who}, then: agentx issue create, and: agentx run 1`);
}

/** The folder that commands here used so far. */
function folderAbove(root: string): string | undefined {
  try {
    return findRoot({ cwd: dirname(dirname(root)), env: {} });
  } catch (error) {
    if (error instanceof AgentXError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** The folder that later commands will use: the one that was named, else the current one. */
function repositoryOf(cwd: string, root: string | undefined): string {
  const namedFolder = resolve(cwd, root || surroundings().env.AGENTX_ROOT || '.');
  return basename(namedFolder) === FOLDER ? dirname(namedFolder) : namedFolder;
}

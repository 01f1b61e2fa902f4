import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { readClientFile, realClientPath } from '../../app/client-files.js';
import { surroundings } from '../../app/environment.js';
import { findRoot } from '../../app/find-root.js';
import type { Place, Scope } from '../../mcp/install/clients.js';
import { AgentXError } from '../../protocol/errors.js';

export interface ClientPlace {
  readonly place: Place;
  readonly read: (path: string) => string | undefined;
  /** The folder that links must not leave. */
  readonly within: string | undefined;
  /** Whether there is a .agentx folder. */
  readonly hasRoot: boolean;
}

/** Where a client's files are for this user and in this repository: the one with the `.agentx` folder, else this folder. */
export function clientPlace(cwd: string, scope: Scope, root?: string): ClientPlace {
  const { env } = surroundings();
  const folder = rootFolder(cwd, root);
  const project = folder === undefined ? cwd : dirname(folder);
  const within = scope === 'project' ? project : undefined;
  const read = (path: string) => readClientFile({ path, within });
  const has = (path: string) => read(path) !== undefined;
  // HOME first: it is what the clients go by.
  const home = env.HOME || homedir();
  return {
    place: { scope, env, home, platform: process.platform, project, has, real: realClientPath },
    read,
    within,
    hasRoot: folder !== undefined,
  };
}

function rootFolder(cwd: string, root: string | undefined): string | undefined {
  try {
    return findRoot({ cwd, root, env: surroundings().env });
  } catch (error) {
    if (error instanceof AgentXError && error.code === 'NOT_FOUND' && root === undefined) return undefined;
    throw error;
  }
}

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

export async function init(line: CommandLine, { mode, repo: namedRepo, root }: InitOptions): Promise<undefined> {
  const { cwd, out } = line;
  const repository = repositoryOf(cwd, root);
  const { env } = surroundings();
  const repo = namedRepo ?? (mode === 'github' ? await remoteRepository(repository, env) : undefined);
  const preparation = mode === 'github' && repo !== undefined ? await prepareGitHub(repo, env) : undefined;
  const proposal = proposalOf(await findAgents({ cwd: repository, env }));
  const result = initFolder({ repository, mode, repo, proposal });
  const isProposed = proposal !== undefined && result.created.includes(`${FOLDER}/config.toml`);
  // The user has just had it written, on this machine.
  if (isProposed) await approveWritten(result.root, env);
  out.json(result);
  out.print(renderInit(result, out.paint));
  const above = result.created.length > 0 ? folderAbove(result.root) : undefined;
  const notes = above === undefined ? [] : [`${above} was there already; in this folder the new one counts now.`];
  for (const note of [...notes, ...result.notes, ...(preparation?.notes ?? [])]) out.note(`note: ${plainText(note)}`);
  if (isProposed) out.note(`note: ${proposal.reason}, so ${FOLDER}/config.toml gives it the work of every agent.`);
  if (preparation?.isReady === true && result.notes.length === 0) await firstCopy(line, result.root);
  const first = isProposed ? 'look at' : 'say in';
  const who = isProposed ? '' : ' who does the work';
  out.note(`Next: ${first} ${FOLDER}/config.toml${who}, then: agentx issue create, and: agentx run 1`);
}

type Environment = ReturnType<typeof surroundings>['env'];

/** The repository that git calls origin, if it is where the token goes. */
async function remoteRepository(repository: string, env: Environment): Promise<string | undefined> {
  const [{ gitRemote }, { gitHubUrl }] = await Promise.all([
    import('../../app/git-remote.js'),
    import('../../app/github-token.js'),
  ]);
  const remote = await gitRemote(repository);
  const api = new URL(gitHubUrl(env)).hostname;
  const isPublic = api === 'api.github.com';
  if (remote === undefined || !isPublic || remote.host === 'github.com') return remote?.repo;
  throw new AgentXError(
    'INVALID_INPUT',
    `The remote origin is on ${remote.host}, not on github.com. For GitHub Enterprise, set AGENTX_GITHUB_URL=https://${remote.host}/api/v3; otherwise say --repo owner/name.`,
    { host: remote.host },
  );
}

/** Without a token or without GitHub the folder is made all the same: its checks are left to agentx doctor. */
async function prepareGitHub(repo: string, env: Environment) {
  const { prepareRepository } = await import('../../app/github.js');
  try {
    const { name, made } = await prepareRepository({ repo, env });
    return { isReady: true, notes: made.length === 0 ? [] : [`made in ${name}: the labels ${made.join(', ')}.`] };
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    const isAway = error.code === 'STORE_ERROR' || (error.code === 'UNAUTHORIZED' && error.details.repo === undefined);
    if (!isAway) throw error;
    return { isReady: false, notes: [error.message, 'Then: agentx sync'] };
  }
}

async function firstCopy(line: CommandLine, root: string): Promise<void> {
  const { out } = line;
  out.note('Copying the issues...');
  const { repo, received, trouble } = await line.app({ root }).syncGitHub();
  if (trouble === undefined)
    out.note(`${received} ${received === 1 ? 'issue' : 'issues'} of ${plainText(repo)} copied.`);
  else out.warn(new AgentXError('STORE_ERROR', trouble.message, {}));
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

/** The folder that later commands will use: the named folder, else the current one. */
function repositoryOf(cwd: string, root: string | undefined): string {
  const namedFolder = resolve(cwd, root || surroundings().env.AGENTX_ROOT || '.');
  return basename(namedFolder) === FOLDER ? dirname(namedFolder) : namedFolder;
}

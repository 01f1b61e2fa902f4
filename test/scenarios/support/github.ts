import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeGithub, FakeGithubOptions } from '../../github/fake-github.js';
import type { NewIssue } from '../../github/repository.js';
import { startFakeGithub } from '../../github/start.js';
import { TOKEN } from '../../github/token.js';
import {
  type AgentxOptions,
  type AgentxResult,
  aRepository,
  type RepositoryFiles,
  type RunningAgentx,
  spawnAgentx,
  startAgentx,
} from './agentx.js';

/** A repository whose issues are those of the fake; the program speaks to it only when a test says so. */
export async function aGithubRepository(files: Omit<RepositoryFiles, 'issues'> = {}): Promise<string> {
  const cwd = await aRepository({
    ...files,
    config: `[github]\nrepo = "octocat/shop"\nmention = ["octocat", "ada"]\n${files.config ?? ''}`,
  });
  const path = join(cwd, '.agentx/config.toml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^mode = .*$/m, 'mode = "github"'));
  return cwd;
}

export interface GithubUser {
  /** Runs the program to its end; it exchanges nothing with GitHub unless the command is about that. */
  run(args: readonly string[], options?: AgentxOptions): Promise<AgentxResult>;
  /** The same for a test that may not wait for the end. */
  spawn(args: readonly string[], options?: AgentxOptions): RunningAgentx;
  sync(): Promise<AgentxResult>;
  readonly env: Readonly<Record<string, string>>;
}

/** A person at a repository that belongs to the fake. */
export function userOf(cwd: string, github: Pick<FakeGithub, 'url'>): GithubUser {
  const env = {
    AGENTX_GITHUB_URL: github.url,
    GITHUB_TOKEN: TOKEN,
    AGENTX_GITHUB_SYNC: 'off',
  };
  const withEnv = ({ env: more = {}, ...options }: AgentxOptions = {}) => ({ ...options, env: { ...env, ...more } });
  const spawn = (args: readonly string[], options?: AgentxOptions) => spawnAgentx(cwd, args, withEnv(options));
  const run = (args: readonly string[], options?: AgentxOptions) => startAgentx(cwd, args, withEnv(options));
  return { env, spawn, run, sync: () => run(['sync', '--json']) };
}

export interface TeamOptions extends FakeGithubOptions {
  readonly issues?: readonly NewIssue[];
  /** What the architect says, one answer after the other. */
  readonly answers?: readonly string[];
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface Team {
  readonly github: FakeGithub;
  readonly cwd: string;
  readonly user: GithubUser;
}

/** A repository on the fake, its clone with a first sync behind it, and an architect that answers. */
export async function aTeam({ issues, answers, config = '', files = {}, ...options }: TeamOptions = {}): Promise<Team> {
  const github = await startFakeGithub(options);
  github.repository.person('ada', 'write');
  for (const issue of issues ?? [{ title: 'Health endpoint', labels: ['type:feature'] }]) {
    github.repository.createIssue(issue);
  }
  const cwd = await aGithubRepository({
    config: `[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n${config}`,
    files: { 'turns.toml': turnsOf(answers ?? ['PostgreSQL.', 'Version 16.']), ...files },
  });
  const user = userOf(cwd, github);
  const first = await user.sync();
  if (first.status !== 0) throw new Error(`The first sync failed: ${first.stdout}${first.stderr}`);
  return { github, cwd, user };
}

function turnsOf(answers: readonly string[]): string {
  return answers.map((answer) => `[[turns]]\nanswer = ${JSON.stringify(answer)}\n`).join('\n');
}

export { askArguments as asking } from './agentx.js';

export interface NamedComment {
  /** Such as `round:CLR-1-001/1`. */
  readonly name: string;
  readonly body: string;
  readonly id: number;
}

/** What the program posted to an issue, by the names that GitHub does not show. */
export function ourComments({ repository, viewer }: FakeGithub, issue = 1): readonly NamedComment[] {
  return repository
    .commentsOn(issue)
    .filter(({ author }) => author.login === viewer)
    .map(({ id, body }) => ({ id, body, name: /^<!-- agentx:(\S+):[0-9a-f]+ -->/.exec(body)?.[1] ?? 'none' }));
}

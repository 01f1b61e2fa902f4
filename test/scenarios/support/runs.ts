import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFileStore } from '../../../src/storage/files/store.js';
import { agentProgram, commandAgent, untilThere } from './agents.js';
import { type AgentxResult, aRepository, type RunningAgentx, spawnAgentx, untilLocksAreFree } from './agentx.js';

export interface RunnableOptions {
  /** The steps of the workflow that issues without a type follow, as TOML. */
  readonly steps: string;
  /** What the agents say, as the `[[turns]]` of a script. */
  readonly script?: string;
  /** More of config.toml. */
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly issues?: readonly { readonly title: string; readonly labels?: readonly string[] }[];
}

const WORKFLOW = '[workflow]\nname = "story"\n\n';

/** A repository with one issue (unless there are more) whose agents play a script, except those that config names. */
export async function aRunnable({
  steps,
  script = '',
  config = '',
  files = {},
  issues,
}: RunnableOptions): Promise<string> {
  const agents = [...new Set([...steps.matchAll(/"([a-z]+(?:-[a-z]+)*)"/g)].map(([, name = '']) => name))]
    .filter((name) => AGENTS.includes(name) && !config.includes(`[agents.${name}]`))
    .map((name) => `[agents.${name}]\nrunner = "script"\nscript = "agents.toml"\n`);
  return aRepository({
    config: `${agents.join('\n')}\n${config}`,
    files: {
      '.agentx/workflows/story.toml': `${WORKFLOW}${steps}`,
      'agents.toml': script === '' ? 'turns = []\n' : script,
      ...files,
    },
    issues: issues ?? [{ title: 'Health endpoint' }],
  });
}

const AGENTS = [
  'product-manager',
  'ux-designer',
  'architect',
  'engineer',
  'reviewer',
  'tester',
  'coder',
  'devops-engineer',
];

/** A run in the middle of its engineer's turn, which lasts until the test lets it go. */
export async function aRunUnderWay(): Promise<{ readonly cwd: string; readonly run: RunningAgentx }> {
  const cwd = await aRunnable({
    steps: '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "engineer"',
    config: commandAgent('engineer'),
    files: {
      'engineer.mjs': agentProgram(`
        appendFileSync('asked', 'x');
        await until('go');
        reply({ artifacts: [{ path: 'health.js', content: 'up' }] });
      `),
    },
  });
  const run = spawnAgentx(cwd, ['run', '1']);
  await untilThere(cwd, 'asked');
  return { cwd, run };
}

/** Events as `agentx run --json` tells them. */
export interface RunEventLine {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function eventsOf({ stdout }: AgentxResult): readonly RunEventLine[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): RunEventLine => JSON.parse(line));
}

export function fileOf(cwd: string, path: string): string {
  return readFileSync(join(cwd, path), 'utf8');
}

/** Moves a question's deadline into the past, as if it had been asked earlier; the next look applies its fallback. */
export async function letTimeRunOut(cwd: string, id: string): Promise<void> {
  const expiresAt = new Date().toISOString();
  await storeOf(cwd).questions.update(id, (question) => ({ next: { ...question, expiresAt }, result: undefined }));
  await untilLocksAreFree();
}

/** What is stored, read as the program itself does. */
export function storeOf(cwd: string) {
  return openFileStore({ root: join(cwd, '.agentx') });
}

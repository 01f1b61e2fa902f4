import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AgentCliName } from '../../src/protocol/config.js';
import { startAgentx } from '../scenarios/support/agentx.js';
import { aRunnable, fileOf, storeOf } from '../scenarios/support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { WireRequest, WireTurn } from '../wire/script.js';
import { startWireServer } from '../wire/server.js';
import { PACKAGES, pointAt } from './real-clis.js';

/*
 * The real CLIs, from npm, through the real program: `npm run test:agents`. They are hundreds of megabytes and lie outside
 * the repository, in AGENTX_AGENT_CLIS or ~/.cache/agentx/agent-clis. Each speaks to a server of ours, with no login.
 */

const FOLDER = process.env.AGENTX_AGENT_CLIS || join(homedir(), '.cache', 'agentx', 'agent-clis');
const BIN = join(FOLDER, 'node_modules', '.bin');
const NAMES = (process.env.AGENTX_AGENTS ?? Object.keys(PACKAGES).join(',')).split(',');

const STEPS =
  '[[steps]]\nid = "implement"\ntitle = "Implement {{title}}"\nagent = "engineer"\ncan_clarify = ["architect"]\n';

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(join(FOLDER, 'package.json'))) writeFileSync(join(FOLDER, 'package.json'), '{"private": true}\n');
  if (['claude', 'codex', 'copilot', 'gemini', 'qwen', 'opencode', 'cn'].every((name) => existsSync(join(BIN, name))))
    return;
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...Object.values(PACKAGES)], {
    cwd: FOLDER,
    stdio: 'inherit',
  });
  // Two of them fetch or link their program after the installation, which npm does not do for packages unasked.
  for (const [folder, script] of [
    ['@anthropic-ai/claude-code', 'install.cjs'],
    ['opencode-ai', 'postinstall.mjs'],
  ] as const) {
    spawnSync(process.execPath, [script], { cwd: join(FOLDER, 'node_modules', folder), stdio: 'inherit' });
  }
}, 1_200_000);

describe('the real agent CLIs', () => {
  it.each(NAMES.filter((name): name is AgentCliName => name in PACKAGES))(
    '%s asks an agent through our server, writes a file, replies, resumes its session, and what it decided is remembered',
    async (name) => {
      const home = temporaryFolder();
      const requests: WireRequest[] = [];
      let cwd = '';
      const server = await startWireServer({
        play: (request) => {
          requests.push(request);
          return turnFor(request, cwd);
        },
      });
      onTestFinished(() => server.close());
      const cli = pointAt(name, server.url, home);
      const [tool, namespace] = cli.tool.split('/').toReversed();
      const ask = { name: tool ?? '', input: ASK, ...(namespace === undefined ? {} : { namespace }) };
      const turnFor = (request: WireRequest, repository: string): WireTurn => {
        const usage = { input: 100, output: 10 };
        if (request.tools.length === 0) return { text: 'A title', usage };
        const words = saidInTurn(request);
        if (turnOf(request) === 2) return { text: '{"status": "done", "text": "Finished."}', usage };
        if (words === 0) return { text: DECISION, calls: [ask], usage };
        if (words === 1) return { calls: [cli.write(join(repository, 'adapter.txt'), 'two')], usage };
        return { text: '{"status": "continue", "text": "One more round."}', usage };
      };
      cwd = await aProject(name, cli.table ?? []);
      const PATH = `${BIN}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
      const { status, stdout, stderr } = await startAgentx(cwd, ['run', '1', '--verbose'], {
        env: { ...cli.env, HOME: home, PATH },
      });
      expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
      expect(stdout).toContain('[Engineer -> Architect] Clarification: Adapters (CLR-1-001, round 1/5, blocking)');
      expect(stdout).toContain('[Architect] Two adapters.');
      expect(fileOf(cwd, 'adapter.txt')).toBe('two');
      const run = await storeOf(cwd).runs.read(1);
      expect(JSON.stringify(run?.journal)).toContain('"path":"adapter.txt"');
      const last = requests.filter(({ tools }) => tools.length > 0).at(-1);
      const isResumed = last?.messages.some(({ text }) => text.includes('One more round.')) ?? false;
      expect(isResumed).toBe(true);
      const { items } = await storeOf(cwd).observations.list({});
      expect(items.filter(({ summary }) => summary.includes('for 90 days'))).toHaveLength(1);
      expect(`${stdout}${stderr}`).not.toContain('wire-key');
    },
    600_000,
  );
});

const DECISION = 'We decided to keep every report for 90 days. Now I ask.';
const ASK = { to: 'architect', topic: 'Adapters', question: 'Two adapters, or migrate?' };

async function aProject(name: AgentCliName, table: readonly string[]): Promise<string> {
  const engineer = ['[agents.engineer]', `runner = "${name}"`, ...table, 'timeout_seconds = 400'].join('\n');
  const cwd = await aRunnable({
    steps: `${STEPS}iterate = true\n`,
    config: engineer,
    script: '[[turns]]\nagent = "architect"\ntimes = 0\nanswer = "Two adapters."\n',
  });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('commit', '-m', 'first');
  return cwd;
}

/** Which turn of the step the prompt is for: a resumed session holds several prompts. */
function turnOf({ messages }: WireRequest): number {
  const isSecond = messages.some(
    ({ role, text }) => role === 'user' && /You go on with the work|Round 2 of/.test(text),
  );
  return isSecond ? 2 : 1;
}

function saidInTurn({ messages }: WireRequest): number {
  const last = messages.findLastIndex(({ role, text }) => role === 'user' && text.includes('## Your tools'));
  const since = messages.slice(last + 1);
  return since.filter(({ role }, index) => role === 'assistant' && since[index - 1]?.role !== 'assistant').length;
}

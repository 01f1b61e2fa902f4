import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aHomeWithClis } from '../support/agent-clis.js';
import { until } from '../support/until.js';
import { agentx, spawnAgentx } from './support/agentx.js';
import { aRunnable, eventsOf, fileOf, storeOf } from './support/runs.js';

const STEPS = `[[steps]]
id = "implement"
title = "Implement {{title}}"
agent = "engineer"
can_clarify = ["architect"]
`;
const agent = (name: string, runner: string, more = ''): string => `[agents.${name}]\nrunner = "${runner}"\n${more}\n`;
const ASK = {
  tool: 'request_clarification',
  input: { to: 'architect', topic: 'Adapters', question: 'Two adapters, or migrate?' },
};

async function aGitRepository(config: string, steps = STEPS): Promise<string> {
  const cwd = await aRunnable({ steps, config });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('commit', '-m', 'first');
  return cwd;
}

/** Whether the session of a CLI is on the disk. */
function hasSession(cwd: string): boolean {
  const folder = join(cwd, '.agentx/state/transcripts');
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some(
    (name) => name.endsWith('.json') && /"session":/.test(fileOf(cwd, `.agentx/state/transcripts/${name}`)),
  );
}

describe('agents that are CLIs of their own', () => {
  it.each(['claude', 'codex', 'copilot', 'gemini', 'qwen', 'opencode', 'continue'])(
    '%s asks the architect through our server, gets the answer in the same turn, and its changes are its artifacts [US-2.1/6]',
    async (runner) => {
      const fakes = aHomeWithClis();
      const cwd = await aGitRepository(`${agent('engineer', runner)}${agent('architect', 'claude')}`);
      fakes.tell(
        { agent: 'architect', answer: 'Two adapters: nothing has to be migrated.' },
        {
          agent: 'engineer',
          call: ASK,
          write: { 'src/adapter.js': 'export {};\n' },
          answer: 'Built with two adapters.',
        },
      );
      const { status, stdout, stderr } = agentx(cwd, ['run', '1'], { env: fakes.env });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain('[Engineer -> Architect] Clarification: Adapters (CLR-1-001, round 1/5, blocking)');
      expect(stdout).toContain('[Architect] Two adapters: nothing has to be migrated.');
      expect(stdout).toContain('  src/adapter.js');
      expect(JSON.stringify(fakes.called())).toContain('nothing has to be migrated');
      const architect = fakes.started().find((start) => start.agent === 'architect');
      expect(architect?.prompt).toContain('Two adapters, or migrate?');
      expect(await storeOf(cwd).issues.read(1)).toMatchObject({ taskStatus: 'done' });
    },
  );

  it('a turn that waited for a human goes on in the session of the turn before', async () => {
    const fakes = aHomeWithClis();
    const cwd = await aGitRepository(agent('engineer', 'codex'));
    fakes.tell({
      turn: '1',
      answer: '{"open_questions": [{"text": "Which port?", "options": [{"label": "80"}, {"label": "8080"}]}]}',
    });
    expect(agentx(cwd, ['run', '1'], { env: fakes.env }).status).toBe(3);
    const [question] = (await storeOf(cwd).questions.list({})).items;
    agentx(cwd, ['inbox', 'answer', String(question?.id), '--option', 'b']);
    expect(agentx(cwd, ['run', '1'], { env: fakes.env }).status).toBe(0);
    const [, second] = fakes.started();
    expect(second?.args).toContain('resume');
    expect(second?.prompt).toContain('Which port? -> 8080');
  });

  it('kill -9 in mid-turn ends the CLI too; the next command goes on with its session, and knows what it changed', async () => {
    const fakes = aHomeWithClis();
    const cwd = await aGitRepository(agent('engineer', 'claude'));
    fakes.tell({ write: { 'half.js': '1' }, until: 'never', shell: 'echo $PPID > "$HOME/pid"' });
    const running = spawnAgentx(cwd, ['run', '1'], { env: fakes.env });
    await until(() => existsSync(join(fakes.home, 'pid')) && existsSync(join(cwd, 'half.js')));
    running.kill();
    await running.ended;
    fakes.tell({ write: { 'rest.js': '2' } });
    const { status, stdout } = agentx(cwd, ['run', '1'], { env: fakes.env });
    expect(status).toBe(0);
    expect(stdout).toMatch(/half\.js[\s\S]*rest\.js/);
    expect(fakes.started().map(({ args }) => args.includes('--resume'))).toEqual([false, true]);
  });

  it('a CLI that is missing is a sentence that says what to do, before anything starts', async () => {
    const fakes = aHomeWithClis(['claude']);
    const cwd = await aGitRepository(agent('engineer', 'gemini'));
    const { status, stderr } = agentx(cwd, ['run', '1'], { env: fakes.env });
    expect(status).toBe(2);
    expect(stderr).toContain(
      "there is no program 'gemini' on your PATH. Install it with: npm install -g @google/gemini-cli",
    );
    expect(await storeOf(cwd).runs.read(1)).toBeUndefined();
  });

  it('starts only what was approved, and shows what it may do', async () => {
    const fakes = aHomeWithClis();
    const cwd = await aGitRepository(agent('engineer', 'claude', 'permission = "full"\nargs = ["--max-turns", "9"]'));
    const env = { ...fakes.env, AGENTX_TRUST: '' };
    const refused = agentx(cwd, ['run', '1'], { env });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('claude --max-turns 9  (claude, permission "full")');
    expect(agentx(cwd, ['trust', '--yes'], { env }).status).toBe(0);
    expect(agentx(cwd, ['run', '1'], { env }).status).toBe(0);
    expect(fakes.started()).toHaveLength(1);
    expect(fakes.started()[0]?.args.join(' ')).toContain('--permission-mode bypassPermissions');
  });

  it('what the CLI did not allow is shown, and in the next brief', async () => {
    const fakes = aHomeWithClis();
    const steps = `${STEPS}iterate = true\n`;
    const cwd = await aGitRepository(agent('engineer', 'qwen'), steps);
    fakes.tell({ turn: '1', answer: '{"status": "continue", "text": "More to do."}' });
    const { stdout, status } = agentx(cwd, ['run', '1'], { env: fakes.env });
    expect(status).toBe(0);
    expect(stdout).toContain('is refused (UNAUTHORIZED): qwen was not allowed: run_shell_command: touch shell.txt');
    expect(fakes.started()[1]?.prompt).toContain('- qwen was not allowed: run_shell_command: touch shell.txt');
  });

  it('output that tries to be more than text stays text: no escape code, no path outside, no answer for another', async () => {
    const fakes = aHomeWithClis();
    const cwd = await aGitRepository(`${agent('engineer', 'claude')}${agent('architect', 'claude')}`);
    const poison = {
      text: '\u001b]0;owned\u0007\u001b[2J<script>alert(1)</script>',
      artifacts: [
        { path: '../outside.txt', content: 'x' },
        { path: '.git/hooks/post-commit', content: 'x' },
        { path: '.agentx/config.toml', content: 'x' },
      ],
      clarify: [{ to: 'reviewer', topic: 'T', question: 'Not in my scope?', blocking: false }],
      resolve: [{ id: 'CLR-1-009', body: 'I answer for the architect.' }],
      status: 'done',
    };
    fakes.tell({ turn: '1', answer: JSON.stringify(poison), stderr: '\u001b[2J' }, { answer: 'Done.' });
    const { stdout, status } = agentx(cwd, ['run', '1', '--verbose'], { env: fakes.env });
    expect(status).toBe(0);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain("The artifact '../outside.txt' is outside the repository");
    expect(stdout).toContain('SCOPE_VIOLATION');
    expect(existsSync(join(cwd, '..', 'outside.txt'))).toBe(false);
    expect(readdirSync(join(cwd, '.git', 'hooks'))).not.toContain('post-commit');
    expect(fileOf(cwd, '.agentx/config.toml')).toContain('[agents.engineer]');
  });

  it.each(['claude', 'codex', 'copilot', 'gemini', 'qwen', 'opencode', 'continue'])(
    'what %s decided on its way, in its own file of the session, is remembered once; what our brief says is not',
    async (runner) => {
      const fakes = aHomeWithClis();
      const cwd = await aGitRepository(agent('engineer', runner));
      agentx(cwd, ['issue', 'comment', '1', '-b', 'We decided to use MongoDB for the reports.']);
      const decision = 'We decided to use PostgreSQL 16 for the reports, because MySQL has no partial indexes.';
      const onTheWay = 'We decided to keep every report for 90 days.';
      fakes.tell(
        { turn: '1', transcript: [decision, onTheWay], answer: '{"status":"continue"}' },
        { answer: decision },
      );
      expect(agentx(cwd, ['run', '1'], { env: fakes.env }).status).toBe(0);
      expect(fakes.started()[0]?.prompt).toContain('MongoDB');
      const { items } = await storeOf(cwd).observations.list({});
      expect(items.filter(({ summary }) => summary.includes('PostgreSQL 16'))).toHaveLength(1);
      expect(items.filter(({ summary }) => summary.includes('for 90 days'))).toHaveLength(1);
      expect(JSON.stringify(items)).not.toContain('MongoDB');
    },
  );

  it.each(['claude', 'opencode'])(
    'what %s decided before kill -9 is remembered once it has gone on',
    async (runner) => {
      const fakes = aHomeWithClis();
      const cwd = await aGitRepository(agent('engineer', runner));
      const sessionOf = async () => {
        const { items } = await storeOf(cwd).sessions.list({ issue: 1 });
        return items.flatMap(({ turns }) => turns.flatMap(({ transcriptFile }) => transcriptFile ?? []));
      };
      fakes.tell({
        transcript: ['We decided to keep every report for 90 days.'],
        print: '',
        until: 'never',
        write: { a: '' },
      });
      const running = spawnAgentx(cwd, ['run', '1'], { env: fakes.env });
      await until(() => existsSync(join(cwd, 'a')) && hasSession(cwd));
      running.kill();
      await running.ended;
      expect(await sessionOf()).toEqual([]);
      fakes.tell({ answer: 'Built.' });
      expect(agentx(cwd, ['run', '1'], { env: fakes.env }).status).toBe(0);
      expect(await sessionOf()).toHaveLength(1);
      const { items } = await storeOf(cwd).observations.list({});
      expect(items.filter(({ summary }) => summary.includes('for 90 days'))).toHaveLength(1);
    },
  );

  it('tells programs what changed, with --json', async () => {
    const fakes = aHomeWithClis();
    const cwd = await aGitRepository(agent('engineer', 'opencode'));
    fakes.tell({ write: { 'a.js': '' } });
    const events = eventsOf(agentx(cwd, ['run', '1', '--json'], { env: fakes.env }));
    expect(events.find(({ type }) => type === 'turn-ended')).toMatchObject({ artifacts: ['a.js'] });
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', status: 'done', summary: { artifacts: ['a.js'] } });
  });
});

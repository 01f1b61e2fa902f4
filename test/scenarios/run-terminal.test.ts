import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, fileOf, letTimeRunOut, storeOf } from './support/runs.js';
import { KEYS, onTerminal } from './support/terminal.js';

const STEP = '[[steps]]\nid = "implement"\ntitle = "Implement it"\nagent = "engineer"\ncan_clarify = ["architect"]\n';

/** An engineer that asks the given question, and writes the answer down. */
async function anAsker(question: unknown): Promise<string> {
  return aRunnable({
    steps: STEP,
    config: commandAgent('engineer'),
    files: {
      'engineer.mjs': agentProgram(`
        const answers = brief.answers.map(({ answer }) => answer);
        if (answers.length === 0) reply(${JSON.stringify(question)});
        else reply({ artifacts: [{ path: 'answer.txt', content: answers.join(' / ') }] });
      `),
    },
  });
}

const RETENTION = {
  open_questions: [
    {
      text: 'How long are audit logs kept?',
      options: [
        { label: '30 days', description: 'What the storage budget allows.' },
        { label: '1 year', recommended: true },
      ],
    },
  ],
};

describe('agentx run on a terminal', () => {
  it('asks in place: arrows choose, Enter answers, and the run goes on', async () => {
    const cwd = await anAsker(RETENTION);
    const terminal = onTerminal(cwd, ['run', '1']);
    await terminal.until('> b) 1 year  recommended');
    expect(terminal.screen()).toContain('What the storage budget allows.');
    terminal.type(KEYS.up);
    await terminal.until('> a) 30 days');
    terminal.type(KEYS.enter);
    expect(await terminal.ended).toBe(0);
    expect(fileOf(cwd, 'answer.txt')).toBe('30 days');
    const screen = terminal.screen();
    expect(screen).toContain('Engineer asks: How long are audit logs kept?\n[You] 30 days');
    expect(screen).toMatch(/\[Engineer\] +Implement it +done +[\d.]+s\n {2}answer.txt\n\nRun complete: /);
    // Nothing that changed in place is left, and the terminal is restored.
    expect(screen).not.toMatch(/ > |[|/\\-] +\d+\.\ds/);
    const raw = terminal.raw();
    expect(raw.lastIndexOf('\u001b[?25h')).toBeGreaterThan(raw.lastIndexOf('\u001b[?25l'));
    expect(raw.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(raw.lastIndexOf('\u001b[?2004h'));
    const [question] = (await storeOf(cwd).questions.list()).items;
    expect(question).toMatchObject({ outcome: 'answered', answeredBy: { principal: 'ada', channel: 'cli' } });
  });

  it('breaks its lines where the window ends now', async () => {
    const question = 'How long are the audit logs of customers who left us kept, in days?';
    const cwd = await anAsker({ open_questions: [{ text: question }] });
    const terminal = onTerminal(cwd, ['run', '1'], { columns: 40 });
    await terminal.until('How long are the');
    terminal.resize(120, 24);
    await terminal.until(`asks: ${question}`);
    terminal.type(`30${KEYS.enter}`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain(`Engineer asks: ${question}\n[You] 30\n`);
  });

  it('takes text of any kind instead, and several choices where the question says so', async () => {
    const cwd = await anAsker({
      open_questions: [
        {
          text: 'Which browsers?',
          multiSelect: true,
          options: [{ label: 'Firefox' }, { label: 'Chrome' }, { label: 'Safari' }],
        },
        { text: 'Who decides?', options: [{ label: 'Ada' }] },
      ],
    });
    const terminal = onTerminal(cwd, ['run', '1']);
    await terminal.until('(1 of 2): Which browsers?');
    terminal.type('ac');
    await terminal.until('[x] c) Safari');
    terminal.type(KEYS.enter);
    await terminal.until('(2 of 2): Who decides?');
    terminal.type(`b${KEYS.enter}`);
    await terminal.until('Esc goes back');
    terminal.type('Gr\u00fc\u00dfe an Zo\u00eb');
    await terminal.until('Zo\u00eb');
    terminal.type(KEYS.enter);
    expect(await terminal.ended).toBe(0);
    expect(fileOf(cwd, 'answer.txt')).toBe('Firefox, Safari / Gr\u00fc\u00dfe an Zo\u00eb');
  });

  it('closes the prompt when somebody answers elsewhere, and says who [X-7/2]', async () => {
    const cwd = await anAsker(RETENTION);
    const terminal = onTerminal(cwd, ['run', '1']);
    await terminal.until('c) Something else...');
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    const elsewhere = agentx(cwd, ['inbox', 'answer', question?.id ?? '', '--option', 'a'], { env: { USER: 'bob' } });
    expect(elsewhere.status).toBe(0);
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('[bob, cli] 30 days');
    expect(terminal.screen()).not.toContain('Something else...');
  });

  it('shows the countdown, and that the fallback was taken', async () => {
    const fallback = { optionId: 'a', reasoning: 'cheapest' };
    const cwd = await anAsker({ open_questions: RETENTION.open_questions.map((one) => ({ ...one, fallback })) });
    const terminal = onTerminal(cwd, ['run', '1'], { columns: 100 });
    await terminal.until(/How long are audit logs kept\? +a fallback applies in [0-4]:\d\d/);
    await letTimeRunOut(cwd, (await storeOf(cwd).questions.list()).items[0]?.id ?? '');
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('[Agent X] Nobody answered in time; the fallback is taken: 30 days');
    expect(fileOf(cwd, 'answer.txt')).toBe('30 days');
  });

  it('leaves the question open on Ctrl-C, and asks again when it goes on', async () => {
    const cwd = await anAsker(RETENTION);
    const first = onTerminal(cwd, ['run', '1']);
    await first.until('> b) 1 year');
    first.type(KEYS.ctrlC);
    expect(await first.ended).toBe(130);
    expect(first.screen()).toMatch(/Run paused: .*\nPaused\. Go on with: agentx run 1$/);
    expect((await storeOf(cwd).questions.list({ status: 'open' })).items).toHaveLength(1);
    const second = onTerminal(cwd, ['run', '1']);
    await second.until('> b) 1 year');
    second.type(KEYS.escape);
    await second.until('Left open.');
    await second.until('waiting for oq-');
    second.type('x');
    await second.until('> b) 1 year');
    second.type(KEYS.enter);
    expect(await second.ended).toBe(0);
    expect(fileOf(cwd, 'answer.txt')).toBe('1 year');
  });

  it('asks no person with --no-wait', async () => {
    const cwd = await anAsker(RETENTION);
    const terminal = onTerminal(cwd, ['run', '1', '--no-wait']);
    expect(await terminal.ended).toBe(3);
    expect(terminal.screen()).toMatch(/Answer: agentx inbox answer oq-\w+\n/);
    expect(terminal.screen()).not.toContain('Something else...');
  });

  it('asks an escalation in place, under both positions', async () => {
    const cwd = await aRunnable({
      steps: `${STEP}clarify_max_rounds = 1\n`,
      script: `
        [[turns]]
        agent = "engineer"
        clarify = [{ to = "architect", topic = "Retention", question = "30 days?" }]
        [[turns]]
        agent = "architect"
        answer = "A year, perhaps."
        [[turns]]
        agent = "engineer"
        clarify = [{ id = "CLR-1-001", to = "architect", topic = "Retention", question = "30 days is all we have." }]
        [[turns]]
        agent = "engineer"
        status = "done"`,
    });
    const terminal = onTerminal(cwd, ['run', '1']);
    await terminal.until('> a) ');
    const screen = terminal.screen();
    expect(screen).toMatch(/\[ESCALATED\] Retention \(CLR-1-001\)\n {2}Engineer: 30 days is all we have\.\n/);
    expect(screen).toContain('  Architect: A year, perhaps.\n');
    expect(screen).toContain('  ? Retention');
    terminal.type(`b${KEYS.enter}`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toMatch(/\[You\] .*30 days[\s\S]*\[Engineer\] Clarification resolved\. Continuing\.\.\./);
  });

  it('shows who is at work, several at once, and garbles nothing in a window of any size', async () => {
    const cwd = await aRunnable({
      steps: `${STEP}\n[[steps]]\nid = "test"\ntitle = "Test it"\nagent = "tester"\n`,
      config: commandAgent('engineer', 'agent.mjs') + commandAgent('tester', 'agent.mjs'),
      files: {
        'agent.mjs': agentProgram(`
          appendFileSync(brief.agent, '');
          await until('go');
          reply({ text: brief.agent + ' was here' });
        `),
      },
    });
    const terminal = onTerminal(cwd, ['run', '1'], { columns: 60, rows: 8 });
    await Promise.all([untilThere(cwd, 'engineer'), untilThere(cwd, 'tester')]);
    await terminal.until(/\[Engineer\] +Implement it\.\.\. +[|/\\-] +\d+\.\ds\n\[Tester\] +Test it\.\.\./);
    const shown = terminal.raw().length;
    terminal.type('typed while they work\r');
    // The echo uses the same way as the keys: once there is more of it, the keys have arrived.
    await expect.poll(() => terminal.raw().length).toBeGreaterThan(shown + 200);
    letGo(cwd);
    expect(await terminal.ended).toBe(0);
    const screen = terminal.screen();
    expect(screen).not.toContain('typed');
    expect(screen).toMatch(/\n {2}engineer was here\n/);
    expect(screen).toMatch(/\n {2}tester was here\n/);
    expect(screen).not.toMatch(/[|/\\-] +\d+\.\ds/);
  });

  it('asks before it starts programs that are not approved, and starts none otherwise', async () => {
    const cwd = await aRunnable({
      steps: STEP,
      config: commandAgent('engineer'),
      files: { 'engineer.mjs': agentProgram("reply({ artifacts: [{ path: 'health.js', content: 'up' }] });") },
    });
    const env = { AGENTX_TRUST: '', XDG_STATE_HOME: join(cwd, 'state'), XDG_CONFIG_HOME: join(cwd, 'config') };
    const refusing = onTerminal(cwd, ['run', '1'], { env });
    await refusing.until('May agents run this program? [y/N]');
    refusing.type('n\r');
    expect(await refusing.ended).toBe(1);
    expect(existsSync(join(cwd, 'health.js'))).toBe(false);
    const allowing = onTerminal(cwd, ['run', '1'], { env });
    await allowing.until('May agents run this program? [y/N]');
    allowing.type('y\r');
    expect(await allowing.ended).toBe(0);
    expect(fileOf(cwd, 'health.js')).toBe('up');
  });
});

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transition } from '../../src/protocol/clarification-transition.js';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, agentxCommand, askArguments, spawnAgentx, untilLocksAreFree } from './support/agentx.js';
import { aRunnable, eventsOf, fileOf, storeOf } from './support/runs.js';

const STEP = '[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\ncan_clarify = ["architect"]\n';
const ASK = `'--to', 'architect', '--topic', 'Database', '-q', 'Which one?'`;
const ANSWERS = "appendFileSync('asked', 'x');\nreply({ answer: 'SQLite.' });";
const FAILS = 'process.exit(1);';
/** What the brief says of the agent's clarifications, a line for each turn. */
const NOTE = `
  const known = brief.clarifications.map(({ status, answer, summary }) => status + ' ' + (answer ?? summary ?? ''));
  appendFileSync('turns', brief.step.turn + ': ' + known.join(', ') + '\\n');`;

interface Agents {
  readonly engineer: string;
  readonly architect?: string;
  readonly manager?: string;
  readonly steps?: string;
}

async function withAgents({ engineer, architect = ANSWERS, manager = ANSWERS, steps = STEP }: Agents): Promise<string> {
  return aRunnable({
    steps,
    config: ['engineer', 'architect', 'product-manager'].map((agent) => commandAgent(agent)).join(''),
    files: {
      'engineer.mjs': agentProgram(`${NOTE}\n${engineer}`),
      'architect.mjs': agentProgram(architect),
      'product-manager.mjs': agentProgram(manager),
    },
  });
}

const recordsOf = async (cwd: string) => (await storeOf(cwd).ledgers.read(1)).clarifications;
const openQuestion = async (cwd: string) =>
  (await storeOf(cwd).questions.list({ status: 'open' })).items[0]?.id ?? 'none is open';
const turnsOf = (cwd: string) => fileOf(cwd, 'turns').trimEnd().split('\n').length;
const typesOf = (events: readonly { readonly type: string }[]) =>
  events.map(({ type }) => type).filter((type) => type.startsWith('clarification-'));

describe('what an agent asks from inside its turn', () => {
  const engineer = `const { stdout } = ask(${ASK}, '--json');\nreply({ text: JSON.parse(stdout).answer });`;

  it('is in the stream, counts as a round, and is resolved like what a reply asks', async () => {
    const cwd = await withAgents({ engineer });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain(
      '[Engineer -> Architect] Clarification: Database (CLR-1-001, round 1/5, blocking)\n' +
        '  Which one?\n[Architect] SQLite.\n[Engineer] Clarification resolved. Continuing...\n',
    );
    expect(stdout).toMatch(/Run complete: iterations=1, .*rounds=1,/);
    const [record] = await recordsOf(cwd);
    expect(record).toMatchObject({ status: 'resolved' });
    expect(record?.thread.at(-1)).toMatchObject({ from: 'engineer', body: 'Proceeding.' });
  });

  it('is told once, as events, while the turn lasts', async () => {
    const cwd = await withAgents({ engineer: `ask(${ASK});\nawait until('go');\nreply({ text: 'Built.' });` });
    const running = spawnAgentx(cwd, ['run', '1', '--json']);
    await untilThere(cwd, 'asked');
    letGo(cwd);
    const events = eventsOf(await running.ended);
    expect(typesOf(events)).toEqual(['clarification-requested', 'clarification-answered', 'clarification-resolved']);
    const told = events.map(({ type }) => type);
    expect(told.indexOf('clarification-answered')).toBeLessThan(told.indexOf('turn-ended'));
    expect(events.at(-1)).toMatchObject({ status: 'done', summary: { rounds: 1, iterations: 1 } });
  });

  it.each([
    ['says that it is done', "{ text: 'I wait.' }", ''],
    ['goes round', "{ status: 'continue' }", 'iterate = true\nmax_iterations = 1\n'],
    ['fails', "{ status: 'failed', text: 'no answer' }", ''],
  ])('and a human has to decide holds the run, though the agent %s [US-2.3/10]', async (_, reply, more) => {
    const cwd = await withAgents({
      engineer: `if (brief.step.turn === 1) {\n  ask(${ASK});\n  reply(${reply});\n} else reply({ text: 'Built.' });`,
      architect: FAILS,
      steps: `${STEP}${more}`,
    });
    const paused = agentx(cwd, ['run', '1']);
    expect(paused.status).toBe(3);
    expect(paused.stdout).toContain('[ESCALATED] Database (CLR-1-001)');
    expect(turnsOf(cwd)).toBe(1);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(agentx(cwd, ['inbox', 'answer', await openQuestion(cwd), '-m', 'PostgreSQL.']).status).toBe(0);
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/rounds=1, /);
    expect(fileOf(cwd, 'turns')).toMatch(/^1: \n2: resolved .*PostgreSQL.*\n$/);
  });

  it('and that nobody answers, for whoever asked was killed, is answered before the next turn', async () => {
    const cwd = await withAgents({
      engineer: `
        if (brief.step.turn === 1) {
          const { spawn } = await import('node:child_process');
          const [program, ...before] = ${JSON.stringify(agentxCommand)};
          const asking = spawn(program, [...before, 'ask', ${ASK}], { stdio: 'ignore' });
          await until('asked');
          asking.kill('SIGKILL');
        }
        reply({ text: 'Built.' });`,
      architect: `
        const isFirst = !existsSync('asked');
        appendFileSync('asked', 'x');
        if (isFirst) await until('never');
        reply({ answer: 'SQLite.' });`,
    });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain('[Architect] SQLite.');
    expect(fileOf(cwd, 'turns')).toBe('1: \n2: answered SQLite.\n');
    expect(await recordsOf(cwd)).toMatchObject([{ status: 'resolved', round: 1 }]);
  });

  it('without waiting is answered by a process of its own, and resolved when the run ends', async () => {
    const cwd = await withAgents({
      engineer: `ask(${ASK}, '--non-blocking');\nreply({ text: 'Built.' });`,
    });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\[Architect\] SQLite\.[\s\S]*rounds=1, /);
    expect((await recordsOf(cwd))[0]).toMatchObject({ status: 'resolved', blocking: false });
    expect(fileOf(cwd, 'asked')).toBe('x');
    expect(turnsOf(cwd)).toBe(1);
  });

  it('and that an earlier run left to a human holds the next run before its first turn', async () => {
    const cwd = await withAgents({ engineer: "reply({ text: 'Built.' });", architect: FAILS });
    const args = askArguments('Database', 'Which?');
    expect(agentx(cwd, args).status).toBe(3);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(existsSync(join(cwd, 'turns'))).toBe(false);
    expect(agentx(cwd, ['inbox', 'answer', await openQuestion(cwd), '-m', 'MySQL.']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'turns')).toBe('1: resolved Database: MySQL.\n');
  });

  it('is waited for by its own step, not by another one of the same agent that looks first', async () => {
    const notes = '[[steps]]\nid = "notes"\ntitle = "Notes"\nagent = "engineer"\ncan_clarify = ["architect"]\n';
    const cwd = await aRunnable({
      steps: STEP + notes,
      config: `${commandAgent('engineer')}[agents.architect]\nrunner = "human"\n`,
      files: {
        'engineer.mjs': agentProgram(`
          if (brief.step.id === 'notes') {
            await until('asked');
            appendFileSync('noted', 'x');
            reply({ text: 'Noted.' });
          } else if (brief.step.turn === 1) {
            ask(${ASK});
            appendFileSync('asked', 'x');
            await until('noted');
            await new Promise((resolve) => setTimeout(resolve, 1000));
            reply({ text: 'Asked.' });
          } else reply({ text: 'Built.' });
        `),
      },
    });
    const { status, stdout } = agentx(cwd, ['run', '1', '--no-wait']);
    expect(status).toBe(3);
    expect(stdout).toMatch(/Notes +done/);
    const facts = (await storeOf(cwd).runs.read(1))?.journal ?? [];
    expect(facts.filter(({ type }) => type === 'clarification-noticed')).toMatchObject([{ step: 'build' }]);
    agentx(cwd, ['inbox', 'answer', await openQuestion(cwd), '-m', 'SQLite.']);
    expect(agentx(cwd, ['run', '1', '--no-wait'])).toMatchObject({ status: 0 });
  });

  it('is the same question when the turn is taken again after a kill', async () => {
    const cwd = await withAgents({
      engineer: `
        const { stdout } = ask(${ASK}, '--json');
        appendFileSync('heard', JSON.parse(stdout).answer + '\\n');
        await until('go');
        reply({ text: 'Built.' });`,
    });
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'heard');
    running.kill();
    await running.ended;
    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(await recordsOf(cwd)).toMatchObject([{ status: 'resolved', round: 1 }]);
    expect(fileOf(cwd, 'heard')).toBe('SQLite.\nSQLite.\n');
    expect(fileOf(cwd, 'asked')).toBe('x');
  });
});

describe('what others do while the next turn is at work', () => {
  /** Asks in its first reply and stops in its second turn until the test lets it go. */
  const engineer = `
    if (brief.step.turn === 1) reply({ clarify: [{ to: 'architect', topic: 'Database', question: 'Which one?' }] });
    else {
      if (brief.step.turn === 2) {
        appendFileSync('second', '');
        await until('go');
      }
      reply({ text: 'Built.' });
    }`;

  it('an escalation holds the run [US-2.3/10]', async () => {
    const cwd = await withAgents({ engineer });
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'second');
    expect(agentx(cwd, ['clarify', 'escalate', 'CLR-1-001', '-m', 'I decide.']).status).toBe(3);
    letGo(cwd);
    const { status, stdout } = await running.ended;
    expect(status).toBe(3);
    expect(stdout).not.toContain('is refused');
    expect(agentx(cwd, ['inbox', 'answer', await openQuestion(cwd), '-m', 'MySQL.']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'turns')).toMatch(/^1: \n2: answered SQLite\.\n3: resolved .*MySQL.*\n$/);
  });

  it('an escalation that a human has decided by the end of the turn is told to the agent', async () => {
    const cwd = await withAgents({ engineer });
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'second');
    agentx(cwd, ['clarify', 'escalate', 'CLR-1-001', '-m', 'I decide.']);
    agentx(cwd, ['inbox', 'answer', await openQuestion(cwd), '-m', 'MySQL.']);
    letGo(cwd);
    expect((await running.ended).status).toBe(0);
    expect(fileOf(cwd, 'turns')).toMatch(/\n3: resolved .*MySQL.*\n$/);
  });

  it('a person who answers for a target that takes too long is heard at once', async () => {
    const architect = "appendFileSync('asked', ''); await until('never');";
    const cwd = await withAgents({ engineer, architect });
    letGo(cwd);
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'asked');
    expect(agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', 'MySQL.']).status).toBe(0);
    expect((await running.ended).status).toBe(0);
    expect(fileOf(cwd, 'turns')).toBe('1: \n2: answered MySQL.\n');
  });

  it('an escalation holds the run also before the process that escalates has asked the human [US-2.3/10]', async () => {
    const architect = "appendFileSync('asked', '');\nawait until('never');";
    const cwd = await withAgents({ engineer, architect });
    letGo(cwd);
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'asked');
    const escalate = { type: 'escalate', at: new Date().toISOString(), reason: 'nobody answers' } as const;
    await storeOf(cwd).ledgers.update(1, (ledger) => ({
      next: { ...ledger, clarifications: ledger.clarifications.map((one) => transition(one, escalate).record) },
      result: undefined,
    }));
    await untilLocksAreFree();
    expect((await running.ended).status).toBe(3);
    expect(agentx(cwd, ['inbox', 'answer', await openQuestion(cwd), '-m', 'MySQL.']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'turns')).toMatch(/^1: \n2: resolved .*MySQL\.\n$/);
  });

  it('what a target asked is over when a person has answered for it', async () => {
    const plan = '[[steps]]\nid = "plan"\ntitle = "Plan"\nagent = "architect"\ncan_clarify = ["product-manager"]\n';
    const architect = `
      if (brief.kind === 'work') reply({ text: 'Planned.' });
      else reply({ clarify: [{ to: 'product-manager', topic: 'Load', question: 'How much?' }] });`;
    const cwd = await withAgents({ engineer, architect, manager: FAILS, steps: `${plan}${STEP}needs = ["plan"]\n` });
    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', 'MySQL.']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect((await storeOf(cwd).questions.list({ status: 'open' })).items).toEqual([]);
    expect(await recordsOf(cwd)).toMatchObject([{ status: 'resolved' }, { status: 'resolved', outcome: 'superseded' }]);
  });

  it('a person who answers for a target that waits for a human leaves the run nothing to wait for', async () => {
    const architect = "reply({ text: 'I have to ask.', open_questions: ['How many users?'] });";
    const cwd = await withAgents({ engineer, architect });
    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    const question = await openQuestion(cwd);
    expect(agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', 'MySQL.']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'turns')).toBe('1: \n2: answered MySQL.\n');
    expect(await storeOf(cwd).questions.read(question)).toMatchObject({ outcome: 'superseded' });
  });

  it('a person who decides for a target that waits for a human leaves the run nothing to wait for', async () => {
    const architect = "reply({ text: 'I have to ask.', open_questions: ['How many users?'] });";
    const cwd = await withAgents({ engineer, architect });
    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(agentx(cwd, ['clarify', 'escalate', 'CLR-1-001', '-m', 'It takes too long.']).status).toBe(3);
    const { items } = await storeOf(cwd).questions.list({ status: 'open' });
    const escalation = items.find(({ kind }) => kind === 'escalation')?.id ?? '';
    expect(agentx(cwd, ['inbox', 'answer', escalation, '-m', 'MySQL.']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'turns')).toMatch(/^1: \n2: resolved .*MySQL\.\n$/);
    agentx(cwd, ['ready']);
    expect((await storeOf(cwd).questions.list({ status: 'open' })).items).toEqual([]);
  });

  it('a follow-up from another terminal is waited for, and its target asked once', async () => {
    const architect = `
      appendFileSync('asked', 'x');
      if (brief.clarification.round === 2) await until('answer');
      reply({ answer: brief.clarification.round === 2 ? 'With WAL.' : 'SQLite.' });`;
    const cwd = await withAgents({ engineer, architect });
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'second');
    const following = spawnAgentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'In which mode?']);
    await expect.poll(() => fileOf(cwd, 'asked')).toBe('xx');
    letGo(cwd);
    await expect
      .poll(async () => (await storeOf(cwd).runs.read(1))?.journal.map(({ type }) => type))
      .toContain('clarification-noticed');
    writeFileSync(join(cwd, 'answer'), '');
    expect((await following.ended).status).toBe(0);
    const { status, stdout } = await running.ended;
    expect(status).toBe(0);
    expect(stdout).toMatch(/\[Architect\] With WAL\.[\s\S]*rounds=2, /);
    expect(fileOf(cwd, 'asked')).toBe('xx');
    expect(fileOf(cwd, 'turns')).toMatch(/\n3: answered With WAL\.\n$/);
    expect(await recordsOf(cwd)).toMatchObject([{ status: 'resolved', round: 2 }]);
  });

  it('a follow-up whose process dies is taken up by the run', async () => {
    const architect = `
      appendFileSync('asked', 'x');
      if (brief.clarification.round === 2) await until('answer');
      reply({ answer: 'SQLite ' + brief.clarification.round });`;
    const cwd = await withAgents({ engineer, architect });
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'second');
    const following = spawnAgentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'In which mode?']);
    await expect.poll(() => fileOf(cwd, 'asked')).toBe('xx');
    following.kill();
    await following.ended;
    writeFileSync(join(cwd, 'answer'), '');
    letGo(cwd);
    expect((await running.ended).status).toBe(0);
    expect(fileOf(cwd, 'turns')).toMatch(/\n3: answered SQLite 2\n$/);
  });
});

it('a follow-up in a clarification of another issue is refused, and nothing is asked there', async () => {
  const cwd = await aRunnable({
    steps: STEP,
    config: commandAgent('engineer') + commandAgent('architect'),
    issues: [{ title: 'Health endpoint' }, { title: 'Metrics' }],
    files: {
      'engineer.mjs': agentProgram(`
        const part = { id: 'CLR-2-001', to: 'architect', topic: 'Database', question: 'In which mode?' };
        if (brief.step.turn === 1) reply({ clarify: [part], resolve: [{ id: 'CLR-2-001', body: 'Clear.' }] });
        else reply({ text: brief.refused.map(({ code, message }) => code + ' ' + message).join('\\n') });`),
      'architect.mjs': agentProgram(ANSWERS),
    },
  });
  expect(agentx(cwd, askArguments('Database', 'Which?', '--issue', '2')).status).toBe(0);
  const before = await storeOf(cwd).ledgers.read(2);
  const { status, stdout } = agentx(cwd, ['run', '1']);
  expect(status).toBe(0);
  expect(stdout.match(/INVALID_INPUT CLR-2-001 is of issue #2/g)).toHaveLength(2);
  expect(await storeOf(cwd).ledgers.read(2)).toEqual(before);
});

it('a human who has it asked again gets it asked again: the run goes on with the answer', async () => {
  const cwd = await withAgents({
    engineer: `if (brief.step.turn === 1) reply({ clarify: [{ to: 'architect', topic: 'Database', question: 'Which?' }] });
      else reply({ text: 'Built.' });`,
    architect: "if (!existsSync('go')) process.exit(1);\nreply({ answer: 'SQLite.' });",
  });
  expect(agentx(cwd, ['run', '1']).status).toBe(3);
  letGo(cwd);
  const answered = agentx(cwd, ['inbox', 'answer', await openQuestion(cwd), '--option', 'a']);
  expect(answered).toMatchObject({ status: 0, stdout: expect.stringContaining('resolved; architect is asked again.') });
  const { status, stdout } = agentx(cwd, ['run', '1']);
  expect(status).toBe(0);
  expect(stdout).toContain('[Architect] SQLite.');
  expect(turnsOf(cwd)).toBe(2);
  expect(await recordsOf(cwd)).toMatchObject([{ status: 'resolved' }, { status: 'resolved', id: 'CLR-1-002' }]);
});

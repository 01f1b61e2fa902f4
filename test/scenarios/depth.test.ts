import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Brief } from '../../src/protocol/brief.js';
import type { Question } from '../../src/protocol/question.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { agentProgram, commandAgent, letGo } from './support/agents.js';
import { agentx, askArguments, startAgentx } from './support/agentx.js';
import { aRunnable, eventsOf, letTimeRunOut, storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const STEPS = `
[[steps]]
id = "prd"
title = "Requirements"
agent = "product-manager"
[[steps]]
id = "design"
title = "Design"
agent = "architect"
needs = ["prd"]
can_clarify = ["product-manager"]
[[steps]]
id = "implement"
title = "Implement"
agent = "engineer"
needs = ["design"]
can_clarify = ["architect"]
`;

/** An agent that writes down every brief; at work it is done at once unless the body says otherwise. */
const agent = (body: string) =>
  agentProgram(`
    appendFileSync('briefs.ndjson', JSON.stringify(brief) + '\\n');
    const said = (id) => brief.answers.find(({ question }) => question !== undefined)?.answer;
    const heard = (topic) => brief.clarifications.find((one) => one.topic === topic && one.answer)?.answer;
    ${body}
    if (brief.kind === 'work') reply({ text: 'Done.' });
  `);

/** The engineer asks the architect, who asks the product manager, who asks a human. */
const AGENTS = {
  'engineer.mjs': agent(`
    if (brief.clarifications.length === 0) {
      const clarify = [{ to: 'architect', topic: 'Database', question: 'Which one?' }];
      reply({ clarify, open_questions: ['Which port?'] });
      process.exit();
    }
  `),
  'architect.mjs': agent(`
    if (brief.kind === 'answer') {
      const load = heard('Load');
      if (load) reply({ answer: 'SQLite, for the load is ' + load });
      else reply({ clarify: [{ to: 'product-manager', topic: 'Load', question: 'How much?' }] });
    }
  `),
  'product-manager.mjs': agent(`
    if (brief.kind === 'answer') {
      const users = said();
      if (users) reply({ answer: users.includes('hundred') ? 'small.' : 'large.' });
      else reply({ text: 'I do not know.', open_questions: [{ text: 'How many users?', options: ['few', 'many'] }] });
    }
  `),
};

async function aTeam(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const config = ['engineer', 'architect', 'product-manager'].map((name) => commandAgent(name)).join('\n');
  return aRunnable({ steps: STEPS, config, files: { ...AGENTS, ...files } });
}

function briefsIn(cwd: string): readonly Brief[] {
  const lines = readFileSync(join(cwd, 'briefs.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.map((line): Brief => JSON.parse(line));
}

/** The agents to whom a word was said, by name and kind of brief. What an agent recalls from memory is not said to it. */
function toldOf(cwd: string, word: string): readonly string[] {
  return briefsIn(cwd)
    .map(({ memory = '', prompt, ...brief }) => ({ ...brief, prompt: prompt.replace(memory, '') }))
    .filter((brief) => JSON.stringify(brief).includes(word))
    .map(({ agent: name, kind }) => `${name} ${kind}`);
}

const ask = askArguments('Database', 'Which?');

async function openQuestions(cwd: string): Promise<readonly Question[]> {
  return (await storeOf(cwd).questions.list({ status: 'open' })).items;
}

describe('a question from any depth', () => {
  it('reaches the inbox with the chain of askers, and its answer goes to the asker at its depth alone [X-2/1] [X-2/2]', async () => {
    const cwd = await aTeam();
    expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(3);
    const questions = await openQuestions(cwd);
    expect(questions.map(({ askedBy, questions: [part] }) => ({ ...askedBy, text: part?.text }))).toEqual([
      { agent: 'engineer', chain: ['engineer'], text: 'Which port?' },
      { agent: 'product-manager', chain: ['engineer', 'architect', 'product-manager'], text: 'How many users?' },
    ]);
    const [port, users] = questions.map(({ id }) => id);
    const shown = agentx(cwd, ['inbox', 'show', users ?? '']).stdout;
    expect(shown).toContain('product-manager, for architect, for engineer asks');
    expect(shown).toContain('CLR-1-002: what was said');
    const brief = briefsIn(cwd).findLast(({ agent: name }) => name === 'product-manager');
    expect(brief?.clarification?.chain).toEqual(['engineer', 'architect']);
    expect(brief?.prompt).toContain('The architect asks you on behalf of the engineer');

    agentx(cwd, ['inbox', 'answer', port ?? '', '-m', 'Port 8443.']);
    expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(3);
    agentx(cwd, ['inbox', 'answer', users ?? '', '-m', 'A hundred.']);
    const { status, stdout } = agentx(cwd, ['run', '1', '--no-wait']);
    expect(status).toBe(0);
    expect(stdout).toContain('[Architect] (CLR-1-001) SQLite, for the load is small.');

    expect(toldOf(cwd, 'A hundred.')).toEqual(['product-manager answer']);
    expect(toldOf(cwd, '8443')).toEqual(['engineer work']);
    expect(toldOf(cwd, 'the load is small').at(-1)).toBe('engineer work');
    const asks = briefsIn(cwd).filter(({ kind }) => kind === 'answer');
    expect(asks.map(({ agent: name }) => name)).toEqual([
      'architect',
      'product-manager',
      'product-manager',
      'architect',
    ]);
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications.map(({ from, to, status: end }) => `${from} ${to} ${end}`)).toEqual([
      'engineer architect resolved',
      'architect product-manager resolved',
    ]);
  });

  it('makes no agent late while a human is to answer, in the list and in each thread', async () => {
    const cwd = await aTeam();
    expect(agentx(cwd, ask).status).toBe(3);
    const [{ id } = { id: '' }] = await openQuestions(cwd);
    const [, outer, inner, end] = agentx(cwd, ['clarify']).stdout.split('\n');
    expect(outer).toMatch(/^CLR-1-001 .* waits for you$/);
    expect(inner).toMatch(/^CLR-1-002 .* waits for you$/);
    expect(end).toBe('2 active, 1 waits for you: agentx inbox');
    const threads = agentx(cwd, ['clarify', '--issue', '1']).stdout;
    for (const [clarification, agentName] of [
      ['CLR-1-001', 'architect'],
      ['CLR-1-002', 'product-manager'],
    ] as const) {
      const outlook = `[PENDING] ${agentName} waits for you: agentx inbox show ${id}\n`;
      expect(threads).toContain(outlook);
      expect(agentx(cwd, ['clarify', 'show', clarification]).stdout).toContain(outlook);
    }
  });

  it('is in no way of a run that waits: the answer from elsewhere lets it go on by itself [X-2/2]', async () => {
    const cwd = await aTeam({
      'engineer.mjs': agent(`
      if (brief.clarifications.length === 0) {
        reply({ clarify: [{ to: 'architect', topic: 'Database', question: 'Which one?', blocking: false }] });
        process.exit();
      }
      if (!heard('Database')) { await until('answered'); reply({ status: 'continue', text: 'Going on.' }); process.exit(); }
    `),
    });
    const answering = (async () => {
      const question = await until(async () => (await openQuestions(cwd))[0]);
      agentx(cwd, ['inbox', 'answer', question.id, '-m', 'Thousands.']);
      await until(async () => (await storeOf(cwd).ledgers.read(1)).clarifications[0]?.status !== 'pending');
      writeFileSync(join(cwd, 'answered'), '');
    })();
    const { status, ...result } = await startAgentx(cwd, ['run', '1', '--no-wait', '--json']);
    await answering;
    expect(status).toBe(0);
    expect(eventsOf({ status, ...result }).map(({ type }) => type)).not.toContain('run-paused');
    expect(toldOf(cwd, 'Thousands.')).toEqual(['product-manager answer']);
    expect(toldOf(cwd, 'the load is large').at(-1)).toBe('engineer work');
  });

  it('goes on without a run as soon as it is answered, and shows how', async () => {
    const cwd = await aTeam();
    const result = agentx(cwd, [...ask, '--json']);
    const [question] = await openQuestions(cwd);
    expect(result.status).toBe(3);
    const waiting = agentx(cwd, ['clarify']).stdout;
    expect(waiting).toMatch(/^CLR-1-002 .* pending .* waits for you$/m);
    expect(waiting).toMatch(/^2 active, 1 waits for you: agentx inbox$/m);
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-002']).stdout).toContain(
      `  [PENDING] product-manager waits for you: agentx inbox show ${question?.id}\n`,
    );
    expect(result.json()).toEqual({
      clarificationId: 'CLR-1-001',
      status: 'pending',
      round: 1,
      waitingOn: [question?.id],
    });
    const { status, stdout, stderr } = agentx(cwd, ['inbox', 'answer', question?.id ?? '', '-m', 'A hundred.']);
    expect(status).toBe(0);
    expect(stdout.split('\n').slice(2)).toEqual([
      '[Product Manager] small.',
      '[Architect] Clarification resolved. Continuing...',
      '[Architect] (CLR-1-001) SQLite, for the load is small.',
      '',
    ]);
    expect(stderr).toContain('CLR-1-001 is answered.');
    expect(toldOf(cwd, 'A hundred.')).toEqual(['product-manager answer']);
    expect(agentx(cwd, ['inbox', 'answer', question?.id ?? '', '-m', 'No.']).status).toBe(1);
  });

  it('is also answered by a person who may not start the agents, and that person is told so', async () => {
    const cwd = await aTeam();
    agentx(cwd, ask);
    const [question] = await openQuestions(cwd);
    const env = { HOME: temporaryFolder(), AGENTX_TRUST: '' };
    const answered = agentx(cwd, ['inbox', 'answer', question?.id ?? '', '-m', 'A hundred.', '--json'], { env });
    expect(answered).toMatchObject({ status: 0, stderr: expect.stringContaining('warning: ') });
    expect(answered.json()).toMatchObject({ id: question?.id, outcome: 'answered' });
    expect(toldOf(cwd, 'A hundred.')).toEqual([]);
  });

  it('is answered at the page, and the agents go on in the background', async () => {
    const cwd = await aTeam();
    agentx(cwd, ask);
    const server = await startServer(cwd);
    const { body } = await server.call<{ notifications: readonly Question[] }>('GET', '/notifications');
    const [question] = body.notifications;
    expect(question?.askedBy.chain).toEqual(['engineer', 'architect', 'product-manager']);
    const responses = [{ questionId: 'q1', answer: 'A hundred.' }];
    const path = `/notifications/${question?.id}`;
    const { status } = await server.call('PATCH', path, { revision: question?.revision, responses });
    expect(status).toBe(200);
    const first = async () => (await storeOf(cwd).ledgers.read(1)).clarifications[0];
    await until(async () => (await first())?.status !== 'pending');
    expect((await first())?.thread.at(-1)?.body).toBe('SQLite, for the load is small.');
    expect(toldOf(cwd, 'A hundred.')).toEqual(['product-manager answer']);
  });

  it('keeps its chain when an agent asks from a program of its own [X-2/1]', async () => {
    const cwd = await aTeam({
      'architect.mjs': agent(`
        if (brief.kind === 'answer') {
          const { status } = ask('--issue', '1', '--to', 'product-manager', '--topic', 'Load', '-q', 'How much?');
          reply({ answer: 'Exit code ' + status });
        }
      `),
    });
    expect(agentx(cwd, [...ask, '--json']).json()).toMatchObject({ status: 'answered', answer: 'Exit code 3' });
    expect((await openQuestions(cwd)).map(({ askedBy }) => askedBy.chain)).toEqual([
      ['engineer', 'architect', 'product-manager'],
    ]);
  });
});

describe('a question from any depth that a human has to decide', () => {
  /** The product manager answers once there is a file; until then it fails, and the question of the architect is escalated. */
  const FAILING = {
    'engineer.mjs': agent(`
      if (brief.clarifications.length === 0) {
        reply({ clarify: [{ to: 'architect', topic: 'Database', question: 'Which one?' }] });
        process.exit();
      }
    `),
    'architect.mjs': agent(`
      if (brief.kind === 'answer') {
        const load = brief.clarifications.findLast(({ topic }) => topic === 'Load');
        if (load) reply({ answer: 'SQLite, as it is ' + load.status + ': ' + (load.answer ?? load.summary) });
        else reply({ clarify: [{ to: 'product-manager', topic: 'Load', question: 'How much?' }] });
      }
    `),
    'product-manager.mjs': agent(`
      if (brief.kind === 'answer') {
        if (!existsSync('go')) process.exit(1);
        reply({ answer: 'Small.' });
      }
    `),
  };

  const askedIn = (cwd: string, name: string) =>
    briefsIn(cwd).filter((brief) => brief.agent === name && brief.kind === 'answer').length;

  async function escalatedIn(cwd: string): Promise<string> {
    const questions = await openQuestions(cwd);
    expect(questions).toMatchObject([{ kind: 'escalation', sourceId: 'CLR-1-002' }]);
    return questions[0]?.id ?? '';
  }

  it('holds the run: no agent is asked past it, and the asker goes on with the decision [US-2.3/10]', async () => {
    const cwd = await aTeam(FAILING);
    for (let time = 0; time < 2; time++) {
      const { status, stdout } = agentx(cwd, ['run', '1', '--no-wait']);
      expect(status).toBe(3);
      expect(stdout).not.toContain('Run complete');
      expect(askedIn(cwd, 'architect')).toBe(1);
    }
    const id = await escalatedIn(cwd);
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001']).stdout).toContain(
      `architect waits for you: agentx inbox show ${id}`,
    );
    expect(agentx(cwd, ['inbox', 'answer', id, '-m', 'A hundred users.']).status).toBe(0);
    const { status, stdout } = agentx(cwd, ['run', '1', '--no-wait']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\[Architect\] .*SQLite, as it is resolved: .*A hundred users\./);
    expect(askedIn(cwd, 'architect')).toBe(2);
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications.map(({ status: end }) => end)).toEqual(['resolved', 'resolved']);
  });

  it.each(['inbox answer', 'clarify resolve'])(
    'is waited for without a run as well, and the agents go on with %s',
    async (how) => {
      const cwd = await aTeam(FAILING);
      const result = agentx(cwd, [...ask, '--json']);
      const id = await escalatedIn(cwd);
      expect(result.status).toBe(3);
      expect(result.json()).toMatchObject({ clarificationId: 'CLR-1-001', status: 'pending', waitingOn: [id] });
      expect(agentx(cwd, ['clarify']).stdout).toMatch(/^CLR-1-001 .* waits for you$/m);
      expect(agentx(cwd, ['clarify', 'route', 'CLR-1-001']).status).toBe(3);
      expect(askedIn(cwd, 'architect')).toBe(1);
      const decide = how === 'inbox answer' ? ['inbox', 'answer', id] : ['clarify', 'resolve', 'CLR-1-002'];
      const { status, stderr } = agentx(cwd, [...decide, '-m', 'A hundred users.']);
      expect(status).toBe(0);
      expect(stderr).toContain('CLR-1-001 is answered.');
      expect((await storeOf(cwd).ledgers.read(1)).clarifications[0]?.thread.at(-1)?.body).toContain('A hundred users.');
    },
  );

  it.each(['a run', 'no run'])(
    'is asked again where the human wants that, with %s, and heard by who asked',
    async (how) => {
      const cwd = await aTeam(FAILING);
      expect(agentx(cwd, how === 'a run' ? ['run', '1', '--no-wait'] : ask).status).toBe(3);
      const id = await escalatedIn(cwd);
      letGo(cwd);
      expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'a']).status).toBe(0);
      if (how === 'a run') expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(0);
      const { clarifications } = await storeOf(cwd).ledgers.read(1);
      expect(clarifications.map(({ to, status }) => `${to} ${status}`)).toEqual([
        how === 'a run' ? 'architect resolved' : 'architect answered',
        'product-manager resolved',
        'product-manager resolved',
      ]);
      expect(JSON.stringify(clarifications[0]?.thread)).toContain('SQLite, as it is answered: Small.');
      expect(askedIn(cwd, 'architect')).toBe(2);
    },
  );
});

describe('a question from any depth that nobody answers in time', () => {
  /** The fallback is due; the next look applies it. */
  async function overdue(): Promise<{ readonly cwd: string; readonly id: string }> {
    const cwd = await aTeam({
      'product-manager.mjs': agent(`
        const fallback = { option: 'b', reasoning: 'It is safe.', risk: 'low' };
        if (brief.kind === 'answer' && brief.answers.length === 0) {
          reply({ open_questions: [{ text: 'How many users?', options: ['few', 'many'], fallback }] });
        } else if (brief.kind === 'answer') reply({ answer: brief.answers[0].answer });
      `),
    });
    expect(agentx(cwd, ask).status).toBe(3);
    const id = (await openQuestions(cwd))[0]?.id ?? '';
    await letTimeRunOut(cwd, id);
    return { cwd, id };
  }

  const first = async (cwd: string) => (await storeOf(cwd).ledgers.read(1)).clarifications[0];
  const ON = 'CLR-1-001 waits for no human any more. Ask once more: agentx clarify route CLR-1-001';

  it.each([[['ready']], [['clarify']]])('lets the agents go on with its fallback, which %j takes', async (args) => {
    const { cwd, id } = await overdue();
    const { status, stderr } = agentx(cwd, args);
    expect(status).toBe(0);
    expect(stderr).toContain(`CLR-1-001 waited for ${id}, which nobody answered in time: asking once more...`);
    expect(await first(cwd)).toMatchObject({ status: 'answered' });
    expect((await first(cwd))?.thread.at(-1)?.body).toMatch(/^SQLite, for the load is .*many/);
  });

  it.each([[['inbox']], [['inbox', 'show', 'ID']], [['assumptions']], [['watch']], [['ready', '--no-retry']]])(
    'is reported by %j, which starts no agent, with the command that goes on',
    async (args) => {
      const { cwd, id } = await overdue();
      const { status, stdout, stderr } = agentx(
        cwd,
        args.map((arg) => (arg === 'ID' ? id : arg)),
      );
      expect(status).toBe(0);
      expect(stdout + stderr).toContain(ON);
      expect(await first(cwd)).toMatchObject({ status: 'pending' });
      expect(agentx(cwd, ['clarify', 'route', 'CLR-1-001']).status).toBe(0);
      expect(await first(cwd)).toMatchObject({ status: 'answered' });
    },
  );

  it('is told of where the agents may not be started, and keeps the command from nothing else', async () => {
    const { cwd } = await overdue();
    const { status, stderr } = agentx(cwd, ['ready'], { env: { HOME: temporaryFolder(), AGENTX_TRUST: '' } });
    expect(status).toBe(0);
    expect(stderr).toContain('warning: ');
    expect(stderr).toContain(ON);
  });
});

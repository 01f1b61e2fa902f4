import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ClarificationRecord } from '../../src/protocol/clarification.js';
import { aClarification } from '../builders/clarification.js';
import { commandAgent, letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, aRepository, startAgentx } from './support/agentx.js';

const ISSUES = [
  { title: 'Health endpoint', labels: ['type:feature'] },
  { title: 'Audit log', labels: ['type:feature'] },
];
const CONFIG = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"';
const ANSWERS = '[[turns]]\ntimes = 0\nanswer = "Repository pattern."';
const ENGINEER = { env: { AGENTX_AGENT: 'engineer' } };

async function repository(turns = ANSWERS): Promise<string> {
  return aRepository({ issues: ISSUES, config: CONFIG, files: { 'turns.toml': turns } });
}

const folderOf = (cwd: string) => join(cwd, '.agentx/state/clarifications');

function ask(cwd: string, topic = 'Database layer'): void {
  const parties = ['--from', 'engineer', '--to', 'architect'];
  agentx(cwd, ['ask', '--issue', '1', ...parties, '--topic', topic, '-q', 'Two adapters, or migrate?']);
}

/** A ledger as another program could have left it. */
function leave(cwd: string, issueNumber: number, ...clarifications: readonly ClarificationRecord[]): void {
  mkdirSync(folderOf(cwd), { recursive: true });
  const path = join(folderOf(cwd), `issue-${issueNumber}.json`);
  writeFileSync(path, JSON.stringify({ issueNumber, clarifications }));
}

/** Asked a moment ago, so that nothing about it is stale. */
function fresh(fields: Partial<ClarificationRecord>): ClarificationRecord {
  const created = new Date().toISOString();
  const staleAfter = new Date(Date.parse(created) + 30 * 60_000).toISOString();
  const from = fields.from ?? 'engineer';
  const thread = [{ round: 1, from, type: 'question', body: 'Which one?', timestamp: created } as const];
  return aClarification({ id: 'CLR-1-001', created, staleAfter, thread, ...fields });
}

describe('agentx clarify', () => {
  it('says what to do where there is nothing, and gives an empty ledger [CL-1/14]', async () => {
    const cwd = await repository();
    expect(agentx(cwd, ['clarify'])).toMatchObject({
      status: 0,
      stdout: 'No clarification is open. The closed ones: agentx clarify --all\n',
      stderr: '',
    });
    const { status, json } = agentx(cwd, ['clarify', '--issue', '7', '--json']);
    expect(status).toBe(0);
    expect(json()).toEqual({ issueNumber: 7, clarifications: [] });
    expect(agentx(cwd, ['clarify', '--json']).json()).toEqual({ clarifications: [] });
  });

  it('lists what is open with status, round and age, and with --all what is closed [CL-1/1] [CL-1/9] [CL-1/10]', async () => {
    const cwd = await repository();
    ask(cwd);
    ask(cwd, 'Retention');
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Done.']);
    const [head, row, ...rest] = agentx(cwd, ['clarify']).stdout.trimEnd().split('\n');
    expect(head).toBe('ID         ISSUE  FROM      TO         TOPIC      STATUS    ROUND  CREATED');
    expect(row).toMatch(/^CLR-1-002 {2}#1 {5}engineer {2}architect {2}Retention {2}answered {2}1\/5 {4}20\S+Z$/);
    expect(rest).toEqual(['1 active']);
    expect(agentx(cwd, ['clarify', '--json']).json()).toMatchObject({
      clarifications: [{ id: 'CLR-1-002', issueNumber: 1, status: 'answered' }],
    });
    const all = agentx(cwd, ['clarify', '--all']).stdout;
    expect(all).toContain('CLR-1-001');
    expect(all).toContain('1 active, 1 closed\n');
  });

  it('lists with --all what was said about issues that are not here, too', async () => {
    const cwd = await repository();
    leave(cwd, 77, aClarification({ id: 'CLR-77-001', status: 'resolved' }));
    leave(cwd, 78);
    expect(agentx(cwd, ['clarify', '--all', '--json']).json()).toMatchObject({
      clarifications: [{ id: 'CLR-77-001', issueNumber: 77, status: 'resolved' }],
    });
  });

  it('shows the threads of one issue whole [US-4.2/1] [CL-1/2]', async () => {
    const cwd = await repository();
    ask(cwd);
    agentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'And in CI?'], ENGINEER);
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Adapters everywhere.'], ENGINEER);
    const { stdout } = agentx(cwd, ['clarify', '--issue', '1']);
    expect(
      stdout.replace(/\(20\S+Z\)/g, '(TIME)').replace(/-{20,}/g, '----'),
    ).toBe(`  Clarification Thread: CLR-1-001 (#1)
  Database layer (resolved, round 2/5, blocking)
  ----
  [Round 1] engineer -> architect  (TIME)
    Q: Two adapters, or migrate?

  [Round 1] architect -> engineer  (TIME)
    A: Repository pattern.

  [Round 2] engineer -> architect  (TIME)
    Q: And in CI?

  [Round 2] architect -> engineer  (TIME)
    A: Repository pattern.

  [RESOLVED] engineer  (TIME)
    Adapters everywhere.
  ----
`);
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001']).stdout).toBe(stdout);
    const stored: unknown = JSON.parse(readFileSync(join(folderOf(cwd), 'issue-1.json'), 'utf8'));
    expect(agentx(cwd, ['clarify', '--issue', '1', '--json']).json()).toEqual(stored);
  });

  it('is coloured on request, and says the same without [US-4.2/3] [US-4.2/4]', async () => {
    const cwd = await repository();
    ask(cwd);
    const args = ['clarify', '--issue', '1'];
    const plain = agentx(cwd, args).stdout;
    const coloured = agentx(cwd, args, { env: { FORCE_COLOR: '1' } }).stdout;
    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[1mengineer -> architect\u001b[22m');
    expect(stripVTControlCharacters(coloured)).toBe(plain);
    expect(agentx(cwd, args, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }).stdout).toBe(plain);
  });

  it('goes through five rounds, escalates the sixth question, and is resolved in the inbox [US-2.3/11]', async () => {
    const cwd = await repository();
    ask(cwd);
    const words = ['pooling', 'migrations', 'transactions', 'backups'];
    for (const [index, word] of words.entries()) {
      const { status, stdout } = agentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', `What of ${word}?`], ENGINEER);
      expect({ status, stdout }).toEqual({
        status: 0,
        stdout: `[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round ${index + 2}/5, blocking)
  What of ${word}?
[Architect] Repository pattern.
`,
      });
    }
    const last = agentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'Who pays for it?'], ENGINEER);
    expect(last.status).toBe(3);
    expect(last.stderr).toContain('error: CLR-1-001 has used all 5 rounds and is escalated to a human.\n');
    expect(last.stdout).toMatch(/^\[ESCALATED\] Database layer \(CLR-1-001\)\n/);
    expect(last.stdout).toContain('  Engineer: Who pays for it?\n  Architect: Repository pattern.\n');
    const [, command = ''] = /Answer: agentx (inbox answer oq-\S+)/.exec(last.stdout) ?? [];
    expect(agentx(cwd, ['clarify']).stdout).toContain('1 active, 1 waits for you: agentx inbox\n');

    const { status, stdout } = agentx(cwd, [...command.split(' '), '--option', 'a']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\.\nCLR-1-001 is resolved; engineer can go on\.\n$/);
    const thread = agentx(cwd, ['clarify', 'show', 'CLR-1-001']).stdout;
    expect(thread).toMatch(/\[RESOLVED\] human .*\n {4}Follow architect: Repository pattern\.\n/);
  });

  it('tells programs of the sixth question on both streams', async () => {
    const cwd = await repository();
    leave(cwd, 1, { ...fresh({ status: 'answered', round: 5 }), thread: thread(5) });
    const result = agentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'Who pays?', '--json']);
    expect(result.status).toBe(3);
    expect(result.json()).toEqual({ clarificationId: 'CLR-1-001', status: 'escalated', round: 5 });
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { code: 'MAX_ROUNDS_EXCEEDED' } });
  });

  it('escalates and resolves by hand and says so, twice as well as once [CL-1/4] [CL-1/5] [CL-1/11] [CL-1/12]', async () => {
    const cwd = await repository();
    ask(cwd);
    const escalate = ['clarify', 'escalate', 'CLR-1-001', '-m', 'nobody owns this'];
    const first = agentx(cwd, escalate);
    expect(first).toMatchObject({ status: 3, stderr: 'CLR-1-001 is escalated (round 1/5).\n' });
    expect(first.stdout).toMatch(/^\[ESCALATED\] Database layer \(CLR-1-001\)\n/);
    expect(first.stdout).toContain('  Why: nobody owns this\n');
    expect(agentx(cwd, escalate)).toMatchObject({ status: 3, stdout: '' });

    const resolve = ['clarify', 'resolve', 'CLR-1-001', '-m', 'Two adapters.'];
    expect(agentx(cwd, resolve, ENGINEER)).toMatchObject({
      status: 1,
      stderr: "error: Agent 'engineer' may not resolve CLR-1-001: it is escalated and waits for a human.\n",
    });
    for (const stdout of ['[Engineer] Clarification resolved. Continuing...\n', '']) {
      expect(agentx(cwd, resolve)).toMatchObject({ status: 0, stdout, stderr: 'CLR-1-001 is resolved (round 1/5).\n' });
    }
    expect(agentx(cwd, ['inbox']).stdout).toMatch(/^Nothing waits for you/);
  });

  it('gives every verb a result for programs [CL-1/6] [CL-1/9] [CL-1/10]', async () => {
    const cwd = await repository();
    const answer = 'SQLite.';
    leave(cwd, 1, fresh({}));
    const json = (...args: readonly string[]) => agentx(cwd, ['clarify', ...args, '--json']).json();
    const id = 'CLR-1-001';
    const result = { clarificationId: id, status: 'answered', round: 1, answer };
    expect(json('show', id)).toMatchObject({ id, issueNumber: 1, status: 'pending' });
    expect(json('graph')).toMatchObject({ waits: [{ from: 'engineer', to: 'architect', clarificationId: id }] });
    expect(json('stale')).toEqual({ clarifications: [] });
    expect(json('answer', id, '-m', answer)).toEqual(result);
    expect(json('answer', id, '-m', answer)).toEqual(result);
    expect(json('follow-up', id, '-q', 'And in CI?')).toEqual({ ...result, round: 2, answer: 'Repository pattern.' });
    expect(json('escalate', id, '-m', 'why not')).toMatchObject({ clarificationId: id, status: 'escalated', round: 2 });
    expect(json('resolve', id, '-m', 'Fine.')).toMatchObject({ clarificationId: id, status: 'resolved', round: 2 });
  });

  it('shows what is stale or stuck and nothing else; --no-retry asks no agent [CL-1/3] [US-5.1/5] [US-5.1/11]', async () => {
    const cwd = await repository();
    const [old, new_] = [aClarification({ id: 'CLR-1-001', topic: 'Old' }), fresh({ id: 'CLR-1-002', topic: 'New' })];
    leave(cwd, 1, old, new_);
    const reported = agentx(cwd, ['clarify', 'stale', '--no-retry']);
    expect(reported.stdout).toContain('CLR-1-001');
    expect(reported.stdout).toContain(`stale since ${old.staleAfter}`);
    expect(reported.stdout).not.toContain('CLR-1-002');
    expect(reported.stderr).toBe('');
    expect(agentx(cwd, ['clarify', '--no-retry', 'stale', '--json']).json()).toMatchObject({
      clarifications: [{ id: 'CLR-1-001', issueNumber: 1, status: 'pending' }],
    });

    const retried = agentx(cwd, ['clarify', 'stale']);
    expect(retried.stderr).toBe('CLR-1-001 has waited too long: asking architect once more...\n');
    expect(retried.stdout).toMatch(/CLR-1-001 .* answered .* retried once\n/);
    expect(agentx(cwd, ['clarify', 'stale']).stdout).toBe('Nothing is stale or stuck.\n');
  });

  it('takes an answer by hand to what is stale instead of asking the target again', async () => {
    const cwd = await repository();
    leave(cwd, 1, aClarification({ id: 'CLR-1-001' }));
    const { status, stdout } = agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', 'SQLite.']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '[Human] SQLite.\n' });
  });

  it('runs the monitor with every verb [US-5.4/4]', async () => {
    const verbs = [
      ['show', 'CLR-1-001'],
      ['stale'],
      ['graph'],
      ['follow-up', 'CLR-1-001', '-q', 'And in CI?'],
      ['answer', 'CLR-1-002', '-m', 'SQLite.'],
      ['resolve', 'CLR-1-001', '-m', 'Fine.'],
      ['escalate', 'CLR-1-001', '-m', 'why not'],
      [],
      ['--issue', '1'],
    ];
    for (const verb of verbs) {
      const cwd = await repository();
      const answered = { ...fresh({ status: 'answered' }), thread: thread(1) };
      leave(cwd, 1, answered, fresh({ id: 'CLR-1-002', to: 'product-manager' }));
      leave(cwd, 2, aClarification({ id: 'CLR-2-001' }));
      expect(agentx(cwd, ['clarify', ...verb]).stderr, verb.join(' ')).toContain(
        'CLR-2-001 has waited too long: asking architect once more...\n',
      );
    }
  });

  it('draws who waits for whom, and tells of the cycle that its check broke', async () => {
    const cwd = await repository();
    leave(cwd, 1, fresh({ topic: 'Adapter' }));
    leave(cwd, 2, fresh({ id: 'CLR-2-001', from: 'architect', to: 'engineer', topic: 'Load' }));
    const { stdout, stderr } = agentx(cwd, ['clarify', 'graph']);
    expect(stderr).toBe('A cycle was broken: CLR-1-001 of engineer to architect is escalated.\n');
    expect(stdout).toBe(`architect
\`-- engineer  #2  CLR-2-001  pending  Load
    \`-- you  #1  CLR-1-001  escalated  Adapter
2 waits, no cycle
`);
    expect(agentx(await repository(), ['clarify', 'graph']).stdout).toBe('No agent waits for another.\n');
  });

  it('lets one of two answers at the same time win, tells the other, and the asker gets the winner', async () => {
    const files = { 'architect.mjs': patientAgent('Too late.') };
    const cwd = await aRepository({ issues: ISSUES, config: commandAgent('architect'), files });
    const parties = ['--from', 'engineer', '--to', 'architect'];
    const asking = startAgentx(cwd, [
      'ask',
      '--issue',
      '1',
      ...parties,
      '--topic',
      'Database',
      '-q',
      'Which?',
      '--json',
    ]);
    await untilThere(cwd, 'asked');
    const answers = await Promise.all(
      ['SQLite.', 'PostgreSQL.'].map((text) =>
        startAgentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', text, '--json']),
      ),
    );
    const winner = answers.find(({ status }) => status === 0);
    const loser = answers.find(({ status }) => status === 1);
    expect(loser?.json()).toMatchObject({
      error: { code: 'INVALID_STATE', message: expect.stringContaining('CLR-1-001 is answered') },
    });
    expect(winner?.json()).toMatchObject({ status: 'answered' });
    letGo(cwd);
    expect((await asking).json()).toEqual(winner?.json());
  });

  it('keeps agents to their side of a thread', async () => {
    const cwd = await repository();
    leave(cwd, 1, fresh({}));
    const as = (agent: string, ...args: readonly string[]) =>
      agentx(cwd, ['clarify', ...args], { env: { AGENTX_AGENT: agent } }).stderr;
    expect(as('reviewer', 'escalate', 'CLR-1-001', '-m', 'Not mine.')).toContain(
      "error: 'reviewer' may not escalate CLR-1-001. Allowed: engineer, architect, human.\n",
    );
    expect(as('engineer', 'answer', 'CLR-1-001', '-m', 'Mine.')).toContain(
      "error: 'engineer' may not answer CLR-1-001. Allowed: architect, human, memory.\n",
    );
    agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', 'SQLite.'], { env: { AGENTX_AGENT: 'architect' } });
    expect(as('architect', 'follow-up', 'CLR-1-001', '-q', 'Why?')).toContain(
      "'architect' may not follow-up CLR-1-001.",
    );
    expect(as('architect', 'resolve', 'CLR-1-001', '-m', 'Fine.')).toContain("'architect' may not resolve CLR-1-001.");
  });

  it('takes no round for a follow-up whose target cannot be started', async () => {
    const cwd = await repository();
    ask(cwd);
    const path = join(cwd, '.agentx/config.toml');
    const config = readFileSync(path, 'utf8');
    const followUp = ['clarify', 'follow-up', 'CLR-1-001', '-q', 'And in CI?', '--json'];
    writeFileSync(path, config.replaceAll(/^runner = "script"\nscript = .*$/gm, 'runner = "claude"'));
    expect(agentx(cwd, followUp)).toMatchObject({ status: 2, stderr: expect.stringContaining('CONFIG_ERROR') });
    writeFileSync(path, config);
    expect(agentx(cwd, followUp).json()).toMatchObject({ status: 'answered', round: 2 });
  });

  it('says what may be done with a clarification instead, in words that can be typed', async () => {
    const cwd = await repository();
    leave(cwd, 1, fresh({}));
    const refusal = (...args: readonly string[]) => agentx(cwd, ['clarify', ...args]).stderr;
    expect(refusal('resolve', 'CLR-1-001', '-m', 'Clear.')).toContain(
      "CLR-1-001 is pending, which does not take 'resolve'. Allowed: answer, escalate.\n",
    );
    agentx(cwd, ['clarify', 'escalate', 'CLR-1-001', '-m', 'They disagree.']);
    expect(refusal('answer', 'CLR-1-001', '-m', 'SQLite.')).toContain(
      "CLR-1-001 is escalated, which does not take 'answer'. Allowed: resolve, by a human. It waits for a human: agentx inbox\n",
    );
  });

  it('answers unknown ids with 4 and bad usage with 2, as an error object for programs [CL-1/12]', async () => {
    const cwd = await repository();
    const texts = { 'follow-up': '-q', answer: '-m', resolve: '-m', escalate: '-m' };
    const wrong: (readonly [readonly string[], number])[] = [
      [['show', 'CLR-1-001'], 4],
      [['show'], 2],
      [['show', '../../etc/passwd'], 2],
      [['show', `CLR-1-${'1'.repeat(100_000)}`], 2],
      [['--issue', 'x'], 2],
      [['reslove', 'CLR-1-001'], 2],
      [['\u001b[2J'], 2],
    ];
    for (const [verb, flag] of Object.entries(texts)) {
      wrong.push([[verb, 'CLR-1-001', flag, 'text'], 4], [[verb, 'CLR-1-001'], 2], [[verb, 'x', flag, 'text'], 2]);
    }
    for (const [args, status] of wrong) {
      const result = agentx(cwd, ['clarify', ...args, '--json']);
      expect({ status: result.status, stdout: result.stdout }, args.join(' ').slice(0, 99)).toEqual({
        status,
        stdout: '',
      });
      const code = status === 4 ? 'NOT_FOUND' : 'INVALID_INPUT';
      expect(result.json()).toMatchObject({ error: { code } });
      expect(agentx(cwd, ['clarify', ...args]).stderr).not.toContain('\u001b');
    }
  });

  it('takes hostile text in every field as text, and refuses what is too long before anything is written', async () => {
    const cwd = await repository();
    const hostile = '--all \u001b[31m$(touch owned)\u0007\n[RESOLVED] forged';
    leave(cwd, 1, fresh({ topic: hostile }));
    agentx(cwd, ['clarify', 'answer', 'CLR-1-001', '-m', hostile]);
    agentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', hostile]);
    agentx(cwd, ['clarify', 'escalate', 'CLR-1-001', '-m', hostile]);
    for (const args of [
      ['clarify', 'resolve', 'CLR-1-001'],
      ['clarify', 'escalate', 'CLR-1-001'],
    ]) {
      const { status } = agentx(cwd, [...args, '-m', 'x'.repeat(100_000)]);
      expect(status).toBe(args.includes('resolve') ? 2 : 3);
    }
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', hostile]);
    const shown = agentx(cwd, ['clarify', '--issue', '1']).stdout + agentx(cwd, ['clarify', '--all']).stdout;
    for (const control of ['\u001b', '\u0007']) expect(shown).not.toContain(control);
    expect(shown).not.toMatch(/^\[RESOLVED\] forged|^ {2}\[RESOLVED\] forged/m);
    expect(shown).toContain('    A: --all $(touch owned)\n       [RESOLVED] forged\n');
    expect(shown).toContain('[RESOLVED] human');
  });
});

function thread(rounds: number): ClarificationRecord['thread'] {
  const timestamp = new Date().toISOString();
  const words = ['adapters', 'pooling', 'migrations', 'transactions', 'backups'];
  return words
    .slice(0, rounds)
    .flatMap((word, index) => [
      { round: index + 1, from: 'engineer', type: 'question', body: `What of ${word}?`, timestamp } as const,
      { round: index + 1, from: 'architect', type: 'answer', body: `Plain ${word}.`, timestamp } as const,
    ]);
}

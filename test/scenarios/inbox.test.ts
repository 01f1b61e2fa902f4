import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/protocol/question.js';
import { anExpiringQuestion, aQuestion } from '../builders/question.js';
import { agentx, aRepository, startAgentx } from './support/agentx.js';

async function repository(...questions: readonly Question[]): Promise<string> {
  const cwd = await aRepository({
    issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
    config: '[agents.architect]\nrunner = "script"\nscript = "turns.toml"',
    files: { 'turns.toml': '[[turns]]\nanswer = "Repository pattern."' },
  });
  const folder = join(cwd, '.agentx/state/questions');
  mkdirSync(folder, { recursive: true });
  for (const question of questions) writeFileSync(join(folder, `${question.id}.json`), JSON.stringify(question));
  return cwd;
}

/** A clarification that a human has to decide; returns the id of the question. */
function escalated(cwd: string): string {
  const parties = ['--from', 'engineer', '--to', 'architect'];
  agentx(cwd, ['ask', '--issue', '1', ...parties, '--topic', 'Database layer', '-q', 'Two adapters, or migrate?']);
  const { stdout } = agentx(cwd, ['clarify', 'escalate', 'CLR-1-001', '-m', 'they disagree']);
  return /oq-[0-9a-f]+/.exec(stdout)?.[0] ?? '';
}

const stored = (cwd: string, id: string): unknown =>
  JSON.parse(readFileSync(join(cwd, '.agentx/state/questions', `${id}.json`), 'utf8'));

describe('agentx inbox', () => {
  it('lists what waits, and what has ended with --all', async () => {
    const cwd = await repository();
    expect(agentx(cwd, ['inbox'])).toMatchObject({
      status: 0,
      stdout: 'Nothing waits for you. What was: agentx inbox --all\n',
    });
    const id = escalated(cwd);
    expect(agentx(cwd, ['inbox']).stdout).toBe(`${id}  #1  engineer asks  Database layer  waits
Answer: agentx inbox answer ${id}
`);
    expect(agentx(cwd, ['inbox', '--json']).json()).toMatchObject({ questions: [{ id, status: 'open', revision: 1 }] });
    agentx(cwd, ['inbox', 'answer', id, '--option', 'b']);
    expect(agentx(cwd, ['inbox', '--json']).json()).toEqual({ questions: [] });
    expect(agentx(cwd, ['inbox', '--all']).stdout).toBe(
      `${id}  #1  engineer asks  Database layer  answered by ada (cli)\n`,
    );
  });

  it.each(['Option b: it is in the repository', 'b', 'b)', 'option B', 'SQLite'])(
    'takes "%s" for the option that it names',
    async (text) => {
      const cwd = await repository(aQuestion({ id: 'oq-1', issueNumber: 1 }));
      expect(agentx(cwd, ['inbox', 'answer', 'oq-1', '-m', text]).status).toBe(0);
      expect(stored(cwd, 'oq-1')).toMatchObject({ outcome: 'answered', responses: [{ optionIds: ['b'] }] });
      expect(agentx(cwd, ['inbox', 'answer', 'oq-1', '-m', text]).status).toBe(0);
    },
  );

  it('shows a question with its options and the conversation behind it', async () => {
    const cwd = await repository();
    const id = escalated(cwd);
    const { stdout } = agentx(cwd, ['inbox', 'show', id]);
    expect(stdout.replace(/20\S+Z/g, 'TIME')).toBe(`${id} (#1, escalation, revision 1)  engineer asks, TIME
  Topic: Database layer
  Reason: they disagree
  engineer: Two adapters, or migrate?
  architect: Repository pattern.
  a) Follow architect: Repository pattern. (recommended)
  b) Follow engineer: Two adapters, or migrate?
  c) Proceed on an assumption about "Database layer" that engineer states and records
  waits

  CLR-1-001: what was said

  [Round 1] engineer -> architect  (TIME)
    Q: Two adapters, or migrate?

  [Round 1] architect -> engineer  (TIME)
    A: Repository pattern.

Answer: agentx inbox answer ${id}
`);
    expect(agentx(cwd, ['inbox', 'show', id, '--json']).json()).toMatchObject({
      id,
      clarification: { id: 'CLR-1-001' },
    });
  });

  it('says what happens to a question that nobody answers', async () => {
    const expiresAt = '2999-01-01T00:00:00.000Z';
    const cwd = await repository(
      anExpiringQuestion({ id: 'oq-1', expiresAt }),
      aQuestion({ id: 'oq-2', consequence: 'irreversible' }),
    );
    expect(agentx(cwd, ['inbox', 'show', 'oq-1']).stdout).toContain(`  fallback b at ${expiresAt}\n`);
    expect(agentx(cwd, ['inbox', 'show', 'oq-2']).stdout).toContain('  waits, irreversible\n');
  });

  it('records who answered what through which surface, and resolves the clarification', async () => {
    const cwd = await repository();
    const id = escalated(cwd);
    const { status, stdout } = agentx(cwd, ['inbox', 'answer', id, '--option', 'a', '-m', 'until March']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `${id} q1: Follow architect: Repository pattern. ("until March")\n${id} is answered.\nCLR-1-001 is resolved; engineer can go on.\n`,
    });
    expect(stored(cwd, id)).toMatchObject({
      outcome: 'answered',
      answeredBy: { principal: 'ada', channel: 'cli', revision: 1 },
      responses: [{ questionId: 'q1', optionIds: ['a'], answer: 'until March' }],
    });
    const thread = agentx(cwd, ['clarify', 'show', 'CLR-1-001']).stdout;
    expect(thread).toContain('    Follow architect: Repository pattern.\n    until March\n');
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toMatchObject({
      comments: [
        {
          author: 'ada',
          body: 'Database layer: Follow architect: Repository pattern.\nuntil March',
          questionId: id,
        },
      ],
    });
  });

  it('wants an answer, and says how one is given', async () => {
    const cwd = await repository();
    const id = escalated(cwd);
    expect(agentx(cwd, ['inbox', 'answer', id])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: What is the answer\? Add --option LETTER, -m TEXT or -F FILE/),
    });
  });

  it('takes the parts of a question one after the other', async () => {
    const part = { id: 'q1', text: 'Which region?' };
    const many = { ...part, id: 'q2', multiSelect: true, options: ['a', 'b', 'c'].map((id) => ({ id, label: id })) };
    const cwd = await repository(aQuestion({ id: 'oq-1', questions: [part, many] }));
    const answer = (...args: readonly string[]) => agentx(cwd, ['inbox', 'answer', 'oq-1', ...args]);
    expect(answer('-m', 'EU')).toMatchObject({ status: 2, stderr: expect.stringContaining('Allowed: q1, q2.') });
    expect(answer('--question', 'q1', '-m', 'EU').stdout).toBe('oq-1 q1: EU\nStill open: q2\n');
    expect(answer('--option', 'a', 'c').stdout).toBe('oq-1 q1: EU\noq-1 q2: a, c\noq-1 is answered.\n');
  });

  it.each([['decline', 'declined'] as const, ['dismiss', 'dismissed'] as const])(
    'lets a human %s, once and again, and the agent goes on with an assumption',
    async (verb, outcome) => {
      const cwd = await repository();
      const id = escalated(cwd);
      for (const _ of [1, 2]) {
        expect(agentx(cwd, ['inbox', verb, id])).toMatchObject({
          status: 0,
          stdout: `${id} is ${outcome}.\nCLR-1-001 is resolved; engineer can go on.\n`,
        });
      }
      expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001']).stdout).toContain(`No decision (${outcome}).`);
      expect(existsSync(join(cwd, '.agentx/state/assumptions/issue-1.json'))).toBe(true);
    },
  );

  it('tells a person who comes second, or saw an older revision, what is there now', async () => {
    const cwd = await repository(aQuestion({ id: 'oq-1' }), aQuestion({ id: 'oq-2', revision: 3 }));
    const race = await Promise.all(
      ['a', 'b'].map((option) => startAgentx(cwd, ['inbox', 'answer', 'oq-1', '--option', option, '--json'])),
    );
    expect(race.map(({ status }) => status).toSorted()).toEqual([0, 1]);
    expect(race.find(({ status }) => status === 1)?.json()).toMatchObject({
      error: { code: 'CONFLICT', details: { question: { id: 'oq-1', outcome: 'answered' } } },
    });
    const old = agentx(cwd, ['inbox', 'answer', 'oq-2', '--option', 'a', '--revision', '2']);
    expect(old).toMatchObject({ status: 1, stdout: '' });
    expect(old.stderr).toMatch(
      /^oq-2 \(#42, open_question, revision 3\)[\s\S]*\nerror: Question oq-2 is at revision 3, not 2\.\n$/,
    );
    expect(agentx(cwd, ['inbox', 'answer', 'oq-2', '--option', 'a', '--revision', '3']).status).toBe(0);
    for (const late of [
      ['answer', 'oq-2', '--option', 'b'],
      ['decline', 'oq-2'],
      ['dismiss', 'oq-2'],
    ]) {
      const { status, stderr } = agentx(cwd, ['inbox', ...late]);
      expect(status).toBe(1);
      expect(stderr).toContain('  Answered: ');
      expect(stderr).toContain('  answered by ada (cli)\nerror: Question oq-2 is already answered, by ada (cli).');
    }
  });

  it('lets no agent decide for a human [X-8/3]', async () => {
    const cwd = await repository(aQuestion({ id: 'oq-1' }));
    for (const args of [
      ['answer', 'oq-1', '--option', 'a'],
      ['decline', 'oq-1'],
      ['dismiss', 'oq-1'],
    ]) {
      const result = agentx(cwd, ['inbox', ...args], { env: { AGENTX_AGENT: 'coder' } });
      const stderr = `error: Agent 'coder' may not ${args[0]} oq-1: the question is for a human.\n`;
      expect(result).toMatchObject({ status: 1, stderr });
    }
    expect(stored(cwd, 'oq-1')).toMatchObject({ status: 'open', revision: 1 });
  });

  it('answers unknown ids with 4 and bad usage with 2, as an error object for programs', async () => {
    const cwd = await repository(aQuestion({ id: 'oq-1' }));
    const wrong: readonly (readonly [readonly string[], number])[] = [
      [['show', 'oq-none'], 4],
      [['answer', 'oq-none', '-m', 'x'], 4],
      [['decline', 'oq-none'], 4],
      [['dismiss', 'oq-none'], 4],
      [['show'], 2],
      [['show', '../oq-1'], 2],
      [['anwser', 'oq-1'], 2],
      [['answer', 'oq-1'], 2],
      [['answer', 'oq-1', '--option', 'z'], 2],
      [['answer', 'oq-1', '--option', '__proto__'], 2],
      [['answer', 'oq-1', '--question', 'q9', '-m', 'x'], 2],
      [['answer', 'oq-1', '-m', ''], 2],
      [['answer', 'oq-1', '-m', 'x'.repeat(100_000)], 2],
      [['answer', 'oq-1', '-m', 'x', '--revision', 'one'], 2],
      [['decline', `oq-${'x'.repeat(100_000)}`], 2],
    ];
    for (const [args, status] of wrong) {
      const result = agentx(cwd, ['inbox', ...args, '--json']);
      expect({ status: result.status, stdout: result.stdout }, args.join(' ').slice(0, 99)).toEqual({
        status,
        stdout: '',
      });
      expect(result.json()).toMatchObject({ error: { code: status === 4 ? 'NOT_FOUND' : 'INVALID_INPUT' } });
    }
    expect(stored(cwd, 'oq-1')).toMatchObject({ status: 'open', revision: 1 });
  });

  it('shows hostile text as text', async () => {
    const hostile = '\u001b]8;;http://evil\u0007$(touch owned)\u009b2J\n[ESCALATED] forged';
    const options = [{ id: 'a', label: hostile, description: hostile }];
    const cwd = await repository(
      aQuestion({ id: 'oq-1', questions: [{ id: 'q1', text: hostile, header: hostile, options }] }),
    );
    const screens = [
      agentx(cwd, ['inbox']),
      agentx(cwd, ['inbox', 'show', 'oq-1']),
      agentx(cwd, ['inbox', 'answer', 'oq-1', '-m', hostile]),
      agentx(cwd, ['inbox', 'show', 'oq-1']),
    ];
    const text = screens.map(({ stdout, stderr }) => stdout + stderr).join('');
    for (const control of ['\u001b', '\u0007', '\u009b']) expect(text).not.toContain(control);
    expect(text).not.toMatch(/^\[ESCALATED\]/m);
    expect(text).toContain('oq-1  #42  coder asks  $(touch owned) [ESCALATED] forged  waits\n');
    expect(existsSync(join(cwd, 'owned'))).toBe(false);
  });
});

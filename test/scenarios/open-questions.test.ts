import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../src/protocol/reply.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, fileOf, storeOf } from './support/runs.js';

type Replies = readonly (Partial<Reply> & Readonly<Record<string, unknown>>)[];

const step = (id: string, agent: string, more = '') =>
  `[[steps]]\nid = "${id}"\ntitle = "${id}"\nagent = "${agent}"\n${more}\n`;

/** Gives the replies of `<agent>.json` one after the other, by its turn in the step, and notes its briefs. */
const AGENT = agentProgram(`
  appendFileSync(brief.agent + '.briefs', JSON.stringify(brief) + '\\n');
  const replies = JSON.parse(readFileSync(brief.agent + '.json', 'utf8'));
  const text = JSON.stringify(replies[Math.min(brief.step.turn, replies.length) - 1]);
  const answer = brief.answers.map(({ answer }) => answer).join(' / ');
  process.stdout.write(text.replaceAll('{{answer}}', JSON.stringify(answer).slice(1, -1)));
`);

/** A repository in which each of these agents has one step, in this order. */
async function agents(replies: Readonly<Record<string, Replies>>, config = ''): Promise<string> {
  const names = Object.keys(replies);
  return aRunnable({
    steps: names.map((name, index) => step(name, name, index === 0 ? '' : `needs = ["${names[index - 1]}"]`)).join(''),
    config: `${names.map((name) => commandAgent(name, 'agent.mjs')).join('\n')}\n${config}`,
    files: {
      'agent.mjs': AGENT,
      ...Object.fromEntries(Object.entries(replies).map(([name, reply]) => [`${name}.json`, JSON.stringify(reply)])),
    },
  });
}

const run = (cwd: string, issue = '1') => agentx(cwd, ['run', issue]).status;
const briefsOf = (cwd: string, agent: string): readonly Record<string, unknown>[] =>
  fileOf(cwd, `${agent}.briefs`)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const questionsOf = async (cwd: string) => (await storeOf(cwd).questions.list()).items;
async function theQuestion(cwd: string) {
  const open = (await storeOf(cwd).questions.list({ status: 'open' })).items;
  const [question] = open;
  if (question === undefined || open.length > 1) throw new Error(`${open.length} questions are open`);
  return question;
}
const answer = (cwd: string, id: string, ...words: string[]) => agentx(cwd, ['inbox', 'answer', id, ...words]).status;

describe('open questions of a reply', () => {
  it.each(['open_questions', 'openQuestions'])(
    'are taken from %s, however they are written [OQ-1/1] [OQ-1/2] [OQ-1/3] [OQ-1/5] [OQ-1/6]',
    async (field) => {
      const cwd = await agents({
        coder: [
          {
            [field]: [
              { id: 'db', text: 'Which database?', createdAt: '2026-02-26T10:00:00Z' },
              { text: 'Should the API support pagination?' },
              'How long are logs kept?',
              { question: 'Which browsers?', header: 'Browsers', options: [{ label: 'Firefox' }], multiSelect: true },
            ],
          },
          { status: 'done' },
        ],
      });
      expect(run(cwd)).toBe(3);
      const { questions, createdAt } = await theQuestion(cwd);
      expect(questions).toMatchObject([
        { id: 'db', text: 'Which database?', createdAt: '2026-02-26T10:00:00Z' },
        { text: 'Should the API support pagination?' },
        { text: 'How long are logs kept?' },
        { text: 'Which browsers?', header: 'Browsers', multiSelect: true, options: [{ label: 'Firefox' }] },
      ]);
      expect(new Set(questions.map(({ id }) => id)).size).toBe(4);
      for (const part of questions) expect(part.createdAt).toMatch(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
      expect(createdAt).toMatch(/^20/);
    },
  );

  it.each([
    ['a question without text [OQ-1/4]', [{ id: 'q7' }], /q7|text/],
    ['more than 20 questions [OQ-1/7]', Array.from({ length: 21 }, (_, index) => `Question ${index}?`), /20/],
    [
      'more than 12 options [OQ-1/7]',
      [{ text: 'Which?', options: Array.from({ length: 13 }, (_, index) => ({ label: `Option ${index}` })) }],
      /12/,
    ],
  ])('are refused with %s, and the agent is told', async (_, open_questions, reason) => {
    const cwd = await agents({ coder: [{ open_questions }, { status: 'done' }] });
    expect(run(cwd)).toBe(0);
    expect(await questionsOf(cwd)).toEqual([]);
    const [refused] = Object(briefsOf(cwd, 'coder').at(-1)).refused;
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(reason) });
  });
});

describe('the source of a question', () => {
  it.each<[string, 'eval' | 'prd' | 'plan' | 'execute', string]>([
    ['analyst', 'eval', '[OQ-2/1]'],
    ['dreamer', 'prd', '[OQ-2/2]'],
    ['planner', 'plan', '[OQ-2/3]'],
    ['coder', 'execute', '[OQ-2/4]'],
  ])('of the %s is %s, with the id that its reply names %s [OQ-2/5]', async (agent, source) => {
    const asks = { open_questions: ['What is meant?'] };
    const cwd = await agents({ [agent]: [{ ...asks, source: { kind: source, id: 'thing-7' } }] });
    expect(run(cwd)).toBe(3);
    expect(await theQuestion(cwd)).toMatchObject({ source, sourceId: 'thing-7', askedBy: { agent } });
    const plain = await agents({ [agent]: [asks] });
    expect(run(plain)).toBe(3);
    expect(await theQuestion(plain)).toMatchObject({ source, sourceId: '1' });
  });
});

describe('failing early', () => {
  it('creates no task from feedback that the analyst finds vague, until it is answered [OQ-3/1] [OQ-3/5]', async () => {
    const issues = [{ title: 'Make it faster', body: 'What is slow: {{answer}}' }];
    const cwd = await agents({
      analyst: [
        { open_questions: ['What is slow?'], issues },
        { status: 'done', issues },
      ],
    });
    expect(run(cwd)).toBe(3);
    expect((await storeOf(cwd).issues.list()).items).toHaveLength(1);
    expect(answer(cwd, (await theQuestion(cwd)).id, '-m', 'the search')).toBe(0);
    expect(run(cwd)).toBe(0);
    expect((await storeOf(cwd).issues.list()).items).toMatchObject([
      { title: 'Health endpoint' },
      { title: 'Make it faster', body: 'What is slow: the search' },
    ]);
  });

  it.each([
    ['dreamer', 'docs/prd.md', '[OQ-3/2]'],
    ['planner', 'docs/plan.md', '[OQ-3/3]'],
  ])('writes no document of the %s (%s) while its questions are open %s [OQ-3/5]', async (agent, path) => {
    const cwd = await agents({
      [agent]: [
        { open_questions: ['For whom?'], artifacts: [{ path, content: 'a guess' }], issues: [{ title: 'A part' }] },
        {
          status: 'done',
          artifacts: [{ path, content: 'For {{answer}}' }],
          issues: [{ title: 'A part', body: 'For {{answer}}' }],
        },
      ],
    });
    expect(run(cwd)).toBe(3);
    expect(existsSync(join(cwd, path))).toBe(false);
    expect((await storeOf(cwd).issues.list()).items).toHaveLength(1);
    answer(cwd, (await theQuestion(cwd)).id, '-m', 'nurses');
    expect(run(cwd)).toBe(0);
    expect(fileOf(cwd, path)).toBe('For nurses');
    expect((await storeOf(cwd).issues.list()).items.slice(1)).toMatchObject([{ title: 'A part', body: 'For nurses' }]);
  });

  it('pauses a coder with an ambiguous task, and blocks it [OQ-3/4] [OQ-6/2] [OQ-6/3] [OQ-6/6]', async () => {
    const cwd = await agents({
      coder: [
        { status: 'failed', open_questions: ['Which database?'] },
        { status: 'done', artifacts: [{ path: 'db.txt', content: '{{answer}}' }] },
      ],
    });
    expect(run(cwd)).toBe(3);
    const blocked = agentx(cwd, ['ready', '--json']).json();
    const { id } = await theQuestion(cwd);
    expect(blocked).toMatchObject({
      ready: [],
      blocked: [{ issue: { number: 1, taskStatus: 'blocked' }, questionId: id, reason: expect.stringContaining(id) }],
    });
    expect(await storeOf(cwd).issues.read(1)).toMatchObject({ assignee: null, block_reason: 'Open Question' });
    expect(run(cwd)).toBe(3);
    answer(cwd, id, '-m', 'SQLite');
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [{ number: 1 }], blocked: [] });
    expect(run(cwd)).toBe(0);
    expect(fileOf(cwd, 'db.txt')).toBe('SQLite');
  });

  it('blocks no task of a coder that failed without questions [OQ-6/7]', async () => {
    const cwd = await agents({ coder: [{ status: 'failed', text: 'The compiler is gone.' }] });
    expect(run(cwd)).toBe(3);
    const issue = await storeOf(cwd).issues.read(1);
    expect(issue?.block_reason).not.toBe('Open Question');
    expect(await theQuestion(cwd)).toMatchObject({ kind: 'agent_failed' });
  });
});

describe('asking once', () => {
  const questionsIn = async (cwd: string) =>
    (await questionsOf(cwd)).flatMap(({ questions }) => questions.map(({ text }) => text));

  it('asks for one confirmation in a cycle [OQ-8/1]', async () => {
    const sure = (text: string) => ({ open_questions: [text], source: { kind: 'eval', id: 'feedback-1' } }) as const;
    const cwd = await agents({
      analyst: [
        sure('Are you sure that the button is to go?'),
        sure('Please confirm that the whole page is to change.'),
        { status: 'done' },
      ],
    });
    expect(run(cwd)).toBe(3);
    answer(cwd, (await theQuestion(cwd)).id, '-m', 'Yes.');
    expect(run(cwd)).toBe(0);
    expect(await questionsIn(cwd)).toEqual(['Are you sure that the button is to go?']);
  });

  it('attaches what says the same as an open question, and asks nothing again that was answered [OQ-8/2]', async () => {
    const cwd = await aRunnable({
      steps: step('a', 'coder') + step('b', 'tester') + step('c', 'reviewer', 'needs = ["a", "b"]'),
      config: ['coder', 'tester', 'reviewer'].map((name) => commandAgent(name, 'agent.mjs')).join('\n'),
      files: {
        'agent.mjs': AGENT,
        'coder.json': JSON.stringify([{ open_questions: ['Which database is to be used here?'] }, { status: 'done' }]),
        'tester.json': JSON.stringify([{ open_questions: ['which database is to be used here'] }, { status: 'done' }]),
        'reviewer.json': JSON.stringify([
          { open_questions: ['Which database is to be used here?'] },
          { status: 'done', artifacts: [{ path: 'said.txt', content: '{{answer}}' }] },
        ]),
      },
    });
    expect(run(cwd)).toBe(3);
    const { id } = await theQuestion(cwd);
    expect(answer(cwd, id, '-m', 'SQLite')).toBe(0);
    expect(run(cwd)).toBe(0);
    expect(await questionsIn(cwd)).toHaveLength(1);
    for (const agent of ['coder', 'tester', 'reviewer']) {
      expect(briefsOf(cwd, agent).at(-1)?.answers).toMatchObject([{ answer: 'SQLite' }]);
    }
    expect(fileOf(cwd, 'said.txt')).toBe('SQLite');
  });
});

describe('trade-offs', () => {
  it('shows options with their pros and cons, takes several where it may, and free text always [OQ-9/1] [OQ-9/3]', async () => {
    const cwd = await agents({
      analyst: [
        {
          open_questions: [
            {
              text: 'How is it to be cached?',
              multiSelect: true,
              options: [
                { label: 'In memory', pros: ['no dependency'], cons: ['lost at a restart'] },
                { label: 'Redis', description: 'Pro: shared. Con: one more service.', recommended: true },
              ],
            },
          ],
        },
        { status: 'done', artifacts: [{ path: 'said.txt', content: '{{answer}}' }] },
      ],
    });
    expect(run(cwd)).toBe(3);
    const { id } = await theQuestion(cwd);
    const { stdout } = agentx(cwd, ['inbox', 'show', id]);
    for (const part of ['no dependency', 'lost at a restart', 'one more service', '(recommended)']) {
      expect(stdout).toContain(part);
    }
    expect(answer(cwd, id, '--option', 'a', '--option', 'b', '-m', 'memory first')).toBe(0);
    expect(run(cwd)).toBe(0);
    for (const part of ['In memory', 'Redis', 'memory first']) expect(fileOf(cwd, 'said.txt')).toContain(part);
  });

  it("prefers them in the analyst's instructions [OQ-9/2]", async () => {
    const cwd = await agents({ analyst: [{ status: 'done' }] });
    const instructions = fileOf(cwd, '.agentx/agents/analyst.md');
    expect(instructions).toMatch(/prefer a trade-off question\s+over an open one/i);
    expect(instructions).toMatch(/what speaks for and against/i);
  });
});

describe('autonomy', () => {
  const levels = (scope: string, architecture: string, dependencies: string) =>
    `[autonomy]\nscope_changes = "${scope}"\narchitecture_decisions = "${architecture}"\ndependency_modifications = "${dependencies}"\n`;

  async function proposing(proposal: object, config: string): Promise<string> {
    const made = { artifacts: [{ path: 'made.txt', content: 'made' }], ...proposal };
    return withoutAutonomy(await agents({ coder: [made, { status: 'done', ...made }] }), config);
  }

  it('is in the folder of the task, in every brief and in its prompt [OQ-7/1] [OQ-7/2] [OQ-7/3] [OQ-7/4] [OQ-7/5]', async () => {
    const config = levels('automated', 'notify_and_proceed', 'requires_approval');
    const cwd = await withoutAutonomy(
      await agents({ analyst: [{ status: 'done' }], coder: [{ status: 'done' }] }),
      config,
    );
    expect(run(cwd)).toBe(0);
    const hilConfig = {
      scopeChanges: 'automated',
      architectureDecisions: 'notify_and_proceed',
      dependencyModifications: 'requires_approval',
    };
    expect(JSON.parse(fileOf(cwd, '.agentx/state/tasks/issue-1/config.json'))).toMatchObject({ hilConfig });
    for (const agent of ['analyst', 'coder']) {
      const [brief] = briefsOf(cwd, agent);
      expect(brief?.autonomy).toMatchObject(hilConfig);
      for (const text of [
        'Full autonomy: proceed without confirmation',
        'Notify user but proceed',
        'Confirm all changes before proceeding',
      ]) {
        expect(brief?.prompt).toContain(text);
      }
    }
  });

  const CHANGES = [
    ['scope', { proposes: [{ kind: 'scope', summary: 'Also cover the admin pages' }] }],
    ['architecture', { proposes: [{ kind: 'architecture', summary: 'Split it into two services' }] }],
    ['dependency', { proposes: [{ kind: 'dependency', summary: 'Add left-pad' }] }],
    ['a changed manifest', { artifacts: [{ path: 'package.json', content: '{"dependencies":{"left-pad":"1"}}' }] }],
  ] as const;

  it.each(CHANGES)('lets %s pass unasked where it is automated [OQ-7/6]', async (_, proposal) => {
    const cwd = await proposing(proposal, levels('automated', 'automated', 'automated'));
    expect(run(cwd)).toBe(0);
    expect(await questionsOf(cwd)).toEqual([]);
  });

  it.each(CHANGES)('tells of %s and goes on where that is the level [OQ-7/7]', async (_, proposal) => {
    const all = 'notify_and_proceed';
    const cwd = await proposing(proposal, levels(all, all, all));
    expect(run(cwd)).toBe(0);
    const told = await questionsOf(cwd);
    expect(told.length).toBeGreaterThan(0);
    for (const question of told) expect(question).toMatchObject({ kind: 'approval', blocking: false });
  });

  it.each(CHANGES)(
    'holds %s until a human approves, whatever the time [OQ-7/8] [X-1/2] [X-1/4]',
    async (_, proposal) => {
      const all = 'requires_approval';
      const cwd = await proposing(proposal, levels(all, all, all));
      expect(run(cwd)).toBe(3);
      const question = await theQuestion(cwd);
      expect(question).toMatchObject({ kind: 'approval', blocking: true, consequence: 'irreversible' });
      expect(question.expiresAt).toBeUndefined();
      expect(existsSync(join(cwd, 'package.json'))).toBe(false);
      expect(run(cwd)).toBe(3);
      expect(answer(cwd, question.id, '--option', 'approve')).toBe(0);
      expect(run(cwd)).toBe(0);
      const [written] = 'artifacts' in proposal ? ['package.json'] : ['made.txt'];
      expect(existsSync(join(cwd, written ?? ''))).toBe(true);
    },
  );

  it.each([
    ['Yes, go ahead', 'approve'],
    ['approved!', 'approve'],
    ['No, not this quarter', 'reject'],
  ])('takes "%s" for what it says', async (text, option) => {
    const all = 'requires_approval';
    const cwd = await proposing({ proposes: [{ kind: 'scope', summary: 'Export as CSV' }] }, levels(all, all, all));
    expect(run(cwd)).toBe(3);
    const { id } = await theQuestion(cwd);
    const label = option === 'approve' ? 'Approve' : 'Reject';
    const result = agentx(cwd, ['inbox', 'answer', id, '-m', text]);
    expect(result).toMatchObject({ status: 0, stdout: expect.stringContaining(`${label} ("${text}")`) });
    expect(agentx(cwd, ['inbox', 'answer', id, '-m', text]).status).toBe(0);
    expect(await storeOf(cwd).questions.read(id)).toMatchObject({ responses: [{ optionIds: [option], answer: text }] });
    expect(run(cwd)).toBe(0);
    expect(briefsOf(cwd, 'coder').at(-1)).toMatchObject({ answers: [{ answer: `${label}\n${text}` }] });
  });

  it('asks a person to choose who is neither for it nor against it', async () => {
    const all = 'requires_approval';
    const cwd = await proposing({ proposes: [{ kind: 'scope', summary: 'Export as CSV' }] }, levels(all, all, all));
    expect(run(cwd)).toBe(3);
    const { id } = await theQuestion(cwd);
    const unclear = agentx(cwd, ['inbox', 'answer', id, '-m', 'Sure, if the tests pass']);
    expect(unclear).toMatchObject({ status: 2, stderr: expect.stringContaining('Allowed: approve, reject') });
    expect(await theQuestion(cwd)).toMatchObject({ status: 'open', responses: [] });
    const chosen = agentx(cwd, ['inbox', 'answer', id, '--option', 'approve', '-m', 'Sure, if the tests pass']);
    expect(chosen.status).toBe(0);
  });

  it.each([
    ['confirm_all', ['requires_approval', 'requires_approval', 'requires_approval']],
    ['major_only', ['requires_approval', 'requires_approval', 'automated']],
    ['full', ['automated', 'automated', 'automated']],
  ])(
    'is set as a whole by level %s, and explicit keys beat it [OQ-7/9]',
    async (level, [scope, architecture, dependencies]) => {
      const cwd = await withoutAutonomy(
        await agents({ coder: [{ status: 'done' }] }),
        `[autonomy]\nlevel = "${level}"\n`,
      );
      expect(run(cwd)).toBe(0);
      expect(JSON.parse(fileOf(cwd, '.agentx/state/tasks/issue-1/config.json')).hilConfig).toEqual({
        scopeChanges: scope,
        architectureDecisions: architecture,
        dependencyModifications: dependencies,
      });
      const explicit = `[autonomy]\nlevel = "${level}"\nscope_changes = "notify_and_proceed"\n`;
      const other = await withoutAutonomy(await agents({ coder: [{ status: 'done' }] }), explicit);
      expect(run(other)).toBe(0);
      expect(JSON.parse(fileOf(other, '.agentx/state/tasks/issue-1/config.json')).hilConfig).toMatchObject({
        scopeChanges: 'notify_and_proceed',
        architectureDecisions: architecture,
      });
    },
  );
});

/** config.toml with these settings instead of those that `init` wrote. */
async function withoutAutonomy(cwd: string, config: string): Promise<string> {
  const { readFileSync, writeFileSync } = await import('node:fs');
  const path = join(cwd, '.agentx/config.toml');
  const text = readFileSync(path, 'utf8').replace(/^\[autonomy\]\n(?:(?!\[).*\n)*/m, '');
  writeFileSync(path, `${text}\n${config}`);
  return cwd;
}

describe('what cannot be taken back', () => {
  const drop = { text: 'Drop the old orders?', options: ['Keep them', 'Drop them'] };
  const fallback = { option: 'a', reasoning: 'it keeps them' };

  it.each([
    ['in the question', { open_questions: [{ ...drop, irreversible: true }] }],
    ['beside the questions', { open_questions: [drop], consequence: 'Irreversible' }],
  ])('waits for a person, said %s, and shows so [X-1/2]', async (_, reply) => {
    const cwd = await agents({ coder: [reply, { status: 'done' }] });
    expect(run(cwd)).toBe(3);
    const { id } = await theQuestion(cwd);
    expect(agentx(cwd, ['inbox']).stdout).toContain('irreversible');
    expect(agentx(cwd, ['inbox', 'show', id]).stdout).toContain('irreversible');
    expect(await theQuestion(cwd)).toMatchObject({ status: 'open', consequence: 'irreversible' });
  });

  it.each([
    ['in the question', { open_questions: [{ ...drop, irreversible: true, fallback }] }],
    ['beside the questions', { open_questions: [{ ...drop, fallback }], consequence: 'irreversible' }],
    ['with both beside them', { open_questions: [drop], irreversible: true, fallback }],
  ])('is not asked with a fallback, said %s, and the agent is told [X-1/3]', async (_, reply) => {
    const cwd = await agents({ coder: [reply, { status: 'done' }] });
    expect(run(cwd)).toBe(0);
    expect(await questionsOf(cwd)).toEqual([]);
    expect(briefsOf(cwd, 'coder')[1]).toMatchObject({
      refused: [{ code: 'INVALID_INPUT', message: expect.stringContaining('irreversible') }],
    });
  });
});

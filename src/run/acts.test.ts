import { describe, expect, it } from 'vitest';
import type { Turn } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun, type TestRunOptions } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import type { Reply } from '../protocol/reply.js';
import { runIssue } from './run-issue.js';

const STEP = { id: 'code', agent: 'engineer', can_clarify: ['architect'] };
const OUTPUT = { step: { output: 'docs/out.md' } };

/** A run of one step in which the engineer says these things, one a turn. */
async function saying(turns: readonly Turn[], options: TestRunOptions & { readonly step?: object } = {}) {
  const hub = await aRunHub({
    workflow: steps({ ...STEP, ...options.step }),
    ...options,
    turns: { engineer: turns, ...options.turns },
  });
  return { hub, result: await runIssue(hub, { issueNumber: 1, wait: false }) };
}

async function actsOf(hub: TestRun) {
  const run = await hub.store.runs.read(1);
  return run?.journal.flatMap((entry) => (entry.type === 'turn-ended' ? [entry.acts] : [])) ?? [];
}

async function goOn(hub: TestRun, answers: Readonly<Record<string, string>> = {}) {
  const { items } = await hub.store.questions.list({ status: 'open' });
  for (const { id, kind } of items) {
    const option = answers[kind];
    const by = { principal: 'ada', channel: 'cli' } as const;
    await answerQuestion(hub, { id, by, ...(option === undefined ? { text: 'Blue' } : { optionIds: [option] }) });
  }
  return runIssue(hub, { issueNumber: 1, wait: false });
}

const DONE: Reply = { text: 'Built.', artifacts: [] };

describe('the artifacts of a reply', () => {
  it('are written, and one that may not be is told to the agent, who goes on', async () => {
    const bad = {
      artifacts: [
        { path: 'src/a.ts', content: 'a' },
        { path: '../b.ts', content: 'b' },
      ],
    };
    const { hub, result } = await saying([bad, DONE]);
    expect(result).toMatchObject({ status: 'done', summary: { artifacts: ['src/a.ts'] } });
    expect([...hub.files.keys()]).toEqual(['src/a.ts']);
    expect(hub.briefs[1]?.refused).toEqual([{ code: 'INVALID_INPUT', message: "'../b.ts' is outside." }]);
    expect(hub.briefs[1]?.prompt).toContain("'../b.ts' is outside.");
  });

  it('include the text itself where the step has an output and nothing else wrote it', async () => {
    const { hub } = await saying(['The decision.'], OUTPUT);
    expect(hub.files.get('docs/out.md')).toBe('The decision.\n');
    const files = new Map([['docs/out.md', 'by the agent itself']]);
    await saying(['I have written it.'], { files, ...OUTPUT });
    expect(files.get('docs/out.md')).toBe('by the agent itself');
  });

  it('of a planner wait for its own questions', async () => {
    const plan = { open_questions: ['Which colour?'], artifacts: [{ path: 'plan.md', content: 'Red.' }] };
    const { hub, result } = await saying([plan, DONE], {
      step: { agent: 'planner' },
      turns: { planner: [plan, DONE] },
    });
    expect(result.status).toBe('paused');
    expect(hub.files.has('plan.md')).toBe(false);
    expect(await goOn(hub)).toMatchObject({ status: 'done' });
    expect(hub.files.get('plan.md')).toBe('Red.');
  });

  it.each([
    ['approve', true],
    ['reject', false],
  ])('that change dependencies wait for approval: %s', async (option, isWritten) => {
    const reply = { artifacts: [{ path: 'package.json', content: '{}' }] };
    const hub = await aRunHub({ workflow: steps(STEP), turns: { engineer: [reply, DONE, DONE] } });
    const { autonomy } = hub.settings;
    const strict = {
      ...hub,
      settings: { ...hub.settings, autonomy: { ...autonomy, dependencyModifications: 'requires_approval' as const } },
    };
    expect(await runIssue(strict, { issueNumber: 1, wait: false })).toMatchObject({ status: 'paused' });
    expect(hub.files.has('package.json')).toBe(false);
    expect(await goOn(strict, { approval: option })).toMatchObject({ status: 'done' });
    expect(hub.files.has('package.json')).toBe(isWritten);
  });

  it.each([
    [['approve', 'approve'], true],
    [['approve', 'reject'], false],
    [['reject', 'approve'], false],
  ])('that change dependencies for two reasons need a yes to both: %j', async (options, isWritten) => {
    const proposes = ['Add a queue', 'Drop the logger'].map((summary) => ({ kind: 'dependency' as const, summary }));
    const reply = { proposes, artifacts: [{ path: 'package.json', content: '{}' }] };
    const hub = await aRunHub({ workflow: steps(STEP), turns: { engineer: [reply, DONE, DONE, DONE] } });
    const { autonomy } = hub.settings;
    const strict = {
      ...hub,
      settings: { ...hub.settings, autonomy: { ...autonomy, dependencyModifications: 'requires_approval' as const } },
    };
    expect(await runIssue(strict, { issueNumber: 1, wait: false })).toMatchObject({ status: 'paused' });
    for (const [index, { summary }] of proposes.entries()) {
      const { items } = await hub.store.questions.list({ status: 'open' });
      const question = items.find(({ proposal }) => proposal?.summary === summary);
      const answer = { id: question?.id ?? '', optionIds: [options[index] ?? ''] };
      await answerQuestion(strict, { ...answer, by: { principal: 'ada', channel: 'cli' } });
    }
    expect(await runIssue(strict, { issueNumber: 1, wait: false })).toMatchObject({ status: 'done' });
    expect(hub.files.has('package.json')).toBe(isWritten);
  });
});

describe('the issues of a reply', () => {
  it('are created', async () => {
    const { hub } = await saying([
      { ...DONE, issues: [{ title: 'Clean up', labels: ['type:bug'] }, { title: ' ' }] },
      DONE,
    ]);
    expect(await hub.store.issues.read(4)).toMatchObject({ title: 'Clean up', labels: ['type:bug'] });
    expect(hub.briefs[1]?.refused).toMatchObject([{ code: 'INVALID_INPUT' }]);
  });

  it('wait while its own questions are open, and give way to what the agent writes anew', async () => {
    const draft = { open_questions: ['Which colour?'], issues: [{ title: 'Paint' }, { title: 'Dry' }] };
    const { hub, result } = await saying([draft, { ...DONE, issues: [{ title: 'paint', body: 'In blue.' }] }]);
    expect(result.status).toBe('paused');
    expect((await hub.store.issues.list()).items).toHaveLength(3);
    expect(await goOn(hub)).toMatchObject({ status: 'done' });
    const titles = (await hub.store.issues.list()).items.slice(3).map(({ title }) => title);
    expect(titles).toEqual(['Dry', 'paint']);
  });

  it('are not created twice when the agent gives what was held another title, and it knows what is held', async () => {
    const draft = {
      open_questions: ['Which colour?'],
      issues: [
        { title: 'Paint', body: 'The whole fence, with two coats.' },
        { title: 'Dry' },
        { title: 'Sand it down' },
      ],
    };
    const anew = {
      ...DONE,
      issues: [{ title: 'Blue fence', body: 'The whole fence with two coats' }, { title: 'Dry it' }],
    };
    const { hub } = await saying([draft, anew]);
    expect(await goOn(hub)).toMatchObject({ status: 'done' });
    const titles = (await hub.store.issues.list()).items.slice(3).map(({ title }) => title);
    expect(titles).toEqual(['Sand it down', 'Blue fence', 'Dry it']);
    expect(hub.briefs[0]?.held).toBeUndefined();
    expect(hub.briefs[1]?.held).toEqual({ issues: ['Paint', 'Dry', 'Sand it down'], artifacts: [] });
    expect(hub.briefs[1]?.prompt).toContain('- the issue "Sand it down"');
  });

  it.each(['Order more wood', 'Repair the fence', 'Paint the gate'])(
    'that say something else than what was held come beside it: %s',
    async (title) => {
      const draft = { open_questions: ['Which colour?'], issues: [{ title: 'Paint the fence' }] };
      const { hub } = await saying([draft, { ...DONE, issues: [{ title }] }]);
      await goOn(hub);
      const titles = (await hub.store.issues.list()).items.slice(3).map((issue) => issue.title);
      expect(titles).toEqual(['Paint the fence', title]);
    },
  );
});

describe('the clarifications of a reply', () => {
  const ask = (fields: object = {}) => ({ to: 'architect', topic: 'Database', question: 'Which?', ...fields });

  it('are refused one by one, logged, and the rest goes on with what was refused in its brief [US-2.1/11] [US-6.2/3]', async () => {
    const reply = { clarify: [ask({ to: 'reviewer' }), ask({ to: 'nobody' }), ask({ topic: 'x'.repeat(201) }), ask()] };
    const { hub, result } = await saying([reply, DONE]);
    expect(result).toMatchObject({ status: 'done', summary: { rounds: 1 } });
    expect(hub.briefs[2]?.refused.map(({ code }) => code)).toEqual([
      'SCOPE_VIOLATION',
      'INVALID_INPUT',
      'INVALID_INPUT',
    ]);
    expect(hub.briefs[2]?.clarifications).toMatchObject([{ topic: 'Database', status: 'answered' }]);
    expect(hub.log.lines.filter(({ message }) => message === 'clarification refused')).toHaveLength(3);
  });

  it('beyond the twentieth are not dropped in silence: the agent is told, and takes another turn', async () => {
    const clarify = Array.from({ length: 22 }, (_, index) => ask({ topic: `Topic ${index}`, blocking: false }));
    const { hub, result } = await saying([{ clarify }, DONE]);
    expect(result).toMatchObject({ status: 'done' });
    const refused = hub.briefs.flatMap((brief) => (brief.agent === 'engineer' ? brief.refused : []));
    expect(refused).toEqual([
      {
        code: 'INVALID_INPUT',
        message: "The reply has 22 parts of the kind 'clarify'. The first 20 were taken, the others were not.",
      },
    ]);
  });

  it('are followed up and resolved by the agent that asked', async () => {
    const { hub } = await saying([
      { clarify: [ask()] },
      { clarify: [ask({ id: 'CLR-1-001', question: 'Which version?' })] },
      { ...DONE, resolve: [{ id: 'CLR-1-001', body: 'Clear.' }] },
    ]);
    const [record] = (await hub.store.ledgers.read(1)).clarifications;
    expect(record).toMatchObject({ status: 'resolved', round: 2 });
    expect(record?.thread.at(-1)).toMatchObject({ from: 'engineer', body: 'Clear.' });
  });

  it('go to a human past the last round, and the step waits for that', async () => {
    const again = { clarify: [ask({ id: 'CLR-1-001' })] };
    const { hub, result } = await saying([{ clarify: [ask()] }, again, DONE], { step: { clarify_max_rounds: 1 } });
    expect(result).toMatchObject({ status: 'paused', summary: { rounds: 1, escalations: 1 } });
    expect(await goOn(hub, { escalation: 'a' })).toMatchObject({ status: 'done' });
    expect(hub.briefs.at(-1)?.clarifications).toMatchObject([{ status: 'resolved' }]);
  });

  it('that do not block leave the agent at work, and their answer joins a later turn [US-2.1/16]', async () => {
    const { hub, result } = await saying([{ clarify: [ask({ blocking: false })] }, { status: 'continue' }, DONE]);
    expect(result).toMatchObject({ status: 'done', summary: { rounds: 1 } });
    expect(hub.briefs.filter(({ kind }) => kind === 'work')).toHaveLength(3);
    expect(hub.briefs.at(-1)?.clarifications).toMatchObject([
      { topic: 'Database', answer: 'The architect has spoken.' },
    ]);
    expect((await hub.store.ledgers.read(1)).clarifications[0]?.status).toBe('resolved');
  });
});

describe('everything else in a reply', () => {
  it('is acted on: assumptions, proposals, questions, observations, all at once', async () => {
    const all: Reply = {
      text: 'Much to say.',
      artifacts: [{ path: 'a.md', content: 'a' }],
      clarify: [{ to: 'architect', topic: 'Database', question: 'Which?' }],
      open_questions: ['Which colour?'],
      assumptions: ['It rains.'],
      observations: [
        { category: 'decision', content: 'A' },
        { category: 'error', content: 'x'.repeat(2001) },
      ],
      proposes: [{ kind: 'scope', summary: 'Do more.' }],
      issues: [{ title: 'Later' }],
    };
    const { hub, result } = await saying([all, DONE]);
    expect(result).toMatchObject({ status: 'paused', summary: { artifacts: ['a.md'], rounds: 1 } });
    expect(result.waitingOn).toHaveLength(2);
    const [acts] = await actsOf(hub);
    expect(acts?.map(({ act }) => act)).toEqual([
      'question/0',
      'propose/0',
      'artifact/0',
      'assumption/0',
      'issue/0',
      'observation/1',
      'clarify/0',
    ]);
    expect(await goOn(hub, { approval: 'approve' })).toMatchObject({ status: 'done' });
    expect((await hub.store.assumptions.read(1)).assumptions_made).toMatchObject([
      { decision: 'It rains.', agent: 'engineer' },
    ]);
    expect((await hub.store.issues.list()).items.map(({ title }) => title)).toContain('Later');
    const [session] = (await hub.store.sessions.list({ issue: 1 })).items;
    expect(session?.turns[0]?.reply?.observations).toHaveLength(2);
  });

  it('is a failure of the agent where the reply is not what it claims to be', async () => {
    const lie = Object.assign({}, { artifacts: 'none' });
    const { hub, result } = await saying([() => JSON.parse(JSON.stringify(lie)), DONE]);
    expect(result.status).toBe('done');
    const run = await hub.store.runs.read(1);
    expect(run?.journal.find(({ type }) => type === 'turn-failed')).toMatchObject({
      error: expect.stringContaining('artifacts must be an array'),
    });
  });
});

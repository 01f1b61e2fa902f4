import { describe, expect, it } from 'vitest';
import { dyingStore } from '../../test/builders/dying-store.js';
import { fixedClock, type Turn } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun, type TestRunOptions } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { KNOWN_AGENTS } from '../protocol/ids.js';
import type { Reply } from '../protocol/reply.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { runIssue } from './run-issue.js';

const WORKFLOW = steps({ id: 'plan', agent: 'project-manager' }, { id: 'code', agent: 'engineer', needs: ['plan'] });
const REQUEST = {
  blocker_type: 'Missing External Data',
  evidence: {
    codebase_search: 'No provider is named anywhere in the code',
    similar_features: 'Nothing else in the project charges anybody',
    attempted_inference: 'The issue does not say whether real money moves',
  },
  question: 'Which mode of the payment provider?',
  options: ['Test mode', 'Production mode'],
  fallback: { option: 'a', reasoning: 'no real money can move', risk: 'low' },
};
const ASKS: Reply = { needs_clarification: REQUEST };
const PLANNED: Turn = (brief) => (brief.answers.length + brief.refused.length > 0 ? 'Planned.' : ASKS);

type Options = TestRunOptions & {
  readonly finds?: readonly Turn[];
  readonly labels?: readonly string[];
  readonly agents?: readonly string[];
};

/** A project manager whose request concerns a complex issue, and an investigator with a table of its own. */
async function aHub({ finds = ['Looked everywhere, and found no hint.'], labels = ['complex'], ...options }: Options) {
  const hub = await aRunHub({
    workflow: WORKFLOW,
    agents: [...KNOWN_AGENTS, 'investigator'],
    ...options,
    turns: { 'project-manager': [PLANNED], investigator: finds, ...options.turns },
  });
  await hub.store.issues.update(1, (issue) => ({ next: { ...issue, labels: [...labels] }, result: undefined }));
  return hub;
}

const run = (hub: TestRun) => runIssue(hub, { issueNumber: 1, wait: false });
const agentsOf = (hub: TestRun) => hub.briefs.map(({ agent }) => agent);
const openOf = async (hub: TestRun) => (await hub.store.questions.list({ status: 'open' })).items;
const assumptionsOf = async (hub: TestRun) => (await hub.store.assumptions.read(1)).assumptions_made;

describe('a request about a complex issue', () => {
  it('is investigated first, and goes to a human with what was found [PM-1/3] [PM-2/8]', async () => {
    const hub = await aHub({});
    expect(await run(hub)).toMatchObject({ status: 'paused' });
    expect(agentsOf(hub)).toEqual(['project-manager', 'investigator']);
    const [, brief] = hub.briefs;
    expect(brief).toMatchObject({
      kind: 'work',
      step: { id: 'plan/investigation', can_clarify: [] },
      request: { from: 'project-manager', question: REQUEST.question, evidence: REQUEST.evidence },
    });
    expect(brief?.prompt).toContain('a) Test mode\nb) Production mode');
    expect(brief?.prompt).toContain('- Codebase search: No provider is named');
    expect(await openOf(hub)).toMatchObject([
      {
        kind: 'pm_clarification',
        evidence: { ...REQUEST.evidence, investigator_findings: 'Looked everywhere, and found no hint.' },
      },
    ]);
    expect((await hub.store.sessions.list({ issue: 1 })).items).toContainEqual(
      expect.objectContaining({ agent: 'investigator', step: 'plan/investigation', compactedAt: hub.clock.now() }),
    );
  });

  it('goes on with the answer of the investigator, and nobody is asked [PM-5/7]', async () => {
    const hub = await aHub({ finds: [{ text: 'The runbook says so.', answer: 'Test mode, until May.' }] });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(agentsOf(hub)).toEqual(['project-manager', 'investigator', 'project-manager', 'engineer']);
    expect(hub.briefs[2]?.answers).toEqual([
      {
        questionId: 'investigation/0',
        text: REQUEST.question,
        answer: 'Test mode, until May.',
        outcome: 'answered',
        from: 'investigator',
      },
    ]);
    expect(hub.briefs[2]?.prompt).toContain(
      '## What was found out for you\n\n- Which mode of the payment provider? -> Test mode, until May. (investigator)',
    );
    expect(hub.briefs[2]?.prompt).not.toContain('Answers from humans');
    expect((await hub.store.questions.list()).items).toEqual([]);
    expect(await assumptionsOf(hub)).toMatchObject([
      {
        decision: 'Which mode of the payment provider? Test mode, until May.',
        blocker_type: 'none',
        user_response: 'inferred_from_investigation',
        reasoning: 'The runbook says so.',
        agent: 'project-manager',
        status: 'standing',
      },
    ]);
    expect((await hub.store.orchestrator.read()).sessions).toEqual({});
  });

  it('is answered by a human after an investigation like any other', async () => {
    const hub = await aHub({});
    await run(hub);
    const [question] = await openOf(hub);
    const by = { principal: 'ada', channel: 'cli' as const };
    await answerQuestion(hub, { id: question?.id ?? '', by, optionIds: ['b'] });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(await assumptionsOf(hub)).toMatchObject([{ user_response: 'User confirmed option (b): Production mode' }]);
  });

  it('is read from the text as well, and questions beside it are asked', async () => {
    const text = [
      '## PM Status: NEEDS_CLARIFICATION',
      '**Blocker Type:** Missing External Data',
      '**Evidence of Exhaustion:**',
      ...Object.entries(REQUEST.evidence).map(([key, said]) => `- ${key.replace('_', ' ')}: ${said}`),
      `**Question:** ${REQUEST.question}`,
      '**Options:**\na) Test mode\nb) Production mode',
      '**Safe Fallback:** proceed with option (a) because no real money can move.',
    ].join('\n');
    const turns = { 'product-manager': [{ text, open_questions: ['Which colour?'] }] };
    const workflow = steps({ id: 'plan', agent: 'product-manager' });
    const hub = await aHub({ workflow, turns, finds: [{ answer: 'Test mode.' }] });
    expect(await run(hub)).toMatchObject({ status: 'paused' });
    expect(await openOf(hub)).toMatchObject([{ kind: 'open_question', questions: [{ text: 'Which colour?' }] }]);
    expect(await assumptionsOf(hub)).toMatchObject([{ user_response: 'inferred_from_investigation' }]);
  });
});

describe('nobody investigates', () => {
  const findings = { ...REQUEST.evidence, investigator_findings: 'An investigator looked and found nothing' };

  it.each<[string, Options]>([
    ['an issue that is not complex', { labels: ['type:feature'] }],
    [
      'what was investigated already',
      { turns: { 'project-manager': [{ needs_clarification: { ...REQUEST, evidence: findings } }] } },
    ],
  ])('%s', async (_, options) => {
    const hub = await aHub(options);
    expect(await run(hub)).toMatchObject({ status: 'paused' });
    expect(agentsOf(hub)).toEqual(['project-manager']);
    expect(await openOf(hub)).toMatchObject([{ kind: 'pm_clarification' }]);
  });

  it.each<[string, Partial<typeof REQUEST>]>([
    ['is no blocker', { blocker_type: 'Taste' }],
    ['has no fallback', { options: [] }],
    ['tried nothing', { evidence: { ...REQUEST.evidence, codebase_search: '' } }],
  ])('what would be refused anyway: it %s', async (_, fields) => {
    const asks: Turn = (brief) =>
      brief.refused.length > 0 ? 'Planned.' : { needs_clarification: { ...REQUEST, ...fields } };
    const hub = await aHub({ turns: { 'project-manager': [asks] } });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(agentsOf(hub)).not.toContain('investigator');
  });

  it('where no investigator is configured: then the request is refused [PM-2/8]', async () => {
    const hub = await aHub({ agents: KNOWN_AGENTS });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(agentsOf(hub)).toEqual(['project-manager', 'project-manager', 'engineer']);
    expect(hub.briefs[1]?.refused).toMatchObject([
      { code: 'GATE_REFUSED', message: expect.stringContaining('investigator findings is missing') },
    ]);
  });
});

describe('an investigator that fails', () => {
  const failing = new Error('no network');

  it('is asked once more', async () => {
    const hub = await aHub({ finds: [failing, 'Looked everywhere, and found no hint.'] });
    expect(await run(hub)).toMatchObject({ status: 'paused' });
    expect(agentsOf(hub)).toEqual(['project-manager', 'investigator', 'investigator']);
  });

  it('twice leaves the request to the gate, which refuses it', async () => {
    const hub = await aHub({ finds: [failing] });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(agentsOf(hub)).toEqual(['project-manager', 'investigator', 'investigator', 'project-manager', 'engineer']);
    expect(await assumptionsOf(hub)).toMatchObject([
      { user_response: 'inferred_from_context', blocker_type: 'none', decision: `${REQUEST.question} Test mode` },
    ]);
  });
});

describe('a run that is killed around an investigation', () => {
  const FOUND: Turn = { text: 'The runbook says so.', answer: 'Test mode.' };

  async function written(death: { readonly at: number; readonly isWritten: boolean }) {
    const store = openInMemoryStore();
    const clock = fixedClock();
    await aHub({ store, clock });
    const dying = dyingStore(store, death);
    const first = await aRunHub({ ...TWIN, store: dying.store, clock, issues: 0 });
    await run(first).catch(() => undefined);
    const second = await aRunHub({ ...TWIN, store, clock, issues: 0 });
    await run(second);
    return { store, writes: dying.writes, briefs: [...first.briefs, ...second.briefs] };
  }
  const TWIN: TestRunOptions = {
    workflow: WORKFLOW,
    agents: [...KNOWN_AGENTS, 'investigator'],
    turns: { 'project-manager': [PLANNED], investigator: [FOUND] },
  };

  it('has it done once, and records one assumption, wherever it was killed', async () => {
    const { writes } = await written({ at: 0, isWritten: false });
    let repeated = 0;
    for (let at = 1; at <= writes(); at++) {
      for (const isWritten of [false, true]) {
        const { store, briefs } = await written({ at, isWritten });
        repeated += briefs.filter(({ agent }) => agent === 'investigator').length - 1;
        expect((await store.assumptions.read(1)).assumptions_made).toMatchObject([
          { user_response: 'inferred_from_investigation' },
        ]);
        expect((await store.runs.read(1))?.status).toBe('done');
        const sessions = (await store.sessions.list({ issue: 1 })).items.filter(
          ({ agent }) => agent === 'investigator',
        );
        expect(sessions).toMatchObject([{ turns: [{ turn: 1 }] }]);
      }
    }
    // A turn that was taken but not written when the process was killed is unknown.
    expect(repeated).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import { anInbox, type TestInbox, type TestInboxOptions } from '../../test/builders/inbox.js';
import { aRun } from '../../test/builders/run.js';
import { AgentXError } from '../protocol/errors.js';
import type { Reply } from '../protocol/reply.js';
import { answerQuestion } from './answer-question.js';
import { askHumans } from './ask.js';
import { completeInbox } from './complete-inbox.js';
import { applyDueFallbacks } from './fallback.js';
import { completePlanning, completeSession } from './session.js';

const by = { principal: 'ada', channel: 'cli' as const };
const MINUTE = 60_000;

const request = {
  blocker_type: 'missing_external_data',
  evidence: {
    codebase_search: 'src/payments/ has an interface and no keys for any provider',
    similar_features: 'src/payments/invoice.ts prints invoices and charges nobody',
    attempted_inference: 'Neither the issue nor the settings say whether real money moves',
  },
  question: 'Which mode of the payment provider is meant?',
  options: ['Test mode', 'Production mode', 'Both, chosen by a variable'],
  fallback: { option: 'a', reasoning: 'no real money can move', risk: 'low' },
};
type Request = Partial<Record<keyof typeof request, unknown>> & Readonly<Record<string, unknown>>;

const paths = ['src', 'src/payments', 'src/payments/invoice.ts'];
const inboxWith = (options: TestInboxOptions = {}) => anInbox({ paths, ...options });

interface Asking {
  readonly run?: string;
  readonly phase?: 'planning' | 'execution';
  readonly agent?: string;
  readonly issueNumber?: number;
}

function ask(inbox: TestInbox, fields: Request = {}, asking: Asking = {}) {
  return reply(inbox, { needs_clarification: { ...request, ...fields } }, asking);
}

function reply(inbox: TestInbox, fields: Reply, asking: Asking = {}) {
  const { run: runId = 'run-1-aa', agent = 'project-manager', issueNumber = 1, phase = 'planning' } = asking;
  return askHumans(inbox, {
    origin: `${runId}/plan/1/question/0`,
    issueNumber,
    agent,
    reply: fields,
    runId,
    phase,
  });
}

const failed = ({ refused }: Awaited<ReturnType<typeof ask>>) => refused?.details.failed;

describe('a request that meets all conditions', () => {
  it('becomes a question that says why, what was tried, and what happens otherwise [PM-1/3] [PM-1/4]', async () => {
    const inbox = await inboxWith();
    const { question, refused } = await ask(inbox);
    expect(refused).toBeUndefined();
    expect(question).toMatchObject({
      kind: 'pm_clarification',
      source: 'pm',
      blocker_type: 'missing_external_data',
      evidence: request.evidence,
      questions: [{ text: request.question, options: [{ id: 'a', recommended: true }, { id: 'b' }, { id: 'c' }] }],
      fallback: { optionId: 'a', reasoning: 'no real money can move', risk: 'low' },
      expiresAt: '2026-02-26T10:05:00.000Z',
      consequence: 'reversible',
    });
    expect(question?.questions).toHaveLength(1);
  });

  it('is logged as pending, and its session waits [PM-4/2] [PM-4/3]', async () => {
    const inbox = await inboxWith();
    const { question } = await ask(inbox);
    expect((await inbox.store.interactions.list()).items).toMatchObject([
      { request_type: 'pm_clarification', status: 'pending', session_id: 'run-1-aa', user_response: null },
    ]);
    expect(await inbox.store.orchestrator.read()).toEqual({
      sessions: {
        'run-1-aa': {
          clarification_pending: true,
          clarification_requested_at: inbox.clock.now(),
          phase: 'awaiting_clarification',
          question_id: question?.id,
        },
      },
    });
  });

  it.each(['Mutually Exclusive Requirements', 'missing_external_data', 'Security Decision'])(
    'may name as its blocker: %s [PM-2/2] [PM-2/3] [PM-2/4]',
    async (blocker_type) => {
      expect((await ask(await inboxWith(), { blocker_type })).question?.status).toBe('open');
    },
  );

  it('is taken again after a crash as the same, past its own quota', async () => {
    const inbox = await inboxWith();
    const { question } = await ask(inbox);
    expect((await ask(inbox)).question).toEqual(question);
    expect((await inbox.store.interactions.list()).items).toHaveLength(1);
  });

  it('when answered is logged, ends the waiting and is recorded as confirmed [PM-5/8]', async () => {
    const inbox = await inboxWith();
    const { question } = await ask(inbox);
    inbox.clock.advance(MINUTE);
    await answerQuestion(inbox, { id: question?.id ?? '', optionIds: ['c'], by });
    expect((await inbox.store.interactions.list()).items).toMatchObject([
      { status: 'pending' },
      { status: 'resolved', user_response: 'Both, chosen by a variable', resolved_at: inbox.clock.now() },
    ]);
    expect((await inbox.store.orchestrator.read()).sessions['run-1-aa']).toMatchObject({
      clarification_pending: false,
      phase: 'planning_complete',
    });
    expect((await inbox.store.assumptions.read(1)).assumptions_made).toMatchObject([
      {
        decision: `${request.question} Both, chosen by a variable`,
        blocker_type: 'missing_external_data',
        user_response: 'User confirmed option (c): Both, chosen by a variable',
        confidence: 'high',
        risk_if_wrong: 'low - explicit user confirmation',
        questionId: question?.id,
        status: 'confirmed',
        decidedBy: 'ada',
      },
    ]);
  });

  it('when answered does not wait again for a process that read it before', async () => {
    const inbox = await inboxWith();
    const { question } = await ask(inbox);
    await answerQuestion(inbox, { id: question?.id ?? '', optionIds: ['a'], by });
    if (question !== undefined) await completeSession(inbox, question);
    expect((await ask(inbox, {}, { run: 'run-2-bb', issueNumber: 2 })).question?.status).toBe('open');
  });

  it('when answered ends the waiting, though the run is damaged', async () => {
    const inbox = await inboxWith();
    const { question } = await ask(inbox);
    const read = () => Promise.reject(new AgentXError('CORRUPT_FILE', 'runs/issue-1.json is damaged.'));
    const store = { ...inbox.store, runs: { ...inbox.store.runs, read } };
    await answerQuestion({ ...inbox, store }, { id: question?.id ?? '', optionIds: ['a'], by });
    expect((await ask(inbox, {}, { run: 'run-2-bb', issueNumber: 2 })).question?.status).toBe('open');
  });

  it('without an answer in time takes its fallback, logged as a timeout [PM-4/1] [PM-5/9]', async () => {
    const inbox = await inboxWith();
    const { question } = await ask(inbox);
    inbox.clock.advance(5 * MINUTE - 1);
    expect(await applyDueFallbacks(inbox)).toEqual([]);
    inbox.clock.advance(1);
    expect(await applyDueFallbacks(inbox)).toMatchObject([{ id: question?.id, outcome: 'fallback_applied' }]);
    expect((await inbox.store.interactions.list()).items.map(({ status }) => status)).toEqual(['pending', 'timeout']);
    expect((await inbox.store.assumptions.read(1)).assumptions_made).toMatchObject([
      {
        decision: `${request.question} Test mode`,
        user_response: 'timeout_assumed',
        reasoning: 'no real money can move',
        risk_if_wrong: 'low',
        confidence: 'medium',
        status: 'standing',
        questionId: question?.id,
      },
    ]);
  });
});

describe('a request that is refused', () => {
  it.each([
    ['a blocker that is none [PM-2/1] [PM-2/16]', { blocker_type: 'Technical detail' }, 'blocker_type'],
    ['no codebase search [PM-2/5]', { evidence: { ...request.evidence, codebase_search: '' } }, 'evidence'],
    ['no similar features [PM-2/6]', { evidence: { ...request.evidence, similar_features: ' ' } }, 'evidence'],
    ['no inference [PM-2/7]', { evidence: { ...request.evidence, attempted_inference: undefined } }, 'evidence'],
    ['a placeholder [PM-2/14]', { evidence: { ...request.evidence, codebase_search: 'TODO: search' } }, 'evidence'],
    [
      'a path that is not there [PM-2/14]',
      { evidence: { ...request.evidence, similar_features: 'see src/ghost.ts for a sketch' } },
      'evidence',
    ],
    ['no options [PM-3/5]', { options: [] }, 'request'],
    ['no fallback [PM-3/6]', { fallback: undefined }, 'request'],
  ])('has %s', async (_, fields, condition) => {
    const inbox = await inboxWith();
    const result = await ask(inbox, fields);
    expect(result.refused?.code).toBe('GATE_REFUSED');
    expect(failed(result)).toContainEqual(expect.objectContaining({ condition }));
    expect(result.question).toBeUndefined();
    expect((await inbox.store.questions.list()).items).toEqual([]);
  });

  it('is told everything at once, and decides by itself [PM-2/13] [PM-8/4]', async () => {
    const inbox = await inboxWith();
    const result = await ask(inbox, { blocker_type: 'Style', evidence: {} }, { phase: 'execution' });
    expect(failed(result)).toMatchObject([
      { condition: 'blocker_type' },
      { condition: 'evidence', reason: 'codebase search is missing' },
      { condition: 'evidence', reason: 'similar features is missing' },
      { condition: 'evidence', reason: 'attempted inference is missing' },
      { condition: 'phase' },
    ]);
    expect(result.refused?.message).toMatch(
      /may not ask a human now\. blocker type: 'Style' is no blocker .* evidence: /,
    );
    expect(result.assumption).toMatchObject({
      id: 'ASM-1-001',
      agent: 'project-manager',
      decision: `${request.question} Test mode`,
      user_response: 'inferred_from_context',
      blocker_type: 'none',
      status: 'standing',
    });
    expect((await ask(inbox, { blocker_type: 'Style', evidence: {} }, { phase: 'execution' })).assumption?.id).toBe(
      'ASM-1-001',
    );
  });

  it('lacks an investigator where the issue is complex, and only there [PM-2/8]', async () => {
    const inbox = await inboxWith();
    await inbox.store.issues.update(1, (issue) => ({ next: { ...issue, labels: ['complex'] }, result: undefined }));
    expect(failed(await ask(inbox))).toEqual([{ condition: 'evidence', reason: 'investigator findings is missing' }]);
    const evidence = { ...request.evidence, investigator_findings: 'The provider was chosen by another department' };
    expect((await ask(inbox, { evidence })).question?.status).toBe('open');
  });

  it('comes while another of the project is open [PM-2/9]', async () => {
    const inbox = await inboxWith();
    const first = await ask(inbox);
    const second = await ask(inbox, {}, { run: 'run-2-bb', issueNumber: 2 });
    expect(failed(second)).toEqual([
      { condition: 'quota', reason: `another request of the project is open (${first.question?.id})` },
    ]);
    await answerQuestion(inbox, { id: first.question?.id ?? '', optionIds: ['a'], by });
    expect((await ask(inbox, {}, { run: 'run-2-bb', issueNumber: 2 })).question?.status).toBe('open');
  });

  it('is the second of its session, even when the first has ended [PM-2/10] [PM-8/5]', async () => {
    const inbox = await inboxWith();
    const { question } = await ask(inbox);
    await answerQuestion(inbox, { id: question?.id ?? '', optionIds: ['a'], by });
    const again = await askHumans(inbox, {
      origin: 'run-1-aa/plan/2/question/0',
      issueNumber: 1,
      agent: 'project-manager',
      reply: { needs_clarification: request },
      runId: 'run-1-aa',
      phase: 'planning',
    });
    expect(failed(again)).toEqual([{ condition: 'quota', reason: 'this session has asked once already (run-1-aa)' }]);
    expect(again.assumption?.user_response).toBe('inferred_from_context');
  });

  it('is one of two that come at the same time: the other one passes', async () => {
    const inbox = await inboxWith();
    const results = await Promise.all([ask(inbox), ask(inbox, {}, { run: 'run-2-bb', issueNumber: 2 })]);
    expect(results.filter(({ question }) => question !== undefined)).toHaveLength(1);
    expect(results.filter(({ refused }) => refused?.code === 'GATE_REFUSED')).toHaveLength(1);
  });

  it('comes after planning is over [PM-2/11] [PM-2/12]', async () => {
    const inbox = await inboxWith();
    const during = await ask(inbox, {}, { phase: 'execution' });
    expect(failed(during)).toMatchObject([{ condition: 'phase' }]);
    expect(during.assumption?.status).toBe('standing');
    await inbox.store.runs.update(1, () => ({ next: aRun({ issueNumber: 1, phase: 'execution' }), result: undefined }));
    const told = await askHumans(inbox, {
      origin: 'mcp/1',
      issueNumber: 1,
      agent: 'project-manager',
      reply: { needs_clarification: request },
    });
    expect(failed(told)).toMatchObject([{ condition: 'phase' }]);
  });
});

describe('a project manager', () => {
  it('passes the same gate with open questions [PM-2/15]', async () => {
    const inbox = await inboxWith();
    const bare = await reply(inbox, { open_questions: ['Which test framework should I use?'] });
    expect(bare.refused?.code).toBe('GATE_REFUSED');
    expect(failed(bare)).toContainEqual(expect.objectContaining({ condition: 'blocker_type' }));
    const two = await reply(inbox, { open_questions: [request, { ...request, question: 'And which currency?' }] });
    expect(failed(two)).toEqual([{ condition: 'request', reason: 'it asks 2 questions, not one' }]);
    const { question } = await reply(inbox, { open_questions: [request] });
    expect(question).toMatchObject({ kind: 'pm_clarification', questions: [{ text: request.question }] });
  });

  it('may write its request into its text [PM-3/1]', async () => {
    const inbox = await inboxWith();
    const text = `## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** Missing External Data

**Evidence of Exhaustion:**
- Codebase search: ${request.evidence.codebase_search}
- Similar features: ${request.evidence.similar_features}
- Attempted inference: ${request.evidence.attempted_inference}

**Question:** Which mode?

**Options:**
a) Test
b) Production

**Safe Fallback:** If no response within 5 minutes, I will proceed with option (a) because it is safe.`;
    expect((await reply(inbox, { text })).question).toMatchObject({ questions: [{ text: 'Which mode?' }] });
  });

  it('asks nothing where all is clear', async () => {
    const inbox = await inboxWith();
    expect(await reply(inbox, { text: 'Two groups of work.', assumptions: ['JWT, as in the code'] })).toEqual({});
    expect((await inbox.store.interactions.list()).items).toEqual([]);
  });
});

describe('an agent that asks both ways', () => {
  it('has its open questions asked together with its request, or without it', async () => {
    const inbox = await inboxWith();
    const mixed: Reply = { needs_clarification: request, open_questions: ['Which currency?'] };
    const both = await reply(inbox, mixed, { agent: 'planner' });
    expect(both.question?.questions.map(({ id, text }) => [id, text])).toEqual([
      ['q1', request.question],
      ['q1-2', 'Which currency?'],
    ]);
    const late = await anInbox({ paths });
    const alone = await reply(late, mixed, { agent: 'planner', phase: 'execution' });
    expect(alone.refused?.code).toBe('GATE_REFUSED');
    expect(alone.question).toMatchObject({ kind: 'open_question', questions: [{ text: 'Which currency?' }] });
  });
});

describe('a claim whose question never came', () => {
  it('is given back at once if the question cannot be asked', async () => {
    const inbox = await inboxWith();
    const open_questions = Array.from({ length: 20 }, (_, index) => `Question ${'x'.repeat(index + 1)}?`);
    const tooMany = await reply(inbox, { needs_clarification: request, open_questions }, { agent: 'planner' });
    expect(tooMany.refused?.message).toContain('It has 21 questions, more than 20.');
    expect((await ask(inbox, {}, { run: 'run-2-bb', issueNumber: 2 })).question?.status).toBe('open');
  });

  it('is given back after a minute', async () => {
    const inbox = await inboxWith();
    const { questions } = inbox.store;
    const dying = {
      ...inbox,
      store: { ...inbox.store, questions: { ...questions, create: () => Promise.reject(new Error('killed')) } },
    };
    await expect(ask(dying)).rejects.toThrow('killed');
    expect(failed(await ask(inbox, {}, { run: 'run-2-bb', issueNumber: 2 }))).toMatchObject([{ condition: 'quota' }]);
    inbox.clock.advance(MINUTE);
    await completeInbox(inbox);
    expect((await ask(inbox, {}, { run: 'run-2-bb', issueNumber: 2 })).question?.status).toBe('open');
  });
});

describe('a request that cannot be taken back', () => {
  const { fallback, ...unfallen } = request;
  const markdown = (more: string) => `## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** Missing External Data

**Evidence of Exhaustion:**
- Codebase search: ${request.evidence.codebase_search}
- Similar features: ${request.evidence.similar_features}
- Attempted inference: ${request.evidence.attempted_inference}

**Question:** ${request.question}

**Options:**
a) Test mode
b) Production mode

${more}`;
  const falls = '**Safe Fallback:** I will proceed with option (a) because no real money can move.';

  it.each<readonly [string, Reply]>([
    ['a field', { needs_clarification: { ...unfallen, consequence: 'irreversible' } }],
    ['another field', { needs_clarification: { ...unfallen, reversible: false } }],
    ['the reply around it', { needs_clarification: unfallen, ...{ irreversible: true } }],
    ['a line', { needs_clarification: markdown('**Consequence:** Irreversible, the money is gone') }],
    ['a plain line', { text: markdown('Reversible: no') }],
    ['the reply around its text', { text: markdown('**Safe Fallback:** none'), ...{ irreversible: true } }],
    ['an open question', { open_questions: [{ ...unfallen, text: request.question, irreversible: true }] }],
    ['what is beside it', { open_questions: [{ ...unfallen, text: request.question }], ...{ reversible: 'no' } }],
    ['its evidence', { needs_clarification: { ...unfallen, evidence: { ...request.evidence, irreversible: true } } }],
    ['an option', { needs_clarification: { ...unfallen, options: ['Test', { label: 'Live', irreversible: true }] } }],
    ['what stands for a fallback', { text: markdown('**Safe Fallback:** None: irreversible, wait for a human') }],
    ['a sentence', { text: markdown('**Safe Fallback:** none\n\nThis cannot be undone.') }],
    ['a heading', { text: markdown('### Consequence\n\nirreversible') }],
    ['a line in bold', { text: markdown('**Consequence: irreversible**') }],
    ['a row of a table', { text: markdown('| Consequence | irreversible |') }],
    ['a word alone', { text: markdown('**IRREVERSIBLE**') }],
  ])('waits for a human, as said in %s [X-1/2]', async (_, fields) => {
    const inbox = await inboxWith();
    const { question, refused } = await reply(inbox, fields);
    expect(refused).toBeUndefined();
    expect(question).toMatchObject({ kind: 'pm_clarification', consequence: 'irreversible', status: 'open' });
    expect(question).not.toHaveProperty('expiresAt');
    inbox.clock.advance(60 * MINUTE);
    expect(await applyDueFallbacks(inbox)).toEqual([]);
    const [{ content = '' } = {}] = (await inbox.store.interactions.list()).items;
    expect(content).toContain('**Consequence:** irreversible');
    expect(content).not.toContain('auto-proceed');
  });

  it.each<readonly [string, Reply]>([
    ['itself', { needs_clarification: { ...request, consequence: 'irreversible' } }],
    ['its fallback', { needs_clarification: { ...unfallen, fallback: { ...fallback, irreversible: true } } }],
    ['a fallback in words', { needs_clarification: { ...unfallen, irreversible: true, fallback: 'a' } }],
    ['its risk', { needs_clarification: { ...unfallen, fallback: { ...fallback, risk: 'high: irreversible' } } }],
    [
      'the option that is taken',
      { needs_clarification: { ...request, options: [{ label: 'Test', irreversible: true }, 'Live'] } },
    ],
    ['the reply around it', { needs_clarification: request, ...{ consequence: 'irreversible' } }],
    ['a line', { needs_clarification: markdown(`${falls}\n\n**Reversible:** no`) }],
    ['an open question', { open_questions: [{ ...request, text: request.question, irreversible: true }] }],
    ['what is beside it', { open_questions: [{ ...request, text: request.question }], ...{ irreversible: true } }],
    [
      'an option in the written form',
      { text: `${markdown('')}${falls}`.replace('Test mode', 'Test mode (irreversible)') },
    ],
    ['its question', { needs_clarification: { ...request, question: 'Which mode? This is irreversible.' } }],
    [
      'the reply around one that says otherwise',
      { needs_clarification: { ...request, consequence: 'reversible' }, ...{ irreversible: true } },
    ],
    ['itself, in words of its own', { needs_clarification: { ...request, consequence: 'quite bad' } }],
  ])('is refused with a fallback, and nothing is decided unasked: said by %s [X-1/3]', async (_, fields) => {
    const inbox = await inboxWith();
    const { question, refused, assumption } = await reply(inbox, fields);
    expect({ question, assumption }).toEqual({});
    expect(refused).toMatchObject({ code: 'INVALID_INPUT' });
    expect((await inbox.store.questions.list()).items).toEqual([]);
    expect((await inbox.store.orchestrator.read()).sessions).toEqual({});
  });

  it('keeps waiting what another agent asks beside its own request [X-1/2]', async () => {
    const inbox = await inboxWith();
    const both = { needs_clarification: request, open_questions: [{ text: 'Drop the table?', irreversible: true }] };
    const { question } = await reply(inbox, both, { agent: 'planner' });
    expect(question).toMatchObject({ consequence: 'irreversible', questions: [{ id: 'q1' }, { id: 'q1-2' }] });
    expect(question).not.toHaveProperty('expiresAt');
  });
});

describe('a request under a false label', () => {
  it.each([
    'Do you want me to continue fixing the tests?',
    'Which test framework should I use?',
    'Should I run tests in parallel?',
  ])('is refused for what it asks: %s [PM-2/16]', async (question) => {
    for (const blocker_type of ['missing_external_data', 'security_decision', 'mutually_exclusive_requirements']) {
      const result = await ask(await inboxWith(), { question, blocker_type });
      expect(result.refused?.code).toBe('GATE_REFUSED');
      expect(failed(result)).toMatchObject([{ condition: 'blocker_type' }]);
      expect(result.assumption?.id).toBe('ASM-1-001');
    }
  });

  it('is refused for two questions in one [PM-3/4]', async () => {
    const question = 'Which mode of the payment provider is meant? And which currency is charged?';
    expect(failed(await ask(await inboxWith(), { question }))).toMatchObject([
      { condition: 'request', reason: 'it asks 2 questions, not one' },
    ]);
  });

  it('is refused for a file that does not exist, with a slash or without [PM-2/14]', async () => {
    const evidence = (file: string) => ({ ...request.evidence, similar_features: `The invoices are made in ${file}` });
    expect((await ask(await inboxWith(), { evidence: evidence('invoice.ts') })).refused).toBeUndefined();
    expect(failed(await ask(await inboxWith(), { evidence: evidence('ghost.ts') }))).toMatchObject([
      { condition: 'evidence', reason: 'it cites ghost.ts, which does not exist' },
    ]);
  });
});

describe('the phase of a session', () => {
  it('is planning again after the answer, and planning_complete when the plan is there [PM-4/8]', async () => {
    const inbox = await inboxWith();
    const run = aRun({ id: 'run-1-aa', issueNumber: 1 });
    await inbox.store.runs.update(1, () => ({ next: run, result: undefined }));
    const { question } = await ask(inbox);
    const phase = async () => (await inbox.store.orchestrator.read()).sessions['run-1-aa'];
    await answerQuestion(inbox, { id: question?.id ?? '', optionIds: ['a'], by });
    expect(await phase()).toMatchObject({ clarification_pending: false, phase: 'planning' });
    await completePlanning(inbox, 'run-1-aa', 'another');
    expect(await phase()).toMatchObject({ phase: 'planning' });
    await completePlanning(inbox, 'run-1-aa', 'plan');
    await completeInbox(inbox);
    expect(await phase()).toMatchObject({ clarification_pending: false, phase: 'planning_complete' });
  });
});

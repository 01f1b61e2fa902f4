import { describe, expect, it } from 'vitest';
import { dyingStore } from '../../test/builders/dying-store.js';
import { aWorkflow, refused } from '../../test/builders/hub.js';
import { anInbox, type TestInbox } from '../../test/builders/inbox.js';
import { aRun } from '../../test/builders/run.js';
import { decisionOf } from '../protocol/question-decision.js';
import type { Run } from '../protocol/run.js';
import { answerQuestion } from './answer-question.js';
import { askHumans } from './ask.js';
import { confirmAssumption, rejectAssumption } from './assumption-verdict.js';
import { completeInbox } from './complete-inbox.js';
import { declineQuestion } from './end-question.js';
import { settle } from './settle.js';

const MINUTE = 60_000;
const by = { principal: 'ada', channel: 'web' as const };
const runId = 'run-1-aa';

/** Five minutes pass without an answer; the run goes on with SQLite and writes two files. */
async function afterTimeout(status: Run['status'] = 'running'): Promise<{ inbox: TestInbox; id: string }> {
  const inbox = await anInbox({ remembers: true });
  const {
    question: { id },
  } = await askHumans(inbox, {
    origin: `${runId}/design/1/question/0`,
    issueNumber: 1,
    agent: 'architect',
    source: 'plan',
    sourceId: '1',
    parts: [
      {
        id: 'q1',
        text: 'Which database?',
        options: [
          { id: 'a', label: 'PostgreSQL' },
          { id: 'b', label: 'SQLite' },
        ],
      },
    ],
    fallback: { optionId: 'b', reasoning: 'smaller' },
  });
  inbox.clock.advance(5 * MINUTE);
  await completeInbox(inbox);
  inbox.clock.advance(MINUTE);
  const ended = (step: string, path: string) =>
    ({
      type: 'turn-ended',
      at: inbox.clock.now(),
      step,
      turn: 2,
      status: 'done',
      acts: [{ act: 'artifact/0', blocking: false, path }],
    }) as const;
  const journal = [ended('design', 'docs/adr.md'), ended('implement', 'src/db.ts'), ended('ux', 'docs/ux.md')];
  const run = aRun({ id: runId, issueNumber: 1, status, definition: aWorkflow().workflow, journal });
  await inbox.store.runs.update(1, () => ({ next: run, result: undefined }));
  inbox.clock.advance(MINUTE);
  return { inbox, id };
}

const assumption = async (inbox: TestInbox) => (await inbox.store.assumptions.read(1)).assumptions_made[0];
const openIds = async (inbox: TestInbox) =>
  (await inbox.store.questions.list({ status: 'open' })).items.map((open) => open.id);
const facts = async (inbox: TestInbox) =>
  ((await inbox.store.runs.read(1))?.journal ?? []).filter(({ type }) => type === 'reopened');

const remembered = async (inbox: TestInbox, id: string) =>
  (await inbox.store.observations.getByIssue(1)).filter(({ source }) => source?.id === id);

describe('an answer that comes after the fallback', () => {
  it('is remembered from when it came, until a human keeps the assumption', async () => {
    const { inbox, id } = await afterTimeout();
    expect(await remembered(inbox, id)).toEqual([]);
    const {
      choices: [choice],
    } = await answerQuestion(inbox, { id, optionIds: ['a'], by });
    expect(await remembered(inbox, id)).toMatchObject([
      { content: expect.stringContaining('PostgreSQL'), timestamp: inbox.clock.now() },
    ]);
    await answerQuestion(inbox, { id: choice?.id ?? '', optionIds: ['keep'], by });
    expect(await remembered(inbox, id)).toEqual([]);
    const contents = (await inbox.store.observations.getByIssue(1)).map(({ content }) => content);
    expect(contents[0]).toMatch(/^Assumption confirmed: .*SQLite/);
  });

  it('is remembered even if a slow process settles the question as it was before', async () => {
    const { inbox, id } = await afterTimeout();
    const before = await inbox.store.questions.read(id);
    await answerQuestion(inbox, { id, optionIds: ['a'], by });
    if (before !== undefined) await settle(inbox, before);
    expect(await remembered(inbox, id)).toHaveLength(1);
  });

  it('is stored and lists what was built meanwhile [X-3/1] [X-3/2] [PM-6/1]', async () => {
    const { inbox, id } = await afterTimeout();
    const {
      question,
      choices: [choice],
    } = await answerQuestion(inbox, { id, optionIds: ['a'], by });
    expect(question).toMatchObject({
      outcome: 'fallback_applied',
      lateResponses: [{ answeredBy: { principal: 'ada' } }],
    });
    expect(decisionOf(question)).toBe('PostgreSQL');
    expect(choice).toMatchObject({
      kind: 'late_answer',
      issueNumber: 1,
      blocking: false,
      rework: {
        assumptionId: 'ASM-1-001',
        questionId: id,
        part: 'q1',
        answer: 'PostgreSQL',
        artifacts: ['docs/adr.md', 'src/db.ts'],
        runs: [{ runId, steps: ['design', 'implement'] }],
      },
    });
    expect(choice?.questions[0]?.text).toBe(
      'Assumed (ASM-1-001): Which database? SQLite\nYou say: PostgreSQL\nWhat stands on the assumption:\n' +
        `Run ${runId}: design, implement\nArtifacts: docs/adr.md, src/db.ts\nKeep it, or do it again?`,
    );
    expect((await refused(answerQuestion(inbox, { id, optionIds: ['b'], by }))).code).toBe('CONFLICT');
  });

  it('leads to the choice about its own part, whatever was said late to another', async () => {
    const inbox = await anInbox();
    const parts = ['q1', 'q2'].map((part) => ({ id: part, text: `Which ${part}?` }));
    const asking = { origin: 'asked/1', issueNumber: 1, agent: 'architect', source: 'plan', sourceId: '1' } as const;
    const { question } = await askHumans(inbox, { ...asking, parts, fallback: { text: 'None' } });
    inbox.clock.advance(5 * MINUTE);
    await completeInbox(inbox);
    for (const questionId of ['q1', 'q2']) {
      const { choices } = await answerQuestion(inbox, { id: question.id, questionId, text: `Some ${questionId}`, by });
      expect(choices.map(({ rework }) => rework?.part)).toEqual([questionId]);
    }
  });

  it('is open to the part that fell back and not to the one that a human answered in time', async () => {
    const inbox = await anInbox();
    const {
      question: { id },
    } = await askHumans(inbox, {
      origin: 'asked/1',
      issueNumber: 1,
      agent: 'architect',
      source: 'plan',
      sourceId: '1',
      parts: [
        { id: 'q1', text: 'Which region?' },
        { id: 'q2', text: 'Which currency?' },
      ],
      fallback: { text: 'EUR' },
    });
    await answerQuestion(inbox, { id, questionId: 'q1', text: 'Europe', by });
    inbox.clock.advance(5 * MINUTE);
    await completeInbox(inbox);
    const bob = { principal: 'bob', channel: 'web' as const };
    const late = (questionId: string, text: string) => answerQuestion(inbox, { id, questionId, text, by: bob });
    expect(await late('q1', 'Asia').catch((error: unknown) => error)).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining("has an answer to 'q1' that ada gave in time"),
    });
    const { choices, question } = await answerQuestion(inbox, { id, text: 'JPY', by: bob });
    expect(choices.map(({ questions: [part] }) => part?.text.split('\n').slice(0, 2))).toEqual([
      ['Assumed (ASM-1-001): Which currency? EUR', 'You say: JPY'],
    ]);
    expect(question.lateResponses).toMatchObject([{ responses: [{ questionId: 'q2' }], answeredBy: bob }]);
    expect(question.responses).toMatchObject([{ questionId: 'q1', answeredBy: by }, { questionId: 'q2' }]);
  });

  it('is shown beside what was assumed and what was built, however long they are', async () => {
    const { inbox, id } = await afterTimeout();
    await inbox.store.assumptions.update(1, (file) => ({
      next: { ...file, assumptions_made: file.assumptions_made.map((one) => ({ ...one, decision: 'x'.repeat(2000) })) },
      result: undefined,
    }));
    const { choices } = await answerQuestion(inbox, { id, text: `No: ${'y'.repeat(1900)}`, by });
    const text = choices[0]?.questions[0]?.text ?? '';
    expect(text.length).toBeLessThan(2000);
    for (const part of ['Assumed (ASM-1-001): x', 'You say: No: y', 'Artifacts: ', 'Keep it, or do it again?'])
      expect(text).toContain(part);
  });

  it('that says the opposite in nearly the same words contradicts', async () => {
    const inbox = await anInbox();
    const text = 'Keep the logs of all services for thirty days in the archive';
    const parts = [{ id: 'q1', text: 'How long are logs kept?' }];
    const source = { source: 'plan', sourceId: '1', fallback: { text } } as const;
    const asking = { origin: `${runId}/design/1/question/0`, issueNumber: 1, agent: 'architect', parts, ...source };
    const { question } = await askHumans(inbox, asking);
    inbox.clock.advance(5 * MINUTE);
    await completeInbox(inbox);
    const { choices } = await answerQuestion(inbox, { id: question.id, text: `Don't ${text.toLowerCase()}`, by });
    expect(choices).toHaveLength(1);
  });

  it('that agrees confirms the assumption and asks nothing [X-3/4]', async () => {
    const { inbox, id } = await afterTimeout();
    expect((await answerQuestion(inbox, { id, optionIds: ['b'], by })).choices).toEqual([]);
    expect(await assumption(inbox)).toMatchObject({ status: 'confirmed', decidedBy: 'ada' });
    expect((await inbox.store.questions.list({ status: 'open' })).items).toEqual([]);
  });
});

describe('the choice', () => {
  async function choose(option: string, status?: Run['status']) {
    const { inbox, id } = await afterTimeout(status);
    const {
      choices: [choice],
    } = await answerQuestion(inbox, { id, optionIds: ['a'], by });
    await answerQuestion(inbox, { id: choice?.id ?? '', optionIds: [option], by });
    return { inbox, choice };
  }

  it('to keep leaves the work and confirms the assumption [X-3/3]', async () => {
    const { inbox, choice } = await choose('keep');
    expect(await assumption(inbox)).toMatchObject({ status: 'confirmed' });
    const question = await inbox.store.questions.read(choice?.rework?.questionId ?? '');
    expect(question).toMatchObject({ kept: ['q1'], lateResponses: [{ responses: [{ answer: 'PostgreSQL' }] }] });
    expect(question && decisionOf(question)).toBe('SQLite');
    expect(await facts(inbox)).toEqual([]);
  });

  it('is made by the person who confirms the assumption itself, once, and is no rework any more [X-3/3]', async () => {
    const { inbox, id } = await afterTimeout();
    const { choices } = await answerQuestion(inbox, { id, by, optionIds: ['a'] });
    const request = { id: 'ASM-1-001', by: 'bob', through: { channel: 'web' as const } };
    expect(await confirmAssumption(inbox, request)).toMatchObject({ status: 'confirmed', decidedBy: 'bob' });
    const choice = choices[0]?.id ?? '';
    expect(await inbox.store.questions.read(choice)).toMatchObject({
      outcome: 'answered',
      responses: [{ optionIds: ['keep'] }],
      answeredBy: { principal: 'bob', channel: 'web' },
    });
    expect(await inbox.store.questions.read(id)).toMatchObject({ kept: ['q1'] });
    expect(await facts(inbox)).toEqual([]);
    expect(await confirmAssumption(inbox, { ...request, by: 'carol' })).toMatchObject({ decidedBy: 'bob' });
    expect((await refused(answerQuestion(inbox, { id: choice, by, optionIds: ['rework'] }))).code).toBe('CONFLICT');
  });

  it('is asked again, and not beside itself, when the assumption is rejected meanwhile [X-3/3]', async () => {
    const { inbox, id } = await afterTimeout();
    const { choices } = await answerQuestion(inbox, { id, by, optionIds: ['a'] });
    inbox.clock.advance(MINUTE);
    const verdict = { id: 'ASM-1-001', by: 'bob', reason: 'MariaDB' };
    const { question, assumption: rejected } = await rejectAssumption(inbox, verdict);
    expect(rejected).toMatchObject({ status: 'rejected', rejection: 'MariaDB', decidedBy: 'bob' });
    expect(question).toMatchObject({ status: 'open', rework: { answer: 'MariaDB', questionId: id, part: 'q1' } });
    expect(await openIds(inbox)).toEqual([question.id]);
    const before = choices[0]?.id ?? '';
    expect(await inbox.store.questions.read(before)).toMatchObject({
      outcome: 'superseded',
      reason: `asked again as ${question.id}, with what was said since`,
    });
    await completeInbox(inbox);
    expect((await rejectAssumption(inbox, { ...verdict, by: 'carol' })).question.id).toBe(question.id);
    expect((await refused(answerQuestion(inbox, { id: before, by, optionIds: ['rework'] }))).code).toBe('CONFLICT');
    await answerQuestion(inbox, { id: question.id, by, optionIds: ['rework'] });
    await completeInbox(inbox);
    expect(await facts(inbox)).toMatchObject([{ questionId: question.id }]);
    expect((await rejectAssumption(inbox, verdict)).question).toMatchObject({ id: question.id, outcome: 'answered' });
    expect(await openIds(inbox)).toEqual([]);
  });

  it('about a rejection is asked again with the late answer that comes after it', async () => {
    const { inbox, id } = await afterTimeout();
    const { question: first } = await rejectAssumption(inbox, { id: 'ASM-1-001', by: 'bob', reason: 'MariaDB' });
    inbox.clock.advance(MINUTE);
    const { choices } = await answerQuestion(inbox, { id, by, optionIds: ['a'] });
    expect(choices).toMatchObject([{ status: 'open', rework: { answer: 'PostgreSQL' } }]);
    expect(await openIds(inbox)).toEqual([choices[0]?.id]);
    expect(await inbox.store.questions.read(first.id)).toMatchObject({ outcome: 'superseded' });
  });

  it('is not asked for a late answer that agrees, with more words or after the assumption was rejected', async () => {
    const { inbox, id } = await afterTimeout();
    const { choices } = await answerQuestion(inbox, { id, optionIds: ['b'], text: 'As long as it is small.', by });
    expect(choices).toEqual([]);
    expect(await assumption(inbox)).toMatchObject({ status: 'confirmed' });

    const { inbox: other, id: again } = await afterTimeout();
    await rejectAssumption(other, { id: 'ASM-1-001', by: 'bob', reason: 'MariaDB' });
    expect((await answerQuestion(other, { id: again, optionIds: ['b'], by })).question).not.toHaveProperty('unsettled');
    expect(await assumption(other)).toMatchObject({ status: 'rejected' });
  });

  it('that made the assumption a rejected one is not asked once more by who rejects it then', async () => {
    const { inbox, choice } = await choose('rework');
    const reject = (reason: string) => rejectAssumption(inbox, { id: 'ASM-1-001', by: 'bob', reason });
    const again = await reject('PostgreSQL');
    expect(again.question.id).toBe(choice?.id);
    expect(again.assumption).toMatchObject({ rejection: 'PostgreSQL', decidedBy: 'ada' });
    expect((await refused(reject('MariaDB'))).message).toMatch(/by ada: PostgreSQL\..* as a comment on issue #1\.$/);
    expect(await openIds(inbox)).toEqual([]);
  });

  it('is one where a late answer and a rejection come at the same instant', async () => {
    const { inbox, id } = await afterTimeout();
    const verdict = { id: 'ASM-1-001', by: 'bob', reason: 'MariaDB' };
    const answer = answerQuestion(inbox, { id, by, optionIds: ['a'] });
    await Promise.all([answer, rejectAssumption(inbox, verdict)]);
    expect(await openIds(inbox)).toHaveLength(1);
  });

  it.each([1, 2, 3])('is one when the rejection was killed at its write %i', async (at) => {
    const { inbox, id } = await afterTimeout();
    await answerQuestion(inbox, { id, by, optionIds: ['a'] });
    inbox.clock.advance(MINUTE);
    const verdict = { id: 'ASM-1-001', by: 'bob', reason: 'MariaDB' };
    const { store } = dyingStore(inbox.store, { at, isWritten: true });
    await expect(rejectAssumption({ ...inbox, store }, verdict)).rejects.toThrow('killed');
    await completeInbox(inbox);
    const [choice, ...others] = await openIds(inbox);
    expect(others).toEqual([]);
    expect((await rejectAssumption(inbox, verdict)).question.id).toBe(choice);
    await answerQuestion(inbox, { id: choice ?? '', by, optionIds: ['rework'] });
    expect(await facts(inbox)).toMatchObject([{ questionId: choice }]);
    expect(await assumption(inbox)).toMatchObject({ status: 'rejected', rejection: 'MariaDB' });
  });

  it('to rework an issue that nobody works on keeps what the human says with it', async () => {
    const { inbox, id } = await afterTimeout('failed');
    const { choices } = await answerQuestion(inbox, { id, by, optionIds: ['a'] });
    await answerQuestion(inbox, { id: choices[0]?.id ?? '', by, optionIds: ['rework'], text: 'Keep the tests.' });
    expect((await inbox.store.issues.read(1))?.comments.map(({ body }) => body)).toEqual([
      'Which database? PostgreSQL (late, after the fallback)',
      'Rework: PostgreSQL\nKeep the tests.',
    ]);
  });

  it('to rework rejects the assumption and reopens the steps, once [X-3/3] [PM-6/2]', async () => {
    const { inbox, choice } = await choose('rework');
    expect(await assumption(inbox)).toMatchObject({ status: 'rejected', rejection: 'PostgreSQL' });
    await completeInbox(inbox);
    await completeInbox(inbox);
    expect(await facts(inbox)).toMatchObject([
      { type: 'reopened', steps: ['design', 'implement'], questionId: choice?.id },
    ]);
  });

  it('to rework overturns what another human had confirmed before, also in the memory [X-3/3]', async () => {
    const { inbox, id } = await afterTimeout();
    await confirmAssumption(inbox, { id: 'ASM-1-001', by: 'bob' });
    const { choices } = await answerQuestion(inbox, { id, by, optionIds: ['a'] });
    await answerQuestion(inbox, { id: choices[0]?.id ?? '', by, optionIds: ['rework'] });
    expect(await assumption(inbox)).toMatchObject({ status: 'rejected', rejection: 'PostgreSQL', decidedBy: 'ada' });
    expect(await remembered(inbox, 'ASM-1-001')).toMatchObject([
      { content: expect.stringMatching(/^Assumption rejected/) },
    ]);
    await completeInbox(inbox);
    expect(await remembered(inbox, 'ASM-1-001')).toHaveLength(1);
  });

  it('to rework what a done run did opens its steps and the issue again, once', async () => {
    const { inbox, choice } = await choose('rework', 'done');
    expect(await facts(inbox)).toMatchObject([{ type: 'reopened', questionId: choice?.id }]);
    expect(await inbox.store.runs.read(1)).toMatchObject({ status: 'paused' });
    const close = () =>
      inbox.store.issues.update(1, (issue) => ({
        next: { ...issue, state: 'closed', taskStatus: 'done' },
        result: undefined,
      }));
    const late = { author: 'ada', body: 'Which database? PostgreSQL (late, after the fallback)' };
    expect((await inbox.store.issues.read(1))?.comments).toMatchObject([
      late,
      { author: 'ada', body: 'Rework: PostgreSQL', questionId: choice?.id },
    ]);
    await close();
    await completeInbox(inbox);
    expect(await facts(inbox)).toHaveLength(1);
    expect(await inbox.store.issues.read(1)).toMatchObject({
      state: 'closed',
      comments: [late, { questionId: choice?.id }],
    });
  });

  it('wants one of the two; text alone decides nothing and is refused, with one it joins the conversation', async () => {
    const { inbox, id } = await afterTimeout();
    const { choices } = await answerQuestion(inbox, { id, optionIds: ['a'], by });
    const choice = choices[0]?.id ?? '';
    const error = await refused(answerQuestion(inbox, { id: choice, text: 'MariaDB', by }));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toContain("'q1' wants an option; what you write goes with it. Allowed: keep, rework.");
    await answerQuestion(inbox, { id: choice, optionIds: ['rework'], text: 'Mind the index.', by });
    expect((await inbox.store.issues.read(1))?.comments.at(-1)?.body).toContain('Mind the index.');
  });

  it('that is not made changes nothing', async () => {
    const { inbox, id } = await afterTimeout();
    const {
      choices: [choice],
    } = await answerQuestion(inbox, { id, optionIds: ['a'], by });
    await declineQuestion(inbox, { id: choice?.id ?? '', by });
    expect(await assumption(inbox)).toMatchObject({ status: 'standing' });
    expect(await facts(inbox)).toEqual([]);
  });

  it('closed issue is opened again where its run is over', async () => {
    const { inbox, id } = await afterTimeout('done');
    await inbox.store.issues.update(1, (issue) => ({
      next: { ...issue, state: 'closed', taskStatus: 'done', status: 'Done' },
      result: undefined,
    }));
    const {
      choices: [choice],
    } = await answerQuestion(inbox, { id, optionIds: ['a'], by });
    await answerQuestion(inbox, { id: choice?.id ?? '', optionIds: ['rework'], by });
    expect(await inbox.store.issues.read(1)).toMatchObject({ state: 'open', taskStatus: 'open', status: 'Backlog' });
    expect(inbox.bus.names()).toContain('task-updated');
  });
});

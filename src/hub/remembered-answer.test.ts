import { describe, expect, it } from 'vitest';
import { anAssumption } from '../../test/builders/assumption.js';
import { aClarification } from '../../test/builders/clarification.js';
import {
  aHub,
  anAsk,
  aWorkflowWith,
  fixedClock,
  recordOf,
  refused,
  type TestHub,
  type TestHubOptions,
} from '../../test/builders/hub.js';
import { aQuestion } from '../../test/builders/question.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { confirmAssumption, rejectAssumption } from '../inbox/assumption-verdict.js';
import { escalationQuestionId } from '../protocol/ids.js';
import type { Observation } from '../protocol/observation.js';
import { ask, followUp } from './conversation.js';
import { keepDecision } from './keep-decision.js';
import { resolve } from './resolve.js';

const FIRST = anAsk({ topic: 'Session length', question: 'How long does a session stay valid without activity?' });
const AGAIN = anAsk({ topic: 'Sessions', question: 'After how long without activity does a session expire?' });
const ADR = 'docs/adr/ADR-1-add-a-health-endpoint.md';
const ANSWER = 'Sessions expire after 30 minutes without activity.';

/** A hub in which the architect has answered one question, to the engineer's content. */
async function aHubThatKnows(options: TestHubOptions = {}): Promise<TestHub> {
  const hub = await aHub({ remembers: true, turns: { architect: [ANSWER, 'Asked anew: 45 minutes.'] }, ...options });
  await ask(hub, FIRST);
  await resolve(hub, { clarificationId: 'CLR-1-001', body: 'Clear. Proceeding.', by: 'engineer' });
  return hub;
}

/** What an agent noted down. */
function aHint(number: number): Observation {
  const text = `${AGAIN.topic}: ${AGAIN.question} ${ANSWER}`;
  return {
    id: `obs-engineer-1-1772100000000-abc1${String(number).padStart(2, '0')}`,
    agent: 'engineer',
    issueNumber: 1,
    category: 'decision',
    content: text,
    summary: text,
    tokens: 20,
    timestamp: '2026-02-26T10:00:00.000Z',
    sessionId: 's',
    source: { kind: 'note', id: `n-${number}` },
  };
}

describe('a question that was decided before', () => {
  it('is answered from memory with a citation, and its target is not started [X-9/1]', async () => {
    const hub = await aHubThatKnows();
    const result = await ask(hub, AGAIN);
    expect(result).toMatchObject({ status: 'answered', round: 1, answer: ANSWER });
    expect(result.record.thread.at(-1)).toMatchObject({
      from: 'memory',
      type: 'answer',
      source: 'CLR-1-001 (architect, 2026-02-26)',
    });
    expect(hub.briefs).toHaveLength(1);
    expect(hub.bus.names().filter((name) => name === 'clarification-answered')).toHaveLength(2);
  });

  it('goes to its target after a follow-up, and memory does not say it again [X-9/2]', async () => {
    const hub = await aHubThatKnows();
    const { clarificationId } = await ask(hub, AGAIN);
    const second = await followUp(hub, {
      clarificationId,
      question: 'That is for the shop. And for the back office?',
      by: 'engineer',
    });
    expect(second).toMatchObject({ status: 'answered', round: 2, answer: 'Asked anew: 45 minutes.' });
    expect(second.record.thread.at(-1)?.from).toBe('architect');
    await ask(hub, { ...AGAIN, question: FIRST.question });
    expect(hub.briefs).toHaveLength(3);
  });

  it('goes to its target after a follow-up beyond the last round, too [X-9/2]', async () => {
    const hub = await aHubThatKnows({ workflow: aWorkflowWith('implement', { clarify_max_rounds: 1 }) });
    const { clarificationId } = await ask(hub, AGAIN);
    await refused(followUp(hub, { clarificationId, question: 'And for the back office?', by: 'engineer' }));
    expect(await ask(hub, AGAIN)).toMatchObject({ answer: 'Asked anew: 45 minutes.' });
  });

  it('is answered by the latest decision, in whatever zone its time is written', async () => {
    const hub = await aHub({ remembers: true });
    const decided = [
      { id: 'CLR-1-001', answer: 'Ten minutes.', resolvedAt: '2026-02-26T12:30:00+05:00' },
      { id: 'CLR-1-002', answer: ANSWER, resolvedAt: '2026-02-26T10:00:00Z' },
    ].map(({ id, answer, resolvedAt }) => {
      const entry = { round: 1, timestamp: resolvedAt };
      const question = { ...entry, from: 'engineer', type: 'question' as const, body: FIRST.question };
      const thread = [question, { ...entry, from: 'architect', type: 'answer' as const, body: answer }];
      return aClarification({ id, topic: FIRST.topic, status: 'resolved', resolvedAt, thread });
    });
    await hub.store.ledgers.update(1, (ledger) => ({
      next: { ...ledger, clarifications: decided },
      result: undefined,
    }));
    for (const record of decided) await keepDecision(hub, record);
    expect(await ask(hub, FIRST)).toMatchObject({ answer: ANSWER });
  });

  it.each([
    ['is short', 'Storage', 'PostgreSQL 16.'],
    ['is in a file that the answer names', 'Data', `As it says in ${ADR}.`],
  ])('is asked anew when the section has changed and %s [X-9/3]', async (_name, topic, answer) => {
    const adr = (database: string) => `# ADR\n\n## Storage\n\nUse ${database}.\n\n## Queue\n\nUse Redis.\n`;
    const artifacts = { [ADR]: adr('PostgreSQL 16') };
    const hub = await aHub({ remembers: true, artifacts, turns: { architect: [answer, 'Asked anew.'] } });
    const question = anAsk({ topic, question: 'Which storage holds the orders?' });
    await ask(hub, question);
    await resolve(hub, { clarificationId: 'CLR-1-001', body: 'Clear.', by: 'engineer' });
    expect((await ask(hub, question)).answer).toBe(answer);
    artifacts[ADR] = adr('MySQL 9');
    expect((await ask(hub, question)).answer).toBe('Asked anew.');
  });

  it('is asked anew when the section that the answer rests on has changed [X-9/3]', async () => {
    const path = 'docs/adr/ADR-1-shop.md';
    const adr = (minutes: number) =>
      `# ADR\n\nIntro.\n\n## Sessions\n\nA session expires after ${minutes} minutes without activity.\n\n## Other\n\nNothing.\n`;
    const store = (await aHub()).store;
    const issue = await store.issues.read(1);
    const artifacts: Record<string, string> = {};
    const hub = await aHub({
      remembers: true,
      store,
      artifacts,
      turns: { architect: [ANSWER, 'Asked anew: 45 minutes.'] },
      issues: 0,
    });
    const slug = (issue?.title ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    for (const name of [path, `docs/adr/ADR-1-${slug}.md`]) artifacts[name] = adr(30);
    await ask(hub, FIRST);
    await resolve(hub, { clarificationId: 'CLR-1-001', body: 'Clear.', by: 'engineer' });
    expect((await recordOf(hub, 'CLR-1-001')).thread.find(({ type }) => type === 'answer')?.restsOn).toMatchObject([
      { heading: 'Sessions' },
    ]);
    for (const name of Object.keys(artifacts)) artifacts[name] = `${adr(30)}\n## More\n\nAnother section.\n`;
    expect((await ask(hub, AGAIN)).answer).toBe(ANSWER);
    for (const name of Object.keys(artifacts)) artifacts[name] = adr(45);
    expect((await ask(hub, { ...AGAIN, question: FIRST.question })).answer).toBe('Asked anew: 45 minutes.');
  });

  it.each([
    ['another environment', 'How long does a session stay valid without activity in production?'],
    ['another kind of question', 'Why does a session stay valid without activity?'],
    ['another thing', 'How long does an access token stay valid without activity?'],
    ['a number', 'Does a session stay valid for 90 minutes without activity?'],
    ['a denial', 'How long does a session not stay valid without activity, if never used?'],
  ])('is no other one that only shares its words: %s [X-9/4]', async (_what, question) => {
    const hub = await aHubThatKnows();
    expect((await ask(hub, { ...AGAIN, question })).record.thread.at(-1)?.from).toBe('architect');
  });

  it('is asked of another target all the same', async () => {
    const hub = await aHubThatKnows();
    const result = await ask(hub, { ...AGAIN, to: 'product-manager' });
    expect(result.record.thread.at(-1)?.from).toBe('product-manager');
  });

  it('is answered by what a human decided, whoever is asked', async () => {
    const hub = await aHub({ remembers: true, turns: { architect: [new Error('down')] } });
    await ask(hub, FIRST);
    const by = { principal: 'ada', channel: 'cli' as const };
    await answerQuestion(hub, { id: escalationQuestionId('CLR-1-001', 1), text: 'Twenty minutes, says the bank.', by });
    const result = await ask(hub, { ...AGAIN, to: 'product-manager' });
    expect(result).toMatchObject({ status: 'answered', answer: 'Twenty minutes, says the bank.' });
    expect(result.record.thread.at(-1)?.source).toMatch(/^CLR-1-001 \(human/);
  });

  it('is not answered by a hint: what agents remember and what was extracted', async () => {
    const hub = await aHub({ remembers: true });
    await hub.store.observations.store([aHint(0)]);
    expect((await ask(hub, FIRST)).record.thread.at(-1)?.from).toBe('architect');
  });

  it('is answered however many hints have the same words', async () => {
    const hub = await aHubThatKnows();
    await hub.store.observations.store(Array.from({ length: 30 }, (_, number) => aHint(number)));
    expect((await ask(hub, AGAIN)).record.thread.at(-1)).toMatchObject({ from: 'memory', body: ANSWER });
  });

  it('goes to its target when the latest answer was rejected, whatever was decided before that one', async () => {
    const clock = fixedClock();
    const hub = await aHubThatKnows({ clock });
    const question = aQuestion({ issueNumber: 1, questions: [{ id: 'q1', text: FIRST.question }] });
    await hub.store.questions.create(question);
    clock.advance(60_000);
    await answerQuestion(hub, { id: question.id, text: 'Fifteen.', by: { principal: 'ada', channel: 'cli' } });
    const { clarificationId, answer } = await ask(hub, AGAIN);
    expect(answer).toBe('Fifteen.');
    await followUp(hub, { clarificationId, question: 'Is that still so?', by: 'engineer' });
    expect((await ask(hub, AGAIN)).record.thread.at(-1)?.from).toBe('architect');
  });

  it('is asked again without memory, and nothing is kept', async () => {
    const hub = await aHubThatKnows({ remembers: false });
    expect((await ask(hub, AGAIN)).record.thread.at(-1)?.from).toBe('architect');
    expect(await hub.store.observations.getByIssue(1)).toEqual([]);
  });

  it('is asked of its target when memory cannot be read', async () => {
    const hub = await aHubThatKnows();
    const observations = { ...hub.store.observations, find: async () => Promise.reject(new Error('damaged')) };
    const broken = { ...hub, store: { ...hub.store, observations } };
    expect((await ask(broken, AGAIN)).record.thread.at(-1)?.from).toBe('architect');
    expect(hub.log.lines.map(({ message }) => message)).toContain('Memory was not asked: damaged');
  });
});

describe('what was decided', () => {
  it('by a human in the inbox answers an agent, and is kept with its source [ME-3/7] [X-9/1]', async () => {
    const hub = await aHub({ remembers: true });
    const text = 'How long does a session stay valid without activity?';
    const question = aQuestion({ issueNumber: 1, questions: [{ id: 'q1', text }] });
    await hub.store.questions.create(question);
    const by = { principal: 'ada', channel: 'cli' as const };
    await answerQuestion(hub, { id: question.id, text: 'Fifteen minutes.', by });
    expect(await hub.store.observations.getByIssue(1)).toMatchObject([
      { source: { kind: 'question', id: question.id, part: 'q1' } },
    ]);
    expect((await ask(hub, AGAIN)).record.thread.at(-1)).toMatchObject({
      from: 'memory',
      body: 'Fifteen minutes.',
      source: expect.stringContaining(question.id),
    });
  });

  it('about an assumption is kept, confirmed or rejected, and answers nothing [ME-3/7]', async () => {
    const hub = await aHub({ remembers: true });
    const made = ['ASM-1-001', 'ASM-1-002'].map((id) =>
      anAssumption({ id, issueNumber: 1, agent: 'engineer', decision: `Sessions last a day (${id})` }),
    );
    await hub.store.assumptions.update(1, (file) => ({ next: { ...file, assumptions_made: made }, result: undefined }));
    await confirmAssumption(hub, { id: 'ASM-1-001', by: 'ada' });
    await rejectAssumption(hub, { id: 'ASM-1-002', by: 'ada', reason: 'An hour at most.' });
    const kept = await hub.store.observations.getByIssue(1);
    expect(kept.map(({ content }) => content.slice(0, 20))).toEqual(['Assumption confirmed', 'Assumption rejected:']);
    expect(kept[1]?.content).toContain('An hour at most.');
    expect((await ask(hub, FIRST)).record.thread.at(-1)?.from).toBe('architect');
  });

  it('is kept once, with issue, session and source [ME-3/7]', async () => {
    const hub = await aHubThatKnows();
    await resolve(hub, { clarificationId: 'CLR-1-001', body: 'Clear. Proceeding.', by: 'engineer' });
    expect(await hub.store.observations.getByIssue(1)).toMatchObject([
      {
        category: 'decision',
        issueNumber: 1,
        agent: 'engineer',
        source: { kind: 'clarification', id: 'CLR-1-001', round: 1 },
      },
    ]);
  });

  it('is not kept a second time when memory answered', async () => {
    const hub = await aHubThatKnows();
    const { clarificationId } = await ask(hub, AGAIN);
    await resolve(hub, { clarificationId, body: 'Clear.', by: 'engineer' });
    expect(await hub.store.observations.getByIssue(1)).toHaveLength(1);
  });
});

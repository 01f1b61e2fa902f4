import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { aHub, anAsk } from '../../test/builders/hub.js';
import { Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { parseWith } from '../protocol/parse.js';
import { openAsk } from './ask.js';
import { answerBrief } from './brief.js';
import { clarificationsFor } from './brief-clarifications.js';
import { ask } from './conversation.js';
import { resolve } from './resolve.js';

const artifacts = {
  'docs/prd/PRD-1.md': 'The PRD says PostgreSQL.',
  'docs/adr/ADR-1-add-a-health-endpoint.md': 'The ADR says SQLite.',
  'docs/other.md': 'Not for this brief.',
};

describe('the brief of a target', () => {
  it('holds the question, the topic, the upstream artifacts and the issue [US-2.1/6]', async () => {
    const hub = await aHub({ artifacts });
    await ask(hub, anAsk());
    const [brief] = hub.briefs;
    expect(brief).toMatchObject({
      kind: 'answer',
      agent: 'architect',
      issue: { number: 1, title: 'Add a health endpoint', body: 'The body of #1', labels: [] },
      clarification: {
        id: 'CLR-1-001',
        from: 'engineer',
        topic: 'Database adapter',
        question: 'SQLite or PostgreSQL?',
        round: 1,
        maxRounds: 5,
      },
      artifacts: [
        { path: 'docs/prd/PRD-1.md', agent: 'product-manager', content: 'The PRD says PostgreSQL.' },
        { path: 'docs/adr/ADR-1-add-a-health-endpoint.md', agent: 'architect', content: 'The ADR says SQLite.' },
      ],
      answers: [],
      refused: [],
    });
    expect(() => parseWith(Brief, brief, 'The brief')).not.toThrow();
  });

  it('states what agents may decide, as the brief of a step does [OQ-7/5]', async () => {
    const hub = await aHub();
    await ask(hub, anAsk());
    expect(hub.briefs[0]?.autonomy).toMatchObject({ scopeChanges: 'requires_approval' });
    expect(hub.briefs[0]?.prompt).toContain('Scope changes: Confirm all changes before proceeding');
  });

  it('says all of it in one prompt, and asks for one or two paragraphs [CL-4/5]', async () => {
    const hub = await aHub({ artifacts });
    await ask(hub, anAsk());
    const prompt = hub.briefs[0]?.prompt ?? '';
    for (const part of [
      'architect',
      'engineer',
      'issue #1',
      'The body of #1',
      'Database adapter',
      'SQLite or PostgreSQL?',
      'The ADR says SQLite.',
    ]) {
      expect(prompt).toContain(part);
    }
    expect(prompt).toMatch(/specifically and briefly, in one or two paragraphs/);
    expect(prompt).not.toContain('Not for this brief.');
  });

  it('has earlier threads of the agent as summaries, the resolved ones whole in the ledger [CL-5/1] [CL-5/3]', async () => {
    const answer = 'Great question! We use PostgreSQL 16 in production. Let me know if you need more.';
    const hub = await aHub({ turns: { architect: [answer, 'Yes.'] } });
    await ask(hub, anAsk());
    await resolve(hub, { clarificationId: 'CLR-1-001', body: 'Clear. Proceeding.', by: 'engineer' });
    await ask(hub, anAsk({ topic: 'Migrations' }));
    expect(hub.briefs[1]?.clarifications).toEqual([
      {
        id: 'CLR-1-001',
        from: 'engineer',
        to: 'architect',
        topic: 'Database adapter',
        status: 'resolved',
        summary: 'We use PostgreSQL 16 in production.',
      },
    ]);
    expect(hub.briefs[1]?.prompt).toContain(
      '- CLR-1-001 from engineer to architect: Database adapter (resolved): We use PostgreSQL 16 in production.',
    );
    expect((await hub.store.ledgers.read(1)).clarifications[0]?.thread).toHaveLength(3);
  });

  it('goes without artifacts that cannot be read', async () => {
    const hub = await aHub();
    const read = async () => {
      throw new AgentXError('STORE_ERROR', 'No.');
    };
    const record = await openAsk(hub, anAsk());
    expect((await answerBrief({ ...hub, artifacts: { read } }, record)).artifacts).toEqual([]);
    expect(hub.log.lines).toContainEqual(expect.objectContaining({ level: 'warn' }));
  });
});

describe('the clarifications in a brief', () => {
  const answered = (sequence: number, length: number, fields: Partial<ClarificationRecord> = {}) =>
    aClarification({
      id: `CLR-42-00${sequence}`,
      status: 'answered',
      thread: [{ round: 1, from: 'architect', type: 'answer', body: `Use ${'words '.repeat(length)}.`, timestamp: AT }],
      ...fields,
    });

  it('stay within a budget when they are over, the older ones left out first [CL-5/2]', () => {
    const records = [1, 2, 3, 4, 5].map((sequence) => answered(sequence, 30, { status: 'resolved' }));
    const told = clarificationsFor('engineer', records, 200);
    expect(JSON.stringify(told).length / 4).toBeLessThanOrEqual(210);
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(5);
    expect(told.map(({ id }) => id)).toEqual(records.slice(-told.length).map(({ id }) => id));
    expect(told.every(({ summary, thread }) => summary !== undefined && thread === undefined)).toBe(true);
  });

  it('are whole while they are open, however long', () => {
    const records = [1, 2, 3].map((sequence) => answered(sequence, 2000));
    const told = clarificationsFor('engineer', [...records, answered(4, 1, { status: 'resolved' })], 100);
    expect(told.map(({ id }) => id)).toEqual(['CLR-42-001', 'CLR-42-002', 'CLR-42-003', 'CLR-42-004']);
    expect(told.slice(0, 3).map(({ thread }) => thread)).toEqual(records.map(({ thread }) => thread));
    expect(told[3]).toHaveProperty('summary');
  });

  it('are those in which the agent takes part', () => {
    const records = [answered(1, 1), { ...answered(2, 1), from: 'reviewer', to: 'product-manager' }];
    expect(clarificationsFor('architect', records).map(({ id }) => id)).toEqual(['CLR-42-001']);
  });
});

import { describe, expect, it } from 'vitest';
import { aHub, anAsk, atWork, fixedClock, recordOf, statusOf, type Turn } from '../../test/builders/hub.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { applyStatusEvent } from '../protocol/agent-status.js';
import { AgentXError } from '../protocol/errors.js';
import { escalationQuestionId } from '../protocol/ids.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { abandon } from './abandon.js';
import { answer } from './answer.js';
import { openAsk } from './ask.js';
import { ask, converse } from './conversation.js';
import { escalate } from './escalate.js';

const failure = new AgentXError('AGENT_ERROR', 'architect.mjs ended with exit code 1: no such table');

describe('a failing target', () => {
  it('is started once more after the configured wait, and logged before that [CL-4/1]', async () => {
    const clock = fixedClock(undefined, () => {
      expect(hub.log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { failure: failure.message } });
    });
    const hub = await aHub({ clock, turns: { architect: [failure, 'PostgreSQL.'] } });
    expect(await ask(hub, anAsk())).toMatchObject({ status: 'answered', answer: 'PostgreSQL.', round: 1 });
    expect([clock.sleeps, hub.briefs.length]).toEqual([[30_000], 2]);
  });

  it('is told what did not work', async () => {
    const hub = await aHub({ turns: { architect: ['x'.repeat(2001), 'PostgreSQL.'] } });
    await ask(hub, anAsk());
    const message = expect.stringContaining('2001 characters');
    expect(hub.briefs.map(({ refused }) => refused)).toEqual([[], [{ code: 'AGENT_ERROR', message }]]);
    expect(hub.briefs[1]?.prompt).toMatch(/## What did not work in your last turn\n\n- .*2001 characters/);
  });

  it.each<[string, Turn, RegExp]>([
    ['fails', failure, /no such table/],
    ['throws something else', new TypeError('boom'), /boom/],
    ['takes too long', new AgentXError('AGENT_ERROR', 'architect took longer than 600 s'), /600 s/],
    ['says nothing', '', /answer is empty/],
    ['says blanks', ' \n ', /answer is empty/],
    ['replies without text', {}, /answer is empty/],
    ['says too much', 'x'.repeat(2001), /2001 characters/],
    ['says that it failed', { status: 'failed', text: 'I have no ADR.' }, /I have no ADR/],
  ])('is handed to a human when it %s twice [CL-4/2] [CL-4/4] [US-2.2/12] [CL-3/5]', async (_, turn, reason) => {
    const hub = await aHub({ turns: { architect: [turn] } });
    await atWork(hub, 'engineer');
    await atWork(hub, 'architect');
    const result = await ask(hub, anAsk());
    expect([result.status, hub.briefs.length]).toEqual(['escalated', 2]);
    const body = result.record.thread.at(-1)?.body;
    expect(body).toMatch(/AGENT_ERROR: architect failed twice/);
    expect(body).toMatch(reason);
    expect(await statusOf(hub, 'architect')).toMatchObject({ status: 'working', respondingTo: null });
    expect(await statusOf(hub, 'engineer')).toMatchObject({ status: 'blocked-clarification', waitingOn: 'human' });
  });

  it('does not lose its requester, which goes on with the decision [CL-4/3] [US-3.1/13]', async () => {
    const hub = await aHub({ turns: { architect: [failure] } });
    await atWork(hub, 'engineer');
    await ask(hub, anAsk());
    const by = { principal: 'ada', channel: 'cli' as const };
    await answerQuestion(hub, { id: escalationQuestionId('CLR-1-001', 1), text: 'PostgreSQL.', by });
    expect(await recordOf(hub, 'CLR-1-001')).toMatchObject({ status: 'resolved' });
    expect((await statusOf(hub, 'engineer')).status).toBe('working');
  });

  it('is not asked again when somebody answered during the wait', async () => {
    const clock = fixedClock(undefined, () =>
      answer(hub, { clarificationId: 'CLR-1-001', answer: 'Mine.', by: 'human' }),
    );
    const hub = await aHub({ clock, turns: { architect: [failure, 'Too late.'] } });
    expect(await ask(hub, anAsk())).toMatchObject({ status: 'answered', answer: 'Mine.' });
    expect(hub.briefs).toHaveLength(1);
  });

  it('does not undo an answer that came while it failed for the second time', async () => {
    const second: Turn = async () => {
      await answer(hub, { clarificationId: 'CLR-1-001', answer: 'Mine.', by: 'human' });
      return '';
    };
    const hub = await aHub({ turns: { architect: [failure, second] } });
    expect(await ask(hub, anAsk())).toMatchObject({ status: 'answered', answer: 'Mine.' });
  });
});

describe('a late answer', () => {
  it('is dropped with a line in the log when the record was escalated meanwhile', async () => {
    const architect: Turn = async () => {
      await escalate(hub, { clarificationId: 'CLR-1-001', reason: 'it takes too long' });
      return 'PostgreSQL.';
    };
    const hub = await aHub({ turns: { architect: [architect] } });
    const result = await ask(hub, anAsk());
    expect(result.status).toBe('escalated');
    expect(result.record.thread.map(({ type }) => type)).toEqual(['question', 'escalation']);
    expect(hub.log.lines).toContainEqual(
      expect.objectContaining({ message: 'a late answer was dropped', level: 'info' }),
    );
  });

  it('is dropped when somebody else has answered', async () => {
    const architect: Turn = async () => {
      await answer(hub, { clarificationId: 'CLR-1-001', answer: 'First.', by: 'human' });
      return 'Second.';
    };
    const hub = await aHub({ turns: { architect: [architect] } });
    expect(await ask(hub, anAsk())).toMatchObject({ status: 'answered', answer: 'First.' });
  });

  it('counts for a stale record', async () => {
    const hub = await aHub({ turns: { architect: ['PostgreSQL.'] } });
    const record = await openAsk(hub, anAsk());
    await hub.store.ledgers.update(1, (ledger) => ({
      next: { ...ledger, clarifications: [{ ...record, status: 'stale' }] },
      result: undefined,
    }));
    expect(await converse(hub, record)).toMatchObject({ status: 'answered', answer: 'PostgreSQL.' });
  });
});

describe('a reply', () => {
  it('is its answer rather than its text', async () => {
    const hub = await aHub({ turns: { architect: [{ text: 'Thinking aloud.', answer: 'PostgreSQL.' }] } });
    expect((await ask(hub, anAsk())).answer).toBe('PostgreSQL.');
  });
});

describe('a target that is a person', () => {
  it('is asked through the inbox at once, and its word resolves the record', async () => {
    const hub = await aHub({});
    const person = { isHuman: true, run: () => Promise.reject(new Error('nobody to start')) };
    const ports = { ...hub, runnerFor: () => person };
    const result = await ask(ports, anAsk());
    expect(result.status).toBe('escalated');
    expect(result.record.thread.at(-1)?.body).toContain('architect is a person');
    const question = await hub.store.questions.read(escalationQuestionId('CLR-1-001', 1));
    expect(question?.questions[0]).toMatchObject({
      allowText: true,
      options: [
        {
          id: 'a',
          label: 'Proceed on an assumption about "Database adapter" that engineer states and records',
        },
      ],
    });
    expect(question?.questions[0]?.options?.[0]).not.toHaveProperty('recommended');
    const by = { principal: 'ada', channel: 'cli' as const };
    await answerQuestion(ports, { id: escalationQuestionId('CLR-1-001', 1), text: 'PostgreSQL.', by });
    expect(await recordOf(hub, 'CLR-1-001')).toMatchObject({ status: 'resolved' });
  });
});

describe('a target whose program this user has not approved', () => {
  it('is not started, not asked again and not blamed', async () => {
    const hub = await aHub({});
    const record = await openAsk(hub, anAsk());
    const refusal = new AgentXError('UNAUTHORIZED', 'Run agentx trust first.');
    const ports = {
      ...hub,
      runnerFor: () => {
        throw refusal;
      },
    };
    await expect(converse(ports, record)).rejects.toBe(refusal);
    expect(await recordOf(hub, record.id)).toMatchObject({ status: 'pending', round: 1 });
  });
});

describe('an answer to a question that its requester could go on without', () => {
  it.each([false, true])('ends the same whether a sweep looked first: %s [US-5.5/2]', async (isSwept) => {
    const hub = await aHub({
      turns: {
        architect: [
          async () => {
            const event = { type: 'set', issue: 1, at: hub.clock.now(), status: 'done' } as const;
            await hub.store.statuses.update(['engineer'], (file) => ({
              next: { ...file, engineer: applyStatusEvent(file.engineer, event) },
              result: undefined,
            }));
            if (isSwept) await abandon(hub, { clarificationId: 'CLR-1-001' });
            return 'PostgreSQL.';
          },
        ],
      },
    });
    await atWork(hub, 'engineer');
    expect(await ask(hub, anAsk({ blocking: false }))).toMatchObject({ status: 'abandoned' });
    expect(hub.log.lines.at(-1)).toMatchObject({
      message: 'a late answer was dropped',
      fields: { answer: 'PostgreSQL.' },
    });
  });

  it('is taken when the run that would tell is damaged', async () => {
    const store = openInMemoryStore();
    const read = () => Promise.reject(new AgentXError('CORRUPT_FILE', 'issue-1.json is damaged.'));
    const hub = await aHub({ store: { ...store, runs: { ...store.runs, read } } });
    expect(await ask(hub, anAsk({ blocking: false }))).toMatchObject({ status: 'answered' });
  });

  it('is taken up by whoever is still at work', async () => {
    const hub = await aHub();
    await atWork(hub, 'engineer');
    expect(await ask(hub, anAsk({ blocking: false }))).toMatchObject({ status: 'answered' });
  });
});

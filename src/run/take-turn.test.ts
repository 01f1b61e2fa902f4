import { expect, it } from 'vitest';
import { fixedClock } from '../../test/builders/hub.js';
import { aRunHub, steps } from '../../test/builders/run-ports.js';
import { followUp } from '../hub/conversation.js';
import { escalate } from '../hub/escalate.js';
import { runIssue } from './run-issue.js';

it('a turn that is tried again waits for what a human took up during the pause', async () => {
  const asks = { clarify: [{ to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?' }] };
  const turns = { engineer: [asks, new Error('no network'), 'Built.'], architect: ['SQLite.'] };
  let pauses = 0;
  const clock = fixedClock(undefined, async () => {
    if (pauses++ === 0) await escalate(hub, { clarificationId: 'CLR-1-001', reason: 'I decide' });
  });
  const hub = await aRunHub({
    clock,
    workflow: steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'] }),
    turns,
  });
  expect(await runIssue(hub, { issueNumber: 1, wait: false })).toMatchObject({ status: 'paused' });
  expect(hub.briefs.filter(({ agent }) => agent === 'engineer')).toHaveLength(2);
});

it('a model that fills in every field is not done when it only asks, and goes on without the answer', async () => {
  const clarify = [{ to: 'architect', topic: 'Cache', question: 'How long?', blocking: false }];
  const asks = { artifacts: [], clarify, issues: [], open_questions: [], needs_clarification: false };
  const hub = await aRunHub({
    workflow: steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'], iterate: true }),
    turns: { engineer: [asks, { text: 'Built.', status: 'done' }], architect: ['An hour.'] },
  });
  expect(await runIssue(hub, { issueNumber: 1, wait: false })).toMatchObject({ status: 'done' });
  expect(hub.briefs.filter(({ agent }) => agent === 'engineer')).toHaveLength(2);
});

it('a reply resolves the round that its agent heard, not one that a person asked meanwhile', async () => {
  const asks = { clarify: [{ to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?' }] };
  const clock = fixedClock();
  const hub = await aRunHub({
    clock,
    workflow: steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'] }),
    turns: {
      engineer: [
        asks,
        async () => {
          clock.advance(1);
          await followUp(hub, { clarificationId: 'CLR-1-001', question: 'Under that load?', by: 'human' });
          return { text: 'Built.', resolve: [{ id: 'CLR-1-001', body: 'Clear: SQLite.' }] };
        },
        { text: 'Built anew.', resolve: [{ id: 'CLR-1-001', body: 'Clear: PostgreSQL.' }] },
      ],
      architect: ['SQLite.', 'No: PostgreSQL.'],
    },
  });
  expect(await runIssue(hub, { issueNumber: 1, wait: false })).toMatchObject({ status: 'done' });
  expect(hub.briefs.at(-1)?.clarifications).toMatchObject([{ status: 'answered', answer: 'No: PostgreSQL.' }]);
  expect((await hub.store.ledgers.read(1)).clarifications[0]?.thread.at(-1)?.body).toBe('Clear: PostgreSQL.');
});

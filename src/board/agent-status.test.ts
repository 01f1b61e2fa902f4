import { describe, expect, it } from 'vitest';
import { aBoard } from '../../test/builders/board.js';
import { applyStatusEvent } from '../protocol/agent-status.js';
import { finishWork, setStatus, startWork } from './agent-status.js';
import { createIssue } from './issues.js';

type Board = ReturnType<typeof aBoard>;

async function block(board: Board): Promise<void> {
  const at = board.clock.now();
  const event = { type: 'block', issue: 1, at, clarificationId: 'CLR-1-001', waitingOn: 'architect' } as const;
  await board.store.statuses.update(['engineer'], (file) => ({
    next: { ...file, engineer: applyStatusEvent(file.engineer, event) },
    result: undefined,
  }));
}

describe('setStatus', () => {
  it.each(['idle', 'working', 'done', 'stuck'])('sets %s from any status and says so', async (status) => {
    const board = aBoard();
    await block(board);
    const entry = await setStatus(board, { agent: 'engineer', status, issue: 1 });
    expect(entry).toMatchObject({ status, issue: 1, clarificationId: null, waitingOn: null });
    expect((await board.store.statuses.read()).engineer).toEqual(entry);
    expect(board.bus.events).toMatchObject([
      { name: 'agent-status-changed', payload: { agent: 'engineer', issueNumber: 1, status, waitingOn: null } },
    ]);
  });

  it.each(['clarifying', 'blocked-clarification', 'busy', ''])("refuses '%s' with what is allowed", async (status) => {
    const board = aBoard();
    const attempt = setStatus(board, { agent: 'engineer', status, issue: 1 });
    await expect(attempt).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('Allowed: idle, working, done, stuck.'),
    });
    expect(await board.store.statuses.read()).toEqual({});
  });

  it('resolves aliases, and without an issue changes only what the agent is at', async () => {
    const board = aBoard();
    await setStatus(board, { agent: 'pm', status: 'working', issue: 1 });
    await setStatus(board, { agent: 'pm', status: 'idle' });
    expect((await board.store.statuses.read())['product-manager']).toMatchObject({
      status: 'idle',
      issue: null,
      issues: { '1': { status: 'working' } },
    });
  });

  it('refuses what is no agent and no issue', async () => {
    await expect(setStatus(aBoard(), { agent: '__proto__', status: 'idle' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(setStatus(aBoard(), { agent: 'engineer', status: 'idle', issue: -1 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('startWork and finishWork', () => {
  it('move the agent, take the issue and give it back', async () => {
    const board = aBoard();
    await createIssue(board, { title: 'First' });
    expect(await startWork(board, { agent: 'engineer', issue: 1 })).toMatchObject({ status: 'working', issue: 1 });
    expect(await board.store.issues.read(1)).toMatchObject({
      taskStatus: 'in_progress',
      status: 'In Progress',
      assignee: 'engineer',
    });
    expect(await finishWork(board, { agent: 'engineer', issue: 1 })).toMatchObject({ status: 'done' });
    expect(await board.store.issues.read(1)).toMatchObject({ taskStatus: 'open', assignee: null });
  });

  it('may be said twice, in any order, and of issues kept elsewhere', async () => {
    const board = aBoard();
    for (const work of [finishWork, finishWork, startWork, startWork])
      await work(board, { agent: 'engineer', issue: 9 });
    expect((await board.store.statuses.read()).engineer?.status).toBe('working');
    expect(await startWork(board, { agent: 'tester' })).toMatchObject({ status: 'working', issue: null });
    expect(await finishWork(board, { agent: 'tester' })).toMatchObject({ status: 'done', issue: null });
  });

  it('start again an agent that was stuck', async () => {
    const board = aBoard();
    await setStatus(board, { agent: 'engineer', status: 'stuck', issue: 1 });
    expect((await startWork(board, { agent: 'engineer', issue: 1 })).status).toBe('working');
  });

  it('leave an agent waiting that starts while it waits, and let one go that finishes', async () => {
    const board = aBoard();
    await block(board);
    for (const _ of ['once', 'twice']) {
      expect(await startWork(board, { agent: 'engineer', issue: 1 })).toMatchObject({
        status: 'blocked-clarification',
        clarificationId: 'CLR-1-001',
        waitingOn: 'architect',
      });
    }
    expect(board.bus.events).toHaveLength(1);
    expect((await finishWork(board, { agent: 'engineer', issue: 1 })).status).toBe('done');
  });

  it('have an agent work that started while it waited, once it need not wait any more', async () => {
    const board = aBoard();
    await block(board);
    const entry = await startWork(board, { agent: 'engineer', issue: 1 });
    const event = { type: 'unblock', issue: 1, at: board.clock.now(), clarificationId: 'CLR-1-001' } as const;
    expect(applyStatusEvent(entry, event).status).toBe('working');
  });

  it('leave an issue alone that is blocked, closed or in the hands of somebody else', async () => {
    const board = aBoard();
    await createIssue(board, { title: 'First' });
    const blocked = await board.store.issues.update(1, (issue) => {
      const next = { ...issue, taskStatus: 'blocked' as const, block_reason: 'Open Question' };
      return { next, result: next };
    });
    await startWork(board, { agent: 'engineer', issue: 1 });
    await finishWork(board, { agent: 'engineer', issue: 1 });
    expect(await board.store.issues.read(1)).toEqual(blocked);
    await createIssue(board, { title: 'Second' });
    await startWork(board, { agent: 'engineer', issue: 2 });
    await startWork(board, { agent: 'tester', issue: 2 });
    await finishWork(board, { agent: 'tester', issue: 2 });
    expect(await board.store.issues.read(2)).toMatchObject({ taskStatus: 'in_progress', assignee: 'engineer' });
  });
});

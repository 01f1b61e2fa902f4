import { describe, expect, it } from 'vitest';
import { aBoard } from '../../test/builders/board.js';
import { AT } from '../../test/builders/clarification.js';
import { closeIssue, commentIssue, createIssue, reopenIssue } from './issues.js';

describe('createIssue', () => {
  it('numbers issues and fills in the fields of a new one', async () => {
    const board = aBoard();
    await createIssue(board, { title: 'First' });
    expect(
      await createIssue(board, { title: ' Export ', body: 'Blocked-by: #1', labels: ['type:bug', 'type:bug'] }),
    ).toEqual({
      number: 2,
      title: 'Export',
      body: 'Blocked-by: #1',
      labels: ['type:bug'],
      status: 'Backlog',
      state: 'open',
      assignee: null,
      taskStatus: 'open',
      block_reason: null,
      created: AT,
      updated: AT,
      comments: [],
    });
    expect(board.bus.names()).toEqual(['task-updated', 'task-updated']);
  });

  it.each([
    ['a blank title', { title: ' ' }],
    ['a title of 201 characters', { title: 'x'.repeat(201) }],
    ['a blank label', { title: 'x', labels: ['a', ' '] }],
    ['51 labels', { title: 'x', labels: Array.from({ length: 51 }, (_, index) => `l${index}`) }],
    ['a label of 101 characters', { title: 'x', labels: ['x'.repeat(101)] }],
    ['a body beyond a MiB', { title: 'x', body: 'x'.repeat(1024 * 1024 + 1) }],
  ])('refuses %s and writes nothing', async (_what, draft) => {
    const board = aBoard();
    await expect(createIssue(board, draft)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await board.store.issues.list()).items).toEqual([]);
  });

  it('takes 200 characters that are longer in bytes', async () => {
    expect((await createIssue(aBoard(), { title: '\u{1F600}'.repeat(200) })).title).toHaveLength(400);
  });
});

describe('commentIssue', () => {
  it('joins the conversation with its author and time', async () => {
    const board = aBoard();
    await createIssue(board, { title: 'First' });
    board.clock.advance(1000);
    const created = board.clock.now();
    await commentIssue(board, { number: 1, body: 'Anonymous' });
    expect(await commentIssue(board, { number: 1, body: 'Signed', author: 'ada' })).toMatchObject({
      updated: created,
      comments: [
        { body: 'Anonymous', created },
        { body: 'Signed', author: 'ada', created },
      ],
    });
  });

  it('refuses an empty comment and an unknown issue', async () => {
    await expect(commentIssue(aBoard(), { number: 1, body: '' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(commentIssue(aBoard(), { number: 1, body: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('closing and reopening', () => {
  it('twice is no error and changes nothing the second time', async () => {
    const board = aBoard();
    await createIssue(board, { title: 'First' });
    const closed = await closeIssue(board, 1);
    expect(closed).toMatchObject({ state: 'closed', status: 'Done', taskStatus: 'done' });
    board.clock.advance(1000);
    expect(await closeIssue(board, 1)).toEqual(closed);
    const reopened = await reopenIssue(board, 1);
    expect(reopened).toMatchObject({
      state: 'open',
      status: 'Backlog',
      taskStatus: 'open',
      updated: board.clock.now(),
    });
    board.clock.advance(1000);
    expect(await reopenIssue(board, 1)).toEqual(reopened);
    expect(board.bus.events).toMatchObject([
      { payload: { taskId: '1', status: 'open' } },
      { payload: { taskId: '1', status: 'done' } },
      { payload: { taskId: '1', status: 'open' } },
    ]);
  });

  it('clears what the issue was blocked by', async () => {
    const board = aBoard();
    await createIssue(board, { title: 'First' });
    await board.store.issues.update(1, (issue) => ({
      next: { ...issue, taskStatus: 'blocked', block_reason: 'Open Question' },
      result: undefined,
    }));
    expect((await closeIssue(board, 1)).block_reason).toBeNull();
  });

  it('refuses an unknown issue', async () => {
    await expect(closeIssue(aBoard(), 7)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(reopenIssue(aBoard(), 7)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

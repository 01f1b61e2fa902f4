import { describe, expect, it } from 'vitest';
import { anInbox } from '../../test/builders/inbox.js';
import { aRun } from '../../test/builders/run.js';
import { askHumans } from './ask.js';
import { supersedeGone, supersedeOf } from './supersede.js';

const RUN = 'run-1-aa';

async function asking(...steps: readonly string[]) {
  const inbox = await anInbox();
  const questions = await Promise.all(
    steps.map((step) =>
      askHumans(inbox, {
        origin: `${RUN}/${step}/1/question/0`,
        issueNumber: 1,
        agent: 'engineer',
        source: 'execute',
        sourceId: RUN,
        parts: [{ id: 'q1', text: `What is step ${step} to do?` }],
      }),
    ),
  );
  return { inbox, ids: questions.map(({ question }) => question.id) };
}

describe('a question whose run was stopped', () => {
  it.each(['stopped', 'failed'] as const)('ends: the run is %s', async (status) => {
    const { inbox, ids } = await asking('web');
    await inbox.store.runs.update(1, () => ({ next: aRun({ id: RUN, issueNumber: 1, status }), result: undefined }));
    const [ended] = await supersedeGone(inbox, 1);
    expect(ended).toMatchObject({
      id: ids[0],
      outcome: 'superseded',
      reason: 'the run that asked was stopped',
    });
  });

  it.each(['running', 'paused', 'done'] as const)('stays while the run is %s', async (status) => {
    const { inbox } = await asking('web');
    await inbox.store.runs.update(1, () => ({ next: aRun({ id: RUN, issueNumber: 1, status }), result: undefined }));
    expect(await supersedeGone(inbox, 1)).toEqual([]);
  });
});

describe('a question', () => {
  const journalOf = (step: string, outcome: 'done' | 'skipped') =>
    aRun({
      id: RUN,
      issueNumber: 1,
      journal: [{ type: 'step-ended', at: '2026-02-26T10:00:00.000Z', step, outcome }],
    });

  it('stays if its step is done, since it did not block the step', async () => {
    const { inbox } = await asking('web');
    await inbox.store.runs.update(1, () => ({ next: journalOf('web', 'done'), result: undefined }));
    expect(await supersedeGone(inbox, 1)).toEqual([]);
  });

  it('that two steps asked stays as long as one of them waits for it', async () => {
    const { inbox, ids } = await asking('web');
    const other = { origin: `${RUN}/pages/1/question/0`, agent: 'coder', at: '2026-02-26T10:00:00.000Z' };
    await inbox.store.questions.update(ids[0] ?? '', (question) => ({
      next: { ...question, attached: [other] },
      result: undefined,
    }));
    await inbox.store.runs.update(1, () => ({ next: journalOf('web', 'skipped'), result: undefined }));
    expect(await supersedeGone(inbox, 1)).toEqual([]);
  });

  it('stays if its issue is kept elsewhere, where no run is here either', async () => {
    const { inbox } = await asking('web');
    const issues = { ...inbox.store.issues, read: async () => undefined };
    expect(await supersedeGone({ ...inbox, store: { ...inbox.store, issues } }, 1)).toEqual([]);
  });

  it('for approval that holds nothing up stays when its issue is closed', async () => {
    const { inbox } = await asking();
    const approval = { issueNumber: 1, agent: 'engineer', source: 'execute', sourceId: RUN, kind: 'approval' } as const;
    const parts = [{ id: 'q1', text: 'May it be so?' }];
    for (const blocking of [true, false]) {
      await askHumans(inbox, { ...approval, parts, blocking, origin: `${RUN}/web/1/propose/${Number(blocking)}` });
    }
    await inbox.store.issues.update(1, (issue) => ({ next: { ...issue, state: 'closed' }, result: undefined }));
    expect(await supersedeGone(inbox, 1)).toMatchObject([{ blocking: true, reason: 'issue #1 is closed' }]);
  });
});

describe('a question whose step is given up', () => {
  it('ends, and not that of another step whose id begins with the same word', async () => {
    const { inbox, ids } = await asking('web', 'web/pages');
    const ended = await supersedeOf(inbox, { issueNumber: 1, runId: RUN, step: 'web', reason: 'it was given up' });
    expect(ended.map(({ id }) => id)).toEqual([ids[0]]);
  });

  it('is found by the journal, also where the id of the step holds a slash', async () => {
    const { inbox, ids } = await asking('web/pages', 'web');
    const at = '2026-02-26T10:00:00.000Z';
    const step = { type: 'step-ended' as const, at, step: 'web/pages', outcome: 'skipped' as const };
    await inbox.store.runs.update(1, () => ({
      next: aRun({ id: RUN, issueNumber: 1, journal: [step] }),
      result: undefined,
    }));
    expect((await supersedeGone(inbox, 1)).map(({ id }) => id)).toEqual([ids[0]]);
  });
});

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

import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../test/builders/hub.js';
import { aRunHub, steps } from '../../test/builders/run-ports.js';
import { closeIssue, reopenIssue } from '../board/issues.js';
import { SERVER } from '../protocol/claim.js';
import { createRun, type Run, transition } from '../protocol/run.js';
import { digest } from '../report/digest.js';
import { runIssue } from './run-issue.js';

const ONE = { issueNumber: 1, wait: false } as const;
const WEEK_MS = 7 * 24 * 3_600_000;

describe('an issue that is run again', () => {
  it('keeps its reviews and its rework in the digests of their weeks', async () => {
    const clock = fixedClock();
    const rejected = { review: { verdict: 'rejected', cause: 'misunderstanding', body: 'Wrong.' } } as const;
    const approved = { review: { verdict: 'approved' } } as const;
    const hub = await aRunHub({
      clock,
      workflow: steps({ id: 'code', agent: 'engineer' }, { id: 'review', agent: 'reviewer', needs: ['code'] }),
      turns: { reviewer: [rejected, approved, approved] },
    });
    await runIssue(hub, ONE);
    const first = (await digest(hub)).digest;
    expect(first).toMatchObject({
      reviews: { total: 2, rejected: 1, misunderstood: 1 },
      rework: { cycles: 1, issues: 1 },
    });
    await closeIssue(hub, 1);
    await reopenIssue(hub, 1);
    await runIssue(hub, ONE);
    expect((await digest(hub)).digest).toMatchObject({ reviews: { total: 3 }, rework: { cycles: 1, issues: 1 } });
    clock.advance(WEEK_MS);
    await closeIssue(hub, 1);
    await reopenIssue(hub, 1);
    await runIssue(hub, ONE);
    expect((await digest(hub, { week: first.week })).digest).toMatchObject({ reviews: { total: 3, rejected: 1 } });
    expect((await digest(hub)).digest).toMatchObject({ reviews: { total: 1 }, before: { week: first.week } });
    // What the turns did is not kept for ever.
    expect((await hub.store.runs.read(1))?.past?.flatMap((fact) => ('acts' in fact ? fact.acts : []))).toEqual([]);
  });
});

it('a run that waited for a server goes on with the settings as they are then', async () => {
  const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }), turns: { engineer: ['Old.'] } });
  const ofServer = await hub.store.claim({ run: 1 }, { by: SERVER });
  let isCorrected = false;
  const renew = () => {
    isCorrected = true;
  };
  const runnerFor: typeof hub.runnerFor = () => ({ run: async () => ({ text: isCorrected ? 'New.' : 'Old.' }) });
  const behindServer = () => void ofServer.release();
  expect(await runIssue({ ...hub, runnerFor, renew }, { ...ONE, behindServer })).toMatchObject({ status: 'done' });
  expect((await hub.store.sessions.list()).items[0]?.turns[0]?.reply).toEqual({ text: 'New.' });
});

/** The run as its journal stood before any turn of it had ended. */
function beforeItsTurns({ id, issueNumber, workflow, definition, startedAt: at }: Run): Run {
  const begun = createRun({ id, issueNumber, workflow, at, ...(definition && { definition }) });
  const fact = { type: 'step-started', at, step: 'code', attempt: 1 } as const;
  return transition(transition(begun, { type: 'start', at }), { type: 'record', at, facts: [fact] });
}

describe('a session that was compacted before its run knew of its last turn', () => {
  it('is left as it is where the run comes to the same end', async () => {
    const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }), turns: { engineer: ['Done.'] } });
    await runIssue(hub, ONE);
    const [before] = (await hub.store.sessions.list({ issue: 1 })).items;
    await hub.store.runs.update(1, (run) => ({ next: beforeItsTurns(run ?? missing()), result: undefined }));
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
    expect((await hub.store.sessions.list({ issue: 1 })).items).toEqual([before]);
    expect(hub.briefs).toHaveLength(1);
  });

  it('is compacted anew where the run goes on with another turn', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }),
      turns: { engineer: ['Done.', 'We decided to use PostgreSQL.'] },
    });
    await runIssue(hub, ONE);
    const [session] = (await hub.store.sessions.list({ issue: 1 })).items;
    const [turn] = session?.turns ?? [];
    if (session === undefined || turn === undefined) throw missing();
    const more = { ...session, turns: [{ ...turn, reply: { status: 'continue' as const, text: 'Not yet.' } }] };
    await hub.store.sessions.update(session.id, () => ({ next: more, result: undefined }));
    await hub.store.runs.update(1, (run) => ({ next: beforeItsTurns(run ?? missing()), result: undefined }));
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
    const ended = await hub.store.sessions.read(session.id);
    expect(ended?.turns).toHaveLength(2);
    expect(ended?.summary).toContain('PostgreSQL');
    expect(hub.bus.names().filter((name) => name === 'context-compacted')).toHaveLength(2);
  });
});

function missing(): never {
  throw new Error('There is nothing to go on with.');
}

describe('a run that is about to finish', () => {
  it('does again what a human sends back in its last moment', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }),
      turns: { engineer: ['First.', 'Second.'] },
    });
    const { issues, runs } = hub.store;
    let isSentBack = false;
    const sendBack = async () => {
      isSentBack = true;
      const at = hub.clock.now();
      const facts = [{ type: 'reopened', at, steps: ['code'], questionId: 'oq-rework' } as const];
      await runs.update(1, (run) => {
        if (run === undefined) throw new Error('There is no run.');
        return { next: transition(run, { type: 'record', at, facts }), result: undefined };
      });
    };
    const store = {
      ...hub.store,
      issues: {
        ...issues,
        update: async <R>(number: number, update: Parameters<typeof issues.update<R>>[1]): Promise<R> => {
          const result = await issues.update(number, update);
          if (!isSentBack && (await issues.read(number))?.taskStatus === 'done') await sendBack();
          return result;
        },
      },
    };
    expect(await runIssue({ ...hub, store }, { issueNumber: 1, wait: false })).toMatchObject({ status: 'done' });
    expect(isSentBack).toBe(true);
    expect(hub.briefs.filter(({ agent }) => agent === 'engineer')).toHaveLength(2);
    const { journal } = (await runs.read(1)) ?? { journal: [] };
    expect(journal.filter(({ type }) => type === 'finish')).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { aWorkflow } from '../../test/builders/hub.js';
import { aRun } from '../../test/builders/run.js';
import type { JournalEntry } from '../protocol/run.js';
import { reworkTargets, stepsToRedo } from './rework.js';

const at = (minute: number) => `2026-02-26T10:${String(minute).padStart(2, '0')}:00.000Z`;
const turn = (step: string, minute: number, path?: string): JournalEntry => ({
  type: 'turn-ended',
  at: at(minute),
  step,
  turn: 1,
  status: 'done',
  acts: path === undefined ? [] : [{ act: 'artifact/0', blocking: false, path }],
});

const run = aRun({
  definition: aWorkflow().workflow,
  journal: [
    turn('prd', 1, 'docs/prd.md'),
    turn('design', 5, 'docs/adr.md'),
    turn('ux', 6, 'docs/ux.md'),
    turn('implement', 7, 'src/app.ts'),
    turn('implement', 8, 'src/app.ts'),
  ],
});

describe('what stands on an assumption', () => {
  it('is what its step and those downstream of it did since [X-3/2]', () => {
    expect(reworkTargets(run, { since: at(4), origin: `${run.id}/design/1/question/0` })).toEqual({
      artifacts: ['docs/adr.md', 'src/app.ts'],
      runs: [{ runId: run.id, steps: ['design', 'implement'] }],
    });
  });

  it('is everything since then if the step that made it is unknown', () => {
    const { runs } = reworkTargets(run, { since: at(4) });
    expect(runs).toEqual([{ runId: run.id, steps: ['design', 'ux', 'implement'] }]);
    expect(reworkTargets(run, { since: at(4), origin: 'run-9-zz/design/1/question/0' }).runs).toEqual(runs);
  });

  it('is what a step did whose id holds a slash', () => {
    const journal = [turn('web/pages', 5, 'web/pages.md'), turn('web', 6, 'web/all.md')];
    const steps = ['web', 'web/pages'].map((id) => ({ id, title: id, agent: 'engineer' }));
    const split = aRun({ definition: aWorkflow(steps).workflow, journal });
    expect(reworkTargets(split, { since: at(4), origin: `${split.id}/web/pages/1/question/0` })).toEqual({
      artifacts: ['web/pages.md'],
      runs: [{ runId: split.id, steps: ['web/pages'] }],
    });
  });

  it('is also what a run that goes on is at work on at that moment [X-3/2]', () => {
    const started = (step: string): JournalEntry => ({ type: 'step-started', at: at(2), step, attempt: 1 });
    const busy = { ...run, status: 'running' as const, journal: [turn('prd', 1), started('design'), started('ux')] };
    const assumption = { since: at(4), origin: `${run.id}/design/1/question/0` };
    expect(reworkTargets(busy, assumption)).toEqual({ artifacts: [], runs: [{ runId: run.id, steps: ['design'] }] });
    const over: JournalEntry = { type: 'step-ended', at: at(3), step: 'design', outcome: 'done' };
    expect(reworkTargets({ ...busy, journal: [...busy.journal, over] }, assumption).runs).toEqual([]);
    expect(reworkTargets({ ...busy, status: 'paused' }, assumption).runs).toEqual([]);
  });

  it('is nothing where nothing was done', () => {
    expect(reworkTargets(run, { since: at(9) })).toEqual({ artifacts: [], runs: [] });
    expect(reworkTargets(undefined, { since: at(0) })).toEqual({ artifacts: [], runs: [] });
  });
});

describe('what is done again', () => {
  it('is what was chosen and all that has begun downstream of it meanwhile [X-3/3]', () => {
    const started = (step: string): JournalEntry => ({ type: 'step-started', at: at(9), step, attempt: 1 });
    const later = { ...run, journal: [...run.journal, started('implement'), started('ux')] };
    expect(stepsToRedo(later, ['design'])).toEqual(['design', 'implement']);
    expect(stepsToRedo(run, ['design'])).toEqual(['design']);
  });

  it('is what was chosen if the workflow is unknown', () => {
    const { definition: _, ...unknown } = run;
    expect(stepsToRedo(unknown, ['design'])).toEqual(['design']);
  });
});

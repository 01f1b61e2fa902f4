import { describe, expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { anExpiringQuestion, aQuestion } from '../../test/builders/question.js';
import { aRun } from '../../test/builders/run.js';
import type { Run } from '../protocol/run.js';
import { standingOf } from '../protocol/run-standing.js';
import { columnsOf } from './columns.js';
import { UNPAINTED } from './conversation.js';
import { renderWatch, type WatchedState, type WatchView } from './watch.js';

const AT = '2026-02-26T10:00:00.000Z';
const VIEW: WatchView = {
  width: 100,
  height: 30,
  paint: UNPAINTED,
  now: '2026-02-26T10:00:28.000Z',
  isRelative: true,
};
const QUIET: WatchedState = {
  project: 'shop',
  agents: {},
  runs: [],
  endedRuns: 0,
  clarifications: [],
  questions: [],
  ready: 0,
  blocked: 0,
  problems: [],
};
const definition = {
  workflow: { name: 'feature', description: '' },
  steps: ['design', 'implement'].map((id) => ({
    id,
    title: id,
    agent: 'engineer',
    needs: [],
    optional: false,
    iterate: false,
    max_iterations: 10,
    can_clarify: [],
    clarify_sla_minutes: 30,
    clarify_blocking_allowed: true,
  })),
};
const aStanding = (fields: Partial<Run>, isCarried = true) =>
  standingOf({ run: aRun(fields), isCarried }, new Set(['oq-1a2b3c4d']));
const BUSY: WatchedState = {
  ...QUIET,
  agents: {
    engineer: {
      status: 'blocked-clarification',
      issue: 42,
      lastActivity: AT,
      waitingOn: 'architect',
      clarificationId: 'CLR-42-001',
    },
    reviewer: { status: 'done', issue: 41, lastActivity: AT },
  },
  endedRuns: 1,
  runs: [
    aStanding({
      definition,
      journal: [
        { type: 'step-started', at: AT, step: 'design', attempt: 1 },
        { type: 'step-ended', at: AT, step: 'design', outcome: 'done' },
        { type: 'step-started', at: AT, step: 'implement', attempt: 1 },
      ],
    }),
    aStanding({ issueNumber: 43, status: 'paused', waitingOn: ['oq-1a2b3c4d'] }),
  ],
  clarifications: [aClarification({ topic: 'Database layer' })],
  questions: [anExpiringQuestion()],
  ready: 3,
  blocked: 1,
};

describe('the live board', () => {
  it('shows what waits for you, who is at what since when, runs with their step, clarifications', () => {
    expect(renderWatch(BUSY, { ...VIEW, height: 12 })).toEqual([
      'AgentX  shop                                                                      3 ready, 1 blocked',
      'QUESTIONS  1 for you: agentx inbox',
      '  oq-1a2b3c4d  #42  coder asks  fallback b in 4:32  Which database?',
      'AGENTS  0 at work, 1 waiting, 1 at rest',
      '  engineer  blocked-clarification  #42  28 s  waits for architect, CLR-42-001',
      'RUNS  2 under way, 1 ended',
      '  #42  feature  running  1/2  28 s  implement (engineer)',
      '  #43  feature  paused   0/0  28 s  waits for oq-1a2b3c4d',
      'CLARIFICATIONS  1 active',
      '  CLR-42-001  pending  1/5  28 s  engineer -> architect  Database layer',
    ]);
  });

  it('says of a run whose process is gone, or whose questions have ended, how it goes on', () => {
    const runs = [
      aStanding({ definition, journal: [{ type: 'step-started', at: AT, step: 'design', attempt: 1 }] }, false),
      aStanding({ issueNumber: 43, status: 'paused', waitingOn: ['oq-gone', 'oq-1a2b3c4d'] }, false),
      aStanding({ issueNumber: 44, status: 'paused', waitingOn: ['oq-gone'] }, false),
      aStanding({ issueNumber: 45, status: 'paused', waitingOn: ['oq-gone'] }),
    ];
    expect(renderWatch({ ...QUIET, runs }, { ...VIEW, height: 11 }).slice(3, 8)).toEqual([
      'RUNS  3 under way, 1 interrupted',
      '  #42  feature  interrupted  0/2  28 s  go on: agentx run 42; design (engineer)',
      '  #43  feature  paused       0/0  28 s  go on: agentx run 43; waits for oq-1a2b3c4d; oq-gone has e..',
      '  #44  feature  paused       0/0  28 s  go on: agentx run 44; oq-gone has ended',
      '  #45  feature  paused       0/0  28 s  oq-gone has ended',
    ]);
  });

  it('shows an agent on every issue that it is at, whatever it did last', () => {
    const engineer = {
      status: 'done' as const,
      issue: 43,
      lastActivity: AT,
      issues: {
        '41': { status: 'idle' as const },
        '42': { status: 'blocked-clarification' as const, waitingOn: 'architect', clarificationId: 'CLR-42-001' },
        '43': { status: 'done' as const },
        '44': { status: 'working' as const },
      },
    };
    expect(renderWatch({ ...QUIET, agents: { engineer } }, { ...VIEW, height: 8 }).slice(2, 5)).toEqual([
      'AGENTS  1 at work',
      '  engineer  blocked-clarification  #42  waits for architect, CLR-42-001',
      '  engineer  working                #44',
    ]);
  });

  it('says so where nothing happens', () => {
    const lines = renderWatch(QUIET, VIEW).join('\n');
    for (const text of ['0 ready', 'none waits for you', '0 at work', '0 under way', '0 active']) {
      expect(lines).toContain(text);
    }
  });

  it('fits every window and still says how many there are of each', () => {
    const many = { ...BUSY, questions: Array.from({ length: 50 }, (_, n) => aQuestion({ id: `oq-${n}` })) };
    for (const [width, height] of [
      [20, 8],
      [40, 5],
      [80, 24],
      [10, 1],
      [200, 60],
    ] as const) {
      const lines = renderWatch(many, { ...VIEW, width, height });
      expect(lines.length).toBeLessThanOrEqual(height);
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(width);
    }
    const small = renderWatch(many, { ...VIEW, width: 20, height: 8 }).join('\n');
    for (const text of ['QUESTIONS  50', 'AGENTS  0', 'RUNS  2', 'CLARIFICATIONS']) expect(small).toContain(text);
  });

  it('gives every list its share of a window that is too small for all', () => {
    const many = { ...BUSY, questions: Array.from({ length: 50 }, (_, n) => aQuestion({ id: `oq-${n}` })) };
    const lines = renderWatch(many, { ...VIEW, height: 14 });
    expect(lines).toHaveLength(14);
    expect(lines.join('\n')).toContain('implement (engineer)');
    expect(lines.join('\n')).toContain('CLR-42-001  pending');
  });

  it('shows what cannot be read, and the rest all the same', () => {
    const lines = renderWatch({ ...BUSY, problems: ['issues/7.json is damaged'] }, VIEW);
    expect(lines[1]).toBe('issues/7.json is damaged');
    expect(lines.join('\n')).toContain('CLR-42-001');
  });
});

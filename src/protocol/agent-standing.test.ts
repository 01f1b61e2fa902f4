import { describe, expect, it } from 'vitest';
import { AT } from '../../test/builders/clarification.js';
import { aRun } from '../../test/builders/run.js';
import { agentStandings, type Surroundings } from './agent-standing.js';
import type { AgentIssueStatus, AgentStatusFile } from './agent-status.js';
import type { Run } from './run.js';
import { standingOf } from './run-standing.js';

const OPEN = { id: 'oq-open', issueNumber: 42, blocking: true, agent: 'engineer' };
const NOTHING: Surroundings = { runs: [], openQuestions: [], unattended: new Set(), left: new Set() };

function file(fields: AgentIssueStatus): AgentStatusFile {
  return {
    engineer: { ...fields, issue: 42, lastActivity: AT, issues: { '42': fields, '43': { status: 'working' } } },
  };
}

const working = file({ status: 'working' });
const runOf = (fields: Partial<Run>, isCarried: boolean) =>
  standingOf({ run: aRun(fields), isCarried }, new Set([OPEN.id]));
const standing = (statuses: AgentStatusFile, around: Partial<Surroundings>) =>
  agentStandings(statuses, { ...NOTHING, ...around }).engineer;

it('is idle on a closed issue whose run nobody carries on: no command goes on with it', () => {
  const shown = standing(working, { runs: [runOf({}, false)], left: new Set([42]) });
  expect(shown).toMatchObject({ status: 'idle', issues: { '42': { status: 'idle' }, '43': { status: 'working' } } });
  expect(shown).not.toHaveProperty('goOn');
});

describe('how a run stands', () => {
  it.each([
    ['running', {}, true, { status: 'running', ended: [] }],
    ['interrupted', {}, false, { status: 'interrupted', goOn: 'agentx run 42' }],
    ['waiting for people, in a process', { waitingOn: ['oq-open'] }, true, { status: 'paused', ended: [] }],
    ['waiting for people, in none', { waitingOn: ['oq-open'] }, false, { status: 'paused', ended: [] }],
    [
      'waiting for no question',
      { waitingOn: ['oq-gone'] },
      false,
      { status: 'paused', ended: ['oq-gone'], goOn: 'agentx run 42' },
    ],
    [
      'still waiting for a question',
      { waitingOn: ['oq-gone', 'oq-open'] },
      false,
      { ended: ['oq-gone'], goOn: 'agentx run 42' },
    ],
    ['sent back', { waitingOn: [] }, false, { status: 'paused', goOn: 'agentx run 42' }],
    ['about to go on', { waitingOn: ['oq-gone'] }, true, { status: 'paused', ended: ['oq-gone'] }],
  ])('says that it is %s', (_, fields: Partial<Run>, isCarried, expected) => {
    const run = runOf({ ...(fields.waitingOn && { status: 'paused' }), ...fields }, isCarried);
    expect(run).toMatchObject(expected);
    expect(run.goOn).toBe('goOn' in expected ? expected.goOn : undefined);
  });
});

describe('what an agent is at', () => {
  it('is what the file says while a process carries its run on, or where there is none', () => {
    expect(agentStandings(working, NOTHING)).toEqual(working);
    expect(agentStandings(working, { ...NOTHING, runs: [runOf({}, true)] })).toEqual(working);
  });

  it('is nothing where its run was interrupted, on that issue only', () => {
    const interrupted = { status: 'interrupted', goOn: 'agentx run 42' };
    expect(standing(working, { runs: [runOf({}, false)] })).toMatchObject({
      ...interrupted,
      issues: { '42': interrupted, '43': { status: 'working' } },
    });
    const clarifying = file({ status: 'clarifying', clarificationId: 'CLR-42-001', respondingTo: 'coder' });
    expect(standing(clarifying, { runs: [runOf({}, false)] })).toMatchObject(interrupted);
  });

  it('is nothing where no process has it answer any more', () => {
    const clarifying = file({ status: 'clarifying', clarificationId: 'CLR-42-001', respondingTo: 'coder' });
    const unattended = new Set(['CLR-42-001']);
    expect(standing(clarifying, { unattended })).toMatchObject({
      status: 'interrupted',
      goOn: 'agentx clarify route CLR-42-001',
    });
    expect(standing(clarifying, { unattended: new Set(['CLR-42-002']) })).toMatchObject({ status: 'clarifying' });
    expect(standing(clarifying, { unattended, runs: [runOf({}, true)] })).toMatchObject({ status: 'clarifying' });
    const questions = [{ ...OPEN, agent: 'product-manager' }];
    expect(standing(clarifying, { unattended, openQuestions: questions })).toMatchObject({ status: 'clarifying' });
  });

  it('is over where it is done, idle or stuck, whatever became of the run', () => {
    for (const status of ['done', 'idle', 'stuck'] as const) {
      expect(standing(file({ status }), { runs: [runOf({}, false)] })).toMatchObject({ status });
    }
  });

  it('is waiting for a person who has to answer first, with or without a run', () => {
    const waiting = { status: 'blocked-clarification', waitingOn: 'human', questionId: 'oq-open' };
    const pausedRun = runOf({ status: 'paused', waitingOn: ['oq-open'] }, false);
    expect(standing(working, { openQuestions: [OPEN] })).toMatchObject(waiting);
    expect(standing(working, { runs: [runOf({}, true)], openQuestions: [OPEN] })).toMatchObject(waiting);
    expect(standing(working, { runs: [runOf({}, false)], openQuestions: [OPEN] })).toMatchObject(waiting);
    // The question that another agent asked before it.
    expect(standing(working, { runs: [pausedRun], openQuestions: [{ ...OPEN, agent: 'coder' }] })).toMatchObject(
      waiting,
    );
    const other = [
      { ...OPEN, blocking: false },
      { ...OPEN, issueNumber: 7 },
      { ...OPEN, agent: 'coder' },
    ];
    expect(standing(working, { runs: [runOf({}, true)], openQuestions: other })).toMatchObject({ status: 'working' });
  });

  it('is waiting for a person also after the process died, where its clarification was handed to one', () => {
    const escalated = file({ status: 'blocked-clarification', clarificationId: 'CLR-42-001', waitingOn: 'human' });
    expect(agentStandings(escalated, { ...NOTHING, runs: [runOf({}, false)] })).toEqual(escalated);
  });

  it('is paused where the question that it waited for has ended and no process goes on', () => {
    const run = runOf({ status: 'paused', waitingOn: ['oq-gone'] }, false);
    expect(standing(working, { runs: [run] })).toMatchObject({ status: 'paused', goOn: 'agentx run 42' });
  });
});

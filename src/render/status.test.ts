import { describe, expect, it } from 'vitest';
import { AT } from '../../test/builders/clarification.js';
import type { AgentStatusEntry } from '../protocol/agent-status.js';
import { renderStatuses, whatFor } from './status.js';

const TIMING = { now: '2026-02-26T10:04:00.000Z', isRelative: true };
const PAINT = {
  name: (text: string) => `<${text}>`,
  quiet: (text: string) => `(${text})`,
  good: (text: string) => `+${text}+`,
  waiting: String,
  alarming: (text: string) => `!${text}!`,
};

function anEntry(fields: Partial<AgentStatusEntry> = {}): AgentStatusEntry {
  return { status: 'working', issue: 42, lastActivity: AT, ...fields };
}

describe('renderStatuses', () => {
  it('shows who waits for whom, for how long, and every issue that an agent has not left', () => {
    const blocked = { status: 'blocked-clarification', clarificationId: 'CLR-42-001', waitingOn: 'architect' } as const;
    const statuses = {
      engineer: anEntry({
        ...blocked,
        issues: { '42': blocked, '43': { status: 'working' }, '44': { status: 'done' } },
      }),
      architect: anEntry({ status: 'clarifying', clarificationId: 'CLR-42-001', respondingTo: 'engineer' }),
      tester: anEntry({ status: 'idle', issue: null }),
    };
    expect(renderStatuses(statuses, { width: 100, timing: TIMING }).split('\n')).toEqual([
      'AGENT      STATUS                 ISSUE  WHAT FOR                         SINCE',
      'engineer   blocked-clarification  #42    waits for architect, CLR-42-001  4 min ago',
      'engineer   working                #43    -',
      'architect  clarifying             #42    answers engineer, CLR-42-001     4 min ago',
      'tester     idle                   -      -                                4 min ago',
    ]);
  });

  it('says the same in fewer words where there is less space, and one line each on 80 columns', () => {
    const waiting = (waitingOn: string) => ({ status: 'blocked-clarification', waitingOn }) as const;
    const statuses = {
      engineer: anEntry({ ...waiting('architect'), clarificationId: 'CLR-42-001' }),
      architect: anEntry({ status: 'clarifying', clarificationId: 'CLR-42-001', respondingTo: 'engineer' }),
    };
    const lines = (width: number, all = statuses) =>
      renderStatuses(all, { width, timing: TIMING }).split('\n').slice(0, 3);
    expect(lines(80)).toEqual([
      'AGENT      STATUS                 ISSUE  WHAT FOR                         SINCE',
      'engineer   blocked-clarification  #42    waits for architect, CLR-42-001  4 min',
      'architect  clarifying             #42    answers engineer, CLR-42-001     4 min',
    ]);
    expect(lines(75)).toEqual([
      'AGENT      STATUS                 ISSUE  WHAT FOR               SINCE',
      'engineer   blocked-clarification  #42    architect, CLR-42-001  4 min',
      'architect  clarifying             #42    engineer, CLR-42-001   4 min',
    ]);
    expect(lines(60)).toEqual([
      'AGENT      STATUS      ISSUE  WHAT FOR               SINCE',
      'engineer   blocked     #42    architect, CLR-42-001  4 min',
      'architect  clarifying  #42    engineer, CLR-42-001   4 min',
    ]);
    expect(lines(40)).toEqual([
      'AGENT      STATUS      ISSUE',
      'engineer   blocked     #42',
      '      architect, CLR-42-001  4 min',
    ]);
    const long = {
      'devops-engineer': anEntry({ ...waiting('product-manager'), clarificationId: 'CLR-1042-001' }),
      'product-manager': anEntry({ status: 'working', lastActivity: '2026-02-25T11:00:00.000Z' }),
    };
    const text = renderStatuses(long, { width: 80, timing: TIMING });
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toContain('product-manager, CLR-1042-001  4 min');
  });

  it('gives the exact time where times are not relative', () => {
    const text = renderStatuses({ tester: anEntry() }, { width: 100, timing: { ...TIMING, isRelative: false } });
    expect(text).toContain(AT);
  });

  it('paints after laying out, so that columns stay in line', () => {
    const statuses = { tester: anEntry({ status: 'stuck' }), coder: anEntry({ status: 'done' }) };
    const view = { width: 100, timing: TIMING };
    const painted = renderStatuses(statuses, { ...view, paint: PAINT });
    expect(painted).toContain('<tester>  !stuck!');
    expect(painted).toContain('<coder>   +done+');
    expect(painted.replaceAll(/[<>()+!]/g, '')).toBe(renderStatuses(statuses, view));
  });
});

describe('whatFor', () => {
  it('copes with entries that another program wrote by halves', () => {
    expect(whatFor({ status: 'blocked-clarification' })).toBe('waits for an answer');
    // In the same words as the inbox and the queue.
    expect(whatFor({ status: 'blocked-clarification', waitingOn: 'human' })).toBe('waits for you');
    expect(whatFor({ status: 'clarifying', clarificationId: null })).toBe('answers a question');
    expect(whatFor({ status: 'blocked-clarification', waitingOn: 'a\u001b[31m\nb' })).toBe('waits for a b');
  });
});

import { describe, expect, it } from 'vitest';
import { AT } from '../../../../test/builders/clarification.js';
import { anIssue } from '../../../../test/builders/issue.js';
import { anExpiringQuestion, aQuestion } from '../../../../test/builders/question.js';
import { aRun } from '../../../../test/builders/run.js';
import {
  salvageIssue,
  salvageIssueNumbers,
  salvageLines,
  salvageOrchestrator,
  salvageQuestion,
  salvageRun,
  salvageStatuses,
} from './salvage.js';

const textOf = (value: unknown): string => JSON.stringify(value, null, 2);

describe('salvageQuestion', () => {
  it('drops optional fields that make no sense, and what is nothing without them', () => {
    const question = anExpiringQuestion();
    const { fallback: _fallback, expiresAt: _expiresAt, ...rest } = question;
    const { document, summary } = salvageQuestion(question.id, textOf({ ...question, fallback: 'b' }));
    expect(document).toEqual(rest);
    expect(summary).toBe('The question is kept, without fallback, expiresAt, which made no sense.');
  });

  it('keeps nothing where it cannot be known what was asked, or of whom', () => {
    const question = aQuestion();
    for (const text of ['', textOf({ ...question, questions: [] }), textOf(question).slice(0, 300)]) {
      expect(salvageQuestion(question.id, text).document).toBeUndefined();
    }
    expect(salvageQuestion('oq-other', textOf(question)).document).toBeUndefined();
  });
});

describe('salvageIssue', () => {
  const comments = [
    { author: 'ada', body: 'First', created: AT },
    { body: 'Second', created: AT },
  ];
  const issue = anIssue({ body: 'Why', labels: ['type:bug'], comments });

  it('keeps the comments that are whole', () => {
    const text = textOf(issue);
    const { document, summary } = salvageIssue(42, text.slice(0, text.indexOf('Second')), AT);
    expect(document).toEqual({ ...issue, comments: comments.slice(0, 1) });
    expect(summary).toBe('The issue is kept with 1 comments.');
  });

  it('sets anew what is lost, and says so', () => {
    const text = textOf(issue);
    const { document, summary } = salvageIssue(42, text.slice(0, text.indexOf('"state"')), '2026-03-01T00:00:00Z');
    expect(document).toMatchObject({
      title: issue.title,
      body: 'Why',
      labels: ['type:bug'],
      state: 'open',
      comments: [],
    });
    expect(summary).toContain('lost and set anew: state, assignee');
    expect(salvageIssue(42, textOf({ ...issue, taskStatus: 'asleep' }), AT)).toMatchObject({
      document: { ...issue, taskStatus: 'open' },
      lost: ['taskStatus'],
    });
  });

  it('keeps nothing without a title, or under the number of another', () => {
    expect(salvageIssue(42, '{"number":42', AT)).toMatchObject({ document: undefined, lost: ['#42'] });
    expect(salvageIssue(7, textOf(issue), AT).document).toBeUndefined();
  });
});

describe('salvageRun', () => {
  it('keeps the journal up to the damage', () => {
    const entries = (['start', 'enter-execution', 'finish'] as const).map((type) => ({ at: AT, type }));
    const damaged = [entries[0], entries[1], { at: 'noon', type: 'x' }, entries[2]];
    const { document, summary } = salvageRun(42, textOf(aRun({ journal: [] })).replace('[]\n}', `${textOf(damaged)}}`));
    expect(document).toEqual(aRun({ journal: entries.slice(0, 2) }));
    expect(summary).toBe('The run is kept with the first 2 entries of its journal.');
    expect(salvageRun(7, textOf(aRun())).document).toBeUndefined();
  });
});

describe('salvageStatuses', () => {
  it('keeps the agents whose entries are in order', () => {
    const entry = { status: 'idle', issue: null, lastActivity: AT };
    const text = textOf({
      architect: entry,
      engineer: { ...entry, status: 'asleep' },
      tester: { ...entry, issues: 7 },
    });
    expect(salvageStatuses(text)).toEqual({
      document: { architect: entry, tester: entry },
      summary: '2 of 3 agents kept, engineer lost.',
      lost: ['engineer'],
    });
    expect(salvageStatuses('').document).toEqual({});
    expect(salvageStatuses(text.slice(0, text.indexOf('"engineer"') + 20)).document).toEqual({ architect: entry });
  });
});

describe('salvageOrchestrator', () => {
  it('keeps whole sessions', () => {
    const session = { clarification_pending: true, phase: 'planning' };
    const text = textOf({ sessions: { 'run-1': session, 'run-2': session } }).slice(0, -25);
    expect(salvageOrchestrator(text)).toMatchObject({ document: { sessions: { 'run-1': session } } });
  });
});

describe('salvageIssueNumbers', () => {
  it.each([
    ['{"last":"9"}', 3, 9],
    ['{"last":', 3, 3],
    ['{"last": 12', 3, 12],
    ['', 0, 0],
  ])('goes on after the highest that %j or a file shows', (text, given, last) => {
    expect(salvageIssueNumbers(text, given)).toMatchObject({ document: { last } });
  });
});

describe('salvageLines', () => {
  it('keeps the lines that are in order', () => {
    const { document, summary } = salvageLines('{"a":1}\n{"a":\n{"b":2}\n{"a":3}', (value) =>
      textOf(value).includes('a'),
    );
    expect(document).toBe('{"a":1}\n{"a":3}\n');
    expect(summary).toBe('2 of 4 lines kept.');
  });
});

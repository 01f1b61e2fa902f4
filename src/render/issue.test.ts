import { describe, expect, it } from 'vitest';
import { AT } from '../../test/builders/clarification.js';
import { anIssue } from '../../test/builders/issue.js';
import { renderIssue, renderIssueList } from './issue.js';

const TIMING = { now: '2026-02-26T10:04:00.000Z', isRelative: true };

describe('renderIssueList', () => {
  it('has a line for each issue', () => {
    const issues = [
      anIssue({ number: 1, title: 'Health endpoint', labels: ['type:feature', 'priority:p1'], status: 'Ready' }),
      anIssue({ number: 12, title: 'Export', labels: [], state: 'closed' }),
    ];
    expect(renderIssueList(issues, { width: 80 }).split('\n')).toEqual([
      '#1   P1  feature  Ready   Health endpoint',
      '#12  P-  story    closed  Export',
    ]);
  });
});

describe('renderIssue', () => {
  it('shows what is known, leaves out what is not, and keeps text text', () => {
    const issue = anIssue({
      number: 7,
      title: 'Ex\u001b[2Jport\nnow',
      body: 'Blocked-by: #3\n\nAs CSV.',
      labels: ['priority:p2'],
      status: 'In Progress',
      state: 'open',
      assignee: 'engineer',
      taskStatus: 'blocked',
      block_reason: 'Open Question',
      created: AT,
      updated: AT,
      comments: [
        { author: 'ada', body: 'Semicolons?\nOr commas?', created: AT },
        { body: 'Tabs.', created: AT },
      ],
    });
    expect(renderIssue(issue, { width: 80, timing: TIMING }).split('\n')).toEqual([
      '#7 Export now',
      '  type      story',
      '  priority  P2',
      '  status    open, In Progress',
      '  task      blocked: Open Question',
      '  assignee  engineer',
      '  labels    priority:p2',
      '  needs     #3',
      '  created   4 min ago',
      '',
      '  Blocked-by: #3',
      '',
      '  As CSV.',
      '',
      '[ada] 4 min ago',
      '  Semicolons?',
      '  Or commas?',
      '',
      '[comment] 4 min ago',
      '  Tabs.',
    ]);
  });
});

import type { Issue } from '../../src/protocol/issue.js';

export function anIssue(fields: Partial<Issue> = {}): Issue {
  return {
    number: 42,
    title: 'Add a health endpoint',
    body: '',
    labels: [],
    status: 'Ready',
    state: 'open',
    assignee: null,
    taskStatus: 'open',
    block_reason: null,
    created: '2026-02-26T10:00:00.000Z',
    updated: '2026-02-26T10:00:00.000Z',
    comments: [],
    ...fields,
  };
}

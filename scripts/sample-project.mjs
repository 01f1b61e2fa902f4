import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MINUTE = 60_000;
const DAY = 24 * 60;

/**
 * A project in the middle of its work, as files that the commands would have written. It has questions of every kind,
 * threads, agents that wait in a cycle, assumptions, memories, and some weeks of history.
 */
export function writeSampleProject(root, { projectId }) {
  const at = (minutes) => new Date(Date.now() + minutes * MINUTE).toISOString();
  const write = (path, content) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  };
  for (const issue of issues(at)) write(`issues/${issue.number}.json`, issue);
  for (const question of questions(at)) write(`state/questions/${question.id}.json`, { projectId, ...question });
  for (const [issueNumber, clarifications] of Object.entries(ledgers(at))) {
    write(`state/clarifications/issue-${issueNumber}.json`, { issueNumber: Number(issueNumber), clarifications });
  }
  for (const [issueNumber, observations] of Object.entries(memory(at))) {
    const file = { version: 1, issueNumber: Number(issueNumber), updatedAt: at(-10), observations };
    write(`memory/issue-${issueNumber}.json`, file);
  }
  write('state/agent-status.json', agents(at));
  write('state/assumptions/issue-40.json', { issueNumber: 40, assumptions_made: assumptions(at) });
}

function issues(at) {
  const issue = (number, title, status, fields = {}) => ({
    number,
    title,
    body: '',
    labels: ['type:feature'],
    status,
    state: status === 'Done' ? 'closed' : 'open',
    assignee: null,
    taskStatus: status === 'Done' ? 'done' : 'open',
    block_reason: null,
    created: at(-9 * DAY),
    updated: at(-20),
    comments: [],
    ...fields,
  });
  return [
    issue(40, 'Pay with a saved card', 'In Review', { assignee: 'reviewer', taskStatus: 'in_progress' }),
    issue(42, 'Audit log', 'In Progress', { assignee: 'engineer', taskStatus: 'in_progress' }),
    issue(57, 'Export as CSV', 'Ready'),
    issue(58, 'Search by order number', 'Ready'),
    issue(61, 'Retire the legacy table', 'In Progress', { taskStatus: 'blocked', block_reason: 'Open Question' }),
    issue(63, 'Health endpoint', 'Done'),
    issue(66, 'Dark mode', 'Backlog'),
  ];
}

function questions(at) {
  const question = (id, minutesAgo, fields) => ({
    id,
    issueNumber: 42,
    kind: 'open_question',
    source: 'execute',
    sourceId: '42',
    askedBy: { agent: 'engineer', chain: ['engineer'] },
    blocking: true,
    consequence: 'reversible',
    status: 'open',
    responses: [],
    createdAt: at(-minutesAgo),
    revision: 1,
    ...fields,
  });
  return [
    question('oq-0a000001', 2, {
      kind: 'escalation',
      source: 'clarification',
      sourceId: 'CLR-42-002',
      questions: [
        {
          id: 'q1',
          header: 'Retention of audit logs',
          text:
            'Topic: Retention of audit logs\nReason: neither side can give way\n' +
            'engineer: 30 days is what the budget pays for.\narchitect: Compliance wants a year.',
          options: [
            {
              id: 'a',
              label: '30 days',
              description: 'What the storage budget allows today.',
              recommended: true,
              pros: ['cheapest', 'can be extended later'],
              cons: ['compliance may ask for more'],
            },
            {
              id: 'b',
              label: '1 year',
              description: 'What compliance usually wants.',
              cons: ['twelve times the storage'],
            },
            { id: 'c', label: 'Let the engineer assume and record it' },
          ],
        },
      ],
      fallback: { optionId: 'a', reasoning: 'Fits the budget and can be extended later.', risk: 'low' },
      expiresAt: at(4.55),
    }),
    question('oq-0a000002', 75, {
      issueNumber: 61,
      sourceId: '61',
      askedBy: { agent: 'coder', chain: ['coder', 'engineer'] },
      consequence: 'irreversible',
      blocksTask: true,
      questions: [
        {
          id: 'q1',
          header: 'Data',
          text: 'The legacy table still has 212 rows. Drop it?\n```\nDROP TABLE orders_2019;\n```\nThe plan is at https://wiki.example.com/retire.',
          options: [
            { id: 'a', label: 'Drop it' },
            { id: 'b', label: 'Keep it, read-only', recommended: true },
          ],
        },
        {
          id: 'q2',
          header: 'Notice',
          text: 'Who is told before?',
          multiSelect: true,
          options: [
            { id: 'a', label: 'Support' },
            { id: 'b', label: 'Finance' },
            { id: 'c', label: 'Nobody' },
          ],
        },
        { id: 'q3', header: 'When', text: 'In which release?' },
      ],
    }),
    question('oq-0a000003', 12, {
      kind: 'late_answer',
      issueNumber: 40,
      sourceId: '40',
      askedBy: { agent: 'pm', chain: ['pm'] },
      blocking: false,
      questions: [
        {
          id: 'q1',
          header: 'Keep or rework',
          mustChoose: true,
          text: 'Assumed (ASM-40-001): Stripe\nYou say: Adyen, there is a contract\nKeep it, or do it again?',
          options: [
            { id: 'keep', label: 'Keep', description: 'What was built stays as it is.' },
            { id: 'rework', label: 'Rework', description: 'Those steps are done again with your answer.' },
          ],
        },
      ],
      rework: {
        assumptionId: 'ASM-40-001',
        answer: 'Adyen, there is a contract',
        artifacts: ['src/payments/stripe.ts', 'docs/adr/ADR-40.md'],
        runs: [{ runId: 'run-40-1', steps: ['design', 'implement'] }],
      },
    }),
    question('oq-0a000004', 30, {
      kind: 'approval',
      issueNumber: 57,
      sourceId: '57',
      askedBy: { agent: 'architect', chain: ['architect'] },
      consequence: 'irreversible',
      proposal: { kind: 'dependency', summary: 'Add csv-stringify 6 for the export.' },
      questions: [
        {
          id: 'q1',
          header: 'Approval',
          text: 'May a dependency be added: csv-stringify 6?',
          options: [
            { id: 'approve', label: 'Approve' },
            { id: 'reject', label: 'Reject' },
          ],
        },
      ],
    }),
    question('oq-0a000005', 5, {
      issueNumber: 58,
      sourceId: '58',
      askedBy: { agent: 'planner', chain: ['planner'] },
      blocking: false,
      questions: [{ id: 'q1', text: 'Should old order numbers, with the prefix A-, be found as well?' }],
      fallback: { text: 'Yes, with and without the prefix', reasoning: 'Nobody loses a result.', risk: 'low' },
      expiresAt: at(190),
    }),
  ];
}

function memory(at) {
  let observationCount = 0;
  const observation = (issueNumber, agent, category, minutesAgo, [summary, more = ''], fields = {}) => ({
    id: `obs-${agent}-${issueNumber}-${Date.parse(at(-minutesAgo))}-${String(observationCount++).padStart(6, 's')}`,
    agent,
    issueNumber,
    category,
    content: `${summary} ${more}`.trim(),
    summary,
    tokens: Math.ceil((summary.length + more.length) / 4),
    timestamp: at(-minutesAgo),
    sessionId: `run-${issueNumber}-1a2b3c4d.implement.1`,
    ...fields,
  });
  return {
    42: [
      observation(42, 'architect', 'decision', 2 * DAY, [
        'Audit entries are append-only.',
        'No update and no delete from the application role: an audit log that can be edited is none.',
      ]),
      observation(
        42,
        'engineer',
        'decision',
        24,
        [
          'Empty state of the log: One sentence and a link.',
          'What does an empty log show? One sentence and a link. (CLR-42-001, ux-designer)',
        ],
        { source: { kind: 'clarification', id: 'CLR-42-001', round: 1 }, recallCount: 2 },
      ),
      observation(42, 'engineer', 'code-change', 18, [
        'Wrote src/audit/append.ts.',
        'It opens the file once and appends whole lines, so that two writers never mix theirs.',
      ]),
    ],
    40: [
      observation(40, 'engineer', 'error', 6 * DAY, [
        'The nightly job kept thirteen partitions of the event log instead of twelve.',
        'It was off by one at the turn of the year; the disk was full on 2 June.',
      ]),
      observation(
        40,
        'product-manager',
        'key-fact',
        3 * DAY,
        [
          'No personal data in log lines.',
          'Names and addresses never reach a log; ids do, and the audit page resolves them.',
        ],
        { recallCount: 5 },
      ),
    ],
  };
}

function ledgers(at) {
  const record = (id, from, to, topic, minutesAgo, fields = {}) => ({
    id,
    from,
    to,
    topic,
    blocking: true,
    status: 'pending',
    round: 1,
    maxRounds: 5,
    created: at(-minutesAgo),
    staleAfter: at(60 - minutesAgo + 600),
    resolvedAt: null,
    thread: [{ round: 1, from, type: 'question', body: `What holds for: ${topic}?`, timestamp: at(-minutesAgo) }],
    ...fields,
  });
  return {
    42: [
      record('CLR-42-001', 'engineer', 'ux-designer', 'Empty state of the log', 26, {
        status: 'resolved',
        resolvedAt: at(-24),
        thread: [
          { round: 1, from: 'engineer', type: 'question', body: 'What does an empty log show?', timestamp: at(-26) },
          { round: 1, from: 'ux-designer', type: 'answer', body: 'One sentence and a link.', timestamp: at(-25) },
          { round: 1, from: 'engineer', type: 'resolution', body: 'Clear. Proceeding.', timestamp: at(-24) },
        ],
      }),
      record('CLR-42-002', 'engineer', 'architect', 'Retention of audit logs', 9, {
        status: 'escalated',
        round: 2,
        thread: [
          { round: 1, from: 'engineer', type: 'question', body: 'How long are audit logs kept?', timestamp: at(-9) },
          { round: 1, from: 'architect', type: 'answer', body: 'Compliance wants a year.', timestamp: at(-7) },
          {
            round: 2,
            from: 'engineer',
            type: 'question',
            body: 'The storage budget is for 30 days. Which one wins?',
            timestamp: at(-5),
          },
          { round: 2, from: 'architect', type: 'answer', body: 'I cannot decide about the budget.', timestamp: at(-3) },
          {
            round: 2,
            from: 'agent-x',
            type: 'escalation',
            body: 'Topic: Retention of audit logs',
            reason: 'Neither side can give way.',
            positions: { requester: '30 days is what the budget pays for.', target: 'Compliance wants a year.' },
            timestamp: at(-2),
          },
        ],
      }),
      record('CLR-42-003', 'engineer', 'reviewer', 'Who signs the migration', 14),
    ],
    57: [record('CLR-57-001', 'reviewer', 'ux-designer', 'Column order of the export', 13)],
    58: [record('CLR-58-001', 'ux-designer', 'engineer', 'What a result row holds', 11, { status: 'stale' })],
    66: [record('CLR-66-001', 'tester', 'engineer', 'Which themes are tested', 8)],
    63: history(record, at),
  };
}

/** Six weeks of settled questions. */
function history(record, at) {
  const topics = ['Response format', 'Error codes', 'Naming', 'Caching', 'Time zones'];
  const pairs = [
    ['engineer', 'architect'],
    ['reviewer', 'engineer'],
    ['tester', 'ux-designer'],
  ];
  return Array.from({ length: 64 }, (_, index) => {
    const minutes = ((index * 37) % 41) * DAY + 300 + index;
    const [from, to] = pairs[index % pairs.length];
    const topic = topics[(index * 3) % topics.length];
    const id = `CLR-63-${String(index + 1).padStart(3, '0')}`;
    const entry = (type, who, body, later) => ({ round: 1, from: who, type, body, timestamp: at(later - minutes) });
    const isEscalated = index % 9 === 4;
    return record(id, from, to, topic, minutes, {
      status: 'resolved',
      resolvedAt: at(20 - minutes),
      thread: [
        entry('question', from, `${topic}: which one?`, 0),
        entry('answer', to, 'The one of the specification.', 5),
        ...(isEscalated ? [entry('escalation', 'agent-x', 'Topic', 8)] : []),
        entry('resolution', isEscalated ? 'human' : from, 'Clear. Proceeding.', 20),
      ],
    });
  });
}

function agents(at) {
  const entry = (status, issue, minutesAgo, fields = {}) => ({
    status,
    issue,
    clarificationId: null,
    waitingOn: null,
    respondingTo: null,
    lastActivity: at(-minutesAgo),
    ...fields,
  });
  const waits = (issue, clarificationId, waitingOn, minutesAgo) =>
    entry('blocked-clarification', issue, minutesAgo, { clarificationId, waitingOn });
  return {
    engineer: waits(42, 'CLR-42-003', 'reviewer', 14),
    reviewer: waits(57, 'CLR-57-001', 'ux-designer', 13),
    'ux-designer': waits(58, 'CLR-58-001', 'engineer', 11),
    tester: waits(66, 'CLR-66-001', 'engineer', 8),
    architect: entry('working', 57, 31),
    coder: entry('stuck', 61, 75),
    'product-manager': entry('done', 63, 2 * DAY),
  };
}

function assumptions(at) {
  const assumption = (number, decision, fields = {}) => ({
    decision,
    blocker_type: 'none',
    user_response: 'inferred_from_context',
    reasoning: 'The repository already uses it.',
    confidence: 'high',
    risk_if_wrong: 'A day of rework.',
    id: `ASM-40-00${number}`,
    issueNumber: 40,
    agent: 'product-manager',
    artifacts: [],
    status: 'standing',
    createdAt: at(-number * 60),
    ...fields,
  });
  return [
    assumption(1, 'Payments go through Stripe', {
      blocker_type: 'missing_external_data',
      user_response: 'timeout_assumed',
      confidence: 'medium',
      risk_if_wrong: 'The payment module is written again.',
      artifacts: ['src/payments/stripe.ts', 'docs/adr/ADR-40.md'],
    }),
    assumption(2, 'Amounts are integers in the smallest unit', { status: 'confirmed', decidedBy: 'ada' }),
    assumption(3, 'Receipts are sent as plain text', {
      status: 'rejected',
      decidedBy: 'ada',
      rejection: 'HTML as well',
    }),
  ];
}

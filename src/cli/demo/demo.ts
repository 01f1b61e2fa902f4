import { setTimeout as sleep } from 'node:timers/promises';
import { createDemoApp } from '../../app/create-app.js';
import {
  type ClarificationEvent,
  type ClarificationRecord,
  nextClarificationId,
  openClarification,
  transition,
} from '../../protocol/clarification.js';
import { agentTitle, type Paint, renderEntry } from '../../render/conversation.js';
import type { Output } from '../output.js';

/** What the two agents say. Scripted; everything between them is the real thing. */
const TITLE = 'Health endpoint';
const QUESTION = {
  from: 'engineer',
  to: 'architect',
  topic: 'Database layer',
  question: 'The ADR says PostgreSQL, local development uses SQLite.\nTwo adapters, or migrate everything?',
  blocking: true,
} as const;
type Line = Extract<ClarificationEvent, { type: 'answer' | 'follow-up' | 'resolve' }>;
const REPLIES: readonly Pick<Line, 'type' | 'by' | 'body'>[] = [
  {
    type: 'answer',
    by: 'architect',
    body: 'Repository pattern, one adapter per environment:\nSQLite for development, PostgreSQL for the rest.',
  },
  { type: 'follow-up', by: 'engineer', body: 'Does the adapter own connection pooling, or does configuration?' },
  { type: 'answer', by: 'architect', body: 'Configuration. Pool sizes stand in one file per environment.' },
  { type: 'resolve', by: 'engineer', body: 'Repository pattern with pooling from configuration. Proceeding.' },
];

/** Two agents settle one ambiguity, through the same store that real work uses. */
export async function demo({ print, paint, isTerminal }: Output): Promise<undefined> {
  const { root, store, clock } = createDemoApp();
  // How long an agent thinks, where somebody is watching.
  const pauseMs = isTerminal ? 900 : 0;
  const issue = await store.issues.create((number) => newIssue(number, clock.now()));
  print(`#${issue.number} ${TITLE}\n`);
  print(`${paint.name(`[${agentTitle(QUESTION.from)}]`)} Implementing...\n`);
  await sleep(pauseMs);

  let record = await store.ledgers.update(issue.number, (ledger) => {
    const opened = openClarification({ ...QUESTION, id: nextClarificationId(ledger), at: clock.now() }).record;
    return { next: { ...ledger, clarifications: [...ledger.clarifications, opened] }, result: opened };
  });
  showLast(record, print, paint);
  for (const reply of REPLIES) {
    await sleep(pauseMs);
    record = await store.ledgers.update(issue.number, (ledger) => {
      const current = ledger.clarifications.find(({ id }) => id === record.id) ?? record;
      const changed = transition(current, { ...reply, at: clock.now() }).record;
      const clarifications = ledger.clarifications.map((other) => (other.id === changed.id ? changed : other));
      return { next: { ...ledger, clarifications }, result: changed };
    });
    showLast(record, print, paint);
  }
  print(`\nResolved in ${record.round} rounds, without a human.`);
  print('Every line above was on the disk before it was shown:');
  print(`  ${root}/state/clarifications/issue-${issue.number}.json`);
  print(`  ${root}/issues/${issue.number}.json`);
}

function showLast(record: ClarificationRecord, print: (text: string) => void, paint: Paint): void {
  const entry = record.thread.at(-1);
  if (entry) print(renderEntry(record, entry, paint));
}

function newIssue(number: number, at: string) {
  return {
    number,
    title: TITLE,
    body: 'GET /healthz says whether the service and its database are up.',
    labels: ['type:feature'],
    status: 'In Progress',
    state: 'open',
    assignee: QUESTION.from,
    taskStatus: 'in_progress',
    block_reason: null,
    created: at,
    updated: at,
    comments: [],
  } as const;
}

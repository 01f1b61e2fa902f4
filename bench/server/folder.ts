import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initFolder } from '../../src/app/init.js';
import { openQuestion } from '../../src/protocol/question-transition.js';
import { layoutOf } from '../../src/storage/files/layout.js';

const ISSUES = 100;

export const questionId = (index: number): string => `oq-${String(index).padStart(6, '0')}`;
const issueOf = (index: number): number => (index % ISSUES) + 1;

/** A project with so many open questions, spread over a hundred issues; written without waiting for the disk. */
export function writeProject(repository: string, questions: number): string {
  mkdirSync(repository, { recursive: true });
  const { root } = initFolder({ repository });
  const layout = layoutOf(root);
  mkdirSync(layout.questions, { recursive: true });
  mkdirSync(layout.issues, { recursive: true });
  for (let number = 1; number <= ISSUES; number++) {
    writeFileSync(join(layout.issues, `${number}.json`), JSON.stringify(anIssue(number), null, 2));
  }
  for (let index = 0; index < questions; index++) {
    writeFileSync(join(layout.questions, `${questionId(index)}.json`), JSON.stringify(aQuestion(index), null, 2));
  }
  return root;
}

const CREATED = Date.parse('2026-02-26T10:00:00.000Z');

function aQuestion(index: number) {
  const createdAt = new Date(CREATED + index).toISOString();
  const part = {
    id: 'q1',
    text: 'How long are the records of this service kept before they are removed?',
    createdAt,
    options: [
      { id: 'a', label: '30 days', description: 'What the budget for storage allows.' },
      { id: 'b', label: 'One year', description: 'What the auditors would like to see.' },
    ],
  };
  const agent = 'engineer';
  return openQuestion({
    id: questionId(index),
    projectId: 'bench',
    issueNumber: issueOf(index),
    kind: 'open_question',
    source: 'execute',
    sourceId: String(issueOf(index)),
    askedBy: { agent, chain: [agent] },
    questions: [part],
    blocking: true,
    consequence: 'reversible',
    createdAt,
  }).question;
}

function anIssue(number: number) {
  const at = new Date(CREATED).toISOString();
  const fields = {
    labels: [],
    status: 'In Progress',
    state: 'open',
    assignee: null,
    taskStatus: 'open',
    block_reason: null,
    comments: [],
  };
  return { number, title: `Issue ${number}`, body: 'What is to be done.', ...fields, created: at, updated: at };
}

import { resolve } from 'node:path';
import type { WireRule } from '../../wire/script.js';
import { aRepository } from './agentx.js';
import { fileOf, storeOf } from './runs.js';

/* A feature by five agents on models, against a server that plays what they say. */

const AGENTS = ['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer'] as const;

export const AGENT_MODELS = AGENTS.map((agent) => `compatible/${agent}`);

const write = (path: string, content: string) => ({ name: 'write_artifact', input: { path, content } });
const finish = (text: string) => ({ name: 'finish', input: { text } });
const readFile = (path: string) => ({ name: 'read_file', input: { path } });

/** In one reply a model may call several tools; each agent's own conversation is in the order of its turns. */
export const FEATURE_TALK: readonly WireRule[] = [
  {
    model: 'product-manager',
    when: /You are the product-manager\. The architect asks you/,
    turns: [
      { calls: [readFile('docs/prd/PRD-1.md')] },
      { calls: [{ name: 'finish', input: { answer: 'Within 200 ms.', evidence: ['docs/prd/PRD-1.md'] } }] },
    ],
  },
  {
    model: 'product-manager',
    turns: [{ calls: [write('docs/prd/PRD-1.md', '# Health endpoint\n'), finish('The requirements are written.')] }],
  },
  {
    model: 'ux-designer',
    turns: [{ calls: [write('docs/ux/UX-1.md', '# No screen\n'), finish('There is no screen to design.')] }],
  },
  {
    model: 'architect',
    when: /You are the architect\. The engineer asks you/,
    turns: [{ calls: [{ name: 'finish', input: { answer: 'PostgreSQL 16.', evidence: ['docs/adr/ADR-1.md'] } }] }],
  },
  {
    model: 'architect',
    turns: [
      {
        calls: [
          {
            name: 'request_clarification',
            input: { to: 'product-manager', topic: 'Response time', question: 'How fast must it answer?' },
          },
        ],
      },
      { calls: [write('docs/adr/ADR-1.md', '# Use PostgreSQL\n')] },
      { calls: [finish('The architecture is decided.')] },
    ],
  },
  {
    model: 'engineer',
    turns: [
      { text: 'I read the decision first.', calls: [readFile('docs/adr/ADR-1.md')] },
      { calls: [{ name: 'run_command', input: { command: [process.execPath, 'count.mjs'] } }] },
      {
        calls: [
          write('health.js', 'export const health = 1;\n'),
          {
            name: 'request_clarification',
            input: { to: 'architect', topic: 'Database', question: 'Which version of PostgreSQL?' },
          },
        ],
      },
      {
        calls: [
          {
            name: 'ask_human',
            input: {
              questions: [{ text: 'Which port?', options: [{ label: '4820' }, { label: '8080' }] }],
              consequence: 'irreversible',
            },
          },
        ],
      },
      { calls: [write('health.js', 'export const health = 2;\n'), finish('It is implemented, and the tests pass.')] },
    ],
  },
  {
    model: 'reviewer',
    turns: [
      {
        calls: [
          write('docs/reviews/REVIEW-1.md', '# Approved\n'),
          { name: 'finish', input: { text: 'Approved.', review: { verdict: 'approved' } } },
        ],
      },
    ],
  },
];

/** A program that counts how often it ran. */
const COUNT = "import { appendFileSync } from 'node:fs'; appendFileSync('ran', 'x'); console.log('counted');\n";

export async function aFeatureOfModels(url: string, more = ''): Promise<string> {
  const tables = AGENTS.map((agent) =>
    [
      `[agents.${agent}]`,
      'runner = "model"',
      `model = "compatible/${agent}"`,
      `base_url = "${url}/v1"`,
      ...(agent === 'engineer' ? [`commands = [["${resolve(process.execPath)}", "count.mjs"]]`] : []),
    ].join('\n'),
  );
  return aRepository({
    config: `${tables.join('\n\n')}\n${more}`,
    files: { 'count.mjs': COUNT },
    issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
  });
}

/** What must be the same whether the run was killed or not. */
export async function featureOutcome(cwd: string) {
  const store = storeOf(cwd);
  const [run, ledger] = await Promise.all([store.runs.read(1), store.ledgers.read(1)]);
  const acts = (run?.journal ?? []).flatMap((entry) => (entry.type === 'turn-ended' ? entry.acts : []));
  return {
    status: run?.status,
    clarifications: ledger.clarifications
      .map(({ from, to, topic, status, thread }) => ({
        from,
        to,
        topic,
        status,
        thread: thread.map(({ body }) => body),
      }))
      .toSorted((left, right) => left.topic.localeCompare(right.topic)),
    questions: acts.flatMap(({ questionId }) => questionId ?? []).length,
    refused: acts.flatMap(({ refused }) => refused ?? []),
    files: ['docs/prd/PRD-1.md', 'docs/ux/UX-1.md', 'docs/adr/ADR-1.md', 'docs/reviews/REVIEW-1.md', 'health.js'].map(
      (path) => fileOf(cwd, path),
    ),
  };
}

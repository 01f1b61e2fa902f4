import { describe, expect, it } from 'vitest';
import { anAssumption } from '../../test/builders/assumption.js';
import { AT, aClarification } from '../../test/builders/clarification.js';
import { anIssue } from '../../test/builders/issue.js';
import { anExpiringQuestion } from '../../test/builders/question.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { transition } from '../protocol/clarification-transition.js';
import { renderAssumptions } from './assumption.js';
import { renderBudgets } from './budget.js';
import { columnsOf } from './columns.js';
import { renderEntry, UNPAINTED } from './conversation.js';
import { renderIssue } from './issue.js';
import { renderObservations } from './memory.js';
import { renderMemoryStats } from './memory-stats.js';
import { renderQuestion } from './question.js';
import {
  renderAsked,
  renderDecision,
  renderRunStarted,
  renderSaid,
  renderStderr,
  renderStep,
  renderSummary,
  renderTrouble,
} from './run.js';
import { table } from './table.js';
import { renderThread } from './thread.js';

const WORDS = 'One adapter for each environment, behind a repository: nobody wants two dialects of SQL in one place.';
const TOPIC = 'Which database layer do we take for the audit logs of the second region';

const pending = aClarification({ topic: TOPIC, from: 'product-manager', to: 'devops-engineer' });
const answered = transition(pending, { type: 'answer', at: AT, by: 'devops-engineer', body: WORDS }).record;
const resolved = transition(answered, { type: 'resolve', at: AT, by: 'product-manager', body: WORDS }).record;
const escalated = transition(answered, { type: 'escalate', at: AT, reason: WORDS }).record;
const question = anExpiringQuestion({
  askedBy: { agent: 'product-manager', chain: ['product-manager'] },
  questions: [{ id: 'q1', text: WORDS, options: [{ id: 'a', label: WORDS, description: TOPIC, recommended: true }] }],
});
const decided = {
  ...question,
  status: 'resolved',
  outcome: 'answered',
  responses: [{ questionId: 'q1', answer: WORDS }],
  answeredBy: { principal: 'somebody.with.a.rather.long.name@example.com', channel: 'web' },
} as const;
const run = {
  issueNumber: 42,
  title: TOPIC,
  workflow: 'feature',
  runId: 'run-42-aa',
  steps: 5,
  timestamp: 0,
  projectId: 'shop',
  isResumed: true,
  notice: WORDS,
};
const superseded = { ...question, status: 'resolved', outcome: 'superseded', reason: WORDS } as const;
const issue = anIssue({
  title: TOPIC,
  body: `${WORDS}\n\n\t${WORDS}`,
  labels: ['type:story', WORDS],
  comments: [{ author: 'ada', body: WORDS, created: AT }],
});
const observation = {
  id: 'obs-engineer-42-1772100000000-a1b2c3',
  agent: 'product-manager',
  issueNumber: 42,
  category: 'code-change',
  summary: WORDS,
  tokens: 17,
  timestamp: AT,
  sessionId: 's',
} as const;
const remembered = {
  totalObservations: 3,
  totalTokens: 38,
  issueCount: 2,
  bytes: 2800,
  archived: 1,
  oldestTimestamp: AT,
  newestTimestamp: AT,
  byCategory: { decision: 2, 'code-change': 1 },
  byAgent: { engineer: 2, 'product-manager': 1 },
  metrics: {
    captures: { count: 1, times: 1, latencyMs: 420, errors: 0 },
    recalls: { count: 1, times: 4, latencyMs: 9, tokens: 129, displaced: 949 },
    searches: { times: 0, latencyMs: 0 },
  },
};
const budget = {
  agent: 'product-manager',
  issueNumber: 42,
  sessionId: 's',
  step: 'requirements-of-the-second-region',
  isEnded: true,
  contextTokens: 200_000,
  usedTokens: 150_000,
  share: 0.75,
  band: 'compact-soon',
  parts: [{ part: 'memory', tokens: 12_000, items: 14 }],
} as const;
const summary = { iterations: 12, tools: 0, rounds: 7, escalations: 2, artifacts: [], durationMs: 74_000 };

interface Narrow {
  readonly paint: typeof UNPAINTED;
  readonly width: number;
}
const last = (record: ClarificationRecord) => (view: Narrow) =>
  record.thread
    .slice(-1)
    .map((entry) => renderEntry(record, entry, view))
    .join();
const timed = (view: Narrow) => ({ ...view, now: AT, isRelative: true });

/** Every rendering that wraps and never cuts. */
const RENDERED: Readonly<Record<string, (view: Narrow) => string>> = {
  'a question of an agent': last(pending),
  'an answer': last(answered),
  'a resolution': last(resolved),
  'an escalation': last(escalated),
  'what an agent says': (view) => renderSaid('devops-engineer', WORDS, view),
  'what an agent is refused': (view) =>
    renderTrouble('product-manager', 'is refused (MAX_ROUNDS_EXCEEDED)', WORDS, view),
  'what a human is asked': (view) => renderAsked(question, view),
  'what a human decided': (view) => renderDecision(decided, { ...view, you: 'ada', asksInPlace: true }),
  'the head of a run': (view) => renderRunStarted(run, view),
  'the end of a run': (view) => renderSummary({ status: 'done', summary }, view),
  'how a question ended': (view) => renderQuestion(superseded, timed(view)),
  'an issue': (view) => renderIssue(issue, { ...view, timing: timed(view) }),
  'how much is remembered': (view) => renderMemoryStats(remembered, view),
  'how full a window is': (view) => renderBudgets([budget], view),
  'what a program wrote on stderr': (view) => renderStderr('devops-engineer', `${WORDS}\n\tat ${TOPIC}`, view),
  'the last cell of a table': ({ width }) => table([['', '#42', 'story', `BLOCKED: ${WORDS}`]], { width }).join('\n'),
};

/** The same, with head lines that the terminal itself wraps. */
const HEADED: typeof RENDERED = {
  'an observation': (view) => renderObservations([observation], timed(view)),
  'a thread': (view) => renderThread(escalated, timed(view)).replace(/-{3,}/g, ''),
  'a question': (view) => renderQuestion(question, timed(view)),
  'an assumption': (view) => renderAssumptions([anAssumption({ decision: WORDS, reasoning: TOPIC })], timed(view)),
};

describe('in a narrow window', () => {
  it.each(Object.entries({ ...RENDERED, ...HEADED }))(
    '%s says every word once, and no line is too long',
    (name, render) => {
      const wide = render({ paint: UNPAINTED, width: 10_000 }).replace(/\s+/g, '');
      for (const width of [20, 30, 40, 41, 47, 60, 80]) {
        const shown = render({ paint: UNPAINTED, width });
        expect(shown.replace(/\s+/g, ''), `${width} columns:\n${shown}`).toBe(wide);
        // A command stays on one line, so that it can be copied.
        const lines = shown.split('\n').filter((line) => !line.includes('agentx ') && name in RENDERED);
        for (const line of lines) expect(columnsOf(line), line).toBeLessThanOrEqual(width);
      }
    },
  );

  it('paints a label that takes more than one line, and nothing else', () => {
    const paint = { ...UNPAINTED, alarming: (text: string) => `<${text}>` };
    const shown = renderTrouble('product-manager', 'is refused (SCOPE_VIOLATION)', 'Ask upstream.', {
      paint,
      width: 30,
    });
    expect(shown.split('\n')).toEqual(['<[Product Manager] is refused>', '  <(SCOPE_VIOLATION):> Ask', '  upstream.']);
  });

  it('has the head of an assumption wrap at its words', () => {
    const shown = renderAssumptions([anAssumption({ decision: WORDS, reasoning: TOPIC })], {
      ...timed({ paint: UNPAINTED, width: 40 }),
    });
    for (const line of shown.split('\n').filter((one) => !one.includes('agentx '))) {
      expect(columnsOf(line), line).toBeLessThanOrEqual(40);
    }
  });

  it('has the line of a step end where the window does', () => {
    for (const width of [30, 40, 60]) {
      const step = { agent: 'product-manager', title: TOPIC, state: 'done', durationMs: 2100 };
      const [line = '', ...more] = renderStep(step, { paint: UNPAINTED, width }).split('\n');
      for (const one of [line, ...more]) expect(columnsOf(one), one).toBeLessThanOrEqual(width);
      expect(line).toMatch(/^\[Product Manager\].*done +2\.1s$/);
      expect([line, ...more].join('')).toContain('Which');
    }
  });
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.js';
import { aRepository, openQuietly } from './support/agentx.js';
import { aRunnable, storeOf } from './support/runs.js';

const ISSUES = [{ title: 'Orders' }];
const SCRIPT = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n';
const PERSON = '[agents.product-manager]\nrunner = "human"\n';
const TURNS = '[[turns]]\ntimes = 0\nanswer = "SQLite."\n';

async function open(): Promise<{ readonly app: App; readonly cwd: string }> {
  const cwd = await aRepository({ issues: ISSUES, config: SCRIPT + PERSON, files: { 'turns.toml': TURNS } });
  return { app: openQuietly(join(cwd, '.agentx')), cwd };
}

const ASK = { issueNumber: 1, from: 'engineer', to: 'architect', topic: 'T', question: 'Which?', blocking: true };
const ID = 'CLR-1-001';

/** The events of the bus about clarifications since the last look. */
function told(app: App): readonly string[] {
  return app.bus.history().flatMap(({ name }) => (name.startsWith('clarification-') ? [name] : []));
}

describe('the event bus of an application', () => {
  it('tells of each step of a clarification as it is taken [US-6.3/1] [US-6.3/2] [US-6.3/4]', async () => {
    const { app } = await open();
    await app.ask(ASK);
    expect(told(app)).toEqual(['clarification-requested', 'clarification-answered']);
    await app.resolve({ clarificationId: ID, body: 'Fine.', by: 'engineer' });
    expect(told(app).at(-1)).toBe('clarification-resolved');
    await app.ask(ASK);
    await app.escalate({ clarificationId: 'CLR-1-002', reason: 'they disagree' });
    await app.resolve({ clarificationId: 'CLR-1-002', body: 'Mine.', by: 'human' });
    expect(told(app).slice(-2)).toEqual(['clarification-escalated', 'clarification-resolved']);
  });

  it('tells of an escalation by hand and of one that was not requested [US-6.3/5]', async () => {
    const { app } = await open();
    await app.ask(ASK);
    await app.escalate({ clarificationId: ID, reason: 'they disagree' });
    await app.ask({ ...ASK, to: 'product-manager' });
    const escalated = app.bus.history().filter(({ name }) => name === 'clarification-escalated');
    expect(escalated.map(({ payload }) => payload)).toMatchObject([
      { clarificationId: ID, toAgent: 'architect' },
      { clarificationId: 'CLR-1-002', toAgent: 'product-manager' },
    ]);
  });

  it('dates events in milliseconds, and tells of what is abandoned [US-6.3/11]', async () => {
    const { app, cwd } = await open();
    const before = Date.now();
    await app.startWork({ agent: 'engineer', issue: 1 });
    await storeOf(cwd).ledgers.update(1, (ledger) => {
      const created = new Date().toISOString();
      const thread = [{ round: 1, from: 'engineer', type: 'question', body: 'Which?', timestamp: created } as const];
      const staleAfter = new Date(before + 60_000).toISOString();
      const fields = { blocking: true, status: 'pending', round: 1, maxRounds: 5 } as const;
      const record = { id: ID, from: 'engineer', to: 'architect', topic: 'T', ...fields, created, staleAfter, thread };
      return { next: { ...ledger, clarifications: [record] }, result: undefined };
    });
    await app.finishWork({ agent: 'engineer', issue: 1 });
    await app.runCheck();
    expect(told(app)).toEqual(['clarification-abandoned']);
    for (const { name, payload } of app.bus.history()) {
      expect(payload.timestamp, name).toBeGreaterThanOrEqual(before);
      expect(payload.timestamp, name).toBeLessThanOrEqual(Date.now());
      expect(Number.isInteger(payload.timestamp), name).toBe(true);
    }
  });

  it('tells of questions, tasks, statuses and sessions under the names and with the fields that they have always had [US-6.3/10]', async () => {
    const cwd = await aRunnable({
      steps: '[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\ncan_clarify = ["architect"]\n',
      script: `
[[turns]]
agent = "architect"
answer = "SQLite."
[[turns]]
agent = "engineer"
clarify = [{ to = "architect", topic = "Database", question = "Which one?" }]
[[turns]]
agent = "engineer"
status = "failed"
open_questions = [{ text = "Which port?" }]
[[turns]]
agent = "engineer"
text = "Built."
`,
    });
    const app = openQuietly(join(cwd, '.agentx'));
    const { waitingOn } = await app.run({ issueNumber: 1, wait: false });
    await app.answerQuestion({ id: waitingOn[0] ?? '', by: { principal: 'ada', channel: 'cli' }, text: '8080' });
    expect(await app.run({ issueNumber: 1, wait: false })).toMatchObject({ status: 'done' });
    expect(told(app)).toContain('clarification-answered');
    for (const [name, fields] of Object.entries(FIELDS)) {
      const event = app.bus.history().find((one) => one.name === name);
      expect(Object.keys(event?.payload ?? {}), name).toEqual([...fields, 'timestamp']);
    }
  });
});

const FIELDS = {
  'notification-added': ['projectId', 'notification'],
  'notification-resolved': ['notificationId', 'projectId', 'source', 'sourceId', 'outcome'],
  'task-updated': ['projectId', 'taskId', 'status', 'assignee', 'block_reason'],
  'agent-status-changed': ['agent', 'issueNumber', 'status', 'clarificationId', 'waitingOn', 'respondingTo'],
  'context-compacted': ['agent', 'issueNumber', 'sessionId', 'originalTokens', 'compactedTokens', 'summary'],
};

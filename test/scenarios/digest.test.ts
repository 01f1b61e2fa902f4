import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSummary } from '../../src/protocol/session-summary.js';
import { AT, aClarification, aLedger } from '../builders/clarification.js';
import { aRun } from '../builders/run.js';
import { agentx, aRepository, askArguments, startAgentx } from './support/agentx.js';
import { aRunnable, storeOf } from './support/runs.js';

const WEEK = '2026-W09';
const FILE = '.agentx/digests/DIGEST-2026-W09.md';
const LATER = '2026-02-26T10:02:00.000Z';

const settled = aClarification({
  status: 'resolved',
  resolvedAt: LATER,
  thread: [
    { round: 1, from: 'engineer', type: 'question', body: 'SQLite or PostgreSQL?', timestamp: AT },
    { round: 1, from: 'architect', type: 'answer', body: 'SQLite.', timestamp: LATER },
    { round: 1, from: 'engineer', type: 'resolution', body: 'Clear.', timestamp: LATER },
  ],
});
const earlier = aClarification({ id: 'CLR-42-002', created: '2026-02-18T10:00:00.000Z', topic: 'Last week' });
const review = {
  type: 'turn-ended',
  at: AT,
  step: 'review',
  turn: 1,
  status: 'done',
  acts: [],
  review: { verdict: 'rejected', cause: 'misunderstanding' },
} as const;

const FILES = {
  '.agentx/state/clarifications/issue-42.json': JSON.stringify(aLedger({ clarifications: [settled, earlier] })),
  '.agentx/state/runs/issue-42.json': JSON.stringify(
    aRun({ journal: [review, { type: 'reopened', at: AT, steps: ['implement'], by: 'review' }] }),
  ),
};

const STEPS = `
[[steps]]
id = "implement"
title = "Implement"
agent = "engineer"
can_clarify = ["architect"]
[[steps]]
id = "review"
title = "Review"
agent = "reviewer"
needs = ["implement"]
`;
const SCRIPT = `
[[turns]]
agent = "engineer"
clarify = [{ to = "architect", topic = "Database layer", question = "Two adapters, or migrate?" }]
[[turns]]
agent = "architect"
kind = "answer"
answer = "Use two adapters."
[[turns]]
agent = "engineer"
resolve = [{ id = "CLR-1-001", body = "Clear." }]
artifacts = [{ path = "src/health.js", content = "up" }]
observations = [{ category = "key-fact", content = "The probe runs every minute." }]
[[turns]]
agent = "reviewer"
review = { verdict = "rejected", cause = "misunderstanding", body = "Where are the tests?" }
[[turns]]
agent = "engineer"
artifacts = [{ path = "test/health.js", content = "up?" }]
[[turns]]
agent = "reviewer"
review = { verdict = "approved" }`;

describe('a run', () => {
  it('is in the digest with its reviews and its rework [US-7.1/7] [US-7.1/8]', async () => {
    const cwd = await aRunnable({ steps: STEPS, script: SCRIPT });
    expect(agentx(cwd, ['run', '1'])).toMatchObject({ status: 0 });
    expect(agentx(cwd, ['digest', '--json']).json()).toMatchObject({
      totals: { clarifications: 1, resolved: 1, escalated: 0, rounds: 1 },
      rates: { autoResolution: 1, escalation: 0, averageRounds: 1, misunderstanding: 0.5, reworkPerIssue: 1 },
      reviews: { total: 2, rejected: 1, misunderstood: 1 },
      rework: { cycles: 1, issues: 1 },
    });
  });

  it('leaves every session compacted, and says how full its window was', async () => {
    const cwd = await aRunnable({ steps: STEPS, script: SCRIPT });
    agentx(cwd, ['run', '1']);
    const { items } = await storeOf(cwd).sessions.list({ issue: 1 });
    expect(items.map(({ step, attempt, compactedAt }) => [step, attempt, compactedAt !== undefined])).toEqual([
      ['implement', 1, true],
      ['review', 1, true],
      ['implement', 2, true],
      ['review', 2, true],
    ]);
    expect(parseSummary(items[0]?.summary ?? '')).toEqual({
      decisions: ['Database layer: Use two adapters. (CLR-1-001, architect)'],
      codeChanges: ['Wrote src/health.js'],
      errors: [],
      keyFacts: ['The probe runs every minute.'],
    });
    const { stdout } = agentx(cwd, ['state', '--budget']);
    const window = /engineer {2}#1 implement, ended\n {2}\[#-+\] {2}(\d+) % {2}([\d,]+) of 200,000 tokens {2}ok/;
    const [, percent = '', tokens = ''] = window.exec(stdout) ?? [];
    expect(Number(percent), stdout).toBe(Math.round(Number(tokens.replace(',', '')) / 2000));
    expect(Number(tokens.replace(',', ''))).toBeGreaterThan(100);
  });
});

describe('agentx digest', () => {
  it('counts a week, prints it and writes its file [US-7.1/11]', async () => {
    const cwd = await aRepository({ files: FILES });
    const { status, stdout, stderr } = agentx(cwd, ['digest', '--week', WEEK]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: `\n${FILE}\n` });
    expect(stdout).toContain('1 clarification asked, 1 resolved, 0 escalated, 1 round answered');
    expect(stdout).toContain('2026-W08: 1 clarification asked');
    expect(stdout).toMatch(/met {5}Resolved without a human .* 100 %/);
    expect(stdout).toMatch(/missed {2}Rejected as misunderstood .* 100 %/);
    expect(stdout).toContain('agents  half within 2 min');
    expect(readFileSync(join(cwd, FILE), 'utf8')).toContain('| Which database adapter | 1 | CLR-42-001 |');
    expect(agentx(cwd, ['digest', '--week', WEEK, '--json']).json()).toMatchObject({
      week: WEEK,
      totals: { clarifications: 1, resolved: 1, escalated: 0 },
      rates: { averageRounds: 1, autoResolution: 1, escalation: 0, misunderstanding: 1, reworkPerIssue: 1 },
      topics: [{ topic: 'Which database adapter', count: 1 }],
      agents: [
        { agent: 'engineer', asked: 1 },
        { agent: 'architect', answered: 1 },
      ],
      before: { week: '2026-W08', totals: { clarifications: 1 } },
    });
  });

  it('counts what agents did just now in the present week [US-7.1/1] [US-7.1/3] [US-7.1/4]', async () => {
    const config = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n';
    const files = { 'turns.toml': '[[turns]]\nagent = "architect"\nanswer = "SQLite."\n' };
    const cwd = await aRepository({ config, files, issues: [{ title: 'Store orders' }] });
    for (const topic of ['Database adapter', 'The database adapter', 'Log retention']) {
      agentx(cwd, askArguments(topic, 'Which?'));
    }
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.']);
    agentx(cwd, ['clarify', 'escalate', 'CLR-1-003', '-m', 'We differ.']);
    const answer = { answered: 3, asked: 0 };
    expect(agentx(cwd, ['digest', '--json']).json()).toMatchObject({
      totals: { clarifications: 3, resolved: 1, escalated: 1, rounds: 3 },
      rates: { autoResolution: 0.5, escalation: 1 / 3, averageRounds: 1 },
      topics: [
        { topic: 'Database adapter', count: 2 },
        { topic: 'Log retention', count: 1 },
      ],
      agents: [
        { agent: 'engineer', asked: 3 },
        { agent: 'architect', ...answer },
      ],
    });
  });

  it('writes the same file however often and by however many it is made', async () => {
    const cwd = await aRepository({ files: FILES });
    agentx(cwd, ['digest', '--week', WEEK]);
    const path = join(cwd, FILE);
    const [text, inode] = [readFileSync(path, 'utf8'), statSync(path).ino];
    const again = await Promise.all([1, 2, 3].map(() => startAgentx(cwd, ['digest', '--week', WEEK, '--quiet'])));
    expect(again.map(({ status, stderr }) => [status, stderr])).toEqual([1, 2, 3].map(() => [0, '']));
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).ino).toBe(inode);
  });

  it('leaves out what is damaged, and says so', async () => {
    const files = { ...FILES, '.agentx/state/clarifications/issue-43.json': '{"half' };
    const cwd = await aRepository({ files });
    const { status, stdout, stderr } = agentx(cwd, ['digest', '--week', WEEK]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/warning: .*issue-43\.json is damaged/);
    expect(stdout).toContain('1 clarification asked');
    expect(readFileSync(join(cwd, FILE), 'utf8')).toContain('Not counted, because damaged: 1 of the files.');
  });

  it('says that a week was quiet, and where to look', async () => {
    const cwd = await aRepository({ files: FILES });
    expect(agentx(cwd, ['digest', '--week', '2026-W10'])).toMatchObject({
      status: 0,
      stdout: '2026-W10  2 to 8 Mar 2026\nNothing was asked, answered or reviewed in this week.\n',
      stderr: '\n.agentx/digests/DIGEST-2026-W10.md\nThe week before: agentx digest --week 2026-W09\n',
    });
    expect(agentx(cwd, ['digest', '--week', '2026-W20']).stderr).toContain('Set agents to work: agentx ready');
  });

  it('says of a week to come that it has not begun', async () => {
    const cwd = await aRepository({ files: FILES });
    expect(agentx(cwd, ['digest', '--week', '2999-W02'])).toMatchObject({
      status: 0,
      stdout: '2999-W02  7 to 13 Jan 2999, not begun yet\n',
    });
  });

  it('refuses what is no week, and writes nothing', async () => {
    const cwd = await aRepository();
    expect(agentx(cwd, ['digest', '--week', '../../W09'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: "error: '../../W09' is not a week. Allowed: ISO weeks from 1900-W01 to 2999-W52, such as 2026-W09.\n",
    });
    expect(existsSync(join(cwd, '.agentx/digests'))).toBe(false);
  });
});

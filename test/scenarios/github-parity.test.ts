import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClarificationRecord } from '../../src/protocol/clarification.js';
import { thisProcess } from '../../src/storage/files/process-identity.js';
import { aClarification } from '../builders/clarification.js';
import { aLockOfOurs, putLock } from '../faults/support/lock-files.js';
import { startFakeGithub } from '../github/start.js';
import { type AgentxResult, aRepository, startAgentx } from './support/agentx.js';
import { aGithubRepository, asking, userOf } from './support/github.js';

/* The same commands in both modes: what they say, and what is stored, may not differ. */

const ISSUES = [
  { title: 'Health endpoint', body: 'For the load balancer.', labels: ['type:story', 'priority:p1'] },
  { title: 'Orders', body: 'Blocked-by: #1', labels: ['type:story'] },
];

/** An answer that does not come at once is late. */
const WORKFLOW = `[workflow]
name = "story"
type = "story"
[[steps]]
id = "design"
title = "Design"
agent = "architect"
can_clarify = ["engineer"]
[[steps]]
id = "build"
title = "Build"
agent = "engineer"
needs = ["design"]
can_clarify = ["architect"]
`;

const CONFIG = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n';
const TURNS = ['PostgreSQL.', 'Version 16.', 'A pool of ten.', 'Ten.', 'JSON.']
  .map((answer) => `[[turns]]\nanswer = "${answer}"\n`)
  .join('\n');
const FILES = { '.agentx/workflows/story.toml': WORKFLOW, 'turns.toml': TURNS };

interface Mode {
  readonly cwd: string;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<AgentxResult>;
  sync(): Promise<unknown>;
}

async function bothModes(): Promise<readonly [Mode, Mode]> {
  const local = await aRepository({ config: CONFIG, files: FILES });
  for (const { title, body, labels } of ISSUES) {
    const options = labels.flatMap((label) => ['-l', label]);
    await startAgentx(local, ['issue', 'create', '-t', title, '-b', body, ...options]);
  }
  const fake = await startFakeGithub();
  for (const issue of ISSUES) fake.repository.createIssue(issue);
  const github = await aGithubRepository({ config: CONFIG, files: FILES });
  const user = userOf(github, fake);
  await user.sync();
  return [
    { cwd: local, run: (args, env = {}) => startAgentx(local, args, { env }), sync: async () => {} },
    { cwd: github, run: (args, env = {}) => user.run(args, { env }), sync: user.sync },
  ];
}

/** The same command in both; returns what it says once it says the same. */
async function same(modes: readonly [Mode, Mode], args: readonly string[], env?: Readonly<Record<string, string>>) {
  const [local, github] = await Promise.all(modes.map((mode) => mode.run(args, env)));
  const expected = tidy(local);
  expect(tidy(github), args.join(' ')).toEqual(expected);
  return expected;
}

function tidy(result: AgentxResult | undefined) {
  const { status, stdout = '', stderr = '' } = result ?? {};
  return { status, stdout: withoutTimes(withoutAddresses(stdout)), stderr: withoutTimes(withoutCopyNote(stderr)) };
}

/** What an issue or a comment has on GitHub besides; and how long things took. */
function withoutAddresses(text: string): string {
  if (!text.startsWith('{')) return text;
  const drop = (key: string, value: unknown) =>
    ['github', 'commentId', 'url'].includes(key) || key.endsWith('Ms') ? undefined : value;
  return JSON.stringify(JSON.parse(text, drop), null, 2);
}

/** How old the copy is. */
function withoutCopyNote(text: string): string {
  return text.replace(/^.*octocat\/shop.*\n/gm, '');
}

/** Times, ages, names of what was asked from outside and temporary folders differ. */
function withoutTimes(text: string): string {
  return text
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b1[789]\d{11}\b/g, 'TIME')
    .replace(/\b\d+ s\b|(?<="(?:ageSeconds|attempts)":)\d+/g, '0')
    .replace(/\bobs-[\w-]+/g, 'obs-ID')
    .replace(/\basked\/[\w-]+/g, 'asked/ID')
    .replace(/(?:\/\w+)*\/?agentx-test-\w+/g, 'FOLDER');
}

function stored({ cwd }: Mode, path: string): string {
  const file = join(cwd, '.agentx', path);
  return existsSync(file) ? withoutTimes(readFileSync(file, 'utf8')) : 'none';
}

function expectSameFile([local, github]: readonly [Mode, Mode], path: string): string {
  const content = stored(local, path);
  expect(stored(github, path), path).toBe(content);
  return content;
}

const ENGINEER = { AGENTX_AGENT: 'engineer' };

describe('local and GitHub mode', () => {
  it('write the same ledgers, statuses, questions and assumptions for the same commands [US-1.1/8] [US-3.1/21] [US-7.2/6]', async () => {
    const modes = await bothModes();
    const both = (args: readonly string[], env?: Readonly<Record<string, string>>) => same(modes, args, env);
    const bothSync = () => Promise.all(modes.map((mode) => mode.sync()));

    await both(['issue', 'list', '--json']);
    await both(['issue', 'show', '2', '--json']);
    await both(['ready', '--json']);
    await both(['hook', 'start', 'engineer', '1']);
    expect((await both([...asking('Database', 'Which one?'), '--json'])).status).toBe(0);
    await bothSync();
    await both(['clarify', '--json']);
    await both(['clarify', 'follow-up', 'CLR-1-001', '-q', 'Which version?', '--json'], ENGINEER);
    await both(['ready']);
    await both(['state', '--json']);
    await bothSync();
    await both(['clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.', '--json'], ENGINEER);
    await both(asking('Pool', 'How many?'));
    const escalated = await both(['clarify', 'escalate', 'CLR-1-002', '-m', 'They disagree.', '--json']);
    expect(escalated.status).toBe(3);
    await bothSync();
    const inbox = await both(['inbox', '--json']);
    const [question] = JSON.parse(inbox.stdout).questions;
    await both(['inbox', 'show', question.id]);
    expect((await both(['inbox', 'answer', question.id, '--option', 'a'])).status).toBe(0);
    await bothSync();
    await both(['clarify', '--issue', '1', '--json']);
    await both(['clarify', '--issue', '1']);
    await both(['hook', 'finish', 'engineer', '1']);
    await both(['issue', 'comment', '2', '-b', 'Seen.']);
    await both(['issue', 'close', '2']);
    await bothSync();
    await both(['ready', '--json']);
    await both(['assumptions', '--json']);
    await both(['memory', 'search', 'database']);
    await both(['digest', '--json']);
    await both(['issue', 'reopen', '2']);
    await both(['clarify', 'show', 'CLR-7-001', '--json']);
    await both(['issue', 'show', '77', '--json']);

    for (const path of [
      'state/clarifications/issue-1.json',
      'state/agent-status.json',
      'state/assumptions/issue-1.json',
    ]) {
      expectSameFile(modes, path);
    }
    expectSameFile(modes, `state/questions/${question.id}.json`);
    expect(stored(modes[0], 'state/clarifications/issue-1.json')).toContain('"status": "resolved"');
    expect(stored(modes[0], 'state/agent-status.json')).toContain('"engineer"');
  });

  it('find stale, stuck and deadlocked clarifications alike, and hold up the same issues [US-3.2/3] [US-7.2/7]', async () => {
    const modes = await bothModes();
    const both = (args: readonly string[]) => same(modes, args);
    const question = (round: number, from: string, body: string) =>
      ({ round, from, type: 'question', body, timestamp: AT }) as const;
    const answer = { round: 1, from: 'architect', type: 'answer', body: 'It depends.', timestamp: AT } as const;
    const fresh = { created: AT, staleAfter: SOON };
    for (const { cwd } of modes) {
      leave(cwd, 1, [
        aClarification({ id: 'CLR-1-001', topic: 'Stale', from: 'reviewer' }),
        aClarification({
          id: 'CLR-1-002',
          topic: 'Stuck',
          round: 2,
          ...fresh,
          thread: [question(1, 'engineer', 'Which one is it?'), answer, question(2, 'engineer', 'Which one is it?')],
        }),
        aClarification({ id: 'CLR-1-003', topic: 'Waits', ...fresh, thread: [question(1, 'engineer', 'After you?')] }),
      ]);
      leave(cwd, 2, [
        aClarification({
          id: 'CLR-2-001',
          from: 'architect',
          to: 'engineer',
          topic: 'Waits too',
          ...fresh,
          thread: [question(1, 'architect', 'No, after you?')],
        }),
      ]);
    }
    await both(['clarify', 'stale', '--no-retry', '--json']);
    expect((await both(['ready', '--no-retry'])).stdout).toMatch(/BLOCKED: Clarification CLR-\d-00\d pending from/);
    const ledger = expectSameFile(modes, 'state/clarifications/issue-1.json');
    expectSameFile(modes, 'state/clarifications/issue-2.json');
    const { clarifications }: { clarifications: readonly ClarificationRecord[] } = JSON.parse(ledger);
    expect(clarifications.map(({ topic, status }) => [topic, status])).toEqual([
      ['Stale', expect.stringMatching(/pending|stale/)],
      ['Stuck', 'escalated'],
      ['Waits', 'escalated'],
    ]);
    await both(['clarify', 'graph', '--json']);
    const retried = expectSameFile(modes, 'state/clarifications/issue-1.json');
    expect(JSON.parse(retried).clarifications[0]).toMatchObject({ topic: 'Stale', status: 'answered' });
  });

  it('lock state files alike [US-7.2/8]', async () => {
    const modes = await bothModes();
    const { pid, start } = thisProcess();
    for (const { cwd } of modes) {
      putLock(join(cwd, '.agentx/state/clarifications/issue-1.json'), aLockOfOurs({ pid, start, agent: 'architect' }));
    }
    const { status, stderr } = await same(modes, [...asking('Database', 'Which one?'), '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'LOCK_TIMEOUT' });
    expect(expectSameFile(modes, 'state/clarifications/issue-1.json')).toBe('none');
  });
});

const AT = new Date().toISOString();
const SOON = new Date(Date.parse(AT) + 30 * 60_000).toISOString();

/** A ledger of another program. */
function leave(cwd: string, issueNumber: number, clarifications: readonly ClarificationRecord[]): void {
  const folder = join(cwd, '.agentx/state/clarifications');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `issue-${issueNumber}.json`), JSON.stringify({ issueNumber, clarifications }));
}

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aClarification, aLedger } from '../builders/clarification.js';
import { agentx, aRepository } from './support/agentx.js';

const CONFIG = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n';
const TURNS = '[[turns]]\nagent = "architect"\nanswer = "SQLite."\n';
const LATER = '2999-01-01T00:00:00.000Z';

/** Issue 1, on which the engineer has asked the architect. */
function aRepositoryWithQuestion({ staleAfter }: { staleAfter?: string } = {}) {
  const stale = staleAfter === undefined ? {} : { staleAfter };
  const ledger = aLedger({ issueNumber: 1, clarifications: [aClarification({ id: 'CLR-1-001', ...stale })] });
  return aRepository({
    config: CONFIG,
    files: { '.agentx/state/clarifications/issue-1.json': JSON.stringify(ledger), 'turns.toml': TURNS },
    issues: [{ title: 'Store orders' }],
  });
}

const clarification = (cwd: string) => agentx(cwd, ['clarify', '--issue', '1', '--json', '--no-retry']).json();

describe('agentx hook', () => {
  it('moves the agent and the issue, and says nothing when there is nothing to say', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Store orders' }] });
    expect(agentx(cwd, ['hook', 'start', 'engineer', '1'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(agentx(cwd, ['hook', 'start', 'engineer', '1'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toMatchObject({
      taskStatus: 'in_progress',
      assignee: 'engineer',
    });
    expect(agentx(cwd, ['ready']).stdout).toBe('Nothing is ready; 1 in progress. See: agentx issue\n');
    expect(agentx(cwd, ['hook', 'finish', 'engineer', '#1'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({ engineer: { status: 'done', issue: 1 } });
    expect(agentx(cwd, ['ready']).stdout).toContain('Store orders');
  });

  it('serves sessions without an issue, and issues that are kept elsewhere, of which it tells', async () => {
    const cwd = await aRepository();
    expect(agentx(cwd, ['hook', 'start', 'pm', '--json']).json()).toMatchObject({ status: 'working', issue: null });
    expect(agentx(cwd, ['hook', 'finish', 'engineer', '99', '--json']).json()).toMatchObject({
      status: 'done',
      issue: 99,
    });
    for (const args of [
      ['hook', 'start', 'engineer', '99'],
      ['state', 'set', 'engineer', 'idle', '--issue', '99'],
    ]) {
      const { status, stderr } = agentx(cwd, args);
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: 'note: There is no issue #99 here. See what there is: agentx issue list --all\n',
      });
    }
    expect(agentx(cwd, ['hook', 'start', 'engineer', '0'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('has what is stale asked again when work starts, and says so [US-5.4/1]', async () => {
    const cwd = await aRepositoryWithQuestion();
    const { status, stderr } = agentx(cwd, ['hook', 'start', 'tester', '1']);
    expect(status).toBe(0);
    expect(stderr).toBe('CLR-1-001 has waited too long: asking architect once more...\n');
    expect(clarification(cwd)).toMatchObject({
      clarifications: [{ id: 'CLR-1-001', status: 'answered', thread: [{}, { from: 'architect', body: 'SQLite.' }] }],
    });
  });

  it('has what is stale asked again when work finishes, and says so [US-5.4/2]', async () => {
    const cwd = await aRepositoryWithQuestion();
    const { status, stderr } = agentx(cwd, ['hook', 'finish', 'tester']);
    expect(status).toBe(0);
    expect(stderr).toBe('CLR-1-001 has waited too long: asking architect once more...\n');
    expect(clarification(cwd)).toMatchObject({ clarifications: [{ id: 'CLR-1-001', status: 'answered' }] });
  });

  it('starts no agent with --no-retry', async () => {
    const cwd = await aRepositoryWithQuestion();
    expect(agentx(cwd, ['hook', 'start', 'tester', '--no-retry'])).toMatchObject({ status: 0, stderr: '' });
    expect(clarification(cwd)).toMatchObject({ clarifications: [{ thread: [{ type: 'question' }] }] });
  });

  it('tells an agent that starts what it is blocked on', async () => {
    const cwd = await aRepositoryWithQuestion({ staleAfter: LATER });
    agentx(cwd, ['hook', 'start', 'engineer', '1']);
    expect(agentx(cwd, ['hook', 'start', 'engineer', '1'])).toMatchObject({
      status: 0,
      stdout: 'engineer waits for architect, CLR-1-001.\n',
      stderr: 'See it: agentx clarify show CLR-1-001\n',
    });
    expect(agentx(cwd, ['hook', 'start', 'engineer', '1', '--json']).json()).toMatchObject({
      status: 'blocked-clarification',
      waitingOn: 'architect',
    });
    expect(agentx(cwd, ['hook', 'start', 'engineer', '2']).stdout).toBe('');
  });

  it('lets a question go whose agent finishes without the answer', async () => {
    const cwd = await aRepositoryWithQuestion({ staleAfter: LATER });
    agentx(cwd, ['hook', 'start', 'engineer', '1']);
    expect(agentx(cwd, ['hook', 'finish', 'engineer', '1'])).toMatchObject({ status: 0, stdout: '' });
    expect(clarification(cwd)).toMatchObject({ clarifications: [{ id: 'CLR-1-001', status: 'abandoned' }] });
  });

  it('remembers what a transcript says, once, and tells the next session of it [ME-3/4] [ME-3/5]', async () => {
    const key = `sk-ant-api03-${'a1B2'.repeat(20)}`;
    const line = (role: string, content: string) => `${JSON.stringify({ role, content })}\n`;
    const transcript = `${line('user', 'Never log card numbers, the auditors check it.')}${line(
      'assistant',
      `We decided to keep refunds in \`refunds.ts\` because the ledger owns them. ${key} <private>x`,
    )}`;
    const cwd = await aRepository({ issues: [{ title: 'Refunds' }], files: { 'session.jsonl': transcript } });
    for (const message of ['Remembered 2 observations', 'remembered already']) {
      const finished = agentx(cwd, ['hook', 'finish', 'engineer', '1', '--transcript', 'session.jsonl']);
      expect(finished).toMatchObject({ status: 0, stdout: '', stderr: expect.stringContaining(message) });
    }
    const { stdout } = agentx(cwd, ['hook', 'start', 'engineer', '1']);
    expect(stdout).toContain('keep refunds in `refunds.ts` because the ledger owns them.');
    expect(stdout.match(/card numbers/g)).toHaveLength(1);
    expect(stdout).not.toContain('a1B2a1B2');
    const off = await aRepository({ files: { 'session.jsonl': transcript }, config: '[memory]\nenabled = false\n' });
    agentx(off, ['hook', 'finish', 'engineer', '--transcript', 'session.jsonl']);
    expect(existsSync(join(off, '.agentx/memory'))).toBe(false);
  });

  it('finds the transcript in what a client tells its hooks [ME-3/4]', async () => {
    const line = JSON.stringify({
      type: 'assistant',
      message: { role: 'assistant', content: 'We decided to use Kafka 3.7 as the queue.' },
    });
    const cwd = await aRepository({ issues: [{ title: 'Queue' }], files: { 'sub/session.jsonl': `${line}\n` } });
    const input = JSON.stringify({ session_id: 'a-b', transcript_path: join(cwd, 'sub/session.jsonl'), cwd });
    expect(agentx(cwd, ['hook', 'finish', 'engineer', '--session'], { input })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect(agentx(cwd, ['memory', 'search', 'kafka', '--json']).json()).toMatchObject({
      results: [{ issueNumber: 0 }],
    });
    for (const other of ['', 'no json', '[]', '{"transcript_path":"/no/such/file"}', '{"transcript_path":7}'])
      expect(agentx(cwd, ['hook', 'finish', 'engineer', '--session'], { input: other })).toMatchObject({
        status: 0,
        stderr: '',
      });
  });

  it('tells a session that is resumed only what it was not told before [ME-5/10]', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Queue' }] });
    const add = (text: string) =>
      agentx(cwd, ['memory', 'add', '--issue', '1', '--agent', 'engineer', '--category', 'decision', '-m', text]);
    add('We use Kafka 3.7 as the queue.');
    const session = join(cwd, 'session.jsonl');
    const start = (source: string) =>
      agentx(cwd, ['hook', 'start', 'engineer', '1', '--session'], {
        input: JSON.stringify({ session_id: 'a-b', transcript_path: session, source }),
      }).stdout;
    const told = start('startup');
    expect(told).toContain('Kafka 3.7');
    writeFileSync(session, `${JSON.stringify({ type: 'attachment', attachment: { content: told } })}\n`);
    expect(start('resume')).not.toContain('Kafka 3.7');
    add('Topics have 12 partitions each.');
    expect(start('resume')).toMatch(/^(?![\s\S]*Kafka)[\s\S]*12 partitions/);
    expect(start('compact')).toContain('Kafka 3.7');
  });

  it('says how to get a session out of the database of opencode', async () => {
    const cwd = await aRepository({ files: { 'opencode.db': `SQLite format 3\0${'\0'.repeat(200)}` } });
    const { status, stderr } = agentx(cwd, ['hook', 'finish', 'engineer', '--transcript', 'opencode.db']);
    expect(status).toBe(2);
    expect(stderr).toContain('opencode.db is a database. opencode prints one session of it: opencode export SESSION');
  });

  it('takes a transcript that is there and refuses one that is not', async () => {
    const cwd = await aRepository({ files: { 'session.jsonl': '{}\n', '.agentx/state/session.jsonl': '{}\n' } });
    for (const file of ['session.jsonl', '.agentx/state/session.jsonl']) {
      expect(agentx(cwd, ['hook', 'finish', 'engineer', '--transcript', file]).status).toBe(0);
    }
    for (const file of ['none.jsonl', 'no/such/folder.jsonl', '.agentx']) {
      const { status, stderr } = agentx(cwd, ['hook', 'start', 'tester', '--transcript', file]);
      expect(status).toBe(2);
      expect(stderr).toContain(`${file} is no file that can be read.`);
    }
    expect(agentx(cwd, ['state', '--json']).json()).not.toHaveProperty('tester');
  });

  it.each([
    [[], "'agentx hook' needs to know what to do. Allowed: start, finish."],
    [['strat', 'engineer'], "There is no 'agentx hook strat'. Did you mean 'start'?"],
    [['start'], "issing required argument 'agent'"],
    [['start', 'enginer', '1'], "There is no agent 'enginer'. Did you mean 'engineer'?"],
    [['finish', 'engineer', 'x'], "'x' is not a valid issue number."],
    [['start', 'engineer', '1', '2'], 'oo many arguments'],
  ])('refuses %j and changes nothing', async (args, message) => {
    const cwd = await aRepository();
    const { status, stdout, stderr } = agentx(cwd, ['hook', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(agentx(cwd, ['state', '--json']).json()).toEqual({});
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentx, agentxCommand, agentxEnvironment, aRepository, askArguments } from './support/agentx.js';
import { storeOf } from './support/runs.js';

const HUMAN = '[agents.architect]\nrunner = "human"';
const LONG = 'First line.\n\n- "quotes", $(dollars) and `ticks`\n- Gr\u00fc\u00dfe';

async function anIssue(): Promise<string> {
  return aRepository({ issues: [{ title: 'Health', labels: ['type:feature'] }], config: HUMAN });
}

describe('a text', () => {
  it('comes from a file with -F, as it stands there, wherever -m takes one', async () => {
    const cwd = await anIssue();
    writeFileSync(join(cwd, 'text.md'), `${LONG}\n`);
    agentx(cwd, ['issue', 'comment', '1', '-F', 'text.md']);
    agentx(cwd, ['issue', 'create', '-t', 'Second', '--file', 'text.md']);
    const ask = ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', 'T', '-F', 'text.md'];
    expect(agentx(cwd, ask).status).toBe(3);
    expect(agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-F', 'text.md']).status).toBe(0);
    const { issues, ledgers } = storeOf(cwd);
    expect((await issues.read(1))?.comments[0]).toMatchObject({ body: LONG });
    expect(await issues.read(2)).toMatchObject({ body: LONG });
    const [record] = (await ledgers.read(1)).clarifications;
    expect(record?.thread[0]?.body).toBe(LONG);
    expect(record?.thread.at(-1)?.body).toBe(LONG);
  });

  it('comes through a pipe with -, from -F and -m alike', async () => {
    const cwd = await anIssue();
    agentx(cwd, ['issue', 'comment', '1', '-F', '-'], { input: `${LONG}\n` });
    agentx(cwd, ['issue', 'comment', '1', '-m', '-'], { input: 'second' });
    const shell = `printf 'third' > t; "$0" "$@" -F <(cat t)`;
    spawnSync('bash', ['-c', shell, ...agentxCommand, 'issue', 'comment', '1'], { cwd, env: agentxEnvironment() });
    const { comments = [] } = (await storeOf(cwd).issues.read(1)) ?? {};
    expect(comments.map(({ body }) => body)).toEqual([LONG, 'second', 'third']);
  });

  it('may be said with -m or -b, once', async () => {
    const cwd = await anIssue();
    expect(agentx(cwd, ['issue', 'comment', '1', '-b', 'by b']).status).toBe(0);
    expect(agentx(cwd, ['issue', 'comment', '1', '-m', 'by m']).status).toBe(0);
    expect(agentx(cwd, ['issue', 'create', '-t', 'Two', '-b', 'body']).status).toBe(0);
    const both = agentx(cwd, ['issue', 'comment', '1', '-b', 'x', '-m', 'y']);
    expect(both).toMatchObject({ status: 2, stderr: expect.stringContaining('both -m and -b are given') });
    const twice = agentx(cwd, ['issue', 'comment', '1', '-m', 'x', '-m', 'y']);
    expect(twice).toMatchObject({
      status: 2,
      stderr: "error: Option '-m, --message <text>' is given twice. See: agentx issue comment --help\n",
    });
    expect((await storeOf(cwd).issues.read(1))?.comments).toHaveLength(2);
  });

  it.each([
    ['missing.md', /missing\.md cannot be read: there is no such file\./],
    ['folder', /folder cannot be read: it is a folder\./],
    ['latin1.txt', /latin1\.txt is no UTF-8 text\./],
    ['/dev/zero', /\/dev\/zero has more than 1048576 bytes\./],
    ['empty', /The comment is empty\./],
  ])('%s is refused in a sentence', async (file, problem) => {
    const cwd = await anIssue();
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'latin1.txt'), Buffer.from('Gr\u00fc\u00dfe', 'latin1'));
    writeFileSync(join(cwd, 'empty'), '\n');
    const result = agentx(cwd, ['issue', 'comment', '1', '-F', file]);
    expect(result).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(problem) });
    expect((await storeOf(cwd).issues.read(1))?.comments).toEqual([]);
  });

  it.each([
    ['issue comment 1 -m ', 'What follows -m is no UTF-8 text'],
    ['issue create -t ', 'What follows -t is no UTF-8 text'],
    ['issue comment 1 --message=', 'What follows --message is no UTF-8 text'],
    ['memory search ', 'An argument is no UTF-8 text'],
  ])('in an argument is refused if it is no UTF-8: %s', async (command, problem) => {
    const cwd = await anIssue();
    const before = JSON.stringify((await storeOf(cwd).issues.list()).items);
    const shell = `"$0" "$@" ${command}"$(printf 'Gr\\374\\337e')"`;
    const { status, stderr } = spawnSync('bash', ['-c', shell, ...agentxCommand], {
      cwd,
      env: agentxEnvironment(),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(stderr.replace(/\s+/g, ' ')).toContain('A text with U+FFFD itself: -F FILE');
    expect(JSON.stringify((await storeOf(cwd).issues.list()).items)).toBe(before);
  });

  it('that quotes U+FFFD comes from a file', async () => {
    const cwd = await anIssue();
    expect(agentx(cwd, ['issue', 'comment', '1', '-F', '-'], { input: 'It prints \ufffd.' }).status).toBe(0);
    expect((await storeOf(cwd).issues.read(1))?.comments[0]).toMatchObject({ body: 'It prints \ufffd.' });
  });

  it.each([
    [['issue', 'comment', '1'], 'Add -m TEXT, or -F FILE'],
    [['clarify', 'resolve', 'CLR-1-001'], 'What was decided? Add -m TEXT'],
    [['clarify', 'follow-up', 'CLR-1-001'], 'What is still not clear? Add -q TEXT'],
    [['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', 'T'], 'Add -q TEXT'],
  ])('that is missing is asked for: %j', async (args, sentence) => {
    const cwd = await anIssue();
    agentx(cwd, askArguments('T', 'Why?'));
    const result = agentx(cwd, args);
    expect(result).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });
});

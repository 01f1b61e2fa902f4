import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../src/protocol/diagnosis.js';
import { makeClarificationId } from '../../src/protocol/ids.js';
import { aClarification, aLedger } from '../builders/clarification.js';
import { aQuestion } from '../builders/question.js';
import { aLockOfOurs, deadProcess, putLock } from '../faults/support/lock-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx, aRepository, askArguments, type RepositoryFiles, startAgentx } from './support/agentx.js';
import { storeOf } from './support/runs.js';

const LEDGER = '.agentx/state/clarifications/issue-1.json';
const ASK = askArguments('Adapter', 'Which?');
const SCRIPT = {
  config: '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n',
  files: { 'turns.toml': '[[turns]]\nagent = "architect"\nanswer = "SQLite."\n' },
  issues: [{ title: 'Store orders' }],
};
const records = [1, 2, 3, 4].map((sequence) =>
  aClarification({ id: makeClarificationId(1, sequence), status: 'resolved', topic: `Topic ${sequence}` }),
);
const ledgerText = (clarifications: readonly object[]): string =>
  JSON.stringify({ issueNumber: 1, clarifications }, null, 2);

describe('agentx doctor', () => {
  it('says that all is well, and changes nothing', async () => {
    const cwd = await aRepository(SCRIPT);
    agentx(cwd, ASK);
    const before = snapshot(cwd);
    const { status, stdout, stderr } = agentx(cwd, ['doctor']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^All \d+ files are in order\.\n$/);
    expect(agentx(cwd, ['doctor', '--json']).json()).toMatchObject({ problems: [], repaired: [], locks: [] });
    expect(snapshot(cwd)).toEqual(before);
  });

  it('has nothing to examine where there is no folder', () => {
    expect(agentx(temporaryFolder(), ['doctor'])).toMatchObject({ status: 4, stdout: '' });
  });

  it('names file, line and key of settings that make no sense, and never touches them', async () => {
    const workflow = '.agentx/workflows/feature.toml';
    const cwd = await aRepository({ config: '[agents.architect]\nrunnr = "human"' });
    const broken = readFileSync(join(cwd, workflow), 'utf8').replace('agent = "engineer"', 'agent = "enginer"');
    writeFileSync(join(cwd, workflow), broken);
    writeFileSync(join(cwd, '.agentx/workflows/bug.toml'), 'half = ');
    const before = snapshot(cwd);
    for (const args of [[], ['--repair']]) {
      const { status, stdout } = agentx(cwd, ['doctor', ...args]);
      expect(status).toBe(1);
      expect(stdout).toMatch(
        /^problem {3}\.agentx\/config\.toml, line \d+\n {2}Unknown key 'agents\.architect\.runnr'/m,
      );
      expect(stdout).toMatch(/^problem {3}\.agentx\/workflows\/bug\.toml, line 1\n/m);
    }
    expect(snapshot(cwd)).toEqual(before);
    writeFileSync(join(cwd, '.agentx/config.toml'), '');
    expect(diagnosis(cwd).problems).toMatchObject([
      { file: '.agentx/workflows/bug.toml', line: 1 },
      { file: workflow, line: expect.any(Number), key: 'agent', reason: expect.stringContaining("'enginer'") },
    ]);
  });

  it('says whose programs are not approved', async () => {
    const cwd = await aRepository({ config: '[agents.architect]\nrunner = "command"\ncommand = ["true"]\n' });
    const env = { AGENTX_TRUST: '', HOME: temporaryFolder() };
    const { status, stdout } = agentx(cwd, ['doctor'], { env });
    expect(status).toBe(1);
    expect(stdout).toBe(
      [
        '1 problem.',
        'problem   .agentx/config.toml',
        '  The program that it names is not approved: their agents are refused.',
        '  Look at them: agentx trust',
        '',
      ].join('\n'),
    );
  });

  it('finds locks of the dead and what others could read, and puts both right', async () => {
    const cwd = await aRepository(SCRIPT);
    agentx(cwd, ASK);
    putLock(join(cwd, LEDGER), aLockOfOurs({ pid: deadProcess(), agent: 'engineer' }));
    chmodSync(join(cwd, LEDGER), 0o644);
    const { status, stdout } = agentx(cwd, ['doctor']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^2 problems\.\n/);
    expect(stdout).toContain(`${LEDGER}.lock\n  Its holder engineer (pid `);
    expect(stdout).toContain(`Open to others: ${LEDGER}.`);
    expect(agentx(cwd, ['doctor', '--repair'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^2 repaired\. All \d+ files are in order\.\n/),
    });
    expect(existsSync(join(cwd, `${LEDGER}.lock`))).toBe(false);
    expect(statSync(join(cwd, LEDGER)).mode & 0o777).toBe(0o600);
  });

  it('finds an escalation that a crash kept from the inbox, and completes it once', async () => {
    const cwd = await aRepository(SCRIPT);
    const escalated = aClarification({ id: 'CLR-1-001', status: 'escalated' });
    await put(cwd, aLedger({ issueNumber: 1, clarifications: [escalated] }));
    const { status, stdout } = agentx(cwd, ['doctor']);
    expect(status).toBe(1);
    expect(stdout).toContain('The escalation of CLR-1-001 has not reached the inbox.');
    expect(stdout).toContain('agent-status.json\n  It does not follow from the clarifications.');
    expect(agentx(cwd, ['inbox', '--json']).json()).toEqual({ questions: [] });
    expect(agentx(cwd, ['doctor', '--repair']).status).toBe(0);
    expect(agentx(cwd, ['inbox', '--json']).json()).toMatchObject({ questions: [{ sourceId: 'CLR-1-001' }] });
    expect(agentx(cwd, ['doctor']).status).toBe(0);
  });
});

describe('agentx doctor --repair', () => {
  it('says which question waits for the sake of a clarification that is lost', async () => {
    const cwd = await withFile(LEDGER, '{"half');
    const question = aQuestion({ issueNumber: 1, kind: 'escalation', source: 'clarification', sourceId: 'CLR-1-001' });
    await storeOf(cwd).questions.create(question);
    const { status, stdout } = agentx(cwd, ['doctor', '--repair']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^1 repaired, 1 problem left\.\n/);
    expect(stdout).toContain(
      `  Its clarification CLR-1-001 is lost: nobody gets the answer.\n  Run: agentx inbox dismiss ${question.id}\n`,
    );
  });

  it('keeps what can be saved of a ledger, says what is lost and gives no id again [X-12/7]', async () => {
    const damaged = ledgerText(
      records.map((record) => (record.id === 'CLR-1-003' ? { ...record, round: 'x' } : record)),
    );
    const cwd = await withFile(LEDGER, damaged);
    expect(agentx(cwd, ['clarify']).stderr).toContain('agentx doctor --repair');
    const examined = agentx(cwd, ['doctor']);
    expect(examined.status).toBe(1);
    expect(examined.stdout).toContain(
      `problem   ${LEDGER}\n  The ledger is not valid: clarifications[2].round must be`,
    );
    expect(readFileSync(join(cwd, LEDGER), 'utf8')).toBe(damaged);

    const { status, stdout } = agentx(cwd, ['doctor', '--repair']);
    expect(status).toBe(0);
    const [, movedTo = ''] = /The original is (.*)\n/.exec(stdout) ?? [];
    expect(movedTo).toMatch(/issue-1\.json\.corrupt-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/);
    expect(readFileSync(join(cwd, movedTo), 'utf8')).toBe(damaged);
    expect(stdout).toContain('  3 of 4 clarifications kept, CLR-1-003 lost. The next is CLR-1-005.\n');
    expect(agentx(cwd, [...ASK, '--json']).json()).toMatchObject({ clarificationId: 'CLR-1-005' });
    expect(agentx(cwd, ['doctor', '--repair']).stdout).toMatch(/^All \d+ files are in order\.\n$/);
  });

  it('replaces a ledger of which nothing is left by an empty one that gives no id again', async () => {
    const cwd = await withFile(LEDGER, '\u0000\u0000 "CLR-1-007" \u0000');
    expect(agentx(cwd, ['doctor', '--repair'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('No clarifications could be found. The next is CLR-1-100008, as more may'),
    });
    expect(agentx(cwd, [...ASK, '--json']).json()).toMatchObject({ clarificationId: 'CLR-1-100008' });
  });

  it('moves a file aside that lies under the name of another', async () => {
    const cwd = await withFile(LEDGER, JSON.stringify(aLedger()));
    expect(diagnosis(cwd, '--repair')).toMatchObject({ problems: [], repaired: [{ file: LEDGER, movedTo: /./ }] });
  });

  it('drops a field of a question that makes no sense, and sets a question aside that cannot be saved', async () => {
    const question = aQuestion({ issueNumber: 1 });
    const cwd = await aRepository({
      ...SCRIPT,
      files: {
        '.agentx/state/questions/oq-1a2b3c4d.json': JSON.stringify({ ...question, resolvedAt: 'noon' }),
        '.agentx/state/questions/oq-gone.json': JSON.stringify({ ...question, id: 'oq-gone', questions: 7 }),
      },
    });
    const { repaired } = diagnosis(cwd, '--repair');
    expect(repaired.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining([
        'The question is kept, without resolvedAt, which made no sense.',
        'oq-gone could not be saved. Its agent has to ask again.',
      ]),
    );
    expect(agentx(cwd, ['inbox', '--json']).json()).toMatchObject({ questions: [{ id: question.id }] });
  });

  it('does not touch what a link outside the folder leads to', async () => {
    const outside = join(temporaryFolder(), 'ledger.json');
    writeFileSync(outside, '{"half');
    const cwd = await aRepository(SCRIPT);
    agentx(cwd, ASK);
    symlinkSync(outside, join(cwd, '.agentx/state/clarifications/issue-7.json'));
    expect(agentx(cwd, ['doctor', '--repair'])).toMatchObject({ status: 1 });
    expect(readFileSync(outside, 'utf8')).toBe('{"half');
  });

  it('is carried out once when two repair at the same time, while others go on writing', async () => {
    const cwd = await withFile(LEDGER, `${ledgerText(records)} oops`);
    const results = await Promise.all([
      startAgentx(cwd, ['doctor', '--repair', '--json']),
      startAgentx(cwd, ['doctor', '--repair', '--json']),
      startAgentx(cwd, ['issue', 'create', '-t', 'Another']),
    ]);
    expect(results.map(({ status }) => status)).toEqual([0, 0, 0]);
    const copies = readdirSync(join(cwd, '.agentx/state/clarifications')).filter((name) => name.includes('.corrupt-'));
    expect(copies).toHaveLength(1);
    expect(agentx(cwd, [...ASK, '--json']).json()).toMatchObject({ clarificationId: 'CLR-1-005' });
  });

  it('of a ledger cut anywhere keeps only what was there, and the next ask gets an id that was never used [X-12/7]', async () => {
    const whole = Buffer.from(ledgerText(records));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 2), async (cut) => {
        const cwd = await withFile(LEDGER, '');
        writeFileSync(join(cwd, LEDGER), whole.subarray(0, cut));
        expect(agentx(cwd, ['doctor', '--repair']).status).toBe(0);
        const ledger = await storeOf(cwd).ledgers.read(1);
        for (const record of ledger.clarifications) expect(records).toContainEqual(record);
        const result = agentx(cwd, [...ASK, '--json']).json();
        expect(records.map(({ id }) => ({ clarificationId: id }))).not.toContainEqual(
          expect.objectContaining(idOf(result)),
        );
      }),
      { numRuns: 6 },
    );
  });
});

const idOf = (value: unknown) => ({ clarificationId: Reflect.get(Object(value), 'clarificationId') });

function diagnosis(cwd: string, ...args: readonly string[]): Diagnosis {
  const { stdout } = agentx(cwd, ['doctor', '--json', ...args]);
  return JSON.parse(stdout);
}

/** A repository in which agents have worked, and then something happened to one file. */
async function withFile(path: string, text: string, setup: RepositoryFiles = SCRIPT): Promise<string> {
  const cwd = await aRepository(setup);
  await put(cwd, aLedger({ issueNumber: 1, clarifications: [] }));
  writeFileSync(join(cwd, path), text);
  return cwd;
}

async function put(cwd: string, ledger: ReturnType<typeof aLedger>): Promise<void> {
  await storeOf(cwd).ledgers.update(ledger.issueNumber, () => ({ next: ledger, result: undefined }));
}

/** Every file but what is derived or logged. */
function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/state\/(?:logs|index)\//.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs} ${statSync(join(folder, name)).ino}`)
    .sort();
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openClarification, transition } from '../../src/protocol/clarification-transition.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { AT, aClarification } from '../builders/clarification.js';
import { anIssue } from '../builders/issue.js';
import { aQuestion } from '../builders/question.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const newRoot = () => join(temporaryFolder(), '.agentx');
const seedLedger = readFileSync(join(import.meta.dirname, '../fixtures/seeds/ledger.json'), 'utf8');

describe('the files of the store', () => {
  it("keep each issue's ledger under its own name [US-1.1/1]", async () => {
    const root = newRoot();
    const { ledgers } = openFileStore({ root });
    for (const issueNumber of [0, 7, 42]) {
      await ledgers.update(issueNumber, (ledger) => {
        const clarifications = [aClarification({ id: `CLR-${issueNumber}-001` })];
        return { next: { ...ledger, clarifications }, result: undefined };
      });
    }
    const names = readdirSync(join(root, 'state/clarifications')).toSorted();
    expect(names).toEqual(['issue-0.json', 'issue-42.json', 'issue-7.json']);
  });

  it('hold every field of a record [US-1.1/2]', async () => {
    const root = newRoot();
    const { ledgers } = openFileStore({ root });
    const { record } = openClarification({
      id: 'CLR-42-001',
      from: 'engineer',
      to: 'architect',
      topic: 'Database layer',
      question: 'Two adapters, or migrate?',
      blocking: true,
      at: AT,
    });
    await ledgers.update(42, (ledger) => ({ next: { ...ledger, clarifications: [record] }, result: undefined }));
    const stored = JSON.parse(readFileSync(join(root, 'state/clarifications/issue-42.json'), 'utf8'));
    expect(stored.clarifications[0]).toMatchObject({
      id: 'CLR-42-001',
      from: 'engineer',
      to: 'architect',
      topic: 'Database layer',
      blocking: true,
      status: 'pending',
      round: 1,
      maxRounds: 5,
      created: AT,
      staleAfter: '2026-02-26T10:30:00.000Z',
      resolvedAt: null,
      thread: [{ round: 1, from: 'engineer', type: 'question', body: 'Two adapters, or migrate?', timestamp: AT }],
    });
  });

  it('load a ledger written as the specification shows it, and change none of its fields [US-1.1/7]', async () => {
    const root = newRoot();
    const { ledgers } = openFileStore({ root });
    await ledgers.update(42, (ledger) => ({ next: { ...ledger, lastSequence: 0 }, result: undefined }));
    writeFileSync(join(root, 'state/clarifications/issue-42.json'), seedLedger);
    expect(await ledgers.read(42)).toEqual(JSON.parse(seedLedger));
    await ledgers.update(42, (ledger) => ({ next: { ...ledger, touched: true }, result: undefined }));
    const stored = JSON.parse(readFileSync(join(root, 'state/clarifications/issue-42.json'), 'utf8'));
    expect(stored).toEqual({ ...JSON.parse(seedLedger), touched: true });
  });

  it('let the whole conversation be read back, with who wrote what and when [US-1.1/9]', async () => {
    const root = newRoot();
    const later = (minute: number) => `2026-02-26T10:0${minute}:00.000Z`;
    const events = [
      { type: 'answer', at: later(1), by: 'architect', body: 'Two adapters.' },
      { type: 'follow-up', at: later(2), by: 'engineer', body: 'And pooling?' },
      { type: 'answer', at: later(3), by: 'architect', body: 'From configuration.' },
      { type: 'resolve', at: later(4), by: 'engineer', body: 'Clear.' },
    ] as const;
    await openFileStore({ root }).ledgers.update(42, (ledger) => {
      const record = events.reduce((current, event) => transition(current, event).record, aClarification());
      return { next: { ...ledger, clarifications: [record] }, result: undefined };
    });
    const [record] = (await openFileStore({ root }).ledgers.read(42)).clarifications;
    expect(
      record?.thread.map(({ round, from, type, body, timestamp }) => [round, from, type, body, timestamp]),
    ).toEqual([
      [1, 'engineer', 'question', 'SQLite or PostgreSQL?', AT],
      [1, 'architect', 'answer', 'Two adapters.', later(1)],
      [2, 'engineer', 'question', 'And pooling?', later(2)],
      [2, 'architect', 'answer', 'From configuration.', later(3)],
      [2, 'engineer', 'resolution', 'Clear.', later(4)],
    ]);
  });

  it('keep a question for the next process [OQ-4/1]', async () => {
    const root = newRoot();
    await openFileStore({ root }).questions.create(aQuestion());
    expect((await openFileStore({ root }).questions.list({ status: 'open' })).items).toEqual([aQuestion()]);
  });

  it('never give the number of a deleted issue to another', async () => {
    const root = newRoot();
    const create = () => openFileStore({ root }).issues.create(anIssue());
    await create();
    const { number } = await create();
    execFileSync('rm', [join(root, `issues/${number}.json`)]);
    expect((await create()).number).toBe(number + 1);
  });

  it('never give the number of a deleted issue to another that got it elsewhere', async () => {
    const root = newRoot();
    const { issues } = openFileStore({ root });
    await issues.put(50, () => ({ next: anIssue({ number: 50 }), result: undefined }));
    execFileSync('rm', [join(root, 'issues/50.json')]);
    expect((await issues.create(anIssue())).number).toBe(51);
  });

  it('leave room for issues that came with a pull', async () => {
    const root = newRoot();
    const { issues } = openFileStore({ root });
    await issues.create(anIssue());
    writeFileSync(join(root, 'issues/9.json'), JSON.stringify(anIssue({ number: 9 })));
    expect((await issues.create(anIssue())).number).toBe(10);
  });

  it('come with a .gitignore, even if a power cut has emptied it', async () => {
    const root = newRoot();
    await openFileStore({ root }).questions.create(aQuestion());
    writeFileSync(join(root, '.gitignore'), '');
    await openFileStore({ root }).issues.create(anIssue());
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toMatch(/^state\/$/m);
  });

  it('come with a .gitignore from the first write on; one that is there stays [US-1.3/1]', async () => {
    const root = newRoot();
    await openFileStore({ root }).questions.create(aQuestion());
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toMatch(/^state\/\n\*\.lock$/m);
    writeFileSync(join(root, '.gitignore'), '# mine\n');
    await openFileStore({ root }).issues.create(anIssue());
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('# mine\n');
  });

  it.each(['/dev/null', '/dev/zero'])('are files: a link to %s is not read', async (device) => {
    const root = newRoot();
    mkdirSync(join(root, 'issues'), { recursive: true });
    symlinkSync(device, join(root, 'issues/7.json'));
    symlinkSync(device, join(root, 'issues/8.json.lock'));
    const { issues } = openFileStore({ root });
    const { damaged } = await issues.list();
    expect(damaged).toMatchObject([{ code: 'STORE_ERROR', message: expect.stringContaining('it is no file') }]);
    const update = issues.put(8, () => ({ next: anIssue({ number: 8 }), result: undefined }));
    await expect(update).rejects.toMatchObject({ code: 'STORE_ERROR' });
  });

  it('are not made by reading', async () => {
    const root = newRoot();
    const store = openFileStore({ root });
    await Promise.all([
      store.ledgers.read(1),
      store.ledgers.list({ active: true }),
      store.issues.list(),
      store.statuses.read(),
    ]);
    expect(existsSync(root)).toBe(false);
  });
});

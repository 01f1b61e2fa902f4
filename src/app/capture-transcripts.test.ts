import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { aMemory } from '../../test/builders/memory.js';
import { aRun } from '../../test/builders/run.js';
import { aSession, aTurn } from '../../test/builders/session.js';
import type { Store } from '../ports/store.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { captureLost } from './capture-transcripts.js';
import { parseConfig } from './config.js';
import { Memory } from './memory.js';

const folder = mkdtempSync(join(tmpdir(), 'agentx-capture-'));
afterAll(() => rmSync(folder, { recursive: true }));
const transcriptFile = join(folder, 'session.jsonl');
const message = { role: 'assistant', content: 'We decided to keep every report for 90 days.' };
writeFileSync(transcriptFile, `${JSON.stringify(message)}\n`);

/** The process that compacted the session is gone. */
async function aStore(heldBy: 'dead' | 'none'): Promise<Store> {
  const store: Store = { ...openInMemoryStore(), heldBy: async () => heldBy };
  const compactedAt = '2026-02-26T10:02:00.000Z';
  const summary = '## Decisions\n\n- Use PostgreSQL 16 in production.\n';
  const lostSession = aSession({ compactedAt, summary, tokens: 400, turns: [aTurn({ transcriptFile })] });
  const open = aSession({ id: 'run-42-1a2b3c4d.review.1', step: 'review', turns: [aTurn({ transcriptFile })] });
  const claim = await store.claim({ run: 42 });
  await store.runs.update(42, () => ({ next: aRun(), result: undefined }), claim);
  for (const session of [lostSession, open])
    await store.sessions.update(session.id, () => ({ next: session, result: undefined }), claim);
  return store;
}

const captured = async (store: Store, memory: Memory) => {
  await captureLost({ store }, memory, 42);
  return (await store.observations.getByIssue(42)).map(({ content, source, count }) => [content, source?.kind, count]);
};

describe('what a process that died had compacted and not remembered', () => {
  const config = parseConfig('', { file: 'config.toml', project: 'shop' });

  it('is remembered once by the next run: the summary, and what the program of the agent wrote down', async () => {
    const store = await aStore('dead');
    const memory = new Memory(aMemory({}, store), { config, logs: folder });
    const both = [
      ['Use PostgreSQL 16 in production.', 'session', undefined],
      ['We decided to keep every report for 90 days.', 'transcript', undefined],
    ];
    expect(await captured(store, memory)).toEqual(both);
    expect(await captured(store, memory)).toEqual(both);
    const [, second] = await store.observations.getByIssue(42);
    await store.observations.remove(second?.id ?? '');
    expect(await captured(store, memory)).toEqual(both);
  });

  it('is left alone where no process died', async () => {
    const store = await aStore('none');
    expect(await captured(store, new Memory(aMemory({}, store), { config, logs: folder }))).toEqual([]);
  });
});

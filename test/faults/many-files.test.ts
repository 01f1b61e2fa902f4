import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.js';
import { layoutOf } from '../../src/storage/files/layout.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { aQuestion } from '../builders/question.js';
import { repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Child, startChild } from './support/children.js';
import type { Acknowledged, UpdaterConfig } from './support/updater.js';

/** So many that listings skip every file they can. */
const OLD = 600;
const PROCESSES = 4;
const rounds = repetitions({ short: 10, long: 1_000 });

it('listings of many questions show every acknowledged change, even of a process that was killed right after it', async () => {
  const root = temporaryFolder();
  writeQuestions(root, OLD);
  const all: Child<Acknowledged>[] = [];
  const start = () => {
    const kind = all.length % 2 === 0 ? 'question' : 'answer';
    const config: UpdaterConfig = { root, kind, name: `c${all.length}`, sync: all.length % 3 === 0 };
    const child = startChild<Acknowledged>('updater', config);
    all.push(child);
    return child;
  };
  const living = Array.from({ length: PROCESSES }, start);
  const reader = openFileStore({ root });
  for (let round = 0; round < rounds; round++) {
    await sleep(Math.random() * 60);
    const [asks, answered] = [acknowledged(all, 0), acknowledged(all, 1)];
    for (const store of [reader, openFileStore({ root })]) {
      const { pending, unsettled } = await listed(store);
      expect(asks.filter((id) => !pending.has(id))).toEqual([]);
      expect(answered.filter((id) => pending.has(id) || !unsettled.has(id))).toEqual([]);
    }
    if (round % 5 !== 4) continue;
    living.shift()?.kill();
    living.push(start());
  }
  for (const child of living) child.kill();
  await Promise.all(all.map(({ ended }) => ended));
  // What a killed process had written may not have been acknowledged; it is seen a moment later.
  const { items } = await reader.questions.list();
  const open = items.filter(({ status }) => status === 'open').map(({ id }) => id);
  await expect.poll(async () => [...(await listed(reader)).pending]).toEqual(open);
  await expect.poll(async () => [...(await listed(openFileStore({ root }))).pending]).toEqual(open);
});

/** Reports of the children that ask, or of those that ask and answer. */
function acknowledged(all: readonly Child<Acknowledged>[], kind: 0 | 1): readonly string[] {
  const children = all.filter((_, index) => index % 2 === kind);
  return children.flatMap(({ reports }) => reports.map((report) => report.acknowledged));
}

async function listed({ questions }: Store) {
  const [pending, unsettled] = [
    await questions.summaries({ status: 'open' }),
    await questions.list({ unsettled: true }),
  ];
  expect([...pending.damaged, ...unsettled.damaged]).toEqual([]);
  const ids = (items: readonly { readonly id: string }[]) => new Set(items.map(({ id }) => id));
  return { pending: ids(pending.items), unsettled: ids(unsettled.items) };
}

function writeQuestions(root: string, count: number): void {
  const { questions } = layoutOf(root);
  mkdirSync(questions, { recursive: true });
  for (let number = 0; number < count; number++) {
    const question = aQuestion({ id: `oq-old-${number}` });
    writeFileSync(join(questions, `${question.id}.json`), JSON.stringify(question));
  }
}

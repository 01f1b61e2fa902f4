import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import type { Change } from '../../ports/changes.js';
import { fileChanges, type WatchFolder } from './changes.js';
import { layoutOf } from './layout.js';

const silent: WatchFolder = () => () => {};

function watched(options: Parameters<typeof fileChanges>[1]) {
  const layout = layoutOf(temporaryFolder());
  for (const folder of [layout.questions, layout.ledgers, layout.issues, layout.runs]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(layout.questions, 'oq-old.json'), '{}');
  const told: Change[] = [];
  onTestFinished(fileChanges(layout, options).watch((change) => told.push(change)));
  const untilTold = async (kind: Change['kind'], id: string) => {
    await until(() => told.some((change) => change.kind === kind && change.id === id));
    told.length = 0;
  };
  return { layout, told, untilTold };
}

it.each([
  ['by notices', { pollMs: 1_000_000 }],
  ['by looking, where watching says nothing', { pollMs: 10, watchFolder: silent }],
])('tells which document may have changed: %s', async (_, options) => {
  const { layout, untilTold } = watched(options);
  writeFileSync(join(layout.questions, 'oq-1.json'), '{}');
  await untilTold('questions', 'oq-1');
  writeFileSync(join(layout.questions, 'oq-2.json.tmp'), '{}');
  renameSync(join(layout.questions, 'oq-2.json.tmp'), join(layout.questions, 'oq-2.json'));
  await untilTold('questions', 'oq-2');
  writeFileSync(join(layout.questions, 'oq-old.json'), '{"edited": true}');
  await untilTold('questions', 'oq-old');
  rmSync(join(layout.questions, 'oq-1.json'));
  await untilTold('questions', 'oq-1');
  writeFileSync(join(layout.ledgers, 'issue-42.json'), '{}');
  await untilTold('clarifications', '42');
  writeFileSync(join(layout.issues, '7.json'), '{}');
  await untilTold('issues', '7');
  writeFileSync(join(layout.runs, 'issue-7.json'), '{}');
  await untilTold('runs', '7');
  writeFileSync(join(layout.state, 'agent-status.json'), '{}');
  await untilTold('agents', '');
});

it('tells of one document only, where one is named', async () => {
  const layout = layoutOf(temporaryFolder());
  mkdirSync(layout.ledgers, { recursive: true });
  const told: Change[] = [];
  const only = { kind: 'clarifications', id: '42' } as const;
  onTestFinished(fileChanges(layout, { pollMs: 10 }).watch((change) => told.push(change), only));
  for (const number of [41, 43, 42]) writeFileSync(join(layout.ledgers, `issue-${number}.json`), '{}');
  await until(() => told.length > 0);
  expect(told.filter(({ kind, id }) => kind !== only.kind || id !== only.id)).toEqual([]);
});

it('is silent about locks, temporary and foreign files, and about what was there before', async () => {
  const { layout, told, untilTold } = watched({ pollMs: 10 });
  for (const name of ['oq-1.json.lock', '.oq-1.json.ab12.tmp', 'notes.json', 'oq-1.json.corrupt-2026']) {
    writeFileSync(join(layout.questions, name), '');
  }
  writeFileSync(join(layout.state, 'orchestrator.json'), '{}');
  writeFileSync(join(layout.questions, 'oq-9.json'), '{}');
  const others: Change[] = [];
  await until(() => told.some(({ id }) => id === 'oq-9'));
  others.push(...told.filter(({ id }) => id !== 'oq-9'));
  expect(others).toEqual([]);
  await untilTold('questions', 'oq-9');
});

it('looks through a folder when a notice does not say which file it is about', async () => {
  const notices = new Map<string, (name: string | null) => void>();
  const { layout, untilTold } = watched({
    pollMs: 1_000_000,
    watchFolder: (folder, listener) => {
      notices.set(folder, listener);
      return () => {};
    },
  });
  writeFileSync(join(layout.questions, 'oq-3.json'), '{}');
  notices.get(layout.questions)?.(null);
  await untilTold('questions', 'oq-3');
});

it('goes on looking where a file cannot be looked at, and tells that it is there and that it is gone', async () => {
  const { layout, untilTold } = watched({ pollMs: 10, watchFolder: silent });
  const loop = join(layout.issues, '9.json');
  symlinkSync(loop, loop);
  await untilTold('issues', '9');
  writeFileSync(join(layout.issues, '10.json'), '{}');
  await untilTold('issues', '10');
  rmSync(loop);
  await untilTold('issues', '9');
});

it('makes folders that it has to watch as private as a write would', () => {
  const layout = layoutOf(temporaryFolder());
  onTestFinished(fileChanges(layout).watch(() => {}));
  const open = 0o777 & ~process.umask();
  const modeOf = (folder: string) => statSync(folder).mode & 0o777;
  expect([layout.issues, layout.memory, layout.questions].map(modeOf)).toEqual([open, open, 0o700]);
});

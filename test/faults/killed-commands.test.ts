import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startWork } from '../../src/board/agent-status.js';
import { ask } from '../../src/hub/conversation.js';
import { reconcileStatuses } from '../../src/hub/statuses.js';
import { decidedBy } from '../../src/memory/decided.js';
import { runCheck } from '../../src/monitor/sweep.js';
import { statusForIssue } from '../../src/protocol/agent-status.js';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { aClarification } from '../builders/clarification.js';
import { anAsk, type TestHub } from '../builders/hub.js';
import { anIssue } from '../builders/issue.js';
import { anObservation } from '../builders/observation.js';
import { aQuestion } from '../builders/question.js';
import { isLong } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startChild } from './support/children.js';
import type { CommanderConfig, CommanderReport, CommandName } from './support/commander.js';
import { COMMANDS, hubOn, ID } from './support/commands.js';
import { killAtEveryCall, type Reached } from './support/every-call.js';
import { litterIn } from './support/litter.js';

const TEN = '2026-02-26T10:00:00.000Z';
const LATER = '2026-02-26T10:01:00.000Z';
/** After every SLA that was given before the crash, and after those given after it. */
const OVERDUE = '2026-02-26T10:35:00.000Z';
const MUCH_LATER = '2026-02-26T11:30:00.000Z';

interface Scene {
  readonly command: CommandName;
  /** The commands that were acknowledged before. */
  readonly before: readonly CommandName[];
  /** Allowed states of the record after recovery: none, the state before, or the state after the command. */
  readonly ends: readonly (string | undefined)[];
}

const scenes: readonly Scene[] = [
  { command: 'ask', before: [], ends: [undefined, 'answered'] },
  { command: 'ask someone who fails', before: [], ends: [undefined, 'escalated'] },
  { command: 'follow up', before: ['ask'], ends: ['answered'] },
  { command: 'follow up once too often', before: ['ask', ...rounds(4)], ends: ['answered', 'escalated'] },
  { command: 'resolve', before: ['ask'], ends: ['answered', 'resolved'] },
  { command: 'escalate', before: ['ask'], ends: ['answered', 'escalated'] },
  { command: 'resolve what is escalated', before: ['ask', 'escalate'], ends: ['escalated', 'resolved'] },
  { command: 'answer in the inbox', before: ['ask', 'escalate'], ends: ['escalated', 'resolved'] },
  { command: 'decline in the inbox', before: ['ask', 'escalate'], ends: ['escalated', 'resolved'] },
  { command: 'answer', before: ['sweep'], ends: ['answered'] },
  { command: 'finish work', before: ['sweep'], ends: ['answered', 'abandoned'] },
  { command: 'sweep', before: [], ends: ['answered', 'escalated'] },
];

const MAX_CALLS = 300;
/** A few kills of each command with `npm test`, elsewhere in each run; every call with `npm run test:faults`. */
const STRIDE = isLong ? 1 : 17;

describe('a command that is killed between any two calls to the file system', () => {
  it.each(scenes)('here to $command, is made up for by the next sweep, once [US-5.4/12]', async (scene) => {
    const killed = await killAtEveryCall((at) => killOnce(scene, at), { most: MAX_CALLS, stride: STRIDE });
    expect(killed).toBeGreaterThan(isLong ? 10 : 0);
  });
});

async function killOnce(scene: Scene, killAt: number): Promise<Reached> {
  const root = await prepare(scene);
  const config: CommanderConfig = { root, command: scene.command, at: commandTime(scene), killAt };
  const child = startChild<CommanderReport>('commander', config);
  const { signal } = await child.ended;
  const told = child.reports.flatMap((report) => ('acknowledged' in report ? report.acknowledged : []))[0];
  const where = `${scene.command} killed before call ${killAt}`;
  if (signal !== 'SIGKILL') expect(child.reports.at(-1), child.errors).toHaveProperty('calls');

  const hub = await hubOn(openFileStore({ root }), MUCH_LATER);
  const { warnings } = await runCheck(hub);
  expect(warnings, where).toEqual([]);
  await expectWhole(hub, scene, where);
  const record = (await hub.store.ledgers.read(1)).clarifications.find(({ id }) => id === ID);
  if (told?.status !== undefined) expect(record?.status, `${where}: acknowledged`).toBe(told.status);
  await expectQuiet(root, where);
  // The next writer sweeps a folder.
  await startWork(hub, { agent: 'tester', issue: 1 });
  await hub.store.questions.create(aQuestion());
  await hub.store.observations.store([anObservation({ id: 'obs-engineer-1-1772100000000-a1b2c3', issueNumber: 1 })]);
  await expect.poll(() => litterIn(root), { message: where }).toEqual([]);
  return signal === 'SIGKILL' ? 'killed' : 'the end';
}

/** Nothing is half done: record, question and statuses say the same, and the next clarification gets an id of its own. */
async function expectWhole(hub: TestHub, { ends }: Scene, where: string): Promise<void> {
  const { store } = hub;
  const ledger = await store.ledgers.read(1);
  const record = ledger.clarifications.find(({ id }) => id === ID);
  expect(ends, where).toContain(record?.status);
  expect(record?.thread.filter(({ type }) => type === 'escalation').length ?? 0, where).toBeLessThanOrEqual(1);

  const { items: questions, damaged } = await store.questions.list();
  expect(damaged, where).toEqual([]);
  const open = questions.filter(({ status }) => status === 'open').map(({ id }) => id);
  const expected = record?.status === 'escalated' ? [escalationQuestionId(ID, record.round)] : [];
  expect(open, `${where}: what waits for a human`).toEqual(expected);

  const remembered = (await store.observations.getByIssue(1)).map(({ source }) => source?.id);
  expect(remembered, `${where}: what is decided is remembered, once`).toEqual(
    record !== undefined && decidedBy(record) !== undefined ? [ID] : [],
  );

  const statuses = await store.statuses.read();
  const derived = reconcileStatuses(statuses, { issueNumber: 1, records: ledger.clarifications, at: MUCH_LATER });
  expect(derived, `${where}: statuses follow from the ledger`).toBe(statuses);
  const requester = statusForIssue(statuses.engineer, 1).status;
  if (record?.status === 'escalated') expect(requester, where).toBe('blocked-clarification');
  else expect(['working', 'done'], where).toContain(requester);

  const { clarificationId } = await ask(hub, anAsk({ topic: 'Afterwards' }));
  expect(clarificationId, `${where}: ids are never given twice`).toBe(record === undefined ? ID : 'CLR-1-002');
}

async function expectQuiet(root: string, where: string): Promise<void> {
  const before = filesIn(root);
  await runCheck(await hubOn(openFileStore({ root }), MUCH_LATER));
  expect(filesIn(root), `${where}: a second sweep finds nothing to do`).toEqual(before);
}

/** Issue 1, on which the engineer works, after the commands that came before. */
async function prepare({ command, before }: Scene): Promise<string> {
  const root = temporaryFolder();
  const store = openFileStore({ root, sync: false });
  const hub = await hubOn(store, TEN);
  await store.issues.create(anIssue());
  await startWork(hub, { agent: 'engineer', issue: 1 });
  if (before.includes('sweep') || command === 'sweep') await leaveQuestion(hub);
  const later = await hubOn(store, LATER);
  for (const earlier of before) await COMMANDS[earlier](later);
  return root;
}

/** Asked by another program, which then died. */
async function leaveQuestion(hub: TestHub): Promise<void> {
  await hub.store.ledgers.update(1, (ledger) => ({
    next: { ...ledger, clarifications: [aClarification({ id: ID })] },
    result: undefined,
  }));
}

function commandTime({ command }: Scene): string {
  return command === 'sweep' ? OVERDUE : '2026-02-26T10:02:00.000Z';
}

function rounds(count: number): readonly CommandName[] {
  return Array.from({ length: count }, () => 'follow up' as const);
}

/** What people and agents see, without indexes, which are derived, and logs. */
function filesIn(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/index|logs/.test(name) && statSync(join(root, name)).isFile(),
  );
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

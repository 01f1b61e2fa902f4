import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/storage/files/store.js';
import { repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { type Child, startChild } from './support/children.js';
import { type KindName, kinds } from './support/kinds.js';
import { ledgerPath } from './support/paths.js';
import { aroundEachChange } from './support/strange-file-systems.js';
import type { Acknowledged, Refused, UpdaterConfig } from './support/updater.js';

type Report = Acknowledged | Refused;

const ROUNDS = repetitions({ short: 2, long: 60 });
/** Between two interventions. */
const BUSY = 60;

/** What is done to the folder of a process that goes on writing. Each returns where the removed folders are now. */
const interventions: Readonly<Record<string, (root: string, round: number) => readonly string[]>> = {
  'whose state is moved away': (root, round) => {
    const away = `${root}-${round}`;
    mkdirSync(away);
    renameSync(join(root, 'state'), join(away, 'state'));
    return [away];
  },
  'whose state is put back as it was a moment ago': (root, round) => {
    const [away, copy] = [`${root}-${round}`, `${root}-${round}-copy`];
    mkdirSync(away);
    cpSync(join(root, 'state'), copy, { recursive: true, filter: (path) => !/\.(?:tmp|lock)$/.test(path) });
    return exchange(join(root, 'state'), copy, join(away, 'state'));
  },
  'whose folder is a link that leads elsewhere all of a sudden': (root, round) => {
    const folder = dirname(ledgerPath(root));
    const [away, elsewhere, link] = [`${root}-${round}`, `${root}-${round}-next`, `${root}-${round}-link`];
    mkdirSync(join(away, 'state'), { recursive: true });
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, link);
    return exchange(folder, link, join(away, 'state/clarifications'));
  },
  'whose whole root is exchanged for an empty one': (root, round) => {
    renameSync(root, `${root}-${round}`);
    mkdirSync(root);
    return [`${root}-${round}`];
  },
};

/**
 * The process may make the folder anew before the other one is in its place: then the new one is moved away as well.
 */
function exchange(folder: string, next: string, away: string): readonly string[] {
  const roots: string[] = [];
  for (let attempt = 0; attempt < 100; attempt++) {
    const target = away.replace(/(?<=-\d+)(?=\/state)/, attempt === 0 ? '' : `-${attempt}`);
    mkdirSync(dirname(target), { recursive: true });
    renameSync(folder, target);
    roots.push(target.slice(0, target.lastIndexOf('/state')));
    try {
      renameSync(next, folder);
      return roots;
    } catch {
      // It is there again.
    }
  }
  throw new Error(`${folder} is made anew again and again.`);
}

describe('a busy process', () => {
  it.each(Object.entries(interventions))(
    '%s acknowledges nothing that is nowhere, and goes on',
    async (_name, intervene) => {
      const root = join(temporaryFolder(), '.agentx');
      const child = busy(root);
      const places = [root];
      for (let round = 0; round < ROUNDS; round++) {
        await untilMore(child, BUSY);
        places.push(...intervene(root, round));
      }
      const last = await lastOf(child);
      const present = (await Promise.all(places.map(topicsIn))).flat();
      expect(acknowledgedIn(child.reports).filter((key) => !present.includes(key))).toEqual([]);
      expect(await topicsIn(root)).toEqual(expect.arrayContaining(last));
      const refusals = child.reports.flatMap((report) => ('refused' in report ? report.refused : []));
      expect(['STORE_ERROR', 'LOCK_LOST']).toEqual(expect.arrayContaining(refusals));
    },
  );

  it.each(['clarification', 'answer', 'issue'] as const)(
    'whose state is removed begins anew with the next %s',
    async (kind) => {
      const root = join(temporaryFolder(), '.agentx');
      const child = busy(root, kind);
      await untilMore(child, BUSY);
      remove(join(root, 'state'));
      const last = await lastOf(child);
      expect(await kinds[kind].present(openFileStore({ root }))).toEqual(expect.arrayContaining(last));
    },
  );

  it('whose whole root is moved away makes nothing in its place, and goes on when it is back', async () => {
    const root = join(temporaryFolder(), '.agentx');
    const child = busy(root);
    await untilMore(child, BUSY);
    renameSync(root, `${root}-away`);
    await untilMore(child, BUSY);
    const refused = child.reports.at(-1);
    expect(existsSync(root)).toBe(false);
    renameSync(`${root}-away`, root);
    await lastOf(child);
    expect(refused).toEqual({ refused: 'STORE_ERROR', message: expect.stringContaining('was removed or moved away') });
    expect(await topicsIn(root)).toEqual(expect.arrayContaining(acknowledgedIn(child.reports)));
  });

  it.each([
    ['with a journal', 1],
    ['without', Number.POSITIVE_INFINITY],
  ])(
    'whose link is switched at the very rename is told, and goes on where it leads now: %s',
    async (_, journalAfter) => {
      const root = join(temporaryFolder(), '.agentx');
      const folder = dirname(ledgerPath(root));
      const [before, now] = [`${folder}-before`, `${folder}-now`];
      let isToBeSwitched = false;
      const fs = aroundEachChange((name, call, [, to]) => {
        if (isToBeSwitched && name === 'renameSync' && String(to).endsWith('issue-42.json')) {
          isToBeSwitched = false;
          cpSync(before, now, { recursive: true, filter: (path) => !/\.(?:tmp|lock)$/.test(path) });
          rmSync(folder);
          symlinkSync(now, folder);
        }
        return call();
      });
      const store = openFileStore({ root, fs, journalAfter });
      for (const path of [before, dirname(folder)]) mkdirSync(path, { recursive: true });
      symlinkSync(before, folder);
      const hasJournal = () =>
        existsSync(join(root, 'state/journal')) && readdirSync(join(root, 'state/journal')).length > 0;
      for (let number = 0; number < BUSY && !hasJournal(); number++)
        await kinds.clarification.add(store, `first-${number}`);
      expect(hasJournal()).toBe(journalAfter === 1);
      isToBeSwitched = true;
      await expect(kinds.clarification.add(store, 'at the rename')).rejects.toMatchObject({ code: 'STORE_ERROR' });
      expect(isToBeSwitched).toBe(false);
      expect(await kinds.clarification.add(store, 'later')).toBe('later');
      const topics = await topicsIn(root);
      expect(topics).toContain('later');
      expect(topics).not.toContain('at the rename');
      await store.close();
    },
  );

  it('writes to the file that a link leads to now', async () => {
    const root = join(temporaryFolder(), '.agentx');
    const store = openFileStore({ root });
    for (let number = 0; number < BUSY; number++) await kinds.clarification.add(store, `first-${number}`);
    const other = join(root, 'state/other.json');
    writeFileSync(other, JSON.stringify({ issueNumber: 42, clarifications: [] }));
    rmSync(ledgerPath(root));
    symlinkSync(other, ledgerPath(root));
    expect(await kinds.clarification.add(store, 'later')).toBe('later');
    expect(await topicsIn(root)).toEqual(['later']);
    // A busy process lets go of a lock a moment after the update.
    await until(() => readdirSync(dirname(ledgerPath(root))).join() === 'issue-42.json');
  });
});

function busy(root: string, kind: KindName = 'clarification'): Child<Report> {
  return startChild<Report>('updater', {
    root,
    kind,
    name: 'busy',
    goesOn: true,
    journalAfter: 1,
  } satisfies UpdaterConfig);
}

const untilMore = (child: Child<Report>, count: number) => child.untilReported(child.reports.length + count);

/** What is acknowledged long after the last intervention; reports from before may only come in now. */
async function lastOf(child: Child<Report>): Promise<string[]> {
  await untilMore(child, 4 * BUSY);
  child.kill();
  await child.ended;
  const last = acknowledgedIn(child.reports.slice(-BUSY));
  expect(last.length).toBeGreaterThan(BUSY / 2);
  return last;
}

/** Like a person who tries again because the folder filled up while they emptied it. */
function remove(folder: string): void {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    if (spawnSync('rm', ['-rf', folder]).status === 0) return;
  }
  throw new Error(`${folder} could not be removed.`);
}

const topicsIn = (root: string) => kinds.clarification.present(openFileStore({ root }));

function acknowledgedIn(reports: readonly Report[]): string[] {
  return reports.flatMap((report) => ('acknowledged' in report ? report.acknowledged : []));
}

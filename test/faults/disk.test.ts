import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { openFileStore } from '../../src/storage/files/store.js';
import { agentxCommand } from '../scenarios/support/agentx.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { ActorConfig, ActorReport } from './support/actor.js';
import { startChild, startProgram } from './support/children.js';
import type { FullDiskConfig, FullDiskReport } from './support/full-disk.js';
import { kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import { ledgerPath } from './support/paths.js';
import type { RemountedServerConfig, RemountedServerReport } from './support/remounted-server.js';

const canMount = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs /tmp']).status === 0;
const NOBODY = 65534;

describe('a disk', () => {
  // Where a small disk cannot be made, the file size limit below stands in for it.
  it.runIf(canMount)(
    'that is full refuses the write, keeps what is there and works again with room [US-1.2/29]',
    async () => {
      const reports = await onSmallDisk();
      const full = reports.filter(({ refused, freePages }) => refused !== undefined && freePages !== 'read-only');
      expect(full.length).toBeGreaterThan(2);
      for (const attempt of full) {
        expect(attempt).toMatchObject({ refused: 'STORE_ERROR', isIntact: true, litter: [], readable: 20 });
        expect(attempt.message).toContain('the disk is full');
      }
      expect(reports.find(({ freePages }) => freePages === 'enough')).toMatchObject({
        isIntact: false,
        readable: 22,
        litter: [],
      });
      const readOnly = reports.find(({ freePages }) => freePages === 'read-only');
      expect(readOnly).toMatchObject({ refused: 'STORE_ERROR', isIntact: true, readable: 22 });
      expect(readOnly?.message).toContain('the file system is read-only');
    },
  );

  it.runIf(canMount)(
    'that is read-only or full under a server is an error to each caller and to who asks for its health, and is used again',
    async () => {
      const folder = temporaryFolder();
      const config: RemountedServerConfig = { folder, agentx: agentxCommand };
      const reports = await onDisk<RemountedServerReport>('64m', folder, 'remounted-server', config);
      const during = (disk: RemountedServerReport['disk']) => reports.filter((report) => report.disk === disk);
      expect(during('as it was').map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const expectRefusals = (disk: RemountedServerReport['disk'], listed: number, reason: string) => {
        const message = `This server cannot write to its .agentx/state folder: ${reason}.`;
        const health = `500 ${JSON.stringify({ error: { code: 'STORE_ERROR', message, details: {} } })}`;
        const refusal = { status: 500, code: 'STORE_ERROR', message: expect.stringContaining(reason), listed, health };
        expect(during(disk)).toMatchObject(Array(4).fill(refusal));
      };
      const health = '200 {"status":"ok"}';
      expectRefusals('read-only', 4, 'the file system is read-only');
      expect(during('writable again')).toMatchObject(Array(4).fill({ status: 201, listed: 8, health }));
      expectRefusals('full', 8, 'the disk is full');
      expect(during('with room again')).toMatchObject(Array(4).fill({ status: 201, listed: 12, health }));
    },
  );

  it.runIf(canMount)('that is full, or read-only, is a problem to the doctor', () => {
    const folder = temporaryFolder();
    const script = `mount -t tmpfs -o size=512k tmpfs "$1" && cd "$1" && shift && "$@" init >/dev/null 2>&1
      "$@" doctor; echo "exit $?"
      cat /dev/zero >filler 2>/dev/null; "$@" doctor; echo "exit $?"
      rm filler; mount -o remount,ro .; "$@" doctor; echo "exit $?"`;
    const { stdout } = spawnSync('unshare', ['-Urm', 'sh', '-c', script, 'sh', folder, ...agentxCommand]);
    const refused = (reason: string): string => `1 problem.
problem   .agentx
  Cannot write to ${folder}/.agentx: ${reason}.
  See to that, then try again.
exit 1
`;
    expect(stdout.toString()).toBe(
      `All 21 files are in order.\nexit 0\n${refused('the disk is full')}${refused('the file system is read-only')}`,
    );
  });

  it('that limits the size of files refuses the write and keeps what is there [US-1.2/29]', async () => {
    const root = temporaryFolder();
    const store = openFileStore({ root });
    await Promise.all(Array.from({ length: 60 }, (_, number) => kinds.clarification.add(store, `earlier-${number}`)));
    const before = readFileSync(ledgerPath(root));
    const config: ActorConfig = { root, act: 'one clarification', name: 'limited' };
    const program = [process.execPath, join(inject('faultChildren'), 'actor.mjs'), JSON.stringify(config)];
    const child = startProgram<ActorReport>('bash', ['-c', 'ulimit -f 16 && exec "$@"', 'bash', ...program]);
    const [refusal] = await child.untilDone();
    expect(refusal).toMatchObject({ refused: 'STORE_ERROR' });
    expect(refusal).toHaveProperty('message', expect.stringContaining('the file size limit is reached'));
    expect(readFileSync(ledgerPath(root)).equals(before)).toBe(true);
    await expect.poll(() => litterIn(root)).toEqual([]);
    expect(await kinds.clarification.add(store, 'later')).toBe('later');
  });
});

describe('a folder', () => {
  it('that may not be written to refuses the write and can still be read [US-1.2/29]', async () => {
    const root = await storeOfNobody();
    const folder = join(root, 'state/clarifications');
    chmodSync(folder, 0o555);
    const before = readFileSync(ledgerPath(root));
    const [refusal] = await actAsNobody(root, 'one clarification');
    expect(refusal).toMatchObject({ refused: 'STORE_ERROR', message: expect.stringContaining('permission denied') });
    expect((await actAsNobody(root, 'reading'))[0]).toEqual({ acknowledged: 'earlier' });
    expect(readFileSync(ledgerPath(root)).equals(before)).toBe(true);
    await expect.poll(() => litterIn(root)).toEqual([]);
    chmodSync(folder, 0o700);
    expect((await actAsNobody(root, 'one clarification'))[0]).toEqual({ acknowledged: 'nobody' });
  });

  it('that may not even be read is a STORE_ERROR, not an empty ledger', async () => {
    const root = await storeOfNobody();
    chmodSync(join(root, 'state/clarifications'), 0o000);
    const [refusal] = await actAsNobody(root, 'reading');
    expect(refusal).toMatchObject({ refused: 'STORE_ERROR', message: expect.stringContaining('permission denied') });
  });
});

function onSmallDisk(): Promise<readonly FullDiskReport[]> {
  const folder = temporaryFolder();
  return onDisk<FullDiskReport>('192k', folder, 'full-disk', { folder } satisfies FullDiskConfig);
}

/** Runs a program where `folder` is a file system of its own. */
function onDisk<Report>(size: string, folder: string, name: string, config: object): Promise<readonly Report[]> {
  const program = [process.execPath, join(inject('faultChildren'), `${name}.mjs`), JSON.stringify(config)];
  const script = `mount -t tmpfs -o size=${size} tmpfs "$1" && shift && exec "$@"`;
  return startProgram<Report>('unshare', ['-Urm', 'sh', '-c', script, 'sh', folder, ...program]).untilDone();
}

/** A store with one record that belongs to an ordinary user, even if the tests run as root. */
async function storeOfNobody(): Promise<string> {
  const outside = temporaryFolder();
  chmodSync(outside, 0o755);
  const root = join(outside, '.agentx');
  mkdirSync(root);
  await kinds.clarification.add(openFileStore({ root }), 'earlier');
  if (process.getuid?.() === 0) {
    const all = [root, ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))];
    for (const path of all) chownSync(path, NOBODY, NOBODY);
  }
  return root;
}

function actAsNobody(root: string, act: ActorConfig['act']): Promise<readonly ActorReport[]> {
  const uid = process.getuid?.() === 0 ? { uid: NOBODY } : {};
  return startChild<ActorReport>('actor', { root, act, name: 'nobody', ...uid } satisfies ActorConfig).untilDone();
}

import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../src/storage/files/process-identity.js';
import { letGo } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunUnderWay, fileOf } from './support/runs.js';

const CLAIM = '.agentx/state/runs/issue-1.claim.json.lock';
const [, boot = '', namespace = ''] = thisProcess().host.split('/');

/** A run whose process is killed while its agent is at work; its claim stays. */
async function aKilledRun(): Promise<string> {
  const { cwd, run } = await aRunUnderWay();
  run.kill();
  await run.ended;
  letGo(cwd);
  return cwd;
}

/** As if another holder had given its last sign of life so long ago. */
function heldBy(cwd: string, holder: { host?: string; pid?: number; start?: number }, secondsAgo: number): void {
  const path = join(cwd, CLAIM);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...holder }));
  const at = new Date(Date.now() - secondsAgo * 1000);
  utimesSync(path, at, at);
}

const UNSEEN = [
  ['before this machine was restarted', `${hostname()}/an-earlier-boot/${namespace}`],
  ['on a machine of another name', `elsewhere/another-boot/${namespace}`],
  ['here, when this machine had another name', `formerly/${boot}/${namespace}`],
  ['in another container of this machine', `${hostname()}/${boot}/pid:[1]`],
] as const;

describe('a run whose process is gone', () => {
  it.each(UNSEEN)('%s, is taken over when its lease is over', async (_, host) => {
    const cwd = await aKilledRun();
    heldBy(cwd, { host, pid: process.pid }, 0);
    const early = agentx(cwd, ['run', '1']);
    expect(early.status).toBe(1);
    expect(early.stderr).toContain(`is run by process ${process.pid} on ${host.split('/')[0]}`);
    expect(early.stderr).toMatch(/if it is gone, try again after \d{4}-/);

    expect(agentx(cwd, ['doctor']).stdout).toMatch(
      /cannot be seen from here: if it is gone, the lock is free after \d{4}-/,
    );

    heldBy(cwd, { host, pid: process.pid }, 31);
    const { stdout } = agentx(cwd, ['doctor']);
    expect(stdout).toContain(CLAIM);
    expect(stdout).toContain('The run was interrupted. Go on with: agentx run 1');
    const late = agentx(cwd, ['run', '1']);
    expect({ status: late.status, stderr: late.stderr }).toEqual({ status: 0, stderr: '' });
    expect(late.stdout).toContain('goes on where it was');
    expect(fileOf(cwd, 'health.js')).toBe('up');
    expect(agentx(cwd, ['doctor']).stdout).not.toContain(CLAIM);
  });

  it('on this machine, is taken over at once, also where its number is now the number of another process', async () => {
    const cwd = await aKilledRun();
    heldBy(cwd, { pid: process.pid, start: thisProcess().start - 1 }, 0);
    const { stdout } = agentx(cwd, ['doctor']);
    expect(stdout).toMatch(/has died\.\n\s+The run was interrupted\. Go on with: agentx run 1/);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'health.js')).toBe('up');
  });

  it('is what the doctor says is carried on while its process lives', async () => {
    const cwd = await aKilledRun();
    heldBy(cwd, { pid: process.pid, start: thisProcess().start }, 86_400);
    expect(agentx(cwd, ['run', '1']).stderr).toContain(`is run by process ${process.pid}`);
    const { stdout } = agentx(cwd, ['doctor']);
    expect(stdout).toMatch(/locked.*issue-1\.claim\.json\n.*\(pid \d+\) since .*: the run is carried on\./);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx, aRepository } from './support/agentx.js';

const COMMANDS = [
  'ready',
  'clarify',
  'clarify show CLR-1-001',
  'clarify graph',
  'inbox',
  'inbox --all',
  'state',
  'state set engineer working',
  'assumptions',
  'issue list',
  'issue create -t Second',
  'run 1',
  'ask --issue 1 --from engineer --to architect --topic T -q Q',
  'hook start engineer 1',
  'digest',
  'trust',
  'serve --port 0',
  'watch',
];

async function keptElsewhere(setting: string): Promise<string> {
  const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
  const path = join(cwd, '.agentx/config.toml');
  const [key = ''] = setting.split(' ');
  const before = readFileSync(path, 'utf8');
  const after = before.replace(new RegExp(`^${key} = .*$`, 'm'), setting);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  return cwd;
}

describe('a config.toml that keeps records where this version cannot', () => {
  it.each([
    ['url = "postgres://me:secret@db/shop"', `'store.url' can only be "" in this version`],
    ['mode = "gitlab"', `'mode' can only be "local" or "github"`],
  ])('is refused by every command, so that none works on other data: %s', async (setting, message) => {
    const cwd = await keptElsewhere(setting);
    for (const command of COMMANDS) {
      const { status, stdout, stderr } = agentx(cwd, command.split(' '));
      expect({ command, status, stdout }).toEqual({ command, status: 2, stdout: '' });
      // A terminal's width breaks the line.
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
      expect(stderr).not.toContain('secret');
    }
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ error: { code: 'CONFIG_ERROR' } });
    const { status, stdout } = agentx(cwd, ['doctor']);
    expect(status).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(message);
  });

  it('is not made', () => {
    const cwd = temporaryFolder();
    const { status, stderr } = agentx(cwd, ['init', '--mode', 'github']);
    expect(status).toBe(2);
    expect(stderr).toContain('The repository on GitHub is not known');
    expect(agentx(cwd, ['ready']).status).toBe(4);
  });
});

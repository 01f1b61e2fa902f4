import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const agentx = resolve(root, 'dist/agentx.js');

describe('first steps', () => {
  it('plays a whole feature, and leaves nothing behind but what it names', () => {
    const output = execFileSync(process.execPath, [agentx, 'demo'], {
      encoding: 'utf8',
      env: { ...process.env, CI: 'true' },
    });
    const [, repository = ''] = /All of it is on the disk: (\S+)/.exec(output) ?? [];
    try {
      for (const line of [
        '[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 2/2, blocking)',
        '[Engineer] Clarification resolved. Continuing...',
        '[Architect] is refused (SCOPE_VIOLATION)',
        'Why: deadlock: ',
        '[ESCALATED] Retention of audit logs (CLR-1-003)',
        '[bob, cli] ',
        'Run complete: ',
        '4 clarifications asked, 4 resolved, 2 escalated',
      ]) {
        expect(output).toContain(line);
      }
      const ledger = readFileSync(join(repository, '.agentx/state/clarifications/issue-1.json'), 'utf8');
      expect(JSON.parse(ledger)).toMatchObject({
        issueNumber: 1,
        clarifications: [
          { id: 'CLR-1-001', status: 'resolved', round: 2 },
          { id: 'CLR-1-002', status: 'resolved', outcome: 'answered' },
          { id: 'CLR-1-003', status: 'resolved', outcome: 'answered', round: 2 },
        ],
      });
      for (const path of [
        'docs/prd/PRD-1.md',
        'docs/ux/UX-1.md',
        'docs/adr/ADR-1.md',
        'src/health.js',
        'src/keys.js',
      ]) {
        expect(existsSync(join(repository, path)), path).toBe(true);
      }
      expect(output).not.toContain('\u001b');
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  });

  it('prints no escape codes into a pipe', () => {
    const output = execFileSync(process.execPath, [agentx, '--help'], { encoding: 'utf8' });
    expect(output).toMatch(/^Usage: agentx /);
    expect(output).not.toContain('\u001b');
  });

  it('stops quietly when whoever reads it has seen enough', () => {
    const script = `"${process.execPath}" "${agentx}" --help | head -c 1; "${process.execPath}" "${agentx}" --help | true`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'U', stderr: '' });
  });

  it('says what is wrong with a command that it does not know, and exits with 2', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [agentx, 'dmeo'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(
      /^error: There is no 'agentx dmeo'\. Did you mean 'demo'\? Allowed: init, .*\. See: agentx --help\n$/,
    );
  });

  it('tells a Node that is too old in one sentence', () => {
    const script = `
      Object.defineProperty(process.versions, 'node', { value: '18.20.4' });
      require(${JSON.stringify(resolve(root, 'scripts/run.cjs'))});`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe('AgentX needs Node 20.19 or newer; this is Node 18.20.4.\n');
  });

  it('loads neither all of zod nor what another command needs before it knows what to do', () => {
    const code = staticallyLoaded(agentx).join('\n');
    expect(code).toContain('node_modules/commander/');
    for (const heavy of ['zod/v4/locales', 'smol-toml', 'pino', 'src/hub/ask.ts', 'src/agents/command.ts']) {
      expect(code, heavy).not.toContain(`${heavy.startsWith('src') ? '' : 'node_modules/'}${heavy}`);
    }
  });

  it('is a library too: its public names load from the built package', async () => {
    const library: Record<string, unknown> = await import(resolve(dirname(agentx), 'index.js'));
    for (const name of [
      'createApp',
      'AsyncMutex',
      'JsonFileLock',
      'FileLockManager',
      'ClarificationLedger',
      'Question',
    ]) {
      expect(library, name).toHaveProperty(name);
    }
  });
});

/** The text of a module and of all that it imports before it runs. */
function staticallyLoaded(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";/gm)];
  const loaded = imports.flatMap(([, from, bare]) =>
    staticallyLoaded(resolve(dirname(file), from ?? bare ?? ''), seen),
  );
  return [text, ...loaded];
}

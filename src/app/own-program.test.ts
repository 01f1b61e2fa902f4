import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { ownProgram } from './own-program.js';

function installed() {
  const folder = temporaryFolder();
  const script = join(folder, 'lib/agentx.cjs');
  for (const name of ['lib', 'bin', 'other', 'node_modules/.bin']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(script, '');
  chmodSync(script, 0o755);
  writeFileSync(join(folder, 'other/agentx'), '', { mode: 0o755 });
  symlinkSync('../lib/agentx.cjs', join(folder, 'bin/agentx'));
  symlinkSync('../../lib/agentx.cjs', join(folder, 'node_modules/.bin/agentx'));
  symlinkSync(process.execPath, join(folder, 'bin/node'));
  const path = (...names: readonly string[]) => ({ PATH: names.map((name) => join(folder, name)).join(':') });
  return { folder, script, path };
}

describe('how another program starts this one', () => {
  it('is by name if the name leads to it', () => {
    const { folder, path } = installed();
    expect(ownProgram({ env: path('bin'), script: join(folder, 'bin/agentx') })).toMatchObject({
      command: 'agentx',
      args: [],
      isPortable: true,
    });
  });

  it('is by path if the name leads nowhere, to another program, or only while npm runs', () => {
    const { folder, script, path } = installed();
    for (const [env, reason] of [
      [{}, 'not on your PATH'],
      [path('other', 'bin'), 'another program'],
      [path('node_modules/.bin'), 'not on your PATH'],
      [{ PATH: 'bin:.' }, 'not on your PATH'],
    ] as const) {
      const program = ownProgram({ env, script: join(folder, 'bin/agentx'), node: process.execPath });
      expect(program).toMatchObject({ args: [script], isPortable: false });
      expect(program.reason).toContain(reason);
      expect(program.command).toMatch(/node$/);
    }
  });

  it('is by path for a program without the PATH of a shell, with the name of node that outlives updates', () => {
    const { folder, script, path } = installed();
    expect(ownProgram({ env: path('bin'), script, needsPath: true })).toMatchObject({
      command: join(folder, 'bin/node'),
      args: [script],
      isPortable: false,
    });
  });
});

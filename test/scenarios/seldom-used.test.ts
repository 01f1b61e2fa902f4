import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentxEnvironment } from './support/agentx.js';

const dist = resolve(import.meta.dirname, '../../dist');

it('the program says what the system refused without its second file, as when no more files can be opened', () => {
  const [folder, cwd] = [temporaryFolder(), temporaryFolder()];
  for (const name of ['agentx.cjs', 'program']) cpSync(join(dist, name), join(folder, name), { recursive: true });
  for (const name of readdirSync(join(folder, 'program')).filter((one) => one.startsWith('others-')))
    rmSync(join(folder, 'program', name));
  mkdirSync(join(cwd, '.agentx/config.toml'), { recursive: true });
  const program = join(folder, 'agentx.cjs');
  const { status, stderr } = spawnSync(process.execPath, [program, 'ready'], {
    cwd,
    env: agentxEnvironment(),
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^error: Cannot read .*config\.toml: it is a folder\.\n$/);
  expect(status).toBe(1);
});

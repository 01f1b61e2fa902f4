import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentxEnvironment } from './support/agentx.js';

const dist = resolve(import.meta.dirname, '../../dist');

it('the program says what the system refused without its second file, as when no more files can be opened', () => {
  const [folder, cwd] = [temporaryFolder(), temporaryFolder()];
  const [first = ''] = /agentx-\w+\.cjs/.exec(readFileSync(join(dist, 'agentx.cjs'), 'utf8')) ?? [];
  for (const file of ['agentx.cjs', `program/${first}`]) cpSync(join(dist, file), join(folder, file));
  mkdirSync(join(cwd, '.agentx/config.toml'), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'agentx.cjs'), 'ready'], {
    cwd,
    env: agentxEnvironment(),
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^error: Cannot read .*config\.toml: it is a folder\.\n$/);
  expect(status).toBe(1);
});

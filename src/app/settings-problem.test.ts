import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { layoutOf } from '../storage/files/layout.js';
import { initFolder } from './init.js';
import { settingsProblem } from './settings-problem.js';

const SETTINGS = 'project = "shop"\n';

function aProject() {
  const { root } = initFolder({ repository: temporaryFolder() });
  writeFileSync(join(root, 'config.toml'), SETTINGS);
  return { root, index: layoutOf(root).index };
}

describe('settings in order', () => {
  it('are known to the next command, also where nothing was listed yet', async () => {
    const { root, index } = aProject();
    expect(existsSync(index)).toBe(false);
    expect(await settingsProblem(root, SETTINGS, '1.0.0')).toBeUndefined();
    expect(existsSync(join(index, 'settings.json'))).toBe(true);
  });

  it('bring no folder back that was removed meanwhile', async () => {
    const { root } = aProject();
    rmSync(root, { recursive: true });
    expect(await settingsProblem(root, SETTINGS, '1.0.0')).toBeUndefined();
    expect(existsSync(root)).toBe(false);
  });
});

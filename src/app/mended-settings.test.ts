import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createApp } from './create-app.js';
import { initFolder } from './init.js';

it('takes settings that were put right while it is open', async () => {
  const { root } = initFolder({ repository: temporaryFolder() });
  const file = join(root, 'config.toml');
  writeFileSync(file, 'projct = "shop"\n');
  const app = createApp({ root, env: {} });
  for (const call of [app.config, app.agents, app.memory, app.agents]) {
    await expect(call()).rejects.toMatchObject({ code: 'CONFIG_ERROR' });
  }
  writeFileSync(file, 'project = "shop"\n');
  expect(await app.agents()).toContain('engineer');
  expect(await app.config()).toMatchObject({ project: 'shop' });
  expect(await (await app.memory()).list({})).toMatchObject({ items: [] });
  await app.close();
});

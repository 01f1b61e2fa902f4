import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createApp } from './create-app.js';
import { doctor } from './doctor.js';
import { initFolder } from './init.js';

describe('doctor', () => {
  it.each([
    ['18.20.0', 1],
    ['20.18.3', 1],
    ['20.19.0', 0],
    ['22.1.0', 0],
  ])('judges Node %s', async (nodeVersion, count) => {
    const { problems } = await doctor({ ...aContext(), nodeVersion });
    expect(problems).toHaveLength(count);
    expect(problems.map(({ file }) => file)).toEqual(count === 1 ? ['node'] : []);
  });

  it('finds nothing wrong with what init writes', async () => {
    expect(await doctor(aContext())).toMatchObject({ problems: [], repaired: [], examined: 6 });
  });

  it('warns of what works and is hardly meant: an ask downstream, a runner that is not there', async () => {
    const context = aContext();
    const path = join(context.root, 'workflows/feature.toml');
    const downstream = readFileSync(path, 'utf8').replace('can_clarify = ["architect",', 'can_clarify = ["reviewer",');
    writeFileSync(path, downstream);
    appendFileSync(join(context.root, 'config.toml'), '[agents.engineer]\nrunner = "claude"\n');
    const { problems, warnings } = await doctor(context);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/^Agent 'engineer' has the runner 'claude', .* Allowed runners: command, script, human\.$/),
      expect.stringMatching(
        /feature\.toml, line \d+: step 'implement' may ask 'reviewer', whose step 'review' comes later/,
      ),
    ]);
  });

  function aContext() {
    const { root } = initFolder({ repository: join(temporaryFolder(), 'shop') });
    const { store, bus, clock, log } = createApp({ root, env: {} });
    return { root, env: {}, base: { store, bus, clock, log } };
  }
});

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openFileStore } from '../storage/files/store.js';
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
    expect(await doctor(aContext())).toMatchObject({ problems: [], repaired: [], examined: 21 });
  });

  it('has a problem with approvals that are damaged, and examines everything else', async () => {
    const home = temporaryFolder();
    const context = { ...aContext(), env: { HOME: home } };
    appendFileSync(
      join(context.root, 'config.toml'),
      '\n[agents.engineer]\nrunner = "command"\ncommand = ["no-such-program"]\n',
    );
    const file = join(home, '.local/state/agentx/trust.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{');
    expect((await doctor(context)).problems).toMatchObject([
      { file, reason: expect.stringContaining('cannot be read'), todo: expect.stringContaining('agentx trust') },
      { file: '.agentx/config.toml', reason: expect.stringContaining("'no-such-program'") },
    ]);
  });

  it('has a problem with instructions of an agent that cannot be read', async () => {
    const context = aContext();
    mkdirSync(join(context.root, 'agents'), { recursive: true });
    writeFileSync(join(context.root, 'agents/engineer.md'), Buffer.from('caf\xe9', 'latin1'));
    expect((await doctor(context)).problems).toEqual([
      {
        file: '.agentx/agents/engineer.md',
        reason: 'it is no UTF-8 text',
        todo: 'It is yours to edit: put that right.',
      },
    ]);
  });

  it('warns of instructions that are for no agent, and knows those of the embedding program', async () => {
    const context = { ...aContext(), runners: { poet: () => ({ text: '' }) } };
    mkdirSync(join(context.root, 'agents'), { recursive: true });
    for (const name of ['poet', 'investigator', 'pm', 'Engineer', 'enginer', 'README']) {
      writeFileSync(join(context.root, `agents/${name}.md`), 'Be brief.');
    }
    const { problems, warnings } = await doctor(context);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      '.agentx/agents/Engineer.md is read for no agent. Rename it to engineer.md.',
      '.agentx/agents/enginer.md is read for no agent. Name it like its agent; one of your own has a table in config.toml.',
      '.agentx/agents/pm.md is read for no agent. Rename it to product-manager.md.',
    ]);
  });

  it('knows the agents of the embedding program in workflows', async () => {
    const context = aContext();
    const path = join(context.root, 'workflows/feature.toml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('agent = "engineer"', 'agent = "poet"'));
    expect((await doctor(context)).problems).toMatchObject([{ reason: expect.stringContaining("'poet'") }]);
    expect((await doctor({ ...context, runners: { poet: () => ({ text: '' }) } })).problems).toEqual([]);
  });

  it('warns of what works and is hardly meant: an ask downstream', async () => {
    const context = aContext();
    const path = join(context.root, 'workflows/feature.toml');
    const downstream = readFileSync(path, 'utf8').replace('can_clarify = ["architect",', 'can_clarify = ["reviewer",');
    writeFileSync(path, downstream);
    const { problems, warnings } = await doctor(context);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /feature\.toml, line \d+: step 'implement' may ask 'reviewer', whose step 'review' comes later/,
      ),
    ]);
  });

  it.each([
    ['a CLI that is not installed', 'runner = "qwen"', 'Install it with: npm install -g @qwen-code/qwen-code'],
    ['a script that is not there', 'runner = "script"\nscript = "none.toml"', 'none.toml'],
    ['a program that is not there', 'runner = "command"\ncommand = ["no-such-program", "-v"]', "'no-such-program'"],
    ['a file that is not there', 'runner = "command"\ncommand = ["./agent.sh"]', "'./agent.sh'"],
    ['a file that is no program', 'runner = "command"\ncommand = ["./notes.md"]', "'./notes.md'"],
    ['a folder', 'runner = "command"\ncommand = ["./tools"]', "'./tools'"],
  ])('has a problem with an agent that nobody can start: %s', async (_, table, namedProblem) => {
    const context = { ...aContext(), env: { ...process.env, AGENTX_TRUST: '1' } };
    const repository = dirname(context.root);
    writeFileSync(join(repository, 'notes.md'), '');
    mkdirSync(join(repository, 'tools'));
    appendFileSync(join(context.root, 'config.toml'), `[agents.engineer]\n${table}\n`);
    const { problems, warnings } = await doctor(context);
    expect(problems).toEqual([
      {
        file: '.agentx/config.toml',
        reason: expect.stringContaining(namedProblem),
        todo: expect.stringMatching(/\.$/),
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it.each(['node', process.execPath, './agent.sh', 'agent.sh'])(
    'finds the program %s where it is started',
    async (name) => {
      const { root, ...context } = aContext();
      const path = join(dirname(root), 'agent.sh');
      writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
      const PATH = `${dirname(process.execPath)}:${dirname(root)}`;
      const table = `[agents.engineer]\nrunner = "command"\ncommand = ["${name}"]\nenv = { PATH = "${PATH}" }\n`;
      appendFileSync(join(root, 'config.toml'), table);
      expect((await doctor({ ...context, root, env: { AGENTX_TRUST: '1' } })).problems).toEqual([]);
    },
  );

  function aContext() {
    const { root } = initFolder({ repository: join(temporaryFolder(), 'shop') });
    const store = openFileStore({ root });
    const { bus, clock, log } = createApp({ root, env: {}, store });
    return { root, env: {}, base: { store, bus, clock, log } };
  }
});

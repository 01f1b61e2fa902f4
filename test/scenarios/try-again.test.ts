import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, PATIENCE_MS, startAgentx } from './support/agentx.js';
import { aRunnable, eventsOf, fileOf, storeOf } from './support/runs.js';

const step = (more = ''): string => `[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\n${more}\n`;

const BROKEN = agentProgram("console.error('no licence'); process.exit(1);");
const WORKING = agentProgram(
  "console.error('warming up\\nready'); reply({ text: 'Built.', status: 'done', built: true });",
);

async function aRun(steps: string, engineer: string): Promise<string> {
  const config = commandAgent('engineer');
  return aRunnable({ steps, config, files: { 'engineer.mjs': engineer, 'other.mjs': WORKING } });
}

const theQuestion = async (cwd: string) => {
  const { items } = await storeOf(cwd).questions.list({ status: 'open' });
  expect(items).toHaveLength(1);
  return items[0]?.id ?? '';
};

const answer = async (cwd: string, option: string) => {
  const { status, stderr } = await startAgentx(cwd, ['inbox', 'answer', await theQuestion(cwd), '--option', option]);
  expect({ status, stderr }).toMatchObject({ status: 0 });
};

/** In the user's editor: another program does the engineer's work. */
function change(cwd: string, file: string, from: string, to: string): void {
  const path = join(cwd, '.agentx', file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

describe('a step that is tried again', () => {
  it('takes the settings and the workflow of now', async () => {
    const cwd = await aRun(step(), BROKEN);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    change(cwd, 'config.toml', 'engineer.mjs', 'other.mjs');
    change(cwd, 'workflows/story.toml', 'title = "Build"', 'title = "Build it with care"\noutput = "built.md"');
    await answer(cwd, 'retry');
    const again = agentx(cwd, ['run', '1', '--json']);
    expect(again.status).toBe(3);
    expect(eventsOf(again)).toContainEqual(
      expect.objectContaining({ type: 'turn-ended', title: 'Build it with care' }),
    );
    expect((await storeOf(cwd).questions.read(await theQuestion(cwd)))?.questions[0]?.text).toContain('built.md');
  });

  it('keeps the workflow it has where the file has no place for what is under way', async () => {
    const cwd = await aRun(step(), BROKEN);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    change(cwd, 'config.toml', 'engineer.mjs', 'other.mjs');
    change(cwd, 'workflows/story.toml', 'id = "build"', 'id = "construct"');
    await answer(cwd, 'retry');
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
  });

  it('takes the settings of now in a run that waited for the answer', async () => {
    const cwd = await aRun(step(), BROKEN);
    const app = createApp({ root: join(cwd, '.agentx'), env: { ...process.env, AGENTX_TRUST: '1' } });
    const over = app.run({ issueNumber: 1, wait: true });
    const started = performance.now();
    while ((await app.questions('open')).items.length === 0) {
      if (performance.now() - started > PATIENCE_MS) throw new Error('No question was asked.');
      await sleep(20);
    }
    change(cwd, 'config.toml', 'engineer.mjs', 'other.mjs');
    await answer(cwd, 'retry');
    expect(await over).toMatchObject({ status: 'done' });
  });
});

describe('what to do about a step that failed, said in words', () => {
  it.each([
    ['Skip this step, please', 0],
    ['stop the run', 1],
    ['stop it', 1],
    ['There is a licence now', 3],
  ])('is what was said: %s', async (words, code) => {
    const cwd = await aRun(step(), BROKEN);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(agentx(cwd, ['inbox', 'answer', await theQuestion(cwd), '-m', words]).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(code);
  });

  it('is never another try where it speaks of giving up', async () => {
    const cwd = await aRun(step(), BROKEN);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    const id = await theQuestion(cwd);
    for (const words of ['No, we had better stop here', 'Forget it']) {
      const { status, stderr } = agentx(cwd, ['inbox', 'answer', id, '-m', words]);
      expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('retry, skip, stop') });
    }
    expect(await theQuestion(cwd)).toBe(id);
  });
});

describe('a step whose output was never written', () => {
  const OUTPUT = step('output = "docs/out.md"');

  it('says so and asks; who says that it is there is believed when it is', async () => {
    const cwd = await aRun(OUTPUT, WORKING);
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(3);
    expect(stdout).toMatch(/its output docs\/out\.md is not there/);
    expect(stdout).toContain('It is there now');
    const first = await theQuestion(cwd);
    await answer(cwd, 'there');
    expect(agentx(cwd, ['run', '1']).stdout).toMatch(/its output docs\/out\.md is still not there/);
    expect(await theQuestion(cwd)).not.toBe(first);
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(join(cwd, 'docs/out.md'), 'by hand');
    await answer(cwd, 'there');
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'docs/out.md')).toBe('by hand');
  });

  it('can be skipped and stopped', async () => {
    for (const [option, code] of [
      ['skip', 0],
      ['stop', 1],
    ] as const) {
      const cwd = await aRun(OUTPUT, WORKING);
      expect(agentx(cwd, ['run', '1']).status).toBe(3);
      await answer(cwd, option);
      expect(agentx(cwd, ['run', '1']).status).toBe(code);
    }
  });

  it('can be tried again: its agent takes another turn, as often as a person says so', async () => {
    const cwd = await aRun(
      OUTPUT,
      agentProgram(`
        appendFileSync('told', 'x');
        const artifacts = [{ path: 'docs/out.md', content: 'by the agent' }];
        reply({ status: 'done', ...(readFileSync('told', 'utf8').length > 2 && { artifacts }) });
      `),
    );
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    await answer(cwd, 'retry');
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(fileOf(cwd, 'told')).toBe('xx');
    await answer(cwd, 'retry');
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'docs/out.md')).toContain('by the agent');
  });

  it('has failed where it is optional, and the run goes on', async () => {
    const cwd = await aRun(step('output = "docs/out.md"\noptional = true'), WORKING);
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('docs/out.md is not there'),
    });
  });
});

describe('what an agent that succeeds writes on stderr', () => {
  it('is kept with its session, and shown by run --verbose alone', async () => {
    const cwd = await aRun(step(), WORKING);
    const { status, stdout } = agentx(cwd, ['run', '1', '--verbose']);
    expect(status).toBe(0);
    expect(stdout).toContain('[Engineer] on stderr:\n  warming up\n  ready\n');
    const [session] = (await storeOf(cwd).sessions.list()).items;
    expect((await storeOf(cwd).sessions.read(session?.id ?? ''))?.turns).toMatchObject([
      { stderr: 'warming up\nready\n', reply: { text: 'Built.' } },
    ]);
    const other = await aRun(step(), WORKING);
    expect(agentx(other, ['run', '1']).stdout).not.toContain('warming up');
  });
});

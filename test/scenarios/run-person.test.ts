import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentx } from './support/agentx.js';
import { aRunnable, fileOf, storeOf } from './support/runs.js';
import { startServer } from './support/server.js';
import { KEYS, onTerminal } from './support/terminal.js';

const OUTPUT = 'docs/ADR-1.md';

/** One step for a person, which writes a file. */
async function aPersonsStep(): Promise<string> {
  const step =
    '[[steps]]\nid = "decide"\ntitle = "Decide"\nagent = "architect"\noutput = "docs/ADR-{{issue_number}}.md"\n';
  return aRunnable({ steps: step, config: '[agents.architect]\nrunner = "human"\n' });
}

async function openQuestion(cwd: string) {
  const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
  if (question === undefined) throw new Error('Nothing is asked.');
  return question;
}

async function answer(cwd: string, ...words: readonly string[]): Promise<void> {
  const { id } = await openQuestion(cwd);
  expect(agentx(cwd, ['inbox', 'answer', id, ...words]).status).toBe(0);
}

const textOf = async (cwd: string) => (await openQuestion(cwd)).questions[0]?.text;

/** Each way in which an answer reaches the inbox. */
const SURFACES: Readonly<Record<string, (cwd: string, answer: { option?: string; text?: string }) => Promise<void>>> = {
  'the command line': (cwd, { option, text }) =>
    answer(cwd, ...(option === undefined ? [] : ['--option', option]), ...(text === undefined ? [] : ['-m', text])),
  HTTP: async (cwd, { option, text }) => {
    const server = await startServer(cwd);
    const { id, revision, questions } = await openQuestion(cwd);
    const questionId = questions[0]?.id ?? '';
    const response = {
      questionId,
      ...(option === undefined ? {} : { optionIds: [option] }),
      ...(text === undefined ? {} : { answer: text }),
    };
    const { status } = await server.call('PATCH', `/notifications/${id}`, { responses: [response], revision });
    expect(status).toBe(200);
    await server.stop();
  },
};

describe.each(Object.entries(SURFACES))('a person who does a step, over %s', (_, give) => {
  it('hands in the work as text: it becomes the output', async () => {
    const cwd = await aPersonsStep();
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    await give(cwd, { text: 'We use SQLite.' });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, OUTPUT)).toBe('We use SQLite.\n');
    // Later sessions recall the work, and not what the person was asked to do.
    const remembered = (await storeOf(cwd).observations.getByIssue(1)).map(({ content }) => content);
    expect(remembered).toContain('We use SQLite.');
    expect(remembered.join()).not.toContain('Hand it in');
  });

  it('says that it is there; where it is not, that is said, and asked again', async () => {
    const cwd = await aPersonsStep();
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    await give(cwd, { option: 'done' });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(await textOf(cwd)).toMatch(/^There is no file docs\/ADR-1\.md in the repository yet\.\n/);
    expect(existsSync(join(cwd, OUTPUT))).toBe(false);
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(join(cwd, OUTPUT), 'Mine.');
    await give(cwd, { option: 'done' });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain(OUTPUT);
    expect(fileOf(cwd, OUTPUT)).toBe('Mine.');
  });

  it('cannot do it, and is asked why once', async () => {
    const cwd = await aPersonsStep();
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    await give(cwd, { option: 'failed' });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(await textOf(cwd)).toMatch(/^Why can it not be done\?/);
    await give(cwd, { text: 'I have no access.' });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(await openQuestion(cwd)).toMatchObject({ kind: 'agent_failed' });
    expect(await textOf(cwd)).toContain('it cannot be done: I have no access. What next?');
    await give(cwd, { option: 'skip' });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(existsSync(join(cwd, OUTPUT))).toBe(false);
  });
});

it('a person hands in the path of a file, whatever it is called', async () => {
  const cwd = await aPersonsStep();
  writeFileSync(join(cwd, 'notes.md'), 'x'.repeat(100_000));
  agentx(cwd, ['run', '1']);
  await answer(cwd, '-m', 'notse.md');
  agentx(cwd, ['run', '1']);
  expect(await textOf(cwd)).toMatch(/^There is no file notse\.md in the repository\./);
  await answer(cwd, '-m', 'notes.md');
  const { status, stdout } = agentx(cwd, ['run', '1']);
  expect(status).toBe(0);
  expect(stdout).toContain('notes.md');
  expect(fileOf(cwd, 'notes.md')).toBe('x'.repeat(100_000));
});

it('a person hands in a whole path, and the run names the file from the repository', async () => {
  const cwd = await aPersonsStep();
  writeFileSync(join(cwd, 'notes.md'), 'Use SQLite.');
  agentx(cwd, ['run', '1']);
  await answer(cwd, '-m', `I put it in ${join(cwd, 'notes.md')}`);
  const { status, stdout } = agentx(cwd, ['run', '1']);
  expect(status).toBe(0);
  expect(stdout).toContain('notes.md');
  expect(stdout).not.toContain(join(cwd, 'notes.md'));
});

it('what a person says last counts, also if the file is there by then', async () => {
  const cwd = await aPersonsStep();
  agentx(cwd, ['run', '1']);
  await answer(cwd, '--option', 'done');
  agentx(cwd, ['run', '1']);
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, OUTPUT), 'Half of it.');
  await answer(cwd, '--option', 'failed', '-m', 'I have no access.');
  expect(agentx(cwd, ['run', '1']).status).toBe(3);
  expect(await textOf(cwd)).toContain('it cannot be done: I have no access. What next?');
});

it('a person at a terminal is asked why in place, and then what next', async () => {
  const cwd = await aPersonsStep();
  const terminal = onTerminal(cwd, ['run', '1'], { rows: 50 });
  await terminal.until('It cannot be done');
  terminal.type(KEYS.down);
  await terminal.until(/> .\) It cannot be done/);
  terminal.type(KEYS.enter);
  await terminal.until('Why can it not be done?');
  terminal.type('No access');
  await terminal.until('No access');
  terminal.type(KEYS.enter);
  await terminal.until(/it cannot be done:\s+No access/);
  terminal.type(KEYS.down);
  await terminal.until(/> .\) Go on without this step/);
  terminal.type(KEYS.enter);
  expect(await terminal.ended).toBe(0);
  expect(existsSync(join(cwd, OUTPUT))).toBe(false);
});

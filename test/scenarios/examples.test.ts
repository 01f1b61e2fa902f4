import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { anAssumption } from '../builders/assumption.js';
import { aClarification, aLedger } from '../builders/clarification.js';
import { anObservation } from '../builders/observation.js';
import { aQuestion } from '../builders/question.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  agentx,
  agentxCommand,
  agentxEnvironment,
  aRepository,
  PATIENCE_MS,
  untilLocksAreFree,
} from './support/agentx.js';
import { storeOf } from './support/runs.js';

const project = resolve(import.meta.dirname, '../..');
const BAD_USAGE = 2;
const NOT_FOUND = 4;

/**
 * Other tests try these: they stay until they are stopped, ask on a terminal, or need GitHub, a client that is set up or
 * a message that was not delivered.
 */
const ELSEWHERE = [
  /^agentx (?:serve|demo|mcp$|mcp doctor\b|sync|notify retry oq-|init --mode github|digest --post|run \d+ --wait)/,
  /^agentx inbox answer oq-\w+$/,
];

/** Everything that the examples name is there. */
async function theirRepository(): Promise<string> {
  const agents = ['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer'];
  const cwd = await aRepository({
    config: agents.map((agent) => `[agents.${agent}]\nrunner = "human"\n`).join(''),
    issues: Array.from({ length: 43 }, () => ({ title: 'Health endpoint', labels: ['type:feature'] })),
    files: { 'export.md': 'As CSV.', 'answer.md': 'EU', 'session.jsonl': '{"role":"user","content":"Go on."}\n' },
  });
  const store = storeOf(cwd);
  const question = aQuestion();
  const twice = question.questions.flatMap((part) => [part, { ...part, id: 'q2' }]);
  for (const id of ['oq-1a2b3c4d', 'oq-7c1e09aa', 'oq-1c75e702e48808d0'])
    await store.questions.create({ ...question, id });
  await store.questions.create({ ...question, id: 'oq-19f2b3d0', questions: twice });
  const record = aClarification({ staleAfter: new Date(Date.now() + 3_600_000).toISOString() });
  await store.ledgers.update(42, () => ({ next: aLedger({ clarifications: [record] }), result: undefined }));
  await store.assumptions.update(42, (file) => ({
    next: { ...file, assumptions_made: [anAssumption()] },
    result: undefined,
  }));
  await store.observations.store([anObservation()]);
  await untilLocksAreFree();
  return cwd;
}

/** Without what explains it, and of a synopsis without what may be left out. */
function commandOf(line: string): string {
  return line
    .trim()
    .replace(/^\$ /, '')
    .replace(/ {2,}.*$/, '')
    .replace(/ \[.*\]/, '');
}

function examplesIn(text: string): readonly string[] {
  return text
    .replace(/ \\\n +/g, ' ')
    .split('\n')
    .map(commandOf)
    .filter((command) => /^agentx [a-z]/.test(command));
}

function examplesOfHelp(path: readonly string[] = []): readonly string[] {
  const { stdout } = agentx('.', [...path, '--help']);
  const [, commands = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
  const below = [...commands.matchAll(/^ {2}(\w\S*)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  const [, ...examples] = stdout.split(/^(?:Examples?|First steps):$/m);
  return [...examples.flatMap(examplesIn), ...below.flatMap((name) => examplesOfHelp([...path, name]))];
}

function examplesOfPages(): readonly string[] {
  const pages = readdirSync(join(project, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...pages.map((name) => `docs/${name}`)]
    .flatMap((page) => [...readFileSync(join(project, page), 'utf8').matchAll(/^```\n([\s\S]*?)^```$/gm)])
    .flatMap(([, text = '']) => examplesIn(text));
}

/** As a user types it, in a folder of its own. */
function tryIn(prepared: string, example: string) {
  const cwd = temporaryFolder();
  cpSync(prepared, cwd, { recursive: true });
  const env = { HOME: join(cwd, 'home') };
  mkdirSync(join(env.HOME, '.config/fish/completions'), { recursive: true });
  if (!/[|<>]/.test(example)) {
    const [, ...words] = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
    return agentx(cwd, words, { env });
  }
  symlinkSync(agentxCommand[1], join(env.HOME, 'agentx'));
  const inShell = { ...agentxEnvironment(env), PATH: `${env.HOME}:${process.env.PATH}` };
  return spawnSync('bash', ['-c', example], { cwd, env: inShell, encoding: 'utf8', timeout: PATIENCE_MS });
}

it('an example of the help or of the documentation can be typed as it stands there', async () => {
  const all = [...new Set([...examplesOfHelp(), ...examplesOfPages()])];
  const examples = all.filter((example) => !ELSEWHERE.some((pattern) => pattern.test(example)));
  expect(examples.length).toBeGreaterThan(80);
  const prepared = await theirRepository();
  const wrong = examples.flatMap((example) => {
    const { status, stderr } = tryIn(prepared, example);
    return status === null || status === BAD_USAGE || status === NOT_FOUND ? [{ example, status, stderr }] : [];
  });
  expect(wrong).toEqual([]);
}, 600_000);

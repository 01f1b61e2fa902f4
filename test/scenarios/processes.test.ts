import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { commandAgent, letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, askArguments } from './support/agentx.js';
import { aRunnable, storeOf } from './support/runs.js';

const STEPS = `
[[steps]]
id = "code"
title = "Code"
agent = "engineer"
can_clarify = ["architect"]
`;

/** Every process that was started with a word in its environment. */
function processesWith(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(word);
      } catch {
        return false; // Gone meanwhile, or another user's.
      }
    });
}

const asking = (...more: readonly string[]) => askArguments('Database', 'Which?', ...more);

const FAILING = `[[turns]]\nagent = "architect"\ntimes = 0\nfail = "no network"\n`;

describe.skipIf(!existsSync('/proc/self/environ'))('after a command', () => {
  it('nothing is left running, whatever the command [US-5.4/7]', async () => {
    const config = `${commandAgent('engineer')}\n[agents.architect]\nrunner = "script"\nscript = "agents.toml"\n`;
    const files = { 'engineer.mjs': 'process.stdout.write("Done.")' };
    const cwd = await aRunnable({ steps: STEPS, config, files, script: FAILING });
    const word = randomUUID();
    const env = { AGENTX_TEST_WORD: word };
    const leftovers: (readonly [string, number | null, readonly number[]])[] = [];
    const call = (...args: readonly string[]) => {
      const { status } = agentx(cwd, args, { env });
      leftovers.push([args.join(' '), status, processesWith(word)]);
    };
    call('init');
    call('issue', 'create', '-t', 'Second');
    call('issue', 'list');
    call('issue', 'show', '1');
    call('issue', 'comment', '1', '-b', 'Soon.');
    call('issue', 'close', '2');
    call('issue', 'reopen', '2');
    call(...asking());
    call('clarify');
    call('clarify', '--issue', '1');
    call('clarify', 'show', 'CLR-1-001');
    call('clarify', 'stale');
    call('clarify', 'graph');
    call('inbox');
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    call('inbox', 'show', question?.id ?? '');
    call('inbox', 'answer', question?.id ?? '', '-m', 'SQLite.');
    call('assumptions');
    call('state');
    call('state', 'set', 'engineer', 'idle');
    call('hook', 'start', 'engineer', '1');
    call('hook', 'finish', 'engineer', '1');
    call('ready');
    call('run', '1', '--no-wait');
    call('watch', '--json');
    call('digest');
    call('trust');
    call('doctor');
    call('completion', 'bash');
    expect(leftovers.filter(([, , processes]) => processes.length > 0)).toEqual([]);
    // Each of them was understood and came to its end.
    expect(leftovers.filter(([, status]) => status === null || status === 2)).toEqual([]);
  });

  it('that does not wait for its answer, what asks in its place ends by itself with the answer [US-5.4/7]', async () => {
    const cwd = await aRunnable({
      steps: STEPS,
      config: `${commandAgent('engineer')}\n${commandAgent('architect')}`,
      files: { 'architect.mjs': patientAgent('SQLite.') },
    });
    const word = randomUUID();
    agentx(cwd, asking('--non-blocking'), { env: { AGENTX_TEST_WORD: word } });
    await untilThere(cwd, 'asked');
    // The asking process and the agent.
    expect(processesWith(word)).toHaveLength(2);
    letGo(cwd);
    await until(() => processesWith(word).length === 0);
    const ledger = readFileSync(join(cwd, '.agentx/state/clarifications/issue-1.json'), 'utf8');
    expect(JSON.parse(ledger)).toMatchObject({ clarifications: [{ status: 'answered' }] });
  });
});

import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { agentx, agentxCommand, agentxEnvironment, aRepository, inOwnProcess, startAgentx } from './support/agentx.js';
import { KeptProcess } from './support/kept/kept-process.js';

const COMMANDS: readonly (readonly string[])[] = [
  [],
  ['--version'],
  ['dmeo'],
  ['issue', 'create', '-t', 'Orders'],
  ['issue', 'show', 'x', '--json'],
  ['issue', 'comment', '1', '-F', '-'],
  ['ask', '--issue', '1', '--from', 'engineer', '--to', 'nobody', '--topic', 'T', '-q', 'Q', '--json'],
  ['clarify'],
  ['inbox'],
  ['state'],
  ['doctor'],
];
const WITHOUT_TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ s ago/g;

/** Most scenarios use it, so what it shows has to be what a user sees. */
describe('a process that is kept for several commands', () => {
  it('says and does what processes of their own do', async () => {
    const [shared, beside, own] = [await aRepository(), await aRepository(), await aRepository()];
    for (const args of COMMANDS) {
      const input = 'From a pipe.';
      const here = agentx(shared, args, { input });
      const started = await startAgentx(beside, args, { input });
      const there = inOwnProcess({ cwd: own, args, env: agentxEnvironment(), input });
      const shown = ({ status, stdout, stderr }: typeof here, cwd: string) =>
        JSON.stringify({ status, stdout, stderr }).replaceAll(cwd, '.').replaceAll(WITHOUT_TIMES, '-');
      expect(shown(here, shared), args.join(' ')).toBe(shown(there, own));
      expect(shown(started, beside), args.join(' ')).toBe(shown(there, own));
    }
  });

  it('keeps nothing of a command for the next: neither its environment, its input nor its locks', async () => {
    const cwd = await aRepository();
    agentx(cwd, ['issue', 'create', '-t', 'Orders'], { env: { USER: 'grace' }, input: 'unread' });
    agentx(cwd, ['issue', 'comment', '1', '-m', 'Mine.']);
    expect(agentx(cwd, ['issue', 'comment', '1', '-F', '-']).status).not.toBe(0);
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toMatchObject({ comments: [{ author: 'ada' }] });
    expect(inOwnProcess({ cwd, args: ['doctor'], env: agentxEnvironment(), input: '' }).status).toBe(0);
  });

  it('is ended where a command does not end, and another one takes its place', async () => {
    const cwd = await aRepository();
    const [, program] = agentxCommand;
    const host = new KeptProcess({ program, patienceMs: 3_000 });
    const command = { cwd, env: agentxEnvironment(), input: '' };
    expect(() => host.run({ ...command, args: ['serve', '--port', '0'] })).toThrow('has not ended after 3 s');
    // A busy machine may not start the other one within three seconds either.
    await until(() => succeeds(() => host.run({ ...command, args: ['--version'] })));
  });
});

function succeeds(run: () => { readonly status: number | null }): boolean {
  try {
    return run().status === 0;
  } catch {
    return false;
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { aClarification, aLedger } from '../builders/clarification.js';
import { commandAgent, letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, aRepository, askArguments, startAgentx } from './support/agentx.js';
import { onTerminal } from './support/terminal.js';

const CONFIG = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n';
const ASK = askArguments('Adapter', 'Which?');

function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => `${path} ${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`)
    .sort();
}

describe('agentx state', () => {
  it('says so where no agent has worked yet', async () => {
    const cwd = await aRepository();
    expect(agentx(cwd, ['state'])).toMatchObject({
      status: 0,
      stdout: 'All agents are idle: none has worked yet.\n',
      stderr: 'See what can be worked on: agentx ready\n',
    });
    expect(agentx(cwd, ['state', '--json']).json()).toEqual({});
  });

  it("shows every agent's status while one waits for another's answer, and after it [US-3.1/5]", async () => {
    const files = { 'architect.mjs': patientAgent('SQLite.') };
    const cwd = await aRepository({ config: commandAgent('architect'), files, issues: [{ title: 'Store orders' }] });
    agentx(cwd, ['hook', 'start', 'engineer', '1']);
    agentx(cwd, ['state', 'set', 'tester', 'stuck']);
    const asking = startAgentx(cwd, ASK);
    await untilThere(cwd, 'asked');
    expect(withoutTimes(agentx(cwd, ['state']).stdout)).toEqual([
      'AGENT      STATUS                 ISSUE  WHAT FOR                        SINCE',
      'engineer   blocked-clarification  #1     waits for architect, CLR-1-001  (time)',
      'tester     stuck                  -      -                               (time)',
      'architect  clarifying             #1     answers engineer, CLR-1-001     (time)',
    ]);
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({
      engineer: { status: 'blocked-clarification', clarificationId: 'CLR-1-001', waitingOn: 'architect', issue: 1 },
      architect: { status: 'clarifying', clarificationId: 'CLR-1-001', respondingTo: 'engineer', issue: 1 },
    });
    letGo(cwd);
    expect((await asking).status).toBe(0);
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({ engineer: { status: 'working', issue: 1 } });
  });

  it('has a line for each agent on a terminal of 80 columns, also when one waits', async () => {
    const ledger = aLedger({ issueNumber: 1, clarifications: [aClarification({ id: 'CLR-1-001' })] });
    const files = { '.agentx/state/clarifications/issue-1.json': JSON.stringify(ledger) };
    const cwd = await aRepository({ files, issues: [{ title: 'Store orders' }] });
    agentx(cwd, ['clarify', '--no-retry']);
    const terminal = onTerminal(cwd, ['state'], { columns: 80 });
    expect(await terminal.ended).toBe(0);
    const lines = terminal.screen().trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^AGENT .* SINCE$/);
    expect(lines[1]).toMatch(/^engineer +blocked-clarification +#1 +waits for architect, CLR-1-001 +\d+ \w+(?: ago)?$/);
  });

  it('runs no monitor and writes nothing [US-5.4/5]', async () => {
    const ledger = aLedger({ issueNumber: 1, clarifications: [aClarification({ id: 'CLR-1-001' })] });
    const files = {
      '.agentx/state/clarifications/issue-1.json': JSON.stringify(ledger),
      'turns.toml': '[[turns]]\nagent = "architect"\nanswer = "SQLite."\n',
    };
    const cwd = await aRepository({ config: CONFIG, files, issues: [{ title: 'Store orders' }] });
    agentx(cwd, ['state', 'set', 'engineer', 'working', '--issue', '1']);
    const before = snapshot(cwd);
    await sleep(20);
    expect(agentx(cwd, ['state'])).toMatchObject({ status: 0, stderr: '' });
    expect(agentx(cwd, ['state', '--json']).status).toBe(0);
    expect(snapshot(cwd)).toEqual(before);
  });

  it("sets what a person may set, from any status, and refuses the hub's own two [US-3.1/20]", async () => {
    const blocked = { status: 'blocked-clarification', clarificationId: 'CLR-1-001', waitingOn: 'architect' };
    const entry = { ...blocked, issue: 1, lastActivity: '2026-02-26T10:00:00.000Z', issues: { '1': blocked } };
    const entries = { engineer: entry, architect: { ...entry, status: 'clarifying', respondingTo: 'engineer' } };
    const cwd = await aRepository({ files: { '.agentx/state/agent-status.json': JSON.stringify(entries) } });
    for (const agent of ['engineer', 'architect']) {
      for (const status of [
        'idle',
        'working',
        'done',
        'stuck',
        'idle',
        'stuck',
        'working',
        'idle',
        'done',
        'working',
      ]) {
        const { stdout } = agentx(cwd, ['state', 'set', agent, status, '--issue', '1']);
        expect(stdout).toBe(`${agent} is ${status} on #1.\n`);
      }
    }
    for (const status of ['clarifying', 'blocked-clarification']) {
      const refused = agentx(cwd, ['state', 'set', 'engineer', status, '--issue', '1']);
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain(`Status '${status}' cannot be set: it follows from the clarifications.`);
    }
    expect(agentx(cwd, ['state', 'set', 'pm', 'working']).stdout).toBe('product-manager is working.\n');
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({ engineer: { status: 'working' } });
  });

  it.each([
    [['set', 'enginer', 'idle'], "There is no agent 'enginer'. Did you mean 'engineer'?"],
    [['set', 'human', 'idle'], "There is no agent 'human'. Allowed: product-manager,"],
    [['set', 'Engineer!', 'idle'], "'Engineer!' is not a valid agent name."],
    [['set', 'engineer', 'busy'], "Status 'busy' cannot be set. Allowed: idle, working, done, stuck."],
    [['set', 'engineer', 'idle', '--issue', 'x'], "'x' is not a valid issue number."],
    [['set', 'engineer'], "issing required argument 'status'"],
    [['sett', 'engineer', 'idle'], "There is no 'agentx state sett'. Did you mean 'set'?"],
  ])('refuses %j and changes nothing', async (args, message) => {
    const cwd = await aRepository();
    const { status, stdout, stderr } = agentx(cwd, ['state', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('[agents.human]');
    expect(agentx(cwd, ['state', '--json']).json()).toEqual({});
  });

  it('names the file that does not parse and leaves it alone', async () => {
    const files = { '.agentx/state/agent-status.json': '{ half' };
    const cwd = await aRepository({ files });
    const { status, stderr } = agentx(cwd, ['state']);
    expect(status).toBe(1);
    expect(stderr).toContain('agent-status.json');
    expect(readFileSync(join(cwd, '.agentx/state/agent-status.json'), 'utf8')).toBe('{ half');
  });

  it('is coloured only where that is wanted', async () => {
    const cwd = await aRepository();
    agentx(cwd, ['state', 'set', 'tester', 'stuck']);
    expect(agentx(cwd, ['state']).stdout).not.toContain('\u001b');
    expect(agentx(cwd, ['state'], { env: { FORCE_COLOR: '1' } }).stdout).toContain('\u001b[31mstuck\u001b[39m');
    expect(agentx(cwd, ['state'], { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }).stdout).not.toContain('\u001b');
  });
});

function withoutTimes(text: string): readonly string[] {
  return text
    .trimEnd()
    .replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, '(time)')
    .split('\n');
}

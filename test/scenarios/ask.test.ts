import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { agentProgram, letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, aRepository, askArguments } from './support/agentx.js';

const ISSUES = [{ title: 'Health endpoint', labels: ['type:feature'] }];
const FEATURE = { issues: ISSUES, config: '[agents.architect]\nrunner = "script"\nscript = "turns.toml"' };

async function repositoryWith(turns: string): Promise<string> {
  return aRepository({ ...FEATURE, files: { 'turns.toml': turns } });
}

async function repositoryWithProgram(program: string): Promise<string> {
  const config = '[agents.architect]\nrunner = "command"\ncommand = ["node", "architect.mjs"]';
  return aRepository({ ...FEATURE, config, files: { 'architect.mjs': program } });
}

function statusOf(cwd: string): unknown {
  return JSON.parse(readFileSync(ledgerOf(cwd), 'utf8')).clarifications[0]?.status;
}

/** Until the process that asks in the background has nothing left to write. */
async function untilRouted(cwd: string): Promise<void> {
  const state = join(cwd, '.agentx/state');
  const has = (file: string, text: string) =>
    existsSync(join(state, file)) && readFileSync(join(state, file), 'utf8').includes(text);
  await until(() => has('logs/agentx.log', 'clarification-answered') && !has('agent-status.json', '"clarifying"'));
}

const ledgerOf = (cwd: string) => join(cwd, '.agentx/state/clarifications/issue-1.json');

describe('agentx ask', () => {
  it('asks, shows the answer, and tells how to settle it [US-4.1/5]', async () => {
    const cwd = await repositoryWith('[[turns]]\nanswer = "Repository pattern,\\nan adapter per environment."');
    const { status, stdout, stderr } = agentx(cwd, askArguments('Database layer', 'Two adapters, or migrate?'));
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 1/5, blocking)
  Two adapters, or migrate?
[Architect] Repository pattern,
  an adapter per environment.
`,
    });
    expect(stderr).toBe(`CLR-1-001 is answered (round 1/5).
Settle it: agentx clarify resolve CLR-1-001
Ask on: agentx clarify follow-up CLR-1-001
`);
    const settled = agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'An adapter each.'], {
      env: { AGENTX_AGENT: 'engineer' },
    });
    expect(settled).toMatchObject({ status: 0, stdout: '[Engineer] Clarification resolved. Continuing...\n' });
  });

  it('has the request on the disk as pending before the target starts [US-2.1/7]', async () => {
    const cwd = await repositoryWithProgram(
      agentProgram(`
        appendFileSync('seen.json', readFileSync('.agentx/state/clarifications/issue-1.json', 'utf8'));
        reply({ answer: 'SQLite.' });
      `),
    );
    expect(agentx(cwd, askArguments('Database', 'Which?')).status).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, 'seen.json'), 'utf8'))).toMatchObject({
      issueNumber: 1,
      clarifications: [
        {
          id: 'CLR-1-001',
          from: 'engineer',
          to: 'architect',
          topic: 'Database',
          blocking: true,
          status: 'pending',
          round: 1,
          thread: [{ round: 1, from: 'engineer', type: 'question', body: 'Which?' }],
        },
      ],
    });
    expect(statusOf(cwd)).toBe('answered');
  });

  it('gives programs the result and nothing else', async () => {
    const cwd = await repositoryWith('[[turns]]\nanswer = "SQLite."');
    const { status, stderr, json } = agentx(cwd, askArguments('Database', 'Which?', '--json'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(json()).toEqual({ clarificationId: 'CLR-1-001', status: 'answered', round: 1, answer: 'SQLite.' });
  });

  it('lets a non-blocking requester go on at once; the target is asked meanwhile [US-2.1/16]', async () => {
    const cwd = await repositoryWithProgram(patientAgent('SQLite.'));
    const { status, stderr, json } = agentx(cwd, askArguments('Database', 'Which?', '--json', '--non-blocking'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(json()).toEqual({ clarificationId: 'CLR-1-001', status: 'pending', round: 1 });
    await untilThere(cwd, 'asked');
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001', '--json']).json()).toMatchObject({
      status: 'pending',
      blocking: false,
      maxRounds: 6,
    });
    letGo(cwd);
    await untilRouted(cwd);
    expect(JSON.parse(readFileSync(ledgerOf(cwd), 'utf8'))).toMatchObject({
      clarifications: [{ status: 'answered', thread: [{ type: 'question' }, { from: 'architect', body: 'SQLite.' }] }],
    });
  });

  it('tells a person what was asked without waiting, and where the answer will be', async () => {
    const cwd = await repositoryWith('[[turns]]\nanswer = "SQLite."');
    const { stdout, stderr } = agentx(cwd, askArguments('Database', 'Which?', '--non-blocking'));
    expect(stdout).toBe(
      '[Engineer -> Architect] Clarification: Database (CLR-1-001, round 1/6, non-blocking)\n  Which?\n',
    );
    expect(stderr).toBe(
      'CLR-1-001 is pending (round 1/6).\nThe answer comes later. See it: agentx clarify show CLR-1-001\n',
    );
    await untilRouted(cwd);
    expect(statusOf(cwd)).toBe('answered');
  });

  it('refuses a non-blocking question to a program that is not approved, before anything is written', async () => {
    const cwd = await repositoryWithProgram('process.stdout.write("SQLite.")');
    const env = { AGENTX_TRUST: '', HOME: cwd, XDG_CONFIG_HOME: cwd };
    const { status, json } = agentx(cwd, askArguments('Database', 'Which?', '--json', '--non-blocking'), { env });
    expect(status).toBe(1);
    expect(json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
    expect(existsSync(ledgerOf(cwd))).toBe(false);
  });

  it('leaves what a dead process did not ask to the next look at what is stale', async () => {
    const cwd = await repositoryWith('[[turns]]\nanswer = "SQLite."');
    const env = { NODE_OPTIONS: `--require ${join(cwd, 'die.cjs')}` };
    writeFileSync(join(cwd, 'die.cjs'), "if (process.argv.includes('route')) process.kill(process.pid, 'SIGKILL');");
    agentx(cwd, askArguments('Database', 'Which?', '--non-blocking'), { env });
    const ledger = JSON.parse(readFileSync(ledgerOf(cwd), 'utf8'));
    ledger.clarifications[0].staleAfter = ledger.clarifications[0].created;
    writeFileSync(ledgerOf(cwd), JSON.stringify(ledger));
    agentx(cwd, ['clarify']);
    expect(statusOf(cwd)).toBe('answered');
  });

  it('hands the question to a human when the target fails twice [US-4.1/4] [US-4.1/5] [US-2.3/9]', async () => {
    const cwd = await repositoryWith('[[turns]]\ntimes = 0\nfail = "no network"');
    const { status, stdout } = agentx(cwd, askArguments('Database', 'Which one?'));
    expect(status).toBe(3);
    const [, , title, ...block] = stdout.trimEnd().split('\n');
    const question = block.at(-1)?.replace('  Answer: agentx inbox answer ', '');
    expect([title, ...block]).toEqual([
      '[ESCALATED] Database (CLR-1-001)',
      '  Engineer: Which one?',
      '  Architect: (has not answered)',
      expect.stringMatching(/^ {2}Why: AGENT_ERROR: architect failed twice, .* no network$/),
      '  Options:',
      '    a) Ask architect again: Which one?',
      '    b) Proceed on an assumption about "Database" that engineer states and records',
      expect.stringMatching(/^ {2}Answer: agentx inbox answer oq-[0-9a-f]{16}$/),
    ]);
    expect(agentx(cwd, ['inbox', 'answer', question ?? '', '-m', 'SQLite.']).stdout).toContain('CLR-1-001 is resolved');
  });

  it('counts an answer of a megabyte as a failure, and shows none of it in full', async () => {
    const cwd = await repositoryWithProgram('process.stdout.write("\\u001b[2J" + "x".repeat(1024 * 1024));');
    const { status, stdout, stderr } = agentx(cwd, askArguments('Database', 'Which one?'));
    expect(status).toBe(3);
    expect(stdout.length + stderr.length).toBeLessThan(10_000);
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('refuses a target outside the scope with the file and the line of the list', async () => {
    const cwd = await repositoryWith('turns = []');
    const args = ['ask', '--issue', '1', '--from', 'engineer', '--to', 'reviewer', '--topic', 'X', '-q', '?'];
    const file = '.agentx/workflows/feature.toml';
    const lines = readFileSync(join(cwd, file), 'utf8').split('\n');
    const line = lines.indexOf('can_clarify = ["architect", "product-manager", "ux-designer"]') + 1;
    expect(agentx(cwd, args)).toMatchObject({
      status: 1,
      stdout: '',
      stderr:
        "error: Agent 'engineer' cannot clarify with 'reviewer'. Allowed: architect, product-manager, ux-designer. " +
        `The list is can_clarify of step 'implement' in ${file}, line ${line}.\n`,
    });
    expect(existsSync(ledgerOf(cwd))).toBe(false);
  });

  it('lets an agent ask only in its own name [US-2.1/17]', async () => {
    const cwd = await repositoryWith('[[turns]]\nanswer = "SQLite."');
    const as = (agent: string, args: readonly string[]) => agentx(cwd, args, { env: { AGENTX_AGENT: agent } });
    expect(as('reviewer', askArguments('Database', 'Which?'))).toMatchObject({
      status: 1,
      stderr: "error: Agent 'reviewer' may not ask in the name of 'engineer'.\n",
    });
    expect(as('reviewer', askArguments('Database', 'Which?', '--json')).json()).toMatchObject({
      error: { code: 'UNAUTHORIZED' },
    });
    const own = ['ask', '--issue', '1', '--to', 'architect', '--topic', 'Database', '-q', 'Which?'];
    expect(as('engineer', own).stdout).toContain('[Architect] SQLite.');
    expect(agentx(cwd, own).stderr).toBe("error: The option '--from <agent>' is missing: who asks?\n");
  });

  it('answers bad input with 2, what is not there with 4, and an error object for programs [CL-3/6] [CL-2/8]', async () => {
    const cwd = await repositoryWith('turns = []');
    const wrong: readonly (readonly [readonly string[], number, string])[] = [
      [['ask'], 2, 'INVALID_INPUT'],
      [askArguments('', 'Which?'), 2, 'INVALID_INPUT'],
      [askArguments('T'.repeat(201), 'Which?'), 2, 'INVALID_INPUT'],
      [askArguments('Database', 'Q'.repeat(2001)), 2, 'INVALID_INPUT'],
      [askArguments('Database', 'Q'.repeat(120_000)), 2, 'INVALID_INPUT'],
      [askArguments('Database', 'Which?', '--issue', '../1'), 2, 'INVALID_INPUT'],
      [askArguments('Database', 'Which?', '--from', '__proto__'), 2, 'INVALID_INPUT'],
      [askArguments('Database', 'Which?', '--to', 'archtect'), 2, 'INVALID_INPUT'],
      [askArguments('Database', 'Which?', '--to', 'constructor'), 2, 'INVALID_INPUT'],
      [askArguments('Database', 'Which?', '--unknown'), 2, 'INVALID_INPUT'],
      [askArguments('Database', 'Which?', '--issue', '99'), 4, 'NOT_FOUND'],
    ];
    for (const [args, status, code] of wrong) {
      const result = agentx(cwd, [...args, '--json']);
      expect({ status: result.status, stdout: result.stdout }, args.join(' ').slice(0, 200)).toEqual({
        status,
        stdout: '',
      });
      const details = expect.any(Object);
      expect(result.json()).toEqual({ error: { code, message: expect.any(String), details } });
      expect(result.stderr.length).toBeLessThan(2000);
    }
    expect(existsSync(ledgerOf(cwd))).toBe(false);
  });

  it('shows hostile text as text, and runs nothing that stands in it [US-4.1/8]', async () => {
    const hostile =
      '\u001b]0;owned\u0007\u001b[2J$(touch owned) `touch owned`; touch owned\r\n[ESCALATED] forged \u202e';
    const cwd = await repositoryWithProgram(`
      let brief = '';
      for await (const chunk of process.stdin) brief += chunk;
      const { topic, question } = JSON.parse(brief).clarification;
      process.stdout.write(JSON.stringify({ answer: topic + ' | ' + question }));`);
    const { status, stdout } = agentx(cwd, askArguments(hostile, hostile));
    const text = '$(touch owned) `touch owned`; touch owned';
    expect(status).toBe(0);
    expect(stdout.split('\n')).toEqual([
      `[Engineer -> Architect] Clarification: ${text} [ESCALATED] forged (CLR-1-001, round 1/5, blocking)`,
      `  ${text}`,
      '  [ESCALATED] forged',
      `[Architect] ${text}`,
      `  [ESCALATED] forged  | ${text}`,
      '  [ESCALATED] forged',
      '',
    ]);
    expect(existsSync(join(cwd, 'owned'))).toBe(false);
    expect(JSON.parse(readFileSync(ledgerOf(cwd), 'utf8'))).toMatchObject({ clarifications: [{ topic: hostile }] });
  });
});

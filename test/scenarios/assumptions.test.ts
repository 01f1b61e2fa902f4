import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentx, aRepository, startAgentx } from './support/agentx.js';
import { openInbox } from './support/inbox.js';

const parts = [
  {
    id: 'q1',
    text: 'Which mode of the payment provider?',
    options: [
      { id: 'a', label: 'Test mode' },
      { id: 'b', label: 'Production mode' },
    ],
  },
];

async function repository(config = '') {
  return aRepository({
    issues: [{ title: 'Checkout', labels: ['type:feature'] }],
    config,
    files: { 'src/pay.ts': '' },
  });
}

/** A question whose time is over before a person looks. */
async function timedOut() {
  const cwd = await repository();
  const inbox = await openInbox(cwd, { fallbackMs: 0 });
  const { id } = await inbox.ask({ parts, fallback: { optionId: 'a', reasoning: 'no money can move', risk: 'low' } });
  return { cwd, id };
}

const assumptions = (cwd: string, ...args: readonly string[]) => agentx(cwd, ['assumptions', ...args, '--json']).json();

describe('agentx assumptions', () => {
  it('says so where nothing was assumed, of an issue that does not exist too', async () => {
    const cwd = await repository();
    expect(agentx(cwd, ['assumptions'])).toMatchObject({ status: 0, stdout: 'Nothing was assumed.\n' });
    expect(assumptions(cwd, '--issue', '9')).toEqual({ assumptions: [] });
    expect(agentx(cwd, ['assumptions', '--issue', 'x']).status).toBe(2);
  });

  it('takes the fallback that is due, once however many look at once [PM-4/11] [PM-5/9] [PM-5/10]', async () => {
    const { cwd, id } = await timedOut();
    await Promise.all(
      [['assumptions'], ['inbox'], ['ready'], ['clarify'], ['inbox', 'show', id]].map((args) => startAgentx(cwd, args)),
    );
    expect(assumptions(cwd)).toMatchObject({
      assumptions: [
        {
          id: 'ASM-1-001',
          decision: 'Which mode of the payment provider? Test mode',
          user_response: 'timeout_assumed',
          reasoning: 'no money can move',
          risk_if_wrong: 'low',
          questionId: id,
          status: 'standing',
        },
      ],
    });
    expect(agentx(cwd, ['inbox', 'show', id, '--json']).json()).toMatchObject({
      outcome: 'fallback_applied',
      answeredBy: { channel: 'timeout' },
      revision: 2,
    });
    const { stdout } = agentx(cwd, ['assumptions', '--issue', '1']);
    expect(stdout).toContain('  From:     timeout_assumed\n  Why:      no money can move\n');
    expect(stdout).toMatch(
      /If it is right: agentx assumptions confirm ASM-1-001\nIf it is not: {3}agentx assumptions reject ASM-1-001\n$/,
    );
  });

  it('are confirmed, and that twice is no error [PM-5/12] [PM-1/6]', async () => {
    const { cwd } = await timedOut();
    agentx(cwd, ['assumptions']);
    for (const _ of [1, 2]) {
      expect(agentx(cwd, ['assumptions', 'confirm', 'ASM-1-001'])).toMatchObject({
        status: 0,
        stdout: 'ASM-1-001 is confirmed: Which mode of the payment provider? Test mode\n',
      });
    }
    expect(agentx(cwd, ['assumptions', 'reject', 'ASM-1-001', '-m', 'No.']).status).toBe(1);
    expect(assumptions(cwd)).toMatchObject({ assumptions: [{ status: 'confirmed', decidedBy: 'ada' }] });
  });

  it('are rejected with a reason, which asks what becomes of the work [PM-5/12] [X-3/3]', async () => {
    const { cwd } = await timedOut();
    agentx(cwd, ['assumptions']);
    const { status, stdout } = agentx(cwd, ['assumptions', 'reject', 'ASM-1-001', '-m', 'The live keys, please']);
    expect(status).toBe(0);
    expect(stdout).toContain('ASM-1-001 is rejected: The live keys, please\n');
    const [id = ''] = /oq-[0-9a-f]+/.exec(stdout) ?? [];
    expect(agentx(cwd, ['inbox', '--json']).json()).toMatchObject({ questions: [{ id, kind: 'late_answer' }] });
    agentx(cwd, ['issue', 'close', '1']);
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'rework']).status).toBe(0);
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toMatchObject({
      state: 'open',
      comments: [{ author: 'ada', body: 'Rework: The live keys, please', questionId: id }],
    });
  });

  it.each([
    [['confirm', 'ASM-1-009'], 4],
    [['confirm', 'nonsense'], 2],
    [['reject', 'ASM-1-001'], 2],
    [['reject', 'ASM-1-001', '-m', ' '], 2],
  ])('%j ends with %i', async (args, status) => {
    const { cwd } = await timedOut();
    agentx(cwd, ['assumptions']);
    expect(agentx(cwd, ['assumptions', ...args]).status).toBe(status);
  });

  it('are for humans to decide', async () => {
    const { cwd } = await timedOut();
    agentx(cwd, ['assumptions']);
    const { status, stderr } = agentx(cwd, ['assumptions', 'confirm', 'ASM-1-001'], { env: { AGENTX_AGENT: 'coder' } });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "error: Agent 'coder' may not confirm ASM-1-001: that is for a human.\n",
    });
  });
});

describe('a late answer', () => {
  it('is kept and asks whether to keep or to rework [PM-6/1] [PM-6/2] [X-3/1]', async () => {
    const { cwd, id } = await timedOut();
    agentx(cwd, ['inbox']);
    const { status, stdout } = agentx(cwd, ['inbox', 'answer', id, '--option', 'b']);
    expect(status).toBe(0);
    expect(stdout).toContain(`${id} q1: Production mode\n${id} is fallback_applied.\n`);
    expect(stdout).toContain('  You say: Production mode\n');
    expect(stdout).toMatch(/Answer: agentx inbox answer oq-[0-9a-f]+\n/);
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'a']).status).toBe(1);
  });

  it('that agrees confirms what was assumed [X-3/4]', async () => {
    const { cwd, id } = await timedOut();
    agentx(cwd, ['inbox']);
    agentx(cwd, ['inbox', 'answer', id, '--option', 'a']);
    expect(assumptions(cwd)).toMatchObject({ assumptions: [{ status: 'confirmed', decidedBy: 'ada' }] });
    expect(agentx(cwd, ['inbox', '--json']).json()).toEqual({ questions: [] });
  });
});

describe('a coder that cannot go on', () => {
  it('has its task blocked until somebody answers [OQ-6/2] [OQ-6/3] [OQ-6/5]', async () => {
    const cwd = await repository();
    const inbox = await openInbox(cwd);
    const { question } = await inbox.take('coder', { status: 'failed', open_questions: ['Which endpoint?'] });
    const id = question?.id ?? '';
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toMatchObject({
      taskStatus: 'blocked',
      block_reason: 'Open Question',
      assignee: null,
    });
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [], blocked: [{ questionId: id }] });
    agentx(cwd, ['inbox', 'answer', id, '-m', '/health']);
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [{ number: 1 }], blocked: [] });
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toMatchObject({
      taskStatus: 'open',
      block_reason: null,
      comments: [{ author: 'ada', body: 'Which endpoint? /health' }],
    });
  });
});

describe('a planning request', () => {
  const request = (fields: object = {}) => ({
    needs_clarification: {
      blocker_type: 'Missing External Data',
      evidence: {
        codebase_search: 'src/pay.ts is empty and no key is configured',
        similar_features: 'Nothing else in the project charges anybody',
        attempted_inference: 'The issue does not say whether money moves',
      },
      question: 'Which mode of the payment provider?',
      options: ['Test mode', 'Production mode'],
      fallback: { option: 'a', reasoning: 'no money can move', risk: 'low' },
      ...fields,
    },
  });

  it('is logged, waits, and is logged again when it ends; a restart changes nothing [PM-7/1] [PM-7/3] [PM-7/5]', async () => {
    const cwd = await repository();
    const { question } = await (await openInbox(cwd)).take('project-manager', request());
    const id = question?.id ?? '';
    const state = (name: string) => readFileSync(join(cwd, '.agentx/state', name), 'utf8');
    expect(JSON.parse(state('orchestrator.json'))).toMatchObject({
      sessions: { 'run-1-aa': { clarification_pending: true, phase: 'awaiting_clarification' } },
    });
    const { stdout } = agentx(cwd, ['inbox', 'show', id]);
    expect(stdout).toContain('  Blocker: Missing External Data\n  Tried:\n  - Codebase search: src/pay.ts is empty');
    expect(stdout).toContain('  Fallback: no money can move; risk: low\n');
    agentx(cwd, ['inbox', 'answer', id, '--option', 'b']);
    const lines = state('interactions.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { request_type: 'pm_clarification', status: 'pending', content: expect.stringContaining('**Blocker Type:**') },
      { status: 'resolved', user_response: 'Production mode', resolved_at: expect.any(String) },
    ]);
    expect(JSON.parse(state('orchestrator.json'))).toMatchObject({
      sessions: { 'run-1-aa': { clarification_pending: false, phase: 'planning_complete' } },
    });
    expect(assumptions(cwd)).toMatchObject({
      assumptions: [{ user_response: 'User confirmed option (b): Production mode', status: 'confirmed' }],
    });
  });

  it('that cites what is not there is refused and becomes an assumption [PM-2/14]', async () => {
    const cwd = await repository();
    const evidence = { ...request().needs_clarification.evidence, codebase_search: 'src/ghost.ts has a sketch of it' };
    const { refused } = await (await openInbox(cwd)).take('project-manager', request({ evidence }));
    expect(refused).toMatchObject({ code: 'GATE_REFUSED', message: expect.stringContaining('src/ghost.ts') });
    expect(agentx(cwd, ['inbox', '--json']).json()).toEqual({ questions: [] });
    expect(assumptions(cwd)).toMatchObject({ assumptions: [{ user_response: 'inferred_from_context' }] });
  });
});

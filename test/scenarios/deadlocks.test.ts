import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClarificationLedger, ClarificationRecord } from '../../src/protocol/clarification.js';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import { aClarification } from '../builders/clarification.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, aRepository, startAgentx } from './support/agentx.js';
import { replay } from './support/transcript.js';

const ISSUES = [1, 2, 3].map((number) => ({ title: `Part ${number}` }));
/** Every agent may ask every other agent that works before or after it. */
const WORKFLOW = `[workflow]
name = "story"
type = "story"
${[
  ['design', 'architect', 'engineer", "reviewer', ''],
  ['build', 'engineer', 'architect", "reviewer', 'design'],
  ['review', 'reviewer', 'architect", "engineer', 'build'],
]
  .map(
    ([id, agent, allowed, needs]) =>
      `[[steps]]\nid = "${id}"\ntitle = "${id}"\nagent = "${agent}"\nneeds = [${needs ? `"${needs}"` : ''}]\ncan_clarify = ["${allowed}"]\n`,
  )
  .join('')}`;
const TEAM = ['architect', 'engineer', 'reviewer'];

async function team(programs: Readonly<Record<string, string>>): Promise<string> {
  const files = Object.entries(programs).map(([agent, body]) => [`${agent}.mjs`, agentProgram(body)]);
  return aRepository({
    issues: ISSUES,
    config: TEAM.map((agent) => commandAgent(agent)).join(''),
    files: { '.agentx/workflows/story.toml': WORKFLOW, ...Object.fromEntries(files) },
  });
}

const ANSWERS = 'reply({ answer: brief.agent + " answers" });';
/** Before it answers, an agent asks another one on another issue, from its own turn. */
const asksFirst = (issue: number, to: string) => `
  const { status } = ask('--issue', '${issue}', '--to', '${to}', '--topic', 'Topic of ' + brief.agent, '-q', 'First tell me', '--json');
  reply({ answer: brief.agent + ' answers after exit ' + status });`;

function recordOf(cwd: string, id: string): ClarificationRecord | undefined {
  const [, issue] = id.split('-');
  const path = join(cwd, `.agentx/state/clarifications/issue-${issue}.json`);
  const ledger: ClarificationLedger = JSON.parse(readFileSync(path, 'utf8'));
  return ledger.clarifications.find((record) => record.id === id);
}

/** Ledgers written by another program, which knows nothing of the wait-for graph. */
function leave(cwd: string, ...records: readonly ClarificationRecord[]): void {
  const folder = join(cwd, '.agentx/state/clarifications');
  mkdirSync(folder, { recursive: true });
  for (const record of records) {
    const issueNumber = Number(record.id.split('-')[1]);
    const ledger = { issueNumber, clarifications: records.filter(({ id }) => id.startsWith(`CLR-${issueNumber}-`)) };
    writeFileSync(join(folder, `issue-${issueNumber}.json`), JSON.stringify(ledger));
  }
}

function waiting(id: string, from: string, to: string, fields: Partial<ClarificationRecord> = {}) {
  const created = new Date().toISOString();
  const staleAfter = new Date(Date.parse(created) + 30 * 60_000).toISOString();
  const thread = [{ round: 1, from, type: 'question', body: `What of ${id}?`, timestamp: created } as const];
  return aClarification({ id, from, to, topic: `Topic of ${from}`, created, staleAfter, thread, ...fields });
}

const ASK = (issue: number, from: string, to: string) =>
  `agentx ask --issue ${issue} --from ${from} --to ${to} --topic "Topic of ${from}" -q "Now you" --quiet`;

describe('agents that wait for each other', () => {
  it('are two across issues: the later step hears from a human, the other goes on [X-10/3]', async () => {
    const cwd = await team({ architect: asksFirst(2, 'engineer'), engineer: ANSWERS });
    const transcript = `$ ${ASK(1, 'engineer', 'architect')}
[Engineer -> Architect] Clarification: Topic of engineer (CLR-1-001, round 1/5, blocking)
  Now you
[ESCALATED] Topic of engineer (CLR-1-001)
  Engineer: Now you
  Architect: (has not answered)
  Why: deadlock: architect waits for engineer waits for architect
  Options:
    a) Ask architect again: Now you
    b) Proceed on an assumption about "Topic of engineer" that engineer states and records
  Answer: agentx inbox answer ${escalationQuestionId('CLR-1-001', 1)}
(exit 3)
$ agentx clarify graph
engineer
\`-- you  #1  CLR-1-001  escalated  Topic of engineer
1 wait, no cycle
`;
    expect(replay(cwd, transcript)).toBe(transcript);
    expect(recordOf(cwd, 'CLR-2-001')).toMatchObject({
      status: 'answered',
      thread: [{}, { body: 'engineer answers' }],
    });
  });

  it('are three across issues, found by the agent that closes the circle', async () => {
    const cwd = await team({
      engineer: asksFirst(2, 'architect'),
      architect: asksFirst(3, 'reviewer'),
      reviewer: ANSWERS,
    });
    const { status, stdout } = agentx(
      cwd,
      'ask --issue 1 --from reviewer --to engineer --topic Topic -q Now --quiet'.split(' '),
    );
    expect(status).toBe(3);
    expect(stdout).toContain('  Why: deadlock: architect waits for reviewer waits for engineer waits for architect\n');
    expect(recordOf(cwd, 'CLR-1-001')).toMatchObject({ from: 'reviewer', status: 'escalated' });
    expect(recordOf(cwd, 'CLR-2-001')).toMatchObject({
      status: 'answered',
      thread: [{}, { body: 'architect answers after exit 0' }],
    });
    expect(recordOf(cwd, 'CLR-3-001')).toMatchObject({
      status: 'answered',
      thread: [{}, { body: 'reviewer answers' }],
    });
  });

  it('were left by another program: the next command breaks both circles, and shows the graph [X-10/2] [US-5.4/3]', async () => {
    const cwd = await team({ architect: ANSWERS, engineer: ANSWERS, reviewer: ANSWERS });
    leave(cwd, waiting('CLR-1-001', 'engineer', 'architect'), waiting('CLR-2-001', 'architect', 'engineer'));
    const two = `$ agentx ready
P-  #3  story  Part 3
BLOCKED
    #1  story  Part 1  BLOCKED: Clarification CLR-1-001 pending from you
    #2  story  Part 2  BLOCKED: Clarification CLR-2-001 pending from engineer
`;
    expect(replay(cwd, two)).toBe(two);
    leave(
      cwd,
      waiting('CLR-1-001', 'reviewer', 'engineer'),
      waiting('CLR-2-001', 'engineer', 'architect'),
      waiting('CLR-3-001', 'architect', 'reviewer'),
    );
    const three = `$ agentx clarify graph
A cycle was broken: CLR-1-001 of reviewer to engineer is escalated.
engineer
\`-- architect  #2  CLR-2-001  pending  Topic of engineer
    \`-- reviewer  #3  CLR-3-001  pending  Topic of architect
        \`-- you  #1  CLR-1-001  escalated  Topic of reviewer
3 waits, no cycle
`;
    expect(replay(cwd, three)).toBe(three);
  });

  it('without blocking are no deadlock; on one topic the later question is stuck and goes to a human [CL-1/3]', async () => {
    const cwd = await team({ architect: ANSWERS, engineer: ANSWERS });
    const topic = 'Which database adapter';
    const earlier = waiting('CLR-1-001', 'engineer', 'architect', { topic, blocking: false });
    const later = waiting('CLR-1-002', 'architect', 'engineer', { topic: `${topic}?`, blocking: false });
    leave(cwd, earlier, { ...later, created: new Date(Date.parse(earlier.created) + 1).toISOString() });
    const transcript = `$ agentx clarify stale
ID         ISSUE  FROM       TO        TOPIC                    STATUS     ROUND  CREATED
CLR-1-002  #1     architect  engineer  Which database adapter?  escalated  1/5    (TIME)
1 active, 1 waits for you: agentx inbox
$ agentx inbox show ${escalationQuestionId('CLR-1-002', 1)} --json --quiet
`;
    const [list, question = ''] = replay(cwd, transcript).split(/(?<=\n)(?=\$ agentx inbox)/);
    expect(list).toBe(transcript.split(/(?<=\n)(?=\$ agentx inbox)/)[0]);
    expect(question).toContain('architect asks engineer what engineer asks architect in CLR-1-001');
    expect(recordOf(cwd, 'CLR-1-001')).toMatchObject({ status: 'pending' });
  });
});

describe('sweeps of several processes at once', () => {
  it('ask a stale target again once, between them [US-2.2/9] [US-2.2/10]', async () => {
    const cwd = await team({ architect: `appendFileSync('asked', 'x'); ${ANSWERS}` });
    leave(cwd, aClarification({ id: 'CLR-1-001' }));
    const sweeps = await Promise.all(
      [['clarify'], ['ready'], ['hook', 'start', 'tester'], ['clarify', 'stale']].map((args) => startAgentx(cwd, args)),
    );
    expect(sweeps.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toBe('x');
    const announced = sweeps.filter(({ stderr }) => stderr.includes('asking architect once more...'));
    expect(announced).toHaveLength(1);
    expect(recordOf(cwd, 'CLR-1-001')).toMatchObject({ status: 'answered', retries: 1, thread: [{}, {}] });
    expect(recordOf(cwd, 'CLR-1-001')?.thread).toHaveLength(2);
    const logged = [...readFileSync(join(cwd, '.agentx/state/logs/agentx.log'), 'utf8').matchAll(/clarification-\w+/g)];
    // Each is logged once, by the process that did it; two processes may write their lines in either order.
    expect(logged.flat().sort()).toEqual(['clarification-answered', 'clarification-retried', 'clarification-stale']);
  });

  it('break a deadlock with one escalation and one question, and end a second expiry likewise [US-2.2/11]', async () => {
    const cwd = await team({ architect: ANSWERS, engineer: ANSWERS });
    leave(
      cwd,
      waiting('CLR-1-001', 'engineer', 'architect'),
      waiting('CLR-2-001', 'architect', 'engineer'),
      aClarification({ id: 'CLR-3-001', from: 'reviewer', to: 'architect', retries: 1 }),
      stuckAndStale('CLR-3-002'),
    );
    await Promise.all(['clarify', 'ready', 'clarify', 'ready'].map((noun) => startAgentx(cwd, [noun])));
    for (const id of ['CLR-1-001', 'CLR-3-001', 'CLR-3-002']) {
      const record = recordOf(cwd, id);
      expect(record).toMatchObject({ status: 'escalated' });
      expect(record?.thread.filter(({ type }) => type === 'escalation')).toHaveLength(1);
    }
    expect(recordOf(cwd, 'CLR-2-001')).toMatchObject({ status: 'pending' });
    const { questions } = JSON.parse(agentx(cwd, ['inbox', '--all', '--json']).stdout);
    expect(questions.map(({ sourceId }: { sourceId: string }) => sourceId).toSorted()).toEqual([
      'CLR-1-001',
      'CLR-3-001',
      'CLR-3-002',
    ]);
  });
});

function stuckAndStale(id: string): ClarificationRecord {
  const entry = { from: 'reviewer', body: 'Which adapter is it?', timestamp: '2026-02-26T10:00:00.000Z' };
  const thread = [
    { ...entry, round: 1, type: 'question' } as const,
    { ...entry, round: 1, from: 'engineer', type: 'answer', body: 'That one.' } as const,
    { ...entry, round: 2, type: 'question' } as const,
  ];
  return aClarification({ id, from: 'reviewer', to: 'engineer', topic: 'Adapter', status: 'stale', round: 2, thread });
}

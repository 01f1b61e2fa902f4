import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import { commandAgent, patientAgent, untilThere } from './support/agents.js';
import { agentx, aRepository, askArguments, spawnAgentx } from './support/agentx.js';
import { replay } from './support/transcript.js';

/** Every agent has only a twentieth of a second to answer. */
const WORKFLOW = `[workflow]
name = "story"
type = "story"
[[steps]]
id = "build"
title = "Build"
agent = "engineer"
can_clarify = ["architect"]
clarify_sla_minutes = 0.001
`;
const ASK = askArguments('Database', 'Which one?');

describe('a question that nobody answers', () => {
  it('is asked once more, then handed to a human, however often the asking process is killed', async () => {
    const files = { '.agentx/workflows/story.toml': WORKFLOW, 'architect.mjs': patientAgent('Never said.') };
    const cwd = await aRepository({ issues: [{ title: 'Orders' }], config: commandAgent('architect'), files });
    agentx(cwd, ['hook', 'start', 'engineer', '1']);

    await killedOnceAsked(cwd, ASK, 1);
    const overdue = `$ agentx ready --no-retry
BLOCKED
    #1  story  Orders  BLOCKED: Clarification CLR-1-001 pending from architect
$ agentx state
AGENT      STATUS                 ISSUE  WHAT FOR                               SINCE
engineer   blocked-clarification  #1     waits for architect, CLR-1-001         (TIME)
architect  interrupted            #1     go on: agentx clarify route CLR-1-001  (TIME)
`;
    expect(replay(cwd, overdue)).toBe(overdue);

    const { stderr } = await killedOnceAsked(cwd, ['clarify'], 2);
    expect(stderr).toBe('CLR-1-001 has waited too long: asking architect once more...\n');

    const question = escalationQuestionId('CLR-1-001', 1);
    const escalated = `$ agentx clarify --issue 1
  Clarification Thread: CLR-1-001 (#1)
  Database (escalated, round 1/5, blocking)
  ----
  [Round 1] engineer -> architect  ((TIME))
    Q: Which one?

  [ESCALATED] agent-x  ((TIME))
    Topic: Database
    Reason: architect was asked twice and did not answer in time
    engineer: Which one?
    architect: (has not answered)
    Options:
    a) Ask architect again: Which one?
    b) Proceed on an assumption about "Database" that engineer states and records

  Answer: agentx inbox answer ${question}
  ----
$ agentx clarify resolve CLR-1-001 -m SQLite.
[Engineer] Clarification resolved. Continuing...
CLR-1-001 is resolved (round 1/5).
$ agentx inbox
Nothing waits for you. What was: agentx inbox --all
$ agentx state
AGENT      STATUS   ISSUE  WHAT FOR  SINCE
engineer   working  #1     -         (TIME)
architect  idle     #1     -         (TIME)
`;
    expect(replay(cwd, escalated).replace(/-{20,}/g, '----')).toBe(escalated);
    expect(callsIn(cwd)).toBe(2);
  });
});

async function killedOnceAsked(cwd: string, args: readonly string[], times: number) {
  const running = spawnAgentx(cwd, args);
  await untilThere(cwd, 'asked');
  await expect.poll(() => callsIn(cwd), { timeout: 60_000, interval: 5 }).toBe(times);
  running.kill();
  return running.ended;
}

function callsIn(cwd: string): number {
  return readFileSync(join(cwd, 'asked'), 'utf8').trim().split('\n').length;
}

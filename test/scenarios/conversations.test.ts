import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentProgram, commandAgent, letGo, patientAgent, untilThere } from './support/agents.js';
import { agentx, aRepository, askArguments, spawnAgentx, startAgentx } from './support/agentx.js';
import { replay } from './support/transcript.js';

const ISSUES = [{ title: 'Health endpoint', labels: ['type:feature'] }];
const SCRIPT = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n';
const ASK = 'agentx ask --issue 1 --from engineer --to architect --topic "Database layer" -q';

const turns = (...answers: readonly string[]): string =>
  answers.map((answer) => `[[turns]]\nanswer = ${JSON.stringify(answer)}\n`).join('');

async function withAnswers(...answers: readonly string[]): Promise<string> {
  return aRepository({ issues: ISSUES, config: SCRIPT, files: { 'turns.toml': turns(...answers) } });
}

async function withArchitect(program: string): Promise<string> {
  const config = commandAgent('architect');
  return aRepository({ issues: ISSUES, config, files: { 'architect.mjs': program } });
}

describe('conversations, as a terminal shows them', () => {
  it('go from an empty folder to a settled question, with nothing but files [US-2.2/25] [US-2.2/26] [CL-1/16] [US-3.2/1]', async () => {
    const cwd = temporaryFolder();
    expect(agentx(cwd, ['init']).status).toBe(0);
    appendFileSync(join(cwd, '.agentx/config.toml'), SCRIPT);
    writeFileSync(join(cwd, 'turns.toml'), turns('Repository pattern, an adapter per environment.'));
    const transcript = `$ agentx issue create -t "Health endpoint" -l type:feature --quiet
#1 Health endpoint
$ AGENTX_AGENT=engineer agentx hook start engineer 1
$ AGENTX_AGENT=engineer ${ASK} "Two adapters, or migrate?"
[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 1/5, blocking)
  Two adapters, or migrate?
[Architect] Repository pattern, an adapter per environment.
CLR-1-001 is answered (round 1/5).
Settle it: agentx clarify resolve CLR-1-001
Ask on: agentx clarify follow-up CLR-1-001
$ agentx state
AGENT      STATUS   ISSUE  WHAT FOR  SINCE
engineer   working  #1     -         (TIME)
architect  idle     #1     -         (TIME)
$ AGENTX_AGENT=engineer agentx clarify resolve CLR-1-001 -m "Adapters it is."
[Engineer] Clarification resolved. Continuing...
CLR-1-001 is resolved (round 1/5).
$ agentx clarify
No clarification is open. The closed ones: agentx clarify --all
$ AGENTX_AGENT=engineer agentx hook finish engineer 1
$ agentx ready
P-  #1  feature  Health endpoint
`;
    expect(replay(cwd, transcript)).toBe(transcript);
    expect(JSON.parse(readFileSync(join(cwd, '.agentx/state/clarifications/issue-1.json'), 'utf8'))).toMatchObject({
      clarifications: [{ id: 'CLR-1-001', status: 'resolved', thread: [{}, {}, { from: 'engineer' }] }],
    });
  });

  it('take follow-ups until the asker has understood', async () => {
    const cwd = await withAnswers('Repository pattern.', 'SQLite in CI as well.');
    const transcript = `$ ${ASK} "Two adapters, or migrate?"
[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 1/5, blocking)
  Two adapters, or migrate?
[Architect] Repository pattern.
CLR-1-001 is answered (round 1/5).
Settle it: agentx clarify resolve CLR-1-001
Ask on: agentx clarify follow-up CLR-1-001
$ AGENTX_AGENT=engineer agentx clarify follow-up CLR-1-001 -q "And in CI?"
[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 2/5, blocking)
  And in CI?
[Architect] SQLite in CI as well.
CLR-1-001 is answered (round 2/5).
Settle it: agentx clarify resolve CLR-1-001
Ask on: agentx clarify follow-up CLR-1-001
$ AGENTX_AGENT=engineer agentx clarify resolve CLR-1-001 -m "SQLite but for production."
[Engineer] Clarification resolved. Continuing...
CLR-1-001 is resolved (round 2/5).
$ AGENTX_AGENT=engineer agentx clarify follow-up CLR-1-001 -q "One more?"
error: CLR-1-001 is resolved, which does not take 'follow-up'. Allowed: nothing, it has ended.
(exit 1)
`;
    expect(replay(cwd, transcript)).toBe(transcript);
  });

  it('are refused outside the scope, each refusal with a sentence of its own [US-6.1/4]', async () => {
    const workflow = `[workflow]
name = "feature"
type = "feature"
[[steps]]
id = "prd"
title = "PRD"
agent = "product-manager"
[[steps]]
id = "ux"
title = "UX"
agent = "ux-designer"
needs = ["prd"]
can_clarify = ["product-manager", "architect"]
[[steps]]
id = "design"
title = "Design"
agent = "architect"
needs = ["prd"]
can_clarify = ["product-manager"]
clarify_blocking_allowed = false
`;
    const files = { '.agentx/workflows/feature.toml': workflow, 'turns.toml': turns('Yes.') };
    const config = SCRIPT + SCRIPT.replace('architect', 'product-manager');
    const cwd = await aRepository({ issues: ISSUES, config, files });
    const transcript = `$ agentx ask --issue 1 --from tester --to architect --topic T -q Q
error: Agent 'tester' has no step in workflow 'feature' and cannot clarify there. Agents with a step in .agentx/workflows/feature.toml: product-manager, ux-designer, architect.
(exit 1)
$ agentx ask --issue 1 --from product-manager --to architect --topic T -q Q
error: Agent 'product-manager' cannot clarify with 'architect'. Allowed: nobody. Step 'prd' has no can_clarify list (.agentx/workflows/feature.toml, line 4).
(exit 1)
$ agentx ask --issue 1 --from architect --to engineer --topic T -q Q
error: Agent 'architect' cannot clarify with 'engineer'. Allowed: product-manager. The list is can_clarify of step 'design' in .agentx/workflows/feature.toml, line 19.
(exit 1)
$ agentx ask --issue 1 --from architect --to product-manager --topic T -q Q
error: Agent 'architect' cannot wait for 'product-manager'. Allowed: non-blocking clarifications. clarify_blocking_allowed of step 'design' is false in .agentx/workflows/feature.toml, line 20.
(exit 1)
$ agentx ask --issue 1 --from ux-designer --to architect --topic T -q Q
error: Agent 'ux-designer' cannot clarify with 'architect', whose work runs in parallel. Allowed: agents of earlier or later steps. No step of 'architect' needs step 'ux' or is needed by it in .agentx/workflows/feature.toml, line 13.
(exit 1)
$ agentx clarify --all
No agent has asked anything yet. Ask: agentx ask --help
`;
    expect(replay(cwd, transcript)).toBe(transcript);
  });

  it.each([
    [
      'exits with an error',
      'process.stderr.write("no network"); process.exitCode = 7;',
      /exited with code 7\.\nno network/,
    ],
    ['says nothing', '', /The answer is empty/],
    ['says too much', 'reply({ answer: "x".repeat(2001) });', /The answer has 2001 characters/],
    ['says that it failed', 'reply({ status: "failed", text: "no idea" });', /no idea/],
    ['takes too long', 'await until("never");', /took longer than 3 s and was ended/],
  ])('end with a human when a target that %s is asked twice', async (_, body, reason) => {
    const config = `${commandAgent('architect')}timeout_seconds = ${body.includes('never') ? 3 : 60}\n`;
    const program = agentProgram(`appendFileSync('asked', 'x'); ${body}`);
    const cwd = await aRepository({ issues: ISSUES, config, files: { 'architect.mjs': program } });
    agentx(cwd, ['hook', 'start', 'engineer', '1']);
    const question = escalationQuestionId('CLR-1-001', 1);
    const result = agentx(cwd, askArguments('T', 'Q'));
    expect(result.status).toBe(3);
    expect(result.stdout).toMatch(/^ {2}Why: AGENT_ERROR: architect failed twice, the last time with: /m);
    expect(recordsOf(cwd)[0]?.thread.at(-1)?.body).toMatch(reason);
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toBe('xx');
    const transcript = `$ agentx ready
BLOCKED
    #1  feature  Health endpoint  BLOCKED: Clarification CLR-1-001 pending from you
$ agentx inbox answer ${question} -m "SQLite."
${question} q1: SQLite.
${question} is answered.
CLR-1-001 is resolved; engineer can go on.
$ agentx state
AGENT      STATUS   ISSUE  WHAT FOR  SINCE
engineer   working  #1     -         (TIME)
architect  idle     #1     -         (TIME)
`;
    expect(replay(cwd, transcript)).toBe(transcript);
  });

  it('hold up the asker and its issue while the target thinks, and no other agent [US-3.2/1] [US-3.2/4] [US-5.1/1]', async () => {
    const cwd = await withArchitect(patientAgent('Two adapters.'));
    agentx(cwd, ['hook', 'start', 'engineer', '1']);
    const asking = startAgentx(cwd, `ask --issue 1 --from engineer --to architect --topic DB -q Which?`.split(' '));
    await untilThere(cwd, 'asked');
    const transcript = `$ agentx ready
BLOCKED
    #1  feature  Health endpoint  BLOCKED: Clarification CLR-1-001 pending from architect
$ agentx state
AGENT      STATUS                 ISSUE  WHAT FOR                        SINCE
engineer   blocked-clarification  #1     waits for architect, CLR-1-001  (TIME)
architect  clarifying             #1     answers engineer, CLR-1-001     (TIME)
$ agentx clarify graph
engineer
\`-- architect  #1  CLR-1-001  pending  DB
1 wait, no cycle
`;
    expect(replay(cwd, transcript)).toBe(transcript);
    const { ready, blocked } = readyQueue(cwd);
    expect(ready).toEqual([]);
    expect(blocked).toMatchObject([{ issue: { number: 1 }, clarificationId: 'CLR-1-001' }]);
    const [record] = recordsOf(cwd);
    expect(Date.parse(record?.staleAfter ?? '') - Date.parse(record?.created ?? '')).toBe(30 * 60_000);
    letGo(cwd);
    expect((await asking).stdout).toContain('[Architect] Two adapters.\n');
    expect(readyQueue(cwd).blocked).toEqual([]);
  });

  it('hold up no agent when they do not block: the asker is back at work at once [US-6.1/7] [CL-1/13]', async () => {
    const cwd = await withArchitect(patientAgent('Two adapters.'));
    const expected = `$ AGENTX_AGENT=engineer agentx hook start engineer 1
$ ${ASK} Which? --non-blocking
[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 1/6, non-blocking)
  Which?
CLR-1-001 is pending (round 1/6).
The answer comes later. See it: agentx clarify show CLR-1-001
`;
    expect(replay(cwd, expected)).toBe(expected);
    await untilThere(cwd, 'asked');
    const meanwhile = `$ agentx state
AGENT      STATUS      ISSUE  WHAT FOR                     SINCE
engineer   working     #1     -                            (TIME)
architect  clarifying  #1     answers engineer, CLR-1-001  (TIME)
$ agentx clarify graph
No agent waits for another.
`;
    expect(replay(cwd, meanwhile)).toBe(meanwhile);
    expect(readyQueue(cwd).blocked).toEqual([]);
    letGo(cwd);
    const isOver = () => !JSON.stringify(agentx(cwd, ['state', '--json']).json()).includes('clarifying');
    await expect.poll(isOver, { timeout: 60_000, interval: 50 }).toBe(true);
    expect(recordsOf(cwd)).toMatchObject([{ status: 'answered', thread: [{}, { body: 'Two adapters.' }] }]);
  });

  it.each([
    ['is put to rest', 'agentx state set engineer idle --issue 1', 'engineer is idle on #1.\n'],
    ['says that it is done', 'AGENTX_AGENT=engineer agentx hook finish engineer 1', ''],
  ])('are abandoned when the asker %s, and the late answer changes nothing', async (_, command, message) => {
    const cwd = await withArchitect(patientAgent('Too late.'));
    agentx(cwd, ['hook', 'start', 'engineer', '1']);
    const asking = startAgentx(cwd, `ask --issue 1 --from engineer --to architect --topic DB -q Which?`.split(' '));
    await untilThere(cwd, 'asked');
    const transcript = `$ ${command}
${message}$ agentx clarify
No clarification is open. The closed ones: agentx clarify --all
`;
    expect(replay(cwd, transcript)).toBe(transcript);
    letGo(cwd);
    const { stdout, stderr } = await asking;
    expect(stdout).not.toContain('Too late.');
    expect(stderr).toBe('CLR-1-001 is abandoned (round 1/5).\n');
    expect(recordsOf(cwd)).toMatchObject([{ status: 'abandoned', thread: [{ type: 'question' }] }]);
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({ architect: { status: 'idle' } });
  });

  it('that go round in circles while nobody answers are handed to a human', async () => {
    const cwd = await withArchitect(
      agentProgram(`
        if (brief.clarification.round === 1) reply({ answer: 'Repository pattern.' });
        else { appendFileSync('asked', 'again'); await until('go'); }
      `),
    );
    const env = { AGENTX_AGENT: 'engineer' };
    const about = ['--issue', '1', '--to', 'architect', '--topic', 'Database layer'];
    expect(agentx(cwd, ['ask', ...about, '-q', 'Which database adapter do we use here?'], { env }).status).toBe(0);
    const again = ['clarify', 'follow-up', 'CLR-1-001', '-q', 'Which database adapter do we use here, please?'];
    const asking = spawnAgentx(cwd, again, { env });
    await untilThere(cwd, 'asked');
    asking.kill();
    await asking.ended;
    const question = escalationQuestionId('CLR-1-001', 2);
    const transcript = `$ agentx ready
BLOCKED
    #1  feature  Health endpoint  BLOCKED: Clarification CLR-1-001 pending from you
$ agentx inbox
${question}  #1  engineer asks  Database layer  waits
Answer: agentx inbox answer ${question}
$ agentx inbox answer ${question} --option b
${question} q1: Follow engineer: Which database adapter do we use here, please?
${question} is answered.
CLR-1-001 is resolved; engineer can go on.
`;
    expect(replay(cwd, transcript)).toBe(transcript);
    expect(recordsOf(cwd)[0]?.thread.find(({ type }) => type === 'escalation')?.body).toContain(
      'engineer asked the same twice in a row',
    );
  });
});

interface Queue {
  readonly ready: readonly unknown[];
  readonly blocked: readonly unknown[];
}

function readyQueue(cwd: string): Queue {
  return JSON.parse(agentx(cwd, ['ready', '--json']).stdout);
}

interface StoredRecord {
  readonly created: string;
  readonly staleAfter: string;
  readonly thread: readonly { readonly type: string; readonly body: string }[];
}

function recordsOf(cwd: string): readonly StoredRecord[] {
  return JSON.parse(readFileSync(join(cwd, '.agentx/state/clarifications/issue-1.json'), 'utf8')).clarifications;
}

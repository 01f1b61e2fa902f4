import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ClarificationLedger, ClarificationRecord } from '../../src/protocol/clarification.js';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import type { Question } from '../../src/protocol/question.js';
import { agentProgram, commandAgent } from '../scenarios/support/agents.js';
import { agentx, aRepository, spawnAgentx } from '../scenarios/support/agentx.js';
import { repetitions } from '../support/mode.js';

/** Short enough that clarifications which a kill left pending are overdue at the next sweep. */
const WORKFLOW = `[workflow]
name = "story"
type = "story"
[[steps]]
id = "build"
title = "Build"
agent = "engineer"
can_clarify = ["architect", "product-manager"]
clarify_sla_minutes = 0.0001
`;
const ENGINEER = { AGENTX_AGENT: 'engineer' };

type Args = readonly string[];
interface Told {
  readonly id: string;
  readonly status: string;
}

describe('the program itself, killed at random instants', () => {
  it('loses nothing that it acknowledged, gives no id twice and asks a human once', async () => {
    const cwd = await aRepository({
      issues: [{ title: 'Orders' }],
      config: commandAgent('architect') + commandAgent('product-manager'),
      files: {
        '.agentx/workflows/story.toml': WORKFLOW,
        'architect.mjs': agentProgram('reply({ answer: "From " + brief.clarification.id });'),
        'product-manager.mjs': agentProgram('process.exitCode = 1;'),
      },
    });
    agentx(cwd, ['hook', 'start', 'engineer', '1']);
    const history = new History(cwd);
    const spans = new Map<string, number>();
    for (let kill = 0; kill < repetitions({ short: 12, long: 300 }); kill++) {
      const args = nextCommand(history.records(), kill);
      const verb = args.slice(0, 2).join(' ');
      const started = Date.now();
      // The first of a kind runs to its end and shows how long that takes.
      const result = await run(cwd, args, spans.has(verb) ? Math.random() * (spans.get(verb) ?? 0) : undefined);
      if (!spans.has(verb)) spans.set(verb, Date.now() - started);
      history.note(result);
      history.check(`${args.join(' ')} (${kill})`);
    }
  });
});

/** A command that fits the present state, in turns, so that every verb is killed. */
function nextCommand(records: readonly ClarificationRecord[], turn: number): Args {
  const of = (status: string) => records.find((record) => record.status === status);
  const escalated = of('escalated');
  const answered = of('answered');
  const ask = (to: string) => [
    'ask',
    '--issue',
    '1',
    '--from',
    'engineer',
    '--to',
    to,
    '--topic',
    `T${turn}`,
    '-q',
    `Q${turn}`,
  ];
  const possible: readonly Args[] = [
    ask('architect'),
    ...(answered === undefined ? [ask('architect')] : [['clarify', 'resolve', answered.id, '-m', `R${turn}`]]),
    ...(escalated === undefined
      ? [ask('product-manager')]
      : [
          [
            'inbox',
            turn % 2 ? 'answer' : 'decline',
            escalationQuestionId(escalated.id, escalated.round),
            ...(turn % 2 ? ['-m', 'A'] : []),
          ],
        ]),
    ...(answered === undefined ? [] : [['clarify', 'follow-up', answered.id, '-q', `F${turn}`]]),
    ['hook', turn % 2 ? 'start' : 'finish', 'engineer', '1'],
  ];
  return possible[turn % possible.length] ?? ['clarify'];
}

async function run(cwd: string, args: Args, killAfter: number | undefined): Promise<Told | undefined> {
  const isHuman = args[0] === 'inbox';
  const running = spawnAgentx(cwd, [...args, '--json'], { env: isHuman ? {} : ENGINEER });
  if (killAfter !== undefined) {
    await sleep(killAfter);
    running.kill();
  }
  const { stdout } = await running.ended;
  // A hook prints the state of its agent, not what was done.
  return args[0] === 'hook' ? undefined : toldBy(stdout);
}

/** Half an answer of a killed program counts as none. */
function toldBy(stdout: string): Told | undefined {
  try {
    const { clarificationId, clarification, status } = JSON.parse(stdout);
    if (clarification !== undefined) return { id: clarification.id, status: clarification.status };
    return clarificationId === undefined ? undefined : { id: clarificationId, status };
  } catch {
    return undefined;
  }
}

/** An agent that waits for several answers is shown with the question that it asked last. */
function byQuestion(left: ClarificationRecord, right: ClarificationRecord): number {
  const questionsOf = ({ thread }: ClarificationRecord) =>
    thread.findLast(({ type }) => type === 'question')?.timestamp ?? '';
  return questionsOf(left) < questionsOf(right) ? -1 : 1;
}

class History {
  readonly #told = new Map<string, string>();
  readonly #created = new Map<string, string>();

  constructor(private readonly cwd: string) {}

  note(told: Told | undefined): void {
    if (told !== undefined) this.#told.set(told.id, told.status);
  }

  /** After one sweep everything is whole again. */
  check(where: string): void {
    const { status, stderr } = agentx(this.cwd, ['ready']);
    expect({ status, warnings: stderr.match(/^(?:warning|error).*/gm) }, where).toEqual({ status: 0, warnings: null });
    const records = this.records();
    for (const { id, created, status: now, thread } of records) {
      expect(this.#created.get(id) ?? created, `${where}: ${id} is given once`).toBe(created);
      this.#created.set(id, created);
      expect(thread.filter(({ type }) => type === 'escalation').length, where).toBeLessThanOrEqual(1);
      // What ended never changes; what waited may have gone on.
      if (/resolved|abandoned/.test(this.#told.get(id) ?? '')) expect(now, where).toBe(this.#told.get(id));
    }
    const ids = records.map(({ id }) => id);
    expect(ids, where).toEqual(expect.arrayContaining([...this.#told.keys(), ...this.#created.keys()]));
    const waiting = records.filter((record) => record.status === 'escalated');
    expect(this.openQuestions(), where).toEqual(
      waiting.map(({ id, round }) => escalationQuestionId(id, round)).toSorted(),
    );
    expect(this.blockedOn(), where).toEqual(
      waiting
        .toSorted(byQuestion)
        .slice(-1)
        .map(({ id }) => id),
    );
  }

  records(): readonly ClarificationRecord[] {
    const path = join(this.cwd, '.agentx/state/clarifications/issue-1.json');
    try {
      const ledger: ClarificationLedger = JSON.parse(readFileSync(path, 'utf8'));
      return ledger.clarifications;
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
      return [];
    }
  }

  openQuestions(): readonly string[] {
    const folder = join(this.cwd, '.agentx/state/questions');
    if (!existsSync(folder)) return [];
    const questions = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name): Question => JSON.parse(readFileSync(join(folder, name), 'utf8')));
    return questions.flatMap(({ id, status }) => (status === 'open' ? [id] : [])).toSorted();
  }

  blockedOn(): readonly string[] {
    const { engineer } = JSON.parse(readFileSync(join(this.cwd, '.agentx/state/agent-status.json'), 'utf8'));
    return engineer.status === 'blocked-clarification' ? [engineer.clarificationId] : [];
  }
}

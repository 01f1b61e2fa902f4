import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner, TurnOptions } from '../ports/runner.js';
import type { Brief } from '../protocol/brief.js';
import { AgentXError } from '../protocol/errors.js';
import type { Reply } from '../protocol/reply.js';
import { errorCode } from './error-code.js';
import { parseScript, type ScriptTurn } from './script-file.js';

/*
 * Agents that play their turns from a TOML file, for demos and tests. The first turn that matches the brief and is not
 * used up is played.
 *
 * One process may play all turns, or each turn may have its own process, as with a command line or a killed run that
 * goes on. The same turns must be used up in both cases, and no file records them. So they are derived from the brief.
 * Every earlier answer of this agent in the thread stands for one turn: the first unused one that matched the brief of
 * that round. Failing turns before it were played too. A work brief of a run gives the number of its turn in the step.
 * Each turn before it stands for one, and the same turn asked for again is played again. Some things are not in a
 * brief: failures since the last answer, other threads and steps. They are counted in this process only. A script that
 * is spread over processes names `round`, `topic`, `step` or `turn` there. In a work brief, `round` is 1 plus the
 * clarifications, human answers and refusals that the brief carries.
 */

export type ScriptRunnerOptions = { readonly file: string } | { readonly text: string };

/** Reads the script at once: a missing or wrong one is CONFIG_ERROR before the first turn. */
export function scriptRunner(options: ScriptRunnerOptions): Runner {
  const file = 'file' in options ? options.file : 'the script';
  const script = new Script(parseScript('file' in options ? readScript(options.file) : options.text, file), file);
  return { run: (brief, turn) => script.play(brief, turn) };
}

class Script {
  readonly #timesPlayed = new Map<ScriptTurn, number>();
  /** How many answers of a thread are accounted for, by clarification and agent. */
  readonly #answersSeen = new Map<string, number>();
  /** What was played for each turn of a step, by issue, step and agent. */
  readonly #stepsPlayed = new Map<string, Map<number, ScriptTurn>>();

  constructor(
    private readonly turns: readonly ScriptTurn[],
    private readonly file: string,
  ) {}

  async play(brief: Brief, { signal }: TurnOptions = {}): Promise<Reply> {
    this.#catchUp(brief);
    const turn = this.#turnOfStep(brief) ?? this.#next(brief);
    await sleep(turn.rules.delay_ms ?? 0, undefined, signal === undefined ? {} : { signal });
    if (turn.rules.fail !== undefined) {
      throw new AgentXError('AGENT_ERROR', `Agent '${brief.agent}' failed: ${turn.rules.fail}`, { agent: brief.agent });
    }
    if (brief.clarification !== undefined) this.#see(brief, brief.clarification.id, 1);
    return turn.reply;
  }

  #next(brief: Brief): ScriptTurn {
    const turn = this.turns.find((candidate) => this.#isLeft(candidate) && matches(candidate, brief, roundOf(brief)));
    if (turn === undefined) throw this.#nothingLeft(brief);
    this.#use(turn);
    return turn;
  }

  /** The turn of a step in a run, after the earlier turns, which any process may have played. */
  #turnOfStep(brief: Brief): ScriptTurn | undefined {
    const { agent, issue, step } = brief;
    if (step?.turn === undefined) return undefined;
    const key = `${issue.number} ${step.id} ${agent}`;
    const turnsPlayed = this.#stepsPlayed.get(key) ?? new Map<number, ScriptTurn>();
    this.#stepsPlayed.set(key, turnsPlayed);
    for (let turn = 1; turn < step.turn; turn++) {
      if (turnsPlayed.has(turn)) continue;
      const then = this.turns.find((candidate) => this.#isLeft(candidate) && matchedBefore(candidate, brief, turn));
      if (then === undefined) break;
      this.#use(then);
      turnsPlayed.set(turn, then);
    }
    const turn = turnsPlayed.get(step.turn) ?? this.#next(brief);
    turnsPlayed.set(step.turn, turn);
    return turn;
  }

  /** Uses up the turns that other processes played in this thread. */
  #catchUp(brief: Brief): void {
    if (brief.clarification === undefined) return;
    const { id, thread } = brief.clarification;
    const answers = thread.filter(({ type, from }) => type === 'answer' && from === brief.agent);
    const unseenAnswers = answers.slice(this.#answersSeen.get(`${id} ${brief.agent}`) ?? 0);
    this.#see(brief, id, unseenAnswers.length);
    for (const { round } of unseenAnswers) {
      for (const turn of this.turns) {
        if (!this.#isLeft(turn) || !matches(turn, brief, round)) continue;
        this.#use(turn);
        if (turn.rules.fail === undefined) break;
      }
    }
  }

  #see({ agent }: Brief, clarificationId: string, answers: number): void {
    const key = `${clarificationId} ${agent}`;
    this.#answersSeen.set(key, (this.#answersSeen.get(key) ?? 0) + answers);
  }

  #isLeft(turn: ScriptTurn): boolean {
    const times = turn.rules.times ?? 1;
    return times === 0 || (this.#timesPlayed.get(turn) ?? 0) < times;
  }

  #use(turn: ScriptTurn): void {
    this.#timesPlayed.set(turn, (this.#timesPlayed.get(turn) ?? 0) + 1);
  }

  #nothingLeft(brief: Brief): AgentXError {
    const { agent, kind, issue, step, clarification } = brief;
    const subject = clarification === undefined ? `step '${step?.id}'` : `${clarification.id} '${clarification.topic}'`;
    return new AgentXError(
      'AGENT_ERROR',
      `${this.file} has no turn left for agent '${agent}' (${kind}, issue ${issue.number}, ${subject}, round ${roundOf(brief)}${step?.turn === undefined ? '' : `, turn ${step.turn}`}).`,
      { agent, file: this.file },
    );
  }
}

function matches({ rules }: ScriptTurn, brief: Brief, round: number): boolean {
  const conditions: readonly (readonly [unknown, unknown])[] = [
    [rules.agent, brief.agent],
    [rules.kind, brief.kind],
    [rules.issue, brief.issue.number],
    [rules.topic, brief.clarification?.topic],
    [rules.step, brief.step?.id],
    [rules.round, round],
    [rules.turn, brief.step?.turn],
  ];
  return conditions.every(([expected, actual]) => expected === undefined || expected === actual);
}

/**
 * Whether an earlier turn of the brief's step can have been this one. Its exact round is unknown, but it was an earlier
 * one.
 */
function matchedBefore(candidate: ScriptTurn, brief: Brief, turn: number): boolean {
  const { step } = brief;
  const { round = 1 } = candidate.rules;
  const then = step === undefined ? brief : { ...brief, step: { ...step, turn } };
  return round < Math.max(2, roundOf(brief)) && matches(candidate, then, round);
}

function roundOf(brief: Brief): number {
  if (brief.clarification !== undefined) return brief.clarification.round;
  return 1 + brief.clarifications.length + brief.answers.length + brief.refused.length;
}

function readScript(file: string): string {
  try {
    // A link may lead to a device: reading that could take for ever.
    const stat = statSync(file);
    if (!stat.isFile() && !stat.isDirectory()) throw new Error('it is no file');
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = errorCode(error) ?? (error instanceof Error ? error.message : undefined);
    const reason = code === 'ENOENT' ? 'there is no such file. Its path is taken from the repository' : (code ?? error);
    throw new AgentXError('CONFIG_ERROR', `The script ${file} cannot be read: ${reason}.`, { file });
  }
}

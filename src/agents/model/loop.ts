import type { TurnProgress } from '../../ports/runner.js';
import { AgentXError, isStoreFailure, messageOf } from '../../protocol/errors.js';
import { beginningOf } from '../../protocol/limits.js';
import type { Reply } from '../../protocol/reply.js';
import { type Price, priced, sumOf } from '../../protocol/usage.js';
import { parseReply } from '../parse-reply.js';
import { compactIfFull, compactRefused } from './compaction.js';
import { callsOf, type LoopState, type OpenCall, openCalls, said, withResults } from './loop-state.js';
import type { Spoken } from './read-reply.js';
import { redactedTexts } from './redact.js';
import type { Speak } from './speak.js';
import type { Tool, ToolOutcome } from './tool.js';
import { WindowFull } from './window-full.js';

/*
 * The agentic loop: the model speaks, its calls are carried out one after the other, and their results are what it
 * reads next. The loop stops at a call that asks, or when the model has finished. Every finished call is kept before
 * the next one begins; keeping it goes on while the model thinks, so that durability costs no time of its own. Only a
 * program acts outside of the state, and its start is kept before it starts. So if another process goes on with the
 * loop, it repeats nothing that was done.
 */

export interface LoopOptions {
  readonly who: string;
  /** Names the turn: the same turn, asked for again, has the same reply. */
  readonly turn: string;
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly speak: Speak;
  readonly limits: LoopLimits;
  /** What counts towards the limits already. */
  readonly used?: { readonly steps: number; readonly tokens: number };
  readonly price?: Price | undefined;
  readonly keep: (state: LoopState) => Promise<void>;
  /** Why a reply is not accepted, as a message to the model; each is sent at most once, by its name. */
  readonly review: (reply: Reply, state: LoopState) => { readonly name: string; readonly message: string } | undefined;
  readonly onProgress?: ((progress: TurnProgress) => void) | undefined;
  readonly onRefused?: ((tool: string, error: AgentXError) => void) | undefined;
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

export interface LoopLimits {
  /** Replies of the model in a turn. */
  readonly steps: number;
  /** Tokens that a turn may use, read and written. */
  readonly tokens: number;
  /** The size of the window. */
  readonly window: number;
}

/** How a turn came to its end. */
export type LoopEnd =
  | { readonly type: 'asks'; readonly state: LoopState; readonly reply: Reply; readonly waits: boolean }
  | { readonly type: 'hands-over'; readonly state: LoopState; readonly reply: Reply }
  | { readonly type: 'finished'; readonly state: LoopState; readonly reply: Reply };

export async function runLoop(options: LoopOptions, state: LoopState): Promise<LoopEnd> {
  const loop = new Loop(options, state);
  return loop.run();
}

class Loop {
  #state: LoopState;
  #kept: Promise<void> = Promise.resolve();
  #written: LoopState | undefined;
  /** The size of the window, as far as it is known. */
  #window: number;
  #steps: number;
  #cuts = 0;
  #tokens: number;

  constructor(
    private readonly options: LoopOptions,
    state: LoopState,
  ) {
    this.#state = state;
    this.#window = options.limits.window;
    this.#steps = options.used?.steps ?? 0;
    this.#tokens = options.used?.tokens ?? 0;
  }

  async run(): Promise<LoopEnd> {
    for (;;) {
      const end = (await this.#carryOut()) ?? this.#concluded();
      if (end !== undefined) {
        this.#state = { ...this.#state, stoppedIn: this.options.turn };
        this.#keep();
        await this.#kept;
        return { ...end, state: this.#state };
      }
      await this.#listen();
    }
  }

  /** Makes every call that has no result yet; the first that ends the turn does so once all others have theirs. */
  async #carryOut(): Promise<LoopEnd | undefined> {
    const questions: Extract<ToolOutcome, { asks: unknown }>[] = [];
    const calls = openCalls(this.#state);
    for (const call of calls) {
      const outcome = await this.#call(call);
      if ('result' in outcome) this.#finish(call, outcome);
      else if ('asks' in outcome) questions.push(outcome);
      else if ('handsOver' in outcome) {
        return { type: 'hands-over', state: this.#state, reply: this.#reply({ status: 'continue', partial: true }) };
      } else if (questions.length > 0) this.#finish(call, { result: FIRST_WAIT });
      else if (!this.#isSentBack(outcome.ends, (message) => this.#finish(call, { result: message }))) {
        return { type: 'finished', state: this.#state, reply: this.#reply(outcome.ends) };
      }
    }
    if (questions.length > 0) return this.#stopAt(questions);
    this.#state = withResults(this.#state);
    return undefined;
  }

  #stopAt(questions: readonly Extract<ToolOutcome, { asks: unknown }>[]): LoopEnd {
    this.#state = { ...this.#state, hasAsked: true };
    const clarify = questions.flatMap(({ asks }) => asks.clarify ?? []);
    const open_questions = questions.flatMap(({ asks }) => asks.open_questions ?? []);
    const needs = questions.flatMap(({ asks }) => asks.needs_clarification ?? []);
    const reply = this.#reply({
      status: 'continue',
      partial: true,
      ...(clarify.length === 0 ? {} : { clarify }),
      ...(open_questions.length === 0 ? {} : { open_questions }),
      ...(needs[0] === undefined ? {} : { needs_clarification: needs[0] }),
    });
    return { type: 'asks', state: this.#state, reply, waits: questions.some(({ waits }) => waits) };
  }

  async #call({ id, tool: name, input, call }: OpenCall): Promise<ToolOutcome> {
    const { tools, onProgress, signal } = this.options;
    const tool = tools.find((candidate) => candidate.name === name);
    signal?.throwIfAborted();
    if (tool === undefined) {
      return { result: `Not done: there is no tool '${name}'. Allowed: ${tools.map((one) => one.name).join(', ')}.` };
    }
    if (this.#state.begun === id) return { result: CUT_OFF };
    await this.#kept;
    onProgress?.({ type: 'tool', tool: name, about: aboutOf(input) });
    try {
      if (tool.startsProgram === true && this.#state.parts.artifacts.length === 0) {
        this.#state = { ...this.#state, begun: id };
        this.#keep();
        await this.#kept;
      }
      return await tool.run(input, { state: this.#state, call, signal });
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof AgentXError) || isStoreFailure(error)) throw error;
      this.options.onRefused?.(name, error);
      return { result: `Refused (${error.code}): ${messageOf(error)}` };
    }
  }

  #finish({ id }: OpenCall, outcome: Extract<ToolOutcome, { result: string }>): void {
    const { result, parts = {}, isAssumption = false } = outcome;
    const { artifacts = [], assumptions = [] } = parts;
    const { begun: _, ...state } = this.#state;
    const replacedPaths = new Set(artifacts.map(({ path }) => path));
    this.#state = {
      ...state,
      hasAsked: state.hasAsked || isAssumption,
      parts: {
        artifacts: [...state.parts.artifacts.filter(({ path }) => !replacedPaths.has(path)), ...artifacts],
        assumptions: [...state.parts.assumptions, ...assumptions],
      },
      results: { ...state.results, [id]: cut(this.options.redact(result), this.#window) },
    };
    this.#keep();
  }

  /** The model said something and called nothing: that is its reply. */
  #concluded(): LoopEnd | undefined {
    const last = this.#state.messages.at(-1);
    if (last?.role !== 'assistant' || callsOf(last).length > 0) return undefined;
    const text = textOf(last);
    if (isPrintedCall(text, this.options.tools)) {
      this.#sendBack('printed', MAKE_THE_CALL, `${this.options.who} failed: ${PRINTS}`);
      return undefined;
    }
    const reply = this.#parsed(text);
    if (reply !== undefined && Object.keys(reply).length === 0) {
      this.#sendBack('silence', SAY_SOMETHING, saidNothing(this.options.who));
      return undefined;
    }
    if (reply === undefined || this.#isSentBack(reply, (message) => this.#say(message))) return undefined;
    return { type: 'finished', state: this.#state, reply: this.#reply(reply) };
  }

  /** A reply that claims to be JSON and does not fit is sent back once. */
  #parsed(text: string): Reply | undefined {
    try {
      return parseReply(text, { who: this.options.who });
    } catch (error) {
      if (!(error instanceof AgentXError) || this.#state.sentBack.includes('form')) throw error;
      this.#sendBack('form', `Your reply could not be read: ${messageOf(error)}\nCall finish instead.`);
      return undefined;
    }
  }

  #isSentBack(reply: Reply, say: (message: string) => void): boolean {
    const problem = this.options.review(reply, this.#state);
    if (problem === undefined || this.#state.sentBack.includes(problem.name)) return false;
    this.#state = { ...this.#state, sentBack: [...this.#state.sentBack, problem.name] };
    say(problem.message);
    return true;
  }

  #sendBack(name: string, message: string, otherwise = message): void {
    if (this.#state.sentBack.includes(name)) throw new AgentXError('AGENT_ERROR', otherwise);
    this.#state = { ...this.#state, sentBack: [...this.#state.sentBack, name] };
    this.#say(message);
  }

  #say(message: string): void {
    this.#state = said(this.#state, message);
    this.#keep();
  }

  async #listen(): Promise<void> {
    const { system } = this.options;
    this.#requireRoom();
    this.#replaceBy(compactIfFull(this.#state, { window: this.#window, system }));
    try {
      await this.#speak();
    } catch (error) {
      if (!(error instanceof WindowFull)) throw error;
      await this.#speakShorter(error);
    }
  }

  async #speak(): Promise<void> {
    const { speak, system, tools, onProgress, signal } = this.options;
    const startedAt = performance.now();
    const modelReply = await speak({
      system,
      messages: this.#state.messages,
      tools: tools.map(({ form }) => form),
      signal,
      onText: (text) => onProgress?.({ type: 'text', text }),
    });
    this.#heard(modelReply, Math.round(performance.now() - startedAt));
  }

  /** The window is smaller than the settings say: what the model refused is made shorter, once. */
  async #speakShorter(refusal: WindowFull): Promise<void> {
    const smaller = compactRefused(this.#state, this.options.system);
    if (smaller === undefined) throw this.#tooLong(refusal);
    this.#window = Math.min(this.#window, smaller.size);
    this.#replaceBy(smaller);
    try {
      await this.#speak();
    } catch (error) {
      throw error instanceof WindowFull ? this.#tooLong(error) : error;
    }
  }

  #replaceBy(compaction: ReturnType<typeof compactIfFull>): void {
    if (compaction === undefined) return;
    this.#state = compaction.state;
    this.#keep();
    this.options.onProgress?.({ type: 'compacted', ...compaction.figures });
  }

  #tooLong(refusal: WindowFull): AgentXError {
    const problem = `${this.options.who} failed: its conversation does not fit into the window of its model, even without what could be left out: ${messageOf(refusal)}. Set context_tokens of the agent to the size that the model really has, or choose a model with a larger window.`;
    return new AgentXError('AGENT_ERROR', problem);
  }

  #requireRoom(): void {
    const { limits, who } = this.options;
    if (this.#steps >= limits.steps) throw tooMuch(who, `${limits.steps} replies of its model (max_steps)`);
    if (this.#tokens >= limits.tokens) throw tooMuch(who, `${limits.tokens} tokens (max_turn_tokens)`);
    const isLast = this.#steps === limits.steps - 1;
    if (isLast && limits.steps > 1) this.#state = said(this.#state, LAST_REPLY);
  }

  #heard(modelReply: Spoken, modelMs: number): void {
    const { inputTokens, cachedTokens, outputTokens } = modelReply;
    const { price } = this.options;
    const tokenCounts = { inputTokens, cachedTokens, outputTokens };
    const tokens = inputTokens + outputTokens;
    this.#steps += 1;
    this.#tokens += tokens;
    const cost = price === undefined ? 0 : priced(tokenCounts, price);
    const usage = { ...tokenCounts, calls: 1, modelMs, cost, unpricedTokens: price === undefined ? tokens : 0 };
    const state = this.#state;
    const isKnown = (name: string) => this.options.tools.some((tool) => tool.name === name);
    const problems = modelReply.calls.flatMap(({ id, tool, problem }) =>
      problem === undefined || !isKnown(tool)
        ? []
        : [[id, `Not done: the input could not be read. ${beginningOf(problem, 500)}`] as const],
    );
    // A message without words or calls, such as a thought that was cut off, is none: some providers refuse it.
    const isEmpty = modelReply.calls.length === 0 && modelReply.text.trim() === '';
    const messages = isEmpty ? [] : redactedTexts(modelReply.messages, this.options.redact);
    this.#state = {
      ...state,
      messages: [...state.messages, ...messages],
      results: Object.fromEntries(problems),
      replies: state.replies + 1,
      usage: sumOf(state.usage, usage),
      readTokens: tokens,
    };
    if (modelReply.calls.length === 0) this.#answerTo(modelReply, isEmpty);
  }

  /** Words that are no reply: half of one, none at all, or those that the provider does not pass on. */
  #answerTo({ reason }: Spoken, isEmpty: boolean): void {
    const { who } = this.options;
    if (reason === 'content-filter') {
      throw new AgentXError('AGENT_ERROR', `${who} failed: the model, or its provider, held its answer back.`);
    }
    const isCut = reason === 'length';
    this.#cuts = isCut ? this.#cuts + 1 : 0;
    if (this.#cuts > MAX_CUTS) {
      const what = `the model was cut off ${this.#cuts} times in a row because its replies are too long.`;
      throw new AgentXError('AGENT_ERROR', `${who} failed: ${what}`);
    }
    if (isCut) this.#say(GO_ON);
    else if (isEmpty) this.#sendBack('silence', SAY_SOMETHING, saidNothing(who));
  }

  #reply(reply: Reply): Reply {
    const { artifacts, assumptions } = this.#state.parts;
    return {
      ...reply,
      ...(artifacts.length === 0 ? {} : { artifacts: [...artifacts, ...(reply.artifacts ?? [])] }),
      ...(assumptions.length === 0 ? {} : { assumptions: [...assumptions, ...(reply.assumptions ?? [])] }),
    };
  }

  /** One after the other, the state as it is by then: while one is written, others may have followed. */
  #keep(): void {
    const write = this.#kept.then(() => this.#write());
    this.#kept = write;
    // Thrown where it is waited for.
    write.catch(() => {});
  }

  async #write(): Promise<void> {
    const state = this.#state;
    if (state === this.#written) return;
    this.#written = state;
    await this.options.keep(state);
  }
}

const MAX_RESULT = 60_000;
const MIN_RESULT = 1000;

/** One result takes at most a quarter of the window, at four characters a token. */
function cut(text: string, window: number): string {
  const room = Math.min(MAX_RESULT, Math.max(MIN_RESULT, window));
  return text.length <= room ? text : `${beginningOf(text, room)}\n[cut: ${text.length} characters in all]`;
}

function textOf(message: LoopState['messages'][number]): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function aboutOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = Object.values(input).flat();
  const first = fields.find((value) => typeof value === 'string');
  return typeof first === 'string' ? beginningOf(first, 120) : '';
}

function saidNothing(who: string): string {
  return `${who} failed: the model said nothing.`;
}

function tooMuch(who: string, what: string): AgentXError {
  return new AgentXError('AGENT_ERROR', `${who} failed: it used ${what} in one turn and is not done.`);
}

const MAX_CUTS = 3;
const MAX_PRINTED = 20_000;

/**
 * Models that were not made for tools print a call at the end of their text, in one of a few forms. The end is looked at
 * by itself: one expression for all of it would take cubic time on a long list of calls.
 */
function isPrintedCall(text: string, tools: readonly Tool[]): boolean {
  const end = text.slice(-MAX_PRINTED).trimEnd();
  const names = tools.map(({ name }) => name).join('|');
  if (new RegExp(`<(?:function=|invoke name=")(?:${names})\\b`).test(end) && /<\/[\w-]+>$/.test(end)) return true;
  const name = new RegExp(`"(?:name|tool|function)"\\s*:\\s*"(?:${names})"`).exec(end);
  if (name === null || !/[\]}]\s*(?:```|<\/\w+>)?$/.test(end)) return false;
  return /"(?:arguments|parameters|args|input)"\s*:/.test(end.slice(name.index + name[0].length));
}

const PRINTS =
  'the model prints its calls as text instead of making them. Choose a model, or a server, that can call tools.';
const MAKE_THE_CALL = 'You printed a call of a tool as text, so nothing was done. Call the tool itself.';
const FIRST_WAIT = 'Not done: you asked something in the same breath. Finish when you have the answer.';
const CUT_OFF =
  'The process was ended while this command ran, and its output is lost. It may have run to its end: look before you run it again.';
const SAY_SOMETHING = 'You said nothing. Go on with your tools, or end your turn with finish.';
const LAST_REPLY = 'This is your last reply in this turn: call finish now, with what you have and what is missing.';
const GO_ON = 'You were cut off because the reply was too long. Go on, in smaller pieces.';

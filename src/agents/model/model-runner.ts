import type { CallResult, Runner, TurnOptions } from '../../ports/runner.js';
import type { Brief } from '../../protocol/brief.js';
import { AgentXError, isStoreFailure, messageOf } from '../../protocol/errors.js';
import { parseWith } from '../../protocol/parse.js';
import { Reply } from '../../protocol/reply.js';
import { type LoopLimits, runLoop } from './loop.js';
import { FRESH, keptState, type LoopState, NO_PARTS, openCalls, said, stateIn, withResults } from './loop-state.js';
import type { ModelRunnerOptions } from './model-options.js';
import { newsIn, nextTurn, systemPrompt } from './prompts.js';
import { requireKey } from './provider.js';
import { redactedTexts, redactor } from './redact.js';
import { reviewOf } from './review.js';
import { speaker } from './speak.js';
import { toolsFor } from './tools-for.js';

/*
 * An agent that is a language model. Its conversation lasts over all turns of a step, or of a round that it answers:
 * it is kept in the transcript, and each turn goes on from there.
 */

/** An answer is one or two paragraphs; looking for them must not cost what the work costs. */
const ANSWER_STEPS = 15;
const ANSWER_TOKENS = 400_000;
const WORK_STEPS = 100;
const WORK_TOKENS = 4_000_000;

export function modelRunner(options: ModelRunnerOptions): Runner {
  return { run: (brief, turn = {}) => takeTurn(options, brief, turn) };
}

async function takeTurn(options: ModelRunnerOptions, brief: Brief, turn: TurnOptions): Promise<Reply> {
  const { model, baseUrl, env, log } = options;
  const { agent } = brief;
  if (options.speak === undefined) requireKey(agent, { model, baseUrl, env });
  const redact = redactor(env);
  const tools = toolsFor(brief, options, turn.turn);
  const timeoutMs = options.timeoutSeconds * 1000;
  const retry = options.retryMs === undefined ? {} : { retryMs: options.retryMs };
  const { keep = async () => {}, signal, onProgress } = turn;
  const who = `Agent '${agent}'`;
  try {
    const { reply } = await runLoop(
      {
        who,
        turn: turn.turn ?? ANSWERING,
        system: systemPrompt(
          brief,
          tools.map(({ name }) => name),
        ),
        tools,
        speak: options.speak ?? speaker({ agent, model, baseUrl, env, timeoutMs, redact, ...retry }),
        limits: limitsFor(brief, options),
        price: options.price,
        keep: (state) => keep(keptState(state)),
        review: reviewOf(brief),
        onProgress,
        onRefused: (tool, { code, message }) =>
          log?.warn('a tool call was refused', { agent, issueNumber: brief.issue.number, tool, code, error: message }),
        redact,
        signal,
      },
      resumed({ ...brief, prompt: redact(brief.prompt) }, turn),
    );
    return parseWith(Reply, redactedTexts(reply, redact), `The reply of ${who}`);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof AgentXError || isStoreFailure(error)) throw error;
    throw new AgentXError('AGENT_ERROR', `${who} failed: ${redact(messageOf(error))}`, { agent, model });
  }
}

/** A round has one conversation and no numbered turns: whether its last reply was carried out shows in the results. */
const ANSWERING = 'answer';

function limitsFor({ kind }: Brief, { maxSteps, maxTurnTokens, window }: ModelRunnerOptions): LoopLimits {
  const steps = maxSteps ?? WORK_STEPS;
  const tokens = maxTurnTokens ?? WORK_TOKENS;
  if (kind === 'work') return { steps, tokens, window };
  return { steps: Math.min(steps, ANSWER_STEPS), tokens: Math.min(tokens, ANSWER_TOKENS), window };
}

/** The state in which this turn begins. */
function resumed(brief: Brief, { transcript, results = [], turn = ANSWERING }: TurnOptions): LoopState {
  const before = stateIn(transcript);
  const news = newsIn(brief);
  const keys = news.map(({ key }) => key);
  if (before === undefined) return { ...said(FRESH, brief.prompt), told: keys };
  const { stoppedIn, ...rest } = before;
  if (stoppedIn === undefined) return rest;
  const stateWithAnswers = withAnswers(rest, results);
  // The reply was lost with its process: the same calls lead to the same reply.
  if (stoppedIn === turn && stateWithAnswers === rest) return rest;
  const toldTexts = new Set([...before.told, ...results.map(({ text }) => text)]);
  const unheard = news.filter(({ key, text }) => !toldTexts.has(key) && !results.some((one) => isTold(text, one)));
  const hadEnded = openCalls(before).every(({ tool }) => tool === 'finish');
  const message = nextTurn(
    brief,
    unheard.map(({ text }) => text),
    hadEnded,
  );
  const next = {
    ...ended(stateWithAnswers),
    parts: NO_PARTS,
    told: [...new Set([...before.told, ...keys])],
    ...(hadEnded ? { sentBack: [], hasAsked: false } : {}),
  };
  if (message === undefined) return next;
  return openCalls(next).length > 0 ? { ...next, next: message } : said(withResults(next), message);
}

/** Results that the model gets anyway need not be repeated. */
function isTold(text: string, { text: result }: CallResult): boolean {
  return result !== '' && text.includes(result);
}

function withAnswers(state: LoopState, results: readonly CallResult[]): LoopState {
  const answersById = openCalls(state).flatMap(({ id, call }) => {
    const result = results.find((one) => one.call === call);
    return result === undefined ? [] : [[id, resultText(result)] as const];
  });
  return answersById.length === 0
    ? state
    : { ...state, results: { ...state.results, ...Object.fromEntries(answersById) } };
}

function resultText({ outcome, text }: CallResult): string {
  return outcome === 'answered' ? text : `(${outcome.replaceAll('_', ' ')}) ${text}`;
}

/** A turn that had ended is over: its last call has a result now. */
function ended(state: LoopState): LoopState {
  const finishCalls = openCalls(state).filter(({ tool }) => tool === 'finish');
  const results = Object.fromEntries(finishCalls.map(({ id }) => [id, 'Your turn ended.']));
  return { ...state, results: { ...state.results, ...results } };
}

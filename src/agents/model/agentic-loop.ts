import * as z from 'zod/mini';
import type { TurnProgress } from '../../ports/runner.js';
import { AgentXError } from '../../protocol/errors.js';
import { NO_USAGE, type Price, sumOf, type Usage } from '../../protocol/usage.js';
import { requestClarification } from './asking-tools.js';
import { runLoop } from './loop.js';
import { FRESH, type LoopState, openCalls, said } from './loop-state.js';
import { requireKey } from './provider.js';
import { redactor } from './redact.js';
import { ofWork } from './review.js';
import { speaker } from './speak.js';
import { type Tool, tool } from './tool.js';

/* The loop for programs that embed it: without a run, with their own tools and their own way to have questions answered. */

/** What the model wants to know from another agent. */
export interface ClarificationNeed {
  readonly to: string;
  readonly topic: string;
  readonly question: string;
  readonly blocking: boolean;
  /** Counted over the whole loop, from 1. */
  readonly round: number;
}

/** The answer goes on with the loop as the result of the call; an escalation ends it with the summary as its text. */
export type ClarificationOutcome =
  | { readonly status: 'answered'; readonly answer: string }
  | { readonly status: 'escalated'; readonly summary: string };

/** A tool of the embedding program. What `run` throws as an AgentXError is told to the model. */
export interface LoopTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly input: object;
  readonly run: (input: unknown) => Promise<string> | string;
}

export interface LoopConfig {
  /** `openai/...`, `anthropic/...`, `google/...`, or `compatible/...` with `baseUrl`. */
  readonly model: string;
  readonly baseUrl?: string;
  /** Where the key is looked for: usually the environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly instructions: string;
  readonly prompt: string;
  readonly tools?: readonly LoopTool[];
  /** Whom the model may ask. Without it there is no tool to ask with, and the loop never pauses. */
  readonly canClarify?: readonly string[];
  /** How often it may ask in all; by default 5. Beyond that it is told to go on with an assumption. */
  readonly clarifyMaxRounds?: number;
  /** Called when the model asks; the loop waits for it. */
  readonly onClarificationNeeded?: (need: ClarificationNeed) => Promise<ClarificationOutcome>;
  readonly maxSteps?: number;
  readonly maxTokens?: number;
  readonly contextTokens?: number;
  readonly timeoutSeconds?: number;
  readonly price?: Price;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TurnProgress) => void;
}

export interface LoopResult {
  readonly status: 'done' | 'escalated';
  readonly text: string;
  /** How often it asked. */
  readonly rounds: number;
  readonly usage: Usage;
}

const DEFAULT_ROUNDS = 5;

/** Runs until the model has finished, or a question of it was escalated. */
export async function runAgenticLoop(config: LoopConfig): Promise<LoopResult> {
  requireComplete(config);
  const { canClarify = [], clarifyMaxRounds = DEFAULT_ROUNDS, onClarificationNeeded } = config;
  if (canClarify.length > 0 && onClarificationNeeded === undefined) {
    throw new AgentXError(
      'INVALID_INPUT',
      'A loop with canClarify needs onClarificationNeeded, which gets the answers.',
    );
  }
  let state: LoopState = said(FRESH, config.prompt);
  for (let rounds = 0; ; ) {
    const { calls: steps, inputTokens, outputTokens } = state.usage;
    const used = { steps, tokens: inputTokens + outputTokens };
    const end = await runLoop({ ...loopOptions(config), used }, state);
    if (end.type === 'finished') {
      const text = end.reply.answer ?? end.reply.text ?? '';
      return { status: 'done', text, rounds, usage: sumOf(NO_USAGE, end.state.usage) };
    }
    const { stoppedIn: _, ...stopped } = end.state;
    const results: Record<string, string> = { ...stopped.results };
    for (const { id, call } of openCalls(stopped)) {
      const request = end.reply.clarify?.find((part) => part.call === call);
      if (request === undefined) continue;
      if (rounds >= clarifyMaxRounds) {
        results[id] = `Not asked: ${clarifyMaxRounds} questions are all that you have. Go on, and say what you assume.`;
        continue;
      }
      rounds += 1;
      const { to, topic, question, blocking = true } = request;
      const outcome = await onClarificationNeeded?.({ to, topic, question, blocking, round: rounds });
      config.signal?.throwIfAborted();
      if (outcome?.status === 'escalated') {
        return { status: 'escalated', text: outcome.summary, rounds, usage: stopped.usage };
      }
      results[id] = outcome?.answer ?? 'No answer.';
    }
    state = { ...stopped, results };
  }
}

/** For callers in plain JavaScript. */
function requireComplete(config: LoopConfig): void {
  const fields = new Map<string, unknown>(Object.entries(Object(config)));
  const missingFields = ['model', 'instructions', 'prompt'].filter((name) => typeof fields.get(name) !== 'string');
  if (typeof (fields.get('env') ?? undefined) !== 'object') missingFields.push('env');
  if (missingFields.length === 0) return;
  throw new AgentXError(
    'INVALID_INPUT',
    `A loop needs model, instructions and prompt as texts, and env as an object. Missing: ${missingFields.join(', ')}.`,
    { missing: missingFields },
  );
}

function loopOptions(config: LoopConfig) {
  const { model, baseUrl, env, instructions, tools = [], canClarify = [], price, signal } = config;
  const { maxSteps = 100, maxTokens = 4_000_000, contextTokens = 200_000, timeoutSeconds = 600 } = config;
  const agent = 'loop';
  const redact = redactor(env);
  requireKey(agent, { model, baseUrl, env });
  const asking = canClarify.length === 0 ? [] : [requestClarification({ agents: canClarify, mayWait: true })];
  return {
    who: 'The model',
    turn: agent,
    system: instructions,
    tools: [...tools.map(toolOf), ...asking, finish],
    speak: speaker({ agent, model, baseUrl, env, timeoutMs: timeoutSeconds * 1000, redact }),
    limits: { steps: maxSteps, tokens: maxTokens, window: contextTokens },
    price,
    keep: async () => {},
    // A loop that cannot ask is not sent back for not having asked.
    review: canClarify.length === 0 ? () => undefined : ofWork,
    onProgress: config.onProgress,
    redact,
    signal,
  };
}

const finish = tool({
  name: 'finish',
  description: 'Ends the work, with what was done.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => ({ ends: { text } }),
});

function toolOf({ name, description, input, run }: LoopTool): Tool {
  return {
    name,
    description,
    form: { name, description, input },
    run: async (input) => ({ result: await run(input) }),
  };
}

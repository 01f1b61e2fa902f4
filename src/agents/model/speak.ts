import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModelUsage } from 'ai';
import { AgentXError, messageOf } from '../../protocol/errors.js';
import { keyNames, type ModelChoice, type ModelMessage, openModel, type Sdk } from './provider.js';

/*
 * One reply of a model. A line that breaks, a busy provider or an answer that is none is tried again a few times, after
 * the wait that the provider asks for; whatever came before is thrown away. What cannot get better by waiting is an
 * error with a sentence that says what to do.
 */

interface SpokenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Why the call cannot be carried out. */
  readonly problem?: string;
}

export interface Spoken {
  readonly text: string;
  readonly calls: readonly SpokenCall[];
  /** What joins the conversation. */
  readonly messages: readonly ModelMessage[];
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Why the model stopped: `length` if it ran out of room. */
  readonly reason: string;
}

export interface ToolForm {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly input: object;
}

export interface Speaking {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolForm[];
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((text: string) => void) | undefined;
}

export type Speak = (speaking: Speaking) => Promise<Spoken>;

export interface SpeakerOptions extends ModelChoice {
  readonly agent: string;
  /** How long one try may take. */
  readonly timeoutMs: number;
  /** Before the second try; doubled for each further one. */
  readonly retryMs?: number;
  readonly redact: (text: string) => string;
}

const TRIES = 4;
const RETRY_MS = 1000;
/** A provider that wants a longer wait is not waited for. */
const LONGEST_WAIT_MS = 120_000;

export function speaker(options: SpeakerOptions): Speak {
  return async (speaking) => {
    const sdk = await import('./sdk.js');
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(sdk, options, speaking);
      } catch (error) {
        speaking.signal?.throwIfAborted();
        const wait = waitAfter(sdk, error, attempt, options.retryMs ?? RETRY_MS);
        if (wait === undefined || attempt >= TRIES) throw failure(sdk, options, error, attempt);
        await sleep(wait, undefined, speaking.signal === undefined ? {} : { signal: speaking.signal });
      }
    }
  };
}

async function once(sdk: Sdk, options: SpeakerOptions, speaking: Speaking): Promise<Spoken> {
  const { system, messages, tools, signal, onText } = speaking;
  silenceWarnings();
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const abortSignal = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  let failed: { readonly error: unknown } | undefined;
  const result = sdk.streamText({
    ...openModel(sdk, options),
    system,
    messages: [...messages],
    tools: Object.fromEntries(
      tools.map(({ name, description, input }) => [name, { description, inputSchema: sdk.jsonSchema(input) }]),
    ),
    maxRetries: 0,
    abortSignal,
    onError: ({ error }) => {
      failed ??= { error };
    },
  });
  try {
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') onText?.(part.text);
      if (part.type === 'error') failed ??= { error: part.error };
    }
    if (failed !== undefined) throw failed.error;
    timeout.throwIfAborted();
    abortSignal.throwIfAborted();
    return await spokenIn(result);
  } catch (error) {
    timeout.throwIfAborted();
    throw failed === undefined ? error : failed.error;
  }
}

/** The parts of a finished stream that count, without the types of its tools. */
interface Streamed {
  readonly text: PromiseLike<string>;
  readonly toolCalls: PromiseLike<
    readonly {
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly invalid?: boolean | undefined;
      readonly error?: unknown;
    }[]
  >;
  readonly response: PromiseLike<{ readonly messages: readonly ModelMessage[] }>;
  readonly usage: PromiseLike<LanguageModelUsage>;
  readonly finishReason: PromiseLike<string>;
  /** In the provider's own word. */
  readonly rawFinishReason: PromiseLike<string | undefined>;
}

async function spokenIn(result: Streamed): Promise<Spoken> {
  const [text, calls, response, usage, reason, ownReason] = await Promise.all([
    result.text,
    result.toolCalls,
    result.response,
    result.usage,
    result.finishReason,
    result.rawFinishReason,
  ]);
  // A stream that ends without a word about why it ends was cut off, whatever came before.
  if (reason === 'other' && ownReason === undefined) throw new Error('the answer ended before it was complete');
  const ids = distinctIds(calls.map(({ toolCallId }) => toolCallId));
  return {
    text,
    calls: calls.map((call, index) => ({
      id: ids[index] ?? call.toolCallId,
      tool: call.toolName,
      input: call.input,
      ...(call.invalid === true ? { problem: messageOf(call.error) } : {}),
    })),
    messages: response.messages
      .filter(({ role }) => role === 'assistant')
      .map((message) => withIds(withoutBrokenInput(message), ids)),
    inputTokens: usage.inputTokens ?? 0,
    cachedTokens: Math.min(usage.inputTokenDetails.cacheReadTokens ?? 0, usage.inputTokens ?? 0),
    outputTokens: usage.outputTokens ?? 0,
    reason,
  };
}

/** Small models give two calls of one reply the same id, or none; results are kept by it. */
function distinctIds(ids: readonly string[]): readonly string[] {
  return ids.map((id, index) => (id === '' || ids.indexOf(id) < index ? `${id}-${index + 1}` : id));
}

function withIds(message: ModelMessage, ids: readonly string[]): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  let index = 0;
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? { ...part, toolCallId: ids[index++] ?? part.toolCallId } : part,
  );
  return { ...message, content };
}

/** Providers refuse a conversation in which the input of a call is no object. */
function withoutBrokenInput(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-call' && (typeof part.input !== 'object' || part.input === null)
      ? { ...part, input: { unreadable: String(part.input).slice(0, 500) } }
      : part,
  );
  return { ...message, content };
}

/** The package prints its warnings to the terminal unless told otherwise. */
function silenceWarnings(): void {
  const settings: { AI_SDK_LOG_WARNINGS?: unknown } = globalThis;
  settings.AI_SDK_LOG_WARNINGS ??= false;
}

const NOT_WORTH_IT = [400, 401, 402, 403, 404, 405, 413, 422];

/** How long to wait before another try; undefined if another try is pointless. */
function waitAfter(sdk: Sdk, error: unknown, attempt: number, retryMs: number): number | undefined {
  if (error instanceof AgentXError) return undefined;
  if (!sdk.APICallError.isInstance(error)) return retryMs * 2 ** (attempt - 1);
  if (NOT_WORTH_IT.includes(error.statusCode ?? 0) || hasNoCredit(error)) return undefined;
  const asked = waitAskedFor(error.responseHeaders ?? {});
  if (asked === undefined) return retryMs * 2 ** (attempt - 1);
  return asked > LONGEST_WAIT_MS ? undefined : asked;
}

/** Waiting does not fill an account. The plain word quota is no sign: providers use it for limits by the minute too. */
function hasNoCredit({ responseBody = '' }: { readonly responseBody?: string | undefined }): boolean {
  return /insufficient_quota|credit balance is too low|billing_hard_limit|insufficient credits/i.test(responseBody);
}

export function waitAskedFor(headers: Readonly<Record<string, string>>, now = Date.now()): number | undefined {
  const exact = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(exact)) return Math.max(0, exact);
  const given = headers['retry-after'];
  if (given === undefined || given.trim() === '') return undefined;
  const seconds = Number(given);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(given) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** What a person can do something about is a matter of settings; everything else is the agent's failure. */
function failure(sdk: Sdk, options: SpeakerOptions, error: unknown, tries: number): AgentXError {
  if (error instanceof AgentXError) return error;
  const { agent, model, redact } = options;
  const status = sdk.APICallError.isInstance(error) ? error.statusCode : undefined;
  const said = redact(reasonOf(error)).replace(/\s+/g, ' ').trim().slice(0, MAX_REASON).replace(/\.+$/, '');
  const details = { agent, model, ...(status === undefined ? {} : { status }) };
  const key = keyNames(model).join(' or ');
  if (status === 401 || status === 403) {
    return new AgentXError(
      'CONFIG_ERROR',
      `${model} refuses the key of agent '${agent}' (${status}): ${said}. Check ${key} where you start agentx.`,
      details,
    );
  }
  if (sdk.APICallError.isInstance(error) && hasNoCredit(error)) {
    const problem = `The account behind ${model} of agent '${agent}' has no credit (${status}): ${said}. Fill it up, or give the agent another model in .agentx/config.toml.`;
    return new AgentXError('CONFIG_ERROR', problem, details);
  }
  if (status === 404) {
    return new AgentXError(
      'CONFIG_ERROR',
      `There is no ${model} for agent '${agent}' (404): ${said}. Check model and base_url in .agentx/config.toml.`,
      details,
    );
  }
  const often = tries > 1 ? `, ${tries} times` : '';
  const what = status === undefined ? 'could not be reached or did not answer' : `answered ${status}`;
  return new AgentXError('AGENT_ERROR', `Agent '${agent}' failed: ${model} ${what}${often}: ${said}`, details);
}

const MAX_REASON = 500;

/** Node hides the cause of a broken connection one level down. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it took longer than timeout_seconds';
  const cause = error instanceof Error ? error.cause : undefined;
  const deeper = cause instanceof Error ? ` (${cause.message})` : '';
  return `${messageOf(error)}${deeper}`;
}

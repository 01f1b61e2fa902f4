import { setTimeout as sleep } from 'node:timers/promises';
import { AgentXError, messageOf } from '../../protocol/errors.js';
import { beginningOf } from '../../protocol/limits.js';
import { plainAddress } from '../plain-address.js';
import {
  isPlain,
  keyNames,
  type ModelChoice,
  type ModelMessage,
  type OpenedModel,
  openModel,
  type PromptMessage,
  type Sdk,
} from './provider.js';
import { readReply, type Spoken } from './read-reply.js';
import { saysWindowIsFull, WindowFull } from './window-full.js';

/*
 * One reply of a model. After a broken connection, a busy provider or an invalid answer, the call is tried again a few
 * times, after the wait that the provider asks for. What came before is thrown away. What cannot get better by waiting
 * is an error with a sentence that says what to do.
 */

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
  let openedModel: OpenedModel | undefined;
  return async (speaking) => {
    const sdk = await import('./sdk.js');
    openedModel ??= openModel(sdk, options);
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(openedModel, options.timeoutMs, speaking);
      } catch (error) {
        speaking.signal?.throwIfAborted();
        if (saysWindowIsFull(wordsOf(sdk, error))) throw new WindowFull(reason(options, error));
        const wait = waitAfter(sdk, error, attempt, options.retryMs ?? RETRY_MS);
        if (wait === undefined || attempt >= TRIES) throw failure(sdk, options, error, attempt);
        await sleep(wait, undefined, speaking.signal === undefined ? {} : { signal: speaking.signal });
      }
    }
  };
}

async function once({ model, settings }: OpenedModel, timeoutMs: number, speaking: Speaking): Promise<Spoken> {
  const { system, messages, tools, signal, onText } = speaking;
  const timeout = AbortSignal.timeout(timeoutMs);
  const abortSignal = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const { stream } = await model.doStream({
      ...settings,
      prompt: [{ role: 'system', content: system }, ...messages.map(promptMessage)],
      ...(tools.length === 0 ? {} : { tools: tools.map(functionTool), toolChoice: { type: 'auto' } }),
      abortSignal,
    });
    const modelReply = await readReply(stream, onText ?? (() => {}));
    abortSignal.throwIfAborted();
    return modelReply;
  } catch (error) {
    timeout.throwIfAborted();
    throw error;
  }
}

function functionTool({ name, description, input }: ToolForm) {
  return { type: 'function' as const, name, description, inputSchema: input };
}

function promptMessage(message: ModelMessage): PromptMessage {
  return isPlain(message) ? { role: message.role, content: [{ type: 'text', text: message.content }] } : message;
}

const NOT_WORTH_IT = [400, 401, 402, 403, 404, 405, 413, 422];

/** How long to wait before another try; undefined if another try is pointless. */
function waitAfter(sdk: Sdk, error: unknown, attempt: number, retryMs: number): number | undefined {
  if (error instanceof AgentXError) return undefined;
  if (!sdk.APICallError.isInstance(error)) return retryMs * 2 ** (attempt - 1);
  if (NOT_WORTH_IT.includes(error.statusCode ?? 0) || hasNoCredit(error)) return undefined;
  const serverWaitMs = waitAskedFor(error.responseHeaders ?? {});
  if (serverWaitMs === undefined) return retryMs * 2 ** (attempt - 1);
  return serverWaitMs > LONGEST_WAIT_MS ? undefined : serverWaitMs;
}

/** Waiting does not fill an account. The plain word quota is no sign: providers use it for limits by the minute too. */
function hasNoCredit({ responseBody = '' }: { readonly responseBody?: string | undefined }): boolean {
  return /insufficient_quota|credit balance is too low|billing_hard_limit|insufficient credits/i.test(responseBody);
}

export function waitAskedFor(headers: Readonly<Record<string, string>>, now = Date.now()): number | undefined {
  const exact = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(exact)) return Math.max(0, exact);
  const value = headers['retry-after'];
  if (value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/**
 * What the provider itself refuses is a matter of settings; everything else is the agent's failure. A server that is
 * down looks like a wrong address. It may be up again at the next try, and if not, a human is asked.
 */
function failure(sdk: Sdk, options: SpeakerOptions, error: unknown, tries: number): AgentXError {
  if (error instanceof AgentXError) return error;
  const { agent, model } = options;
  const status = sdk.APICallError.isInstance(error) ? error.statusCode : undefined;
  const message = reason(options, error);
  const details = { agent, model, ...(status === undefined ? {} : { status }) };
  const key = keyNames(model).join(' or ');
  if (status === 401 || status === 403) {
    return new AgentXError(
      'CONFIG_ERROR',
      `${model} refuses the key of agent '${agent}' (${status}): ${message}. Check ${key} where you start agentx.`,
      details,
    );
  }
  if (sdk.APICallError.isInstance(error) && hasNoCredit(error)) {
    const problem = `The account behind ${model} of agent '${agent}' has no credit (${status}): ${message}. Fill it up, or give the agent another model in .agentx/config.toml.`;
    return new AgentXError('CONFIG_ERROR', problem, details);
  }
  if (status === 404) {
    return new AgentXError(
      'CONFIG_ERROR',
      `There is no ${model} for agent '${agent}' (404): ${message}. Check model and base_url in .agentx/config.toml.`,
      details,
    );
  }
  const often = tries > 1 ? `, ${tries} times` : '';
  if (status !== undefined)
    return new AgentXError(
      'AGENT_ERROR',
      `Agent '${agent}' failed: ${model} answered ${status}${often}: ${message}`,
      details,
    );
  const { at, todo } = whereabouts(options);
  const problem = `Agent '${agent}' failed: ${model} could not be reached${at} or did not answer${often}: ${message}${todo}`;
  return new AgentXError('AGENT_ERROR', problem, details);
}

/** A server that the user named is perhaps not running. */
function whereabouts({ baseUrl }: SpeakerOptions): { readonly at: string; readonly todo: string } {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return { at: '', todo: '' };
  return {
    at: ` at ${plainAddress(baseUrl)}`,
    todo: '. Does a server run there? If so, check base_url in .agentx/config.toml. agentx doctor tries it',
  };
}

/** Everything that the provider said, in the order of its importance. */
function wordsOf(sdk: Sdk, error: unknown): string {
  return sdk.APICallError.isInstance(error) ? `${error.message} ${error.responseBody ?? ''}` : reasonOf(error);
}

const MAX_REASON = 500;
/** A password in an address: the error says that there is one, and leaves it out. */
const PASSWORD = /\/\/[^\s/@]{1,500}@/g;

/** One line that may be shown. */
function reason({ redact }: SpeakerOptions, error: unknown): string {
  const text = redact(reasonOf(error)).replace(PASSWORD, '//').replace(/\s+/g, ' ').trim();
  return beginningOf(text, MAX_REASON).replace(/\.+$/, '');
}

/** Node hides the cause of a broken connection one level down. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it took longer than timeout_seconds';
  // Some providers put their error into the stream, as an object.
  if (typeof error === 'object' && error !== null && !(error instanceof Error)) return JSON.stringify(error);
  const message = messageOf(error);
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message;
}

import { AgentXError } from '../../protocol/errors.js';

export type Sdk = typeof import('./sdk.js');
/** A model as every provider's package offers it. */
type Model = ReturnType<ReturnType<Sdk['createAnthropic']>>;
type ModelCall = Parameters<Model['doStream']>[0];
export type PromptMessage = ModelCall['prompt'][number];
interface PlainMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}
/** One message of a conversation, as it is kept. */
export type ModelMessage = Exclude<PromptMessage, { role: 'system' }> | PlainMessage;

export function isPlain(message: ModelMessage): message is PlainMessage {
  return typeof message.content === 'string';
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelChoice {
  /** `openai/gpt-5`: the provider and the name by which it knows the model. */
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly env: Environment;
}

interface Provider {
  /** The variables that hold its key, the first that is set counts. */
  readonly keys: readonly string[];
  readonly needsKey: boolean;
  /** Where users of the provider's own tools say its address. */
  readonly address?: string;
  open(sdk: Sdk, settings: { readonly apiKey?: string; readonly baseURL?: string }, name: string): Model;
  readonly maxOutputTokens?: number;
  readonly options?: ModelCall['providerOptions'];
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: {
    keys: ['OPENAI_API_KEY'],
    needsKey: true,
    address: 'OPENAI_BASE_URL',
    open: (sdk, settings, name) => sdk.createOpenAI(settings).responses(name),
    // A conversation must be complete in our own files, however long it rests.
    options: { openai: { store: false } },
  },
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    address: 'ANTHROPIC_BASE_URL',
    open: (sdk, settings, name) => sdk.createAnthropic(settings)(name),
    // Without it the package allows a model that it does not know 4096.
    maxOutputTokens: 32_000,
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    needsKey: true,
    open: (sdk, settings, name) => sdk.createGoogleGenerativeAI(settings)(name),
  },
  compatible: {
    keys: ['COMPATIBLE_API_KEY'],
    needsKey: false,
    open: (sdk, { apiKey, baseURL = '' }, name) =>
      sdk
        .createOpenAICompatible({
          name: 'compatible',
          baseURL,
          includeUsage: true,
          ...(apiKey === undefined ? {} : { apiKey }),
        })
        .chatModel(name),
  },
};

const PROVIDER_NAMES = Object.keys(PROVIDERS);

export interface OpenedModel {
  readonly model: Model;
  /** What every call of it says. */
  readonly settings: Pick<ModelCall, 'maxOutputTokens' | 'providerOptions'>;
}

export function openModel(sdk: Sdk, choice: ModelChoice): OpenedModel {
  const { provider, name } = providerOf(choice.model);
  const apiKey = keyOf(choice);
  const baseURL = choice.baseUrl ?? (provider.address === undefined ? undefined : choice.env[provider.address]);
  const settings = {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseURL ? { baseURL } : {}),
  };
  const { maxOutputTokens, options } = provider;
  return {
    model: provider.open(sdk, settings, name),
    settings: {
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(options === undefined ? {} : { providerOptions: options }),
    },
  };
}

/** The variables that a model's key is looked for in. */
export function keyNames(model: string): readonly string[] {
  return providerOf(model).provider.keys;
}

/** Every variable that holds a key of some provider: no program that an agent runs gets them. */
export function allKeyNames(): readonly string[] {
  return Object.values(PROVIDERS).flatMap(({ keys }) => keys);
}

/** The variables of which at least one must hold a key. Empty if one of them does, or if the provider wants no key. */
export function missingKeys(choice: ModelChoice): readonly string[] {
  const { keys, needsKey } = providerOf(choice.model).provider;
  return needsKey && keyOf(choice) === undefined ? keys : [];
}

/** CONFIG_ERROR with what to do if the provider wants a key and none is set. */
export function requireKey(agent: string, choice: ModelChoice): void {
  const keysMissing = missingKeys(choice);
  const [first] = keysMissing;
  if (first === undefined) return;
  const names = keysMissing.join(' or ');
  throw new AgentXError(
    'CONFIG_ERROR',
    `Agent '${agent}' speaks to ${choice.model}, and ${names} is not set. Set it where you start agentx: ` +
      `export ${first}=... (AgentX reads keys from the environment only and writes them nowhere), or give the agent another runner in .agentx/config.toml.`,
    { agent, model: choice.model, missing: keysMissing },
  );
}

function keyOf({ model, env }: ModelChoice): string | undefined {
  const keys = providerOf(model).provider.keys.map((name) => env[name]?.trim());
  // A key that was copied with its line break is meant without it.
  return keys.find((key) => key !== undefined && key !== '');
}

function providerOf(model: string): { readonly provider: Provider; readonly name: string } {
  const slash = model.indexOf('/');
  const provider = PROVIDERS[model.slice(0, slash)];
  if (provider === undefined || slash < 0 || slash === model.length - 1) {
    const allowedNames = PROVIDER_NAMES.map((name) => `${name}/...`).join(', ');
    throw new AgentXError('CONFIG_ERROR', `There is no model '${model}'. Allowed: ${allowedNames}.`, { model });
  }
  return { provider, name: model.slice(slash + 1) };
}

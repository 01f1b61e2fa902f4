import { addressProblem, FROM_ENVIRONMENT } from '../protocol/notify.js';
import { shorten } from '../protocol/shorten.js';
import { plainLine } from '../render/plain-text.js';
import type { SendResult } from './after-sending.js';
import type { Channel } from './channel.js';
import type { Letter } from './letter.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A program from start to end, with its children. */
type RunProgram = (options: {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly input?: string;
  readonly timeoutSeconds: number;
}) => Promise<{
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly end: { readonly code: number } | { readonly signal: string } | 'timeout' | 'aborted';
}>;

export interface SendPorts {
  readonly env: Environment;
  /** The repository, in which programs are started. */
  readonly cwd: string;
  /** The `.agentx` folder. */
  readonly root: string;
  readonly runProgram: RunProgram;
  readonly hasProgram: (name: string) => boolean;
  /** Writes to the terminal of this process; absent if it has none. */
  readonly terminal?: ((text: string) => void) | undefined;
  readonly platform: string;
}

export type Send = (letter: Letter, channel: ResolvedChannel, ports: SendPorts) => Promise<SendResult>;

/** A channel with the values of its variables. They live in memory only. */
export interface ResolvedChannel extends Channel {
  readonly timeoutMs: number;
  /** Texts that must not appear in a message about a failure. */
  readonly secrets: readonly string[];
}

const DEFAULT_TIMEOUT_SECONDS = 15;

/** Why this process cannot use the channel, as a clause; undefined if it can. */
export function unusable({ channel, url, secret, from, to = [] }: Channel, env: Environment): string | undefined {
  for (const value of [url, secret, from, ...to]) {
    const name = FROM_ENVIRONMENT.exec(value ?? '')?.[1];
    if (name !== undefined && !env[name]) return `the variable ${name} is not set`;
  }
  const problem = url === undefined ? undefined : addressProblem(channel, resolvedValue(url, env) ?? '');
  return problem === undefined ? undefined : `the address in ${url} ${problem}`;
}

export function resolved(channel: Channel, env: Environment): ResolvedChannel {
  const { url, secret, from, to, timeout_seconds = DEFAULT_TIMEOUT_SECONDS } = channel;
  const values = { url: resolvedValue(url, env), secret: resolvedValue(secret, env), from: resolvedValue(from, env) };
  const recipients = to?.map((one) => resolvedValue(one, env) ?? one);
  return {
    ...channel,
    ...(values.url !== undefined && { url: values.url }),
    ...(values.secret !== undefined && { secret: values.secret }),
    ...(values.from !== undefined && { from: values.from }),
    ...(recipients !== undefined && { to: recipients }),
    timeoutMs: timeout_seconds * 1000,
    secrets: secretsIn(values.url, values.secret),
  };
}

function resolvedValue(value: string | undefined, env: Environment): string | undefined {
  const name = FROM_ENVIRONMENT.exec(value ?? '')?.[1];
  return name === undefined ? value : env[name];
}

/** The address as a whole, its path or a part of it, its password: any of them may be a key. */
function secretsIn(url: string | undefined, secret: string | undefined): readonly string[] {
  const parts = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  const candidates = [
    url,
    secret,
    parts?.password,
    decoded(parts?.password),
    parts?.username,
    decoded(parts?.username),
    parts?.pathname,
    parts?.search,
    ...(parts?.searchParams.values() ?? []),
  ];
  // Short parts of a path are words such as hooks.
  const names = (parts?.pathname ?? '').split('/').filter((name) => name.length >= 8);
  const secrets = [...candidates, ...names, ...names.map(decoded)];
  return secrets.flatMap((one) => (one !== undefined && one.length > 3 ? [one] : []));
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const MAX_ERROR = 200;

/** The words about a failure for a person: short, on one line, without secrets. */
export function sayable(text: string, { secrets }: Pick<ResolvedChannel, 'secrets'>): string {
  let line = plainLine(text);
  for (const secret of secrets.toSorted((left, right) => right.length - left.length)) {
    line = line.replaceAll(secret, '***');
  }
  return shorten(line, MAX_ERROR);
}

import { REDACTED } from '../../protocol/redact.js';
import { VENDOR_KEY } from '../../protocol/secret-patterns.js';
import { ALL_KEY_NAMES } from './provider.js';

type Environment = Readonly<Record<string, string | undefined>>;

const MIN_KEY_LENGTH = 8;

/**
 * Removes keys from a text that goes to a model, a file or a log: those of our environment, and what has the form of a
 * vendor's key. Other secrets stay: an agent that reads a file and writes it again must not change it.
 */
export function redactor(env: Environment): (text: string) => string {
  const values = ALL_KEY_NAMES.flatMap((name) => env[name] ?? []).filter((value) => value.length >= MIN_KEY_LENGTH);
  return (text) =>
    values.reduce((clean, value) => clean.replaceAll(value, REDACTED), text).replaceAll(VENDOR_KEY, REDACTED);
}

const SECRET_NAME = /(?:_|^)(?:API_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?|PRIVATE_KEY)(?:_|$)/i;

/** The environment of a program that an agent runs: everything but what is named like a secret. */
export function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_NAME.test(name)));
}

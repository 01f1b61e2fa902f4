import { REDACTED } from '../../protocol/redact.js';
import { VENDOR_KEY } from '../../protocol/secret-patterns.js';
import { allKeyNames } from './provider.js';

type Environment = Readonly<Record<string, string | undefined>>;

const MIN_KEY_LENGTH = 8;

/**
 * Removes keys from a text that goes to a model, a file or a log: those of our environment, and what has the form of a
 * vendor's key. Other secrets stay: an agent that reads a file and writes it again must not change it.
 */
export function redactor(env: Environment): (text: string) => string {
  const values = allKeyNames()
    .flatMap((name) => env[name]?.trim() ?? [])
    .filter((value) => value.length >= MIN_KEY_LENGTH);
  return (text) =>
    values.reduce((cleanText, value) => cleanText.replaceAll(value, REDACTED), text).replaceAll(VENDOR_KEY, REDACTED);
}

/** The same for every text in some data. In JSON, a line break is a letter in front of what begins the next line. */
export function redactedTexts<T>(value: T, redact: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? redact(part) : part));
}

const SECRET_NAME =
  /KEY(?:_?(?:ID|FILE|PATH))?$|_KEY_|^KEY_|TOKEN|SECRET|PASSW|PASSPHRASE|(?:^|_)PASS$|.PWD$|CREDENTIAL|AUTH$|AUTHORIZATION|_AUTH_|COOKIE|.PAT$|_DSN$/i;
const NO_SECRET = /^OLDPWD$|^SSH_AUTH_SOCK$/;

/** The environment of a program that an agent runs: everything but what is named, or looks, like a secret. */
export function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name, value = '']) => !isSecret(name, value)));
}

function isSecret(name: string, value: string): boolean {
  if (NO_SECRET.test(name)) return false;
  // A global expression remembers its last position.
  return SECRET_NAME.test(name) || value.replaceAll(VENDOR_KEY, '') !== value;
}

/*
 * Whether a value that stands where a secret may stand is one: no template, no word of code, no setting, but made by
 * chance. Pure.
 */

export const REDACTED = '[redacted]';

/** Filled in later: `$NAME`, `${name}`, `<name>`, `{{name}}`, `%s`, `***`. */
export function isTemplate(value: string): boolean {
  return /^(?:[$<{%*[]|\\?\$|x{3,}|\.{3})|\$\{|\{\{|^\*+$/i.test(value);
}

/** A value in an environment line that is none of a secret: a switch, a number, a path, a name to be looked up. */
export function isSetting(value: string): boolean {
  return (
    value.length < 4 ||
    isTemplate(value) ||
    /^(?:true|false|null|none|undefined|yes|no|on|off|\d{1,5}|[./~].*|[a-z]+:\/\/[^@]*|process\.env\..*|your[-_].*)$/i.test(
      value,
    )
  );
}

export function isSecretValue(start: string, value: string): boolean {
  const text = unquoted(value);
  if (isTemplate(text) || /\s/.test(text) || text === REDACTED || isNoSecret(text)) return false;
  const isPassword = /pass|pwd|kennwort|wlan|wifi|wpa/i.test(start);
  if (text !== value) return isPassword ? text.length >= 6 && isMixed(text) : isRandom(text, 12);
  if (CONSTANT.test(text) || TYPE.test(text) || (!isPassword && isName(text))) return false;
  return isPassword ? isMixed(text) && /[^\w.]|\d/.test(text) && !isIdentifier(text) : isRandom(text, 16);
}

export function unquoted(value: string): string {
  if (/^\\".*\\"$/s.test(value)) return value.slice(2, -2);
  return /^(["'`]).*\1$/s.test(value) ? value.slice(1, -1) : value;
}

/** Words of code that follow such names: types, algorithms, fields, paths, addresses; what manuals mark as an example. */
export function isNoSecret(text: string): boolean {
  return (
    /EXAMPLE$/.test(text) ||
    /^(?:(?:sha|md|aes|rsa|hmac|utf|int|uint|float|base|argon|bcrypt|pbkdf|ed25519|es|rs|hs|ps)[-_]?\d+\b|0x[0-9a-f]+$|https?:\/\/|\.{0,2}\/|process\.|this\.|your|example|[a-z]+(?:[-_./:][a-z]+)*$|[a-z_$][\w$]*(?:\.[a-z_$][\w$]*)+$)/i.test(
      text,
    )
  );
}

/** `SIGN_UP_V2_SUBMIT_CODE` */
const CONSTANT = /^(?:[A-Z]{2,}_)+(?:V\d_)?(?:[A-Z]{2,}_)*[A-Z]{2,}$/;
/** `OAuth2TokenCredential` */
const TYPE = /^(?:[A-Z]{1,2}[a-z]{2,})+\d(?:[A-Z][a-z]{2,})+$/;

/** A key behind its name alone: made by chance, and no name of code. */
export function isKey(text: string): boolean {
  return !isNoSecret(text) && !CONSTANT.test(text) && !TYPE.test(text) && !isName(text) && isRandom(text, 20);
}

/** `calculateSha2Token`: words without a space between them. A password may be made like that, a token is not. */
function isName(text: string): boolean {
  if (!/^[A-Za-z$][\w$]*$/.test(text) || !/[a-z][A-Z]|_/.test(text)) return false;
  const words = text.match(/[A-Z]*[a-z]+|[A-Z]+/g) ?? [];
  const numbers = text.match(/\d+/g) ?? [];
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return numbers.length <= 2 && numbers.every((digits) => digits.length <= 4) && letters >= 3.5 * words.length;
}

/** `abc123def456`: letters and digits in their order. */
function isInOrder(text: string): boolean {
  let steps = 0;
  for (let place = 1; place < text.length; place++)
    if (text.charCodeAt(place) === text.charCodeAt(place - 1) + 1) steps++;
  return steps >= text.length / 2;
}

/** What a person calls a password in a sentence: with a digit, and with a sign or letters of both sizes. */
export function isToldPassword(value: string): boolean {
  const text = value.replace(/[.!?:]+$/, '');
  if (text.length < 6 || isTemplate(text) || isNoSecret(text) || isIdentifier(text) || !isMixed(text)) return false;
  return /[^\w./:\\=-]/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)) || /[a-z]-|-[a-z]/i.test(text);
}

/** `password1`, `token2`, `newPassword2`: a variable with a number. */
function isIdentifier(text: string): boolean {
  return (
    /^[A-Za-z_$][A-Za-z_$.]*\d{1,2}$/.test(text) &&
    /pass|pwd|token|secret|key|value|arg|param|field|input|str/i.test(text)
  );
}

/** Letters with digits or signs: hardly a word. */
export function isMixed(text: string): boolean {
  return /[A-Za-z]/.test(text) && /\d/.test(text);
}

/** Long, mixed, and with so many different characters that it was made by chance. */
export function isRandom(text: string, length: number): boolean {
  const withoutEscapes = text.replace(/%[0-9A-F]{2}/gi, '');
  return (
    withoutEscapes.length >= length &&
    isMixed(withoutEscapes) &&
    /^[\w+/=.~:-]+$/.test(withoutEscapes) &&
    entropyOf(withoutEscapes) >= 3.2 &&
    !isInOrder(withoutEscapes)
  );
}

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

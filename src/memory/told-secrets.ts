import { REDACTED } from '../protocol/redact.js';
import { isMixed, isToldPassword } from '../protocol/secret-values.js';

/*
 * Where people talk of a password, whatever is no ordinary word may be the password. In code that would be too strict; a
 * sentence to remember does without it. Pure.
 */

export function withoutTold(text: string): string {
  if (!ABOUT.test(text)) return text;
  return text.split('\n').map(withoutToldIn).join('\n');
}

const ABOUT =
  /\b(?:passwor[dt]s?|passphrase|passcode|passwd|pwd?|kennwort|creds?|credentials?|logins?|log in|basic[ -]auth|zugang\w*|anmeld\w*|sudo|ssh|vpn|wifi|wlan|wi-fi|pin|tan|otp|token|secret|seed|psk|(?:api|app|access|licen[sc]e|signing|private|shared)[ -]?keys?|schl(?:\u00fc|ue)ssel)\b|\bpass:/i;

function withoutToldIn(line: string): string {
  if (!ABOUT.test(line)) return line;
  return line
    .replace(BEHIND_NAME, (whole, start: string, value: string) => (isOdd(value) ? `${start}${REDACTED}` : whole))
    .replace(PIN, `$1${REDACTED}`)
    .replace(WORD, (word) => (isToldPassword(word) && !NAME.test(word) ? REDACTED : word));
}

/** `pw kranich-wolke-Nord`, `password "Kranich Wolke 7"`: right behind the word, a phrase may be one, too. */
const BEHIND_NAME =
  /(\b(?:passwor[dt]|passphrase|passcode|passwd|pwd?|kennwort)\b[ \t]*(?:is|was|ist|war|lautet|:|=|->)?[ \t]*)("[^"\n]{6,60}"|'[^'\n]{6,60}'|`[^`\n]{6,60}`|[^\s"'`,;()<>]{6,60})/gi;

/** Not as words are written: a capital or a digit within, or several words with signs between them. */
function isOdd(value: string): boolean {
  const text = value.replace(/^["'`]|["'`.!?:]+$/g, '');
  return (
    !/^[A-Z_]+$/.test(text) &&
    !/^[$<{[%*]/.test(text) &&
    (isMixed(text) || /.[A-Z]/.test(text) || /[a-z][-_.][a-z]+[-_.][a-z]/i.test(text))
  );
}

const PIN = /(\b(?:PIN|passcode|TAN|OTP|pin code)(?:[ \t]+(?:is|ist|was|code))?:?[ \t]+)\d{4,8}\b/g;

const WORD = /[^\s"'`,;()[\]{}<>|]{6,100}/g;

/** Names of hosts, regions, tickets and algorithms, versions, dates, paths, addresses, options and what code consists of. */
const NAME =
  /^(?:[a-z0-9]+(?:[-_.:][a-z0-9]+)*|[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*|[A-Za-z]+-?\d+(?:\.\d+)*|v?\d[\d.,:x-]*[a-zA-Z%]{0,8}|[A-Z]?[a-z]+(?:[A-Z][a-z]*)*\d{0,2}(?:\(\))?|-.*|.*\/.*|.*\\.*|[\w.+-]+@[\w.-]+|\w+(?:\.\w+)+|\w+[=:]\d*|.*::.*|.*[=(].*|\[redacted\].*)[.:!?]*$/;

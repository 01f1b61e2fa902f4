import { REDACTED } from '../protocol/redact.js';
import { isMixed, isToldPassword } from '../protocol/secret-values.js';

/*
 * Where people talk of a password, whatever is no ordinary word may be the password. In code that would be too strict; a
 * sentence to remember does without it. Pure.
 */

export function withoutTold(text: string): string {
  const withoutChance = MAY_BE_CHANCE.test(text)
    ? text.replace(WORD, (word) => (isChance(word) ? REDACTED : word))
    : text;
  return ABOUT.test(withoutChance) ? withoutChance.split('\n').map(withoutToldIn).join('\n') : withoutChance;
}

/** `Xk9!trombone`, `q7_Kfm2vLq81TnbWe`: no word, no name and no path, whatever is said around it. */
function isChance(word: string): boolean {
  const text = word.replace(/[.!?:]+$/, '');
  if (/[=/.\\@]/.test(text) || !isMixed(text)) return false;
  const changes = text.match(/[a-z](?=[A-Z\d])|\d(?=[A-Za-z])|[A-Z](?=\d)/g)?.length ?? 0;
  return /\w[!&$^*?]\w/.test(text) || (text.length >= 16 && changes >= 6 && /[a-z]/.test(text) && /[A-Z]/.test(text));
}

const MAY_BE_CHANCE = /\w[!&$^*?]\w|(?<![\w+-])[\w+-]{16}/;

const ABOUT =
  /\b(?:passwor[dt]s?|passphrase|passcode|passwd|pwd?|kennwort|creds?|credentials?|logins?|log in|basic[ -]auth|zugang\w*|anmeld\w*|sudo|ssh|vpn|wifi|wlan|wi-fi|pin|tan|otp|token|secret|seed|psk|(?:api|app|access|licen[sc]e|signing|private|shared)[ -]?keys?|schl(?:\u00fc|ue)ssel|(?:\w+_)?keys?|get in with|user \S+ (?:and|with))\b|\bpass\b ?(?:is|was|ist|[:=])|_pass\b|@[\w.-]+\.\w{2,}[ \t]*[,/:]|\b(?:admin|root|guest|ops|deploy|build|qa|demo|test)[ \t]?[/:][ \t]?\S{6}/i;

function withoutToldIn(line: string): string {
  if (!ABOUT.test(line)) return line;
  return line
    .replace(BEHIND_NAME, (whole, start: string, value: string) => (isOdd(value) ? `${start}${REDACTED}` : whole))
    .replace(AFTER_USER, (whole, start: string, value: string) => (isMixed(value) ? `${start}${REDACTED}` : whole))
    .replace(NEAR_NAME, (whole, start: string, value: string) => (isMade(value) ? `${start}${REDACTED}` : whole))
    .replace(PIN, `$1${REDACTED}`)
    .replace(WORD, (word) =>
      /^[0-9a-f]{32,}$/.test(word) || (isToldPassword(word) && !NAME.test(word)) ? REDACTED : word,
    );
}

/** `pw kranich-wolke-Nord`, `password "Kranich Wolke 7"`: right behind the word, a phrase may be one, too. */
const BEHIND_NAME =
  /((?:\b(?:passwor[dt]|passphrase|passcode|passwd|pwd?|kennwort)\b[ \t]*(?:is|was|ist|war|lautet|:|=|->)?|(?:\bpass|_pass(?:word)?)[ \t]*(?:is|was|ist|:|=))[ \t]*)("[^"\n]{6,60}"|'[^'\n]{6,60}'|`[^`\n]{6,60}`|[^\s"'`,;()<>]{6,60})/gi;

/** Not as words are written: a capital or a digit within, or several words with signs between them. */
function isOdd(value: string): boolean {
  const text = value.replace(/^["'`]|["'`.!?:]+$/g, '');
  return (
    !/^[A-Z_]+$/.test(text) &&
    !/^[$<{[%*]/.test(text) &&
    (isMixed(text) || /.[A-Z]/.test(text) || /[a-z][-_.][a-z]+[-_.][a-z]/i.test(text))
  );
}

/** `root / x`, `ops:x`, `qa@example.com, x`: behind the name of a user. */
const AFTER_USER =
  /((?:\b(?:admin|root|guest|ops|deploy|build|qa|demo|test)[ \t]?[/:]|@[\w.-]+\.\w{2,}[ \t]*[,/:])[ \t]?)([^\s"'`,;()<>]{6,60})/gi;

/** `my token x`, `the key for the server is x`, `get in with x`, `use x as the secret`. */
const NEAR_NAME =
  /(\b(?:(?:token|secret|psk|(?:\w+_)?keys?|(?:user|creds?|credentials)[ \t]+\S+(?:[ \t]+(?:and|with))?)[ \t]*(?:is|was|ist|:|=)?|keys?(?: (?:for|to) [\w -]{1,40}?)? (?:is|are)|get in with|use(?=[ \t]+\S+ as (?:the|our) [\w ]{0,40}?(?:secret|key|token|password)\b))[ \t]+["'`]?)([^\s"'`,;()<>]{8,60})/gi;

/** Letters and several digits that are no name with a number, no path and no version. */
function isMade(value: string): boolean {
  return isMixed(value) && /\d.*\d/.test(value) && !/^[a-z]+-?\d{1,3}$|[/_]|^v?\d+\./i.test(value);
}

const PIN = /(\b(?:PIN|passcode|TAN|OTP|pin code)(?:[ \t]+(?:is|ist|was|code))?:?[ \t]+)\d{4,8}\b/g;

const WORD = /[^\s"'`,;()[\]{}<>|]{6,100}/g;

/** Names of hosts, regions, tickets and algorithms, versions, dates, paths, addresses, options and what code consists of. */
const NAME =
  /^(?:[a-z0-9]+(?:[-_.:][a-z0-9]+)*|[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*|[A-Za-z]+-?\d+(?:\.\d+)*|v?\d[\d.,:x-]*[a-zA-Z%]{0,8}|[A-Z]?[a-z]+(?:[A-Z][a-z]*)*\d{0,2}(?:\(\))?|-.*|.*\/.*|.*\\.*|[\w.+-]+@[\w.-]+|\w+(?:\.\w+)+|\w+[=:]\d*|.*::.*|.*[=(].*|\[redacted\].*)[.:!?]*$/;

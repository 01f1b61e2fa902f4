import type { ObservationCategory } from '../protocol/observation.js';
import { isChoice, isClause } from './choice.js';
import { isEcho, type Setting } from './setting.js';
import type { Said } from './transcript-message.js';

/*
 * What a statement is. Its words are a sign, but the same words are one thing from a user and another from an agent. They
 * also differ after a failure and after a change. A user decides by telling what to do. How things are, and what must or
 * may never be, is so without the session: a fact. An agent that explains a failure tells an error. One that repeats an
 * answer tells a decision. One that describes code which it has just changed tells a change. Pure.
 */

export function categoryOf(
  text: string,
  by: Said['by'],
  setting: Setting,
  sign: ObservationCategory,
): ObservationCategory {
  return by === 'user' ? toldByUser(text, setting, sign) : toldByAgent(text, setting, sign);
}

function toldByUser(text: string, setting: Setting, sign: ObservationCategory): ObservationCategory {
  if (sign === 'code-change' || (sign === 'error' && setting.settled.size === 0)) return sign;
  // `Be careful: the devices report local time`: what is told follows.
  const statement = /^[^:]{3,60}: ((?:\S+ ){4}.*)$/.exec(text)?.[1] ?? text;
  const isFragment = !isClause(setting.isAnswer ? statement.slice(0, SAID_FIRST) : statement);
  const isSettled = isFragment && (setting.isAnswer || isEcho(statement, setting));
  return isChoice(statement) || isSettled ? 'decision' : 'key-fact';
}

function toldByAgent(text: string, setting: Setting, sign: ObservationCategory): ObservationCategory {
  const { phase } = setting;
  const isInTrouble = phase === 'troubled' || phase === 'failed';
  if (sign === 'decision' && STRONG_DECISION.test(text) && !(isInTrouble && SUFFERED.test(text))) return sign;
  if (RESULT.test(text) && !(sign === 'code-change' && DONE.test(text))) return sign === 'error' ? sign : 'key-fact';
  if (sign === 'code-change' && (DONE.test(text) || (IS_NOW.test(text) && isAboutCode(text)))) return sign;
  const isExplained = sign === 'error' && CAUSE_NAMED.test(text);
  if (phase === 'changed' && isAboutCode(text) && !isExplained) return 'code-change';
  if (phase === 'told' && NAMES_CODE.test(text) && !isExplained) return 'code-change';
  if (isInTrouble && (sign === 'error' || LACKS.test(text))) return 'error';
  if ((isInTrouble || phase === 'explained') && CONNECTS.test(text)) return 'error';
  if (sign !== 'decision' && !isExplained && IS_NOW.test(text) && isAboutCode(text)) return 'code-change';
  if (sign === 'error' || HAPPENS.test(text)) return 'error';
  if (phase !== 'failed' && isEcho(text, setting) && !CAUSE_NAMED.test(text))
    return FOUND_OUT.test(text) || /\byou (?:can|could|may|might)\b/i.test(text) ? 'key-fact' : 'decision';
  return phase === 'failed' ? 'error' : sign;
}

/** An answer that begins without a verb says what is wanted: `80 GB on top, so that a job cannot fill the disk`. */
const SAID_FIRST = 20;

export const STRONG_DECISION =
  /\b(?:decided|chose|chosen|opted|settled on|going with|went with|agreed|ruled out|rejected|approved|stick(?:ing)? with|picked|standardi[sz]ed)\b/i;

/** What was measured, and what is to be watched out for. */
export const RESULT = /\b(?:down|up) (?:to|from) \d|\bfrom \d\S* ?\w{0,3} to \d|\b(?:gotchas?|caveats?)\b/i;
/** Something was done to it. */
const SUFFERED = /\b(?:is|are|was|were|been|get|gets|got) (?:\w+ )?(?:rejected|picked|approved)\b/i;
/** The author says what they did. */
const DONE =
  /^(?:(?:also|then|and|finally|now),? )*(?:(?:i|we)(?:'ve| have)? |the (?:patch|commit|change|fix|migration) |(?:[a-z]+ed|set|made|put|split|wrote)\b|commit\b|\S+:)|\b(?:i|we)(?:'ve| have)? (?:also |now |then |just )*\w+ed\b|\b(?:ich|wir) habe|habe ich/i;
const HAPPENS =
  /^(?:that|this|dann|das) (?:explains|erkl(?:\u00e4|ae)rt)\b|^that'?s (?:the|why)\b|\b(?:happen(?:s|ed)|aris(?:es?|en)|occur(?:s|red)|entsteh(?:t|en)|kam daher)\b.*\b(?:because|since|when|as|weil|wenn|dass)\b/i;
/** The author tells what was seen, not what was settled. */
const FOUND_OUT = /^i(?:'ve| have)? (?:looked|checked|found|saw|seen|measured|verified|tried|counted)\b/i;
const CAUSE_NAMED = /\b(?:because|caused?|reason|comes? from|came from|due to|weil|ursache)\b/i;
/** A cause or a contrast. */
const CONNECTS =
  /\b(?:because|since|so|sodass|hence|thus|therefore|but|although|instead|while|whereas|causes?d?|reason|(?:comes?|came|stems?) from|due to|aris\w+|daher|weil|da|deshalb|dadurch|obwohl|aber)\b/i;
/** Something is not as it should be. */
const LACKS =
  /\b(?:never|no|not|none|nothing|without|lacks?|missing|only|too|refuses?|rejects?|rejected|kein\w*|nicht|nie|nur|ohne)\b|n't\b/i;
/** What is so since the work: `the save version is 12 now`, `a.ts is gone`. */
const IS_NOW = /\b(?:now|jetzt|nun)\b|\b(?:is|are) (?:new|gone)\b|\bhas a new\b|^neu ist\b/i;

/** A path, or a name as code has them. */
const CODE =
  /`[^`]+`|(?<![\w/:])[\w@.-]+\/[\w./@*-]*\w|\b\w[\w-]*\.[a-z]{1,5}\b|\b[a-z]\w*\.[A-Z]\w+|\b\w+\(\)|\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\b[a-z]+[A-Z]\w+|\b\w+_\w+|(?<!\w)@\w+/;
const SUBJECT = 70;
/** Its first word is code. */
const NAMES_CODE = /^(?:the )?(?:`[^`]+`|[\w@-]+\/[\w./@-]+|[\w-]+\.[a-z]{1,5}\b)/i;

/** What it is about stands at its beginning. */
function isAboutCode(text: string): boolean {
  return CODE.test(text.slice(0, SUBJECT));
}

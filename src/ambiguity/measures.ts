import { type Ambiguity, finding } from './ambiguity.js';
import { anchorsIn } from './anchors.js';
import type { Profile } from './profile.js';
import { wishOf } from './stories.js';

/*
 * Qualities and amounts without a measure. A few words are never measured; the others are definite beside a number, a name
 * or a condition. A purpose measures nothing: "so that they are easy to find" does not say when they are. Pure.
 */

/** No number makes these definite. */
const NEVER_MEASURED =
  /\b(?:appropriate(?:ly)?|suitable|sensible|reasonabl[ey]|acceptable|adequate(?:ly)?|sufficient(?:ly)?|desirable|satisfactory|meaningful|attractive|appealing|pleasant|elegant|seamless(?:ly)?|modular|maintainable|extensible|cost[- ]effective|state[- ]of[- ]the[- ]art|high[- ](?:quality|performance)|properly|etc\b|as (?:needed|required|much as possible|possible|they should|appropriate)|as (?:long|often|much|soon|many) as (?:required|needed|necessary|possible)|(?:\w+ as|to the extent) possible|wher(?:e|ever) (?:it makes sense|necessary|needed|possible|appropriate|desirable)|(?:if|as) (?:necessary|needed|possible|applicable)|\w+ enough (?:to|for)|(?:handle|support|process|display|store|manage) (?:several|many|multiple|various|different)|intuitive|user[- ](?:friendl(?:y|iness)|intuitive)|easy to use|minimi[sz]ed|something(?! (?:that|which|I|we|you|to)\b)|somehow|the right (?!to\b)\w+|strangely|nicer|better|easier to|timely|not too (?:many|much|long|often)|(?:a|the) (?:small|large|limited|reasonable) number of|a (?:variety|range) of|in an? (?:\w+ly )?\w+ (?:manner|way|fashion)(?! (?:that|which|as|such|of)\b))/i;
/** These are definite beside a number, a name or a condition. */
const MEASURED_BY_ANCHORS =
  /(?<!\bhow )\b(?:fast(?:er)?|quick(?:ly|er)?|slow(?:er|ly)?|speed|large|huge|big(?:ger)?|small(?:er)?|too (?:long|big|much|many|often|slow|large)|a few|few|several|some|many|various|certain|often|regularly|periodically|occasionally|sometimes|securely|secure|robust|flexible|efficient(?:ly)?|scalable|modern|easier|easily|easy|simple|simpler|simply|nice|good|relevant|important|recent(?:ly)?|old|the new|active|normal|usual|correctly|wrong|broken|odd|strange|abuse|long|cheap|affordable|decent|popular|best|(?<!^)clear(?:er|ly)?|familiar|useful (?!in\b|for\b|to\b|when\b|if\b)\w+|minimi[sz]e|maximi[sz]e|minimal(?:ly)?|significant(?:ly)?|reliabl[ey]|basic)\b/i;
/** How many are named of something that has a name is for the one who answers to say. */
const SOME_OF_NAMED = /\b(?:some|several|a few|famous|popular|good|best)\b.*\s[A-Z][a-z]+/;
/** A word with a capital letter within a sentence is a name. */
const NAMES = /(?<=\S )[A-Z]\w*/g;
/** What is to be invented is left to its author. */
const INVENTED =
  /^(?:please )?(?:write|compose|create|make up|invent|tell)\b(?: \S+){0,6} (?:story|stories|poem|toast|haiku|essay|song|joke|letter|tweet|limerick|sonnet|slogan|rap|speech|dialogue|riddle)\b/i;

export function isInvented(sentence: string): boolean {
  return INVENTED.test(sentence);
}

/** In a text that is definite as a whole, a loose word is the tone of its author. */
const MANY_SENTENCES = 3;
const DEFINITE_SHARE = 0.5;

export function measureIn(sentence: string, profile: Profile): readonly Ambiguity[] {
  const { sentences, definite, isRich, isFunction, hasCode } = profile;
  // Code shows what is meant.
  if (isRich || isFunction || hasCode || isInvented(sentence)) return [];
  const what = wishOf(sentence) ?? sentence;
  if (NEVER_MEASURED.test(what)) return finding('measure', sentence, true);
  const isDefinite = sentences.length >= MANY_SENTENCES && definite >= DEFINITE_SHARE;
  const isLoose =
    MEASURED_BY_ANCHORS.test(what.replace(NAMES, ' ')) && anchorsIn(what) < 1 && !SOME_OF_NAMED.test(what);
  return finding('measure', sentence, !isDefinite && isLoose);
}

import { anchorsIn } from './anchors.js';

/*
 * What a person asks an assistant, in a sentence: a subject without a word about what of it is wanted, a question about
 * something that only its author has in mind, or a wish in a user story that nothing measures. Pure.
 */

const BROAD =
  /^(?:please |can you |could you )?(?:tell me (?:more |something |everything )?about|(?:find|get|give|show)(?: me)?(?: some| more)? (?:information|info|facts|details|data) (?:about|on|for|regarding)|(?:I(?:'m| am) (?:interested in|looking for)|I(?:'d| would) like to know about|what do you know about|information (?:about|on)))\s+(.+?)[.!?]*$/i;
/** What narrows a subject down. */
const NARROWED =
  /\d|["`]|\b(?:of|in|for|from|between|during|who|that|which|how|when|where|why|whose|with|by|versus|vs)\b|\w's\b/i;
const MAX_SUBJECT_WORDS = 4;

const WH =
  /^(?:and |so )?(?:who|whom|when|where|which|how (?:long|much|many|far|old|often)|what (?:time|year|day|is|was|are|were))\b.*\?$/i;
/** A name, beyond the first word. */
const NAME = /(?<=\S )[A-Z][\w.]*/;
/** `the movie`, without a word about which one; and a place or a thing that is only pointed at. */
const BARE_THING =
  /\bthe (?:\w+ )?\w+(?= (?:come|came|open|close|start|begin|end|arrive|leave|happen|air|take place)\b|\?)|\b(?:there|it|they|he|she)\b/i;
/** There is only one of these at a time. */
const UNIQUE =
  /\bthe (?:sun|moon|earth|world|universe|internet|weather|time|date|speed of \w+|\w+est \w+|most \w+ \w+|first \w+|last \w+)\b/i;

export function isQuestion(sentence: string): boolean {
  return WH.test(sentence);
}

export function isOpenQuestion(sentence: string): boolean {
  const [, subject = ''] = BROAD.exec(sentence) ?? [];
  if (subject !== '') return subject.split(/\s+/).length <= MAX_SUBJECT_WORDS && !NARROWED.test(subject);
  if (!isQuestion(sentence) || NAME.test(sentence) || /\d|["`]/.test(sentence) || UNIQUE.test(sentence)) return false;
  return BARE_THING.test(sentence);
}

const STORY = /^as an? [^,]{2,60}, I (?:want|need|would like|wish)\b(?: to)?\s*(.*)$/i;

/** The purpose of a story says why, not what. */
export function isOpenStory(sentence: string, others: readonly string[]): boolean {
  const [, wish = ''] = STORY.exec(sentence) ?? [];
  if (wish === '') return false;
  const what = wish.replace(/,?\s*(?:so that|in order to|so I can|because)\b.*$/i, '');
  const criteria = others.filter((other) => anchorsIn(other.replace(/^\s*(?:acceptance|ac|criteria)[^:]*:/i, '')) > 0);
  return anchorsIn(what) === 0 && criteria.length === 0;
}

const INTERMITTENT =
  /\b(?:sometimes|randomly|occasionally|intermittent(?:ly)?|from time to time|now and then|every now and again|once in a while)\b/i;
const FAULT =
  /\b(?:crash\w*|fails?|failing|errors?|broken|freez\w+|hangs?|(?:does not|doesn't|not|stops?|stopped) work\w*|disappear\w*|(?:look|seem|act)s? (?:off|wrong|odd|weird|strange|broken))\b/i;
const SHOWN =
  /\d{2,}|["`]|\b(?:steps|expected|actual|stack ?trace|version)\b|\b\w+(?:Error|Exception)\b|\bE[A-Z]{4,}\b/i;

/** A fault that comes and goes, or that is only felt, without anything by which it could be seen again. */
export function isVagueReport(text: string): boolean {
  return FAULT.test(text) && !SHOWN.test(text) && (INTERMITTENT.test(text) || FELT.test(text));
}

const FELT = /\b(?:look|seem|act|feel)s? (?:off|wrong|odd|weird|strange|broken)\b/i;

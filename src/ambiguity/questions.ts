import { anchorsIn } from './anchors.js';

/*
 * Unclear requests to an assistant, in one sentence. They name a subject but not what is wanted, ask about something
 * that only their author has in mind, or mention a fault without showing it. Pure.
 */

const BROAD =
  /^(?:please |can you |could you )?(?:tell me (?:more |something |everything |information )?(?:about|more)|(?:find|get|give|show)(?: me)?(?: some| more)? (?:information|info|facts|details|data) (?:about|on|for|regarding)|(?:I(?:'m| am) (?:interested in|interested to know about|looking for)|I(?:'d| would) like to know (?:more )?about|what do you know about|info(?:rmation)? (?:about|on)))\s+(.+?)[.!?]*$/i;
/** What narrows a subject down. */
const NARROWED =
  /\d|["`]|\b(?:of|in|for|from|between|during|who|that|which|how|when|where|why|whose|with|by|versus|vs)\b|\w's\b/i;
const MAX_SUBJECT_WORDS = 4;

/** A question about the world; "can you ..." asks for work. */
const QUESTION_START =
  /^(?:and |so )?(?:who|whom|whose|when|where|which|how|what|why|at what|in which|is|are|was|were|does|do|did|has|have)\b|\?$/i;
const ASKED_FOR_WORK = /^(?:can|could|would|will) (?:you|we|someone)\b|^(?:how about|what about|why (?:not|don't))\b/i;
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
  return QUESTION_START.test(sentence) && !ASKED_FOR_WORK.test(sentence);
}

const MAX_TOPIC_WORDS = 3;

/** `golf gps`: a thing, and no word about what of it. */
export function isBareTopic(sentence: string): boolean {
  const words = sentence.split(/\s+/);
  return words.length <= MAX_TOPIC_WORDS && anchorsIn(sentence) === 0 && !/[?!:]$/.test(sentence);
}

export function isOpenQuestion(sentence: string): boolean {
  const [, subject = ''] = BROAD.exec(sentence) ?? [];
  if (subject !== '') return subject.split(/\s+/).length <= MAX_SUBJECT_WORDS && !NARROWED.test(subject);
  if (!WH.test(sentence) || NAME.test(sentence) || /\d|["`]/.test(sentence) || UNIQUE.test(sentence)) return false;
  // Two things say of each other which ones they are.
  const things = sentence.match(/\bthe \w+/gi)?.length ?? 0;
  return things < 2 && BARE_THING.test(sentence);
}

const INTERMITTENT =
  /\b(?:sometimes|randomly|occasionally|intermittent(?:ly)?|from time to time|now and then|every now and again|once in a while)\b/i;
const FAULT =
  /\b(?:crash\w*|fails?|failing|errors?|broken|freez\w+|hangs?|(?:does not|doesn'?t|not|isn'?t|stops?|stopped|never) work\w*|disappear\w*|(?:look|seem|act)s? (?:off|wrong|odd|weird|strange|broken))\b/i;
const EVIDENCE =
  /\d{2,}|["`]|\b(?:steps|expected|actual|stack ?trace|version)\b|\b\w+(?:Error|Exception)\b|\bE[A-Z]{4,}\b/i;

/** A fault that comes and goes, or that is only felt, without anything by which it could be seen again. */
export function isVagueReport(text: string): boolean {
  if (!FAULT.test(text) || EVIDENCE.test(text)) return false;
  return INTERMITTENT.test(text) || FELT.test(text) || (PLEA.test(text) && !CONDITION.test(text));
}

/** Only that it does not work, or that it should be repaired. */
const PLEA = /\b(?:please )?fix\b|\b(?:does not|doesn'?t|not) work(?:ing)?\b(?! (?:with|on|in|for|as)\b)/i;
const CONDITION = /\b(?:if|when|whenever|unless|because|instead|although|but)\b/i;
const FELT = /\b(?:look|seem|act|feel)s? (?:off|wrong|odd|weird|strange|broken)\b/i;

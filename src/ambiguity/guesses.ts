import { type Ambiguity, finding } from './ambiguity.js';

/*
 * What an agent says of its work that shows a decision without a decider: a guess, a silence or a quarrel of the sources, an
 * offer to take it back. A sentence that says what settled it is none. Pure.
 */

const GUESS =
  /\bI (?:\w+ )?(?:assum(?:e|ed)|guess(?:ed)?|suppose(?:d)?|presum(?:e|ed)|interpreted|took it that)\b|\b(?:assuming|presumably|hopefully|I think (?:it|this|that) (?:is|should|may))\b|\b(?:probably|supposedly)\b|\bI(?: am|'m| was) not (?:\w+ )?(?:sure|certain|clear)\b|\bnot (?:entirely |quite )?(?:sure|clear|certain|obvious)\b|\b(?:was|were|is|are) (?:not|never) (?:\w+ )?(?:specified|stated|defined|given|mentioned|documented)\b|\b(?:does|did|do) not (?:say|specify|state|mention|tell)\b|\bthere (?:was|is) no (?:information|mention|indication|word)\b|\bunclear\b|\bambiguous\b|\bcould not (?:find out|tell|determine|figure)\b|\bI did not find\b|\blet me know if\b|\bif you (?:prefer|would rather|want)\b|\bdepending on (?:how|what|whether) you\b|\bunless (?:told|you say|you tell me) otherwise\b|\bmay be what you (?:want|need|meant)\b|\b(?:for now|at the moment|as a sensible default|some default)\b|\bleft\b[^.]*\bopen\b|\bcould be \S+ or \S+|\b(?:would|could) also (?:fit|work|do)\b|\beither (?:\w+ )?(?:approach|way|option|one) (?:works|is fine|would)\b|\bcontradict\b|\beither the\b[^.]*\bor the\b|\bdecide (?:what|whether|how|which)\b/i;

/* Further ways to say that a decision is missing, by what the sentence is about. */

const SOURCES =
  '(?:tickets?|issues?|briefs?|spec(?:ification)?s?|tasks?|descriptions?|requirements?|story|stories|docs?|documents?|PRDs?|ADRs?|READMEs?|criteria|sources?|artifacts?)';
const UNDECIDED: readonly RegExp[] = [
  // The source is silent.
  /\b(?:does|did|do)n't (?:say|specify|state|mention|tell|spell out)\b/i,
  /\b(?:was|were|is|are)(?:n't| not) (?:\w+ )?(?:specified|stated|given|mentioned|clear|obvious)\b|\b(?:nobody|no one|nothing) (?:in \S+ \S+ )?(?:specified|said|says|states?|told|mentions?|decided)\b/i,
  new RegExp(
    `\\b${SOURCES} (?:only says?|leaves? (?:out|open)|is silent|are silent|says? nothing|(?:does|did|do)(?:n't| not) (?:define|name|give|cover))\\b`,
    'i',
  ),
  /\bI (?:(?:wasn't|was not) able to|could(?:n't| not)) (?:find|tell|determine|see|figure)\b/i,
  // Two sources differ.
  new RegExp(
    `\\b${SOURCES}\\b[^.]{0,60}\\b(?:disagree|differ|conflict|contradict|say different|name different|are inconsistent)\\b`,
    'i',
  ),
  // The author interprets, or took what seemed right.
  /\bmy (?:reading|understanding|interpretation|guess|assumption|take) (?:of|is|was)\b|\bI (?:understood|interpreted|treated) [^.]{2,60} as\b|\bI (?:read|took) [^.]{2,60} to mean\b|\bas far as I (?:can|could) (?:see|tell)\b/i,
  /\b(?:felt|seemed|sounded) (?:\w+ )?(?:right|reasonable|sensible|safe|enough|best)\b|\bwithout (?:a |any )?(?:strong |good |particular )?reason\b|\barbitrarily\b|\btentatively\b|\bI had to (?:pick|choose|guess|decide)\b/i,
  // It can be taken back, or was done to be safe.
  /\b(?:happy|glad|easy) to (?:switch|change|adjust|revert|undo)\b|\bif that (?:was|is) (?:not )?(?:the intention|intended|what)\b|\b(?:just in case|to be (?:on the )?safe(?: side)?|I hope (?:that|this|it) is|for the time being)\b/i,
  // Another way is as likely.
  /\b(?:it is possible that|there (?:might|may) be (?:an?|another|some) (?:reason|case|need)|both \w+ (?:were|are) possible)\b/i,
];

/** The same words in a sentence that says what settled it. */
const SETTLED =
  /\b(?:CLR-\d+-\d+|as (?:the )?[\w-]+ (?:says?|shows?|defines?|confirmed|decided)|confirmed|answered|agreed in|because (?:the|ADR|PRD|[A-Z])|recorded as ASM-|recorded it as an assumption)\b/;

export function guessIn(sentence: string): readonly Ambiguity[] {
  const isOpenQuestion = /^(?:should|shall|is|are|do|does|which|what|how|whether)\b.*\?$/i.test(sentence);
  const differs =
    /\b(?:says?|shows?|has|names?)\b[^.;]*\band\b[^.;]*\b(?:says?|shows?|has|names?)\b[^.;]*;? ?I (?:took|used|chose|followed|went)/i;
  const isUndecided = UNDECIDED.some((pattern) => pattern.test(sentence));
  const isGuess = isOpenQuestion || isUndecided || GUESS.test(sentence) || differs.test(sentence);
  return finding('guess', sentence, isGuess && !SETTLED.test(sentence));
}

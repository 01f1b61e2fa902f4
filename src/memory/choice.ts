/* Whether the speaker tells what to do: by a word of choice, or by the form of the sentence. Pure. */

/** It says what is chosen, wished, left as it is, or to be done. */
export function isChoice(text: string): boolean {
  return CHOICE.test(text) || isTaken(text) || (isOrder(text) && !IS_SO.test(text));
}

/** `Prometheus adapter then`. */
export function isTaken(text: string): boolean {
  return TAKEN.test(text);
}

const TAKEN =
  /^(?!(?:and|but|so|what|how|why|ok|not|until|since|by|back|just|right|now|even) )[\w`./-]+(?: [\w`./-]+){0,3} then[.!]?$/i;

/** `Only the new ones were swapped` tells how it is. */
const IS_SO = /^only [^,;:]*\b(?:is|are|was|were|has|have|had)\b/i;

const CHOICE =
  /\b(?:decided|decision|chose|chosen|opted|settled on|go(?:ing)? (?:with|for)|agreed|let's|(?:we|i)(?:'ll| will)\b(?! (?:be|have|see))|(?:i|we) (?:never |don't |dont )?(?:want|prefer|would rather)|we must(?:n't)?|i'd (?:rather|prefer)|instead|rather|stays?|stick(?:ing)? (?:with|to)|please|pls|should(?:n't)?|(?:is|are) (?:enough|fine|ok(?:ay)?)|ruled out|rejected|approved|no need|not worth|out of scope|for now|entschieden|beschlossen|bleib(?:t|en)|bitte|statt(?:dessen)?|lieber|reicht|soll(?:en)?|nehmen wir|wir (?:nehmen|verwenden|nutzen|machen|rollen|behalten))\b|^[\w` .-]{2,40} it is\b|^(?:no way|absolutely not|auf keinen fall|under no circumstances)\b|^(?:so|then|therefore|dann) we\b|, (?:(?:so|then|and|but) )?(?:please |just )?(?:don't|dont|do not|never|use|keep|make|put|take) |, so (?:please )?[a-z]+ (?:it|them|the|an?|all|others?|every|each|only|no)\b/i;

/** It has a verb that says how something is. */
export function isClause(text: string): boolean {
  return CLAUSE.test(text);
}

const CLAUSE =
  /\b(?:is|are|was|were|isn'?t|aren'?t|has|have|had|does|do|did|can|cannot|can'?t|must|may|we|they|it|there|ist|sind|war|hat|haben|wird|werden|kann|muss|darf|das|wir)\b/i;

const OPENINGS =
  '(?:(?:ok(?:ay)?|yes|yep|no|nope|nah|hm+|right|cool|good|great|nice|sure|fine|perfect|and|also|but|so|then|now|oh|please|actually|just|one more thing|super|gut|genau|ja|nein|und|aber|dann)\\b[,.:;!]*\\s+)*';
const ORDER = new RegExp(
  `^${OPENINGS}(?:(?:don't|dont|do not|never|always|only|no|not|without|avoid|make sure|do (?:the|it|that|this|both)|kein\\w*|nie|niemals|immer|nur|nicht)\\b|(?!(?:i|we|you|they|he|she|is|are|was|were|in|on|at|for|with|when|if|so|but|and|or|as|by|from|to|of|that|this|these|those|because|since|while|after|before|until|all|both|only|also|not|there|here|what|which|who|how|why|where|than|like|about|over|under|behind|above|below|inside|outside|during|within|through|into|per|via|despite|except|around|between|across|against|along|half|most|some|many|few|does|do|did|has|have|had|can|could|may|might|must|will|would|should|got|saw|found|lost|took|went|made|left|gave|knew|thought)\\b)[a-z]+(?<![a-z]{3}s|ed|ing) (?:it|them|this|that|these|those|the|an?|all|every|each|any|no|both|your|our|my|him|her)\\b)`,
  'i',
);

/** It begins with what is to be done, or with what is not. `No tests run there` tells how it is. */
function isOrder(text: string): boolean {
  return ORDER.test(text) || (LISTED.test(text) && !CLAUSE.test(text.slice(0, 20)));
}

/** What is to be done, and not how: `upgrade the project`, but not `use Redis`. */
export function isWork(text: string): boolean {
  return ORDER.test(text) && !LISTED.test(text);
}

const LISTED = new RegExp(
  `^${OPENINGS}(?:use|keep|raise|lower|increase|reduce|prefer|store|stick|stay|put|drop|skip|leave|set|fail|return|allow|reject|require|limit|cap|treat|reuse|take|pick|give|move|make|round|show|log|send|write|run|ask|gib|nimm|setz|mach|lass|verwende|nutze|benutze|stell|leg|behalte|entferne)e? `,
  'i',
);

/*
 * Phrases that stand for something that is not said, whatever stands around them: "a certain order", "some rule". A word
 * alone is none of them: "the given order" names a parameter. Pure.
 */

const THING =
  '(?:condition|criteri(?:a|on)|rule|way|manner|order|format|operation|unit|pattern|property|properties|measure|attribute|characteristic|character|threshold|treatment|form|kind|sort|type|requirement|logic|calculation|transformation|value)s?';

const VAGUE = [
  // "Make certain that" and "to be certain" are no gaps.
  /(?<!\b(?:make|be|for|is|are|making) )\bcertain\b(?! that)/i,
  new RegExp(`\\bsome (?:${THING}|specific|particular|special|other)\\b(?! of (?:the|these|those))`, 'i'),
  new RegExp(`\\b(?:an?|the) (?:specific|particular|special|required|desired|relevant|right|proper) ${THING}\\b`, 'i'),
  /\b(?:an?|the|some) (?:given|specified) (?:condition|criteri(?:a|on)|rule|way|manner)s?\b/i,
  /\bmeet(?:s|ing)? (?:the|an?|some|all)? ?(?:condition|criteri(?:a|on)|requirement|standard)s?\b/i,
  /\bmeet(?:s|ing)? (?:the|all|our|their) (?:needs|expectations)\b/i,
  /\b(?:usual|typical|common) (?:operations?|ways?|formats?|behaviou?r|rules?|methods?|features?)\b/i,
  /\bin (?:different|various|other|some) ways\b|\bfor our (?:purposes|needs)\b|\b(?:good|fast) enough for\b|\bas you (?:see fit|like)\b/i,
  /\b(?:behave|work|look)s? like (?:other|the other|the others|similar)\b/i,
  /\b(?:most|more|less|least) (?:important|relevant|interesting|significant|useful|suitable|meaningful|valuable)\b/i,
  /\bor (?:another|something else|some other)\b|\bthe relevant (?:elements?|data|fields?|information|parts?|ones?|items?)\b/i,
];

/** The phrase is explained in the same sentence. */
const EXPLAINED = /:\s+\S|\b(?:namely|that is|i\.e\.|such that|defined as|below|following)\b/i;

/** In the description of a function: a relation that could be any, a value that is nowhere given. */
const VAGUE_IN_FUNCTION = [
  /\ban? (?:specific|particular|special) \w+\b(?! (?:that|which|where|of|called|named|in)\b)/i,
  /^(?:process|handle|manipulate)\b(?!.*\b(?:by|so that|such that|into|as follows|using)\b)/i,
  /\b(?:several|a few|some) (?:places|times|positions|steps|digits)\b/i,
  /\b(?:that|which|is|are|has an? \w+) (?:\w+ )?(?:related|similar|associated|connected|comparable) to\b/i,
  /\bwith the (?:value|property|condition|rule|criterion)\b(?! (?:of|that|which|in|at|given|passed|specified|for|from|\w+ing)\b)/i,
];

export function isVague(sentence: string, { isFunction }: { readonly isFunction: boolean }): boolean {
  if (EXPLAINED.test(sentence)) return false;
  return [...VAGUE, ...(isFunction ? VAGUE_IN_FUNCTION : [])].some((pattern) => pattern.test(sentence));
}

import type { Ambiguity } from './ambiguity.js';
import type { Profile } from './profile.js';

/* What the description of a function, or any text, lacks: its result, or the end of its last sentence. Pure. */

/** No sentence ends with one of these. "In" and "for" do end titles. */
const DANGLING = /\b(?:that|which|the|an?|of|and|or|whose|than|with|from|because|into|such)\s*$/i;
/** A full stop where a word is missing: `if the result is .` */
const HOLE = /\b(?:is|are|be|the|of|than|an?)\s+\.(?=\s|$)/;
/** In a description that stops without a full stop: a word that needs to say of what, `return the number`. */
const OF_NOTHING =
  /\b(?:the|an?) (?:sum|number|count|difference|average|mean|total|length|maximum|minimum|index|position)'?$|\b(?:should|must|will) be (?:the|an?) \w+$/i;
/** Verbs and small words that a description cannot end with, whether a full stop follows or not. */
const BROKEN_OFF =
  /\b(?:appears?|has|have|contains?|equals?|equal to|(?:multiplied|divided|replaced|followed|increased) by)\s*$|\b(?:in|of|by|with|to|from|than)\.\s*$|\([^()]*$/i;
/** Of two that are named, the sum is theirs. */
const OF_NAMED = /\b(?:two|both|these|them|all|their|numbers)\b/i;

export function unfinishedIn({ prose, isFunction, hasExamples, sentences }: Profile): readonly Ambiguity[] {
  const paragraphs = prose.split(/\n\s*\n/).map((part) => part.trim());
  const cut = paragraphs.filter((part) => part !== '' && (DANGLING.test(part) || HOLE.test(part)));
  const last = sentences.at(-1) ?? '';
  const isCut = BROKEN_OFF.test(last) || (OF_NOTHING.test(last) && !OF_NAMED.test(last.slice(-MAX_NEAR)));
  if (isFunction && isCut) cut.push(last);
  const gaps = cut.map((part): Ambiguity => ({ kind: 'missing', quote: part.slice(-MAX_QUOTE) }));
  const statements = sentences
    .map(withoutGiven)
    .filter((sentence) => /\w/.test(sentence) && !BACKGROUND.test(sentence));
  const hasResult = statements.some((sentence) => !ANY.test(sentence) && (hasExamples || !lacksItsHalf(sentence)));
  const isSetting = SETTING.test(sentences[0] ?? '') && !statements.some((sentence) => RESULT.test(sentence));
  if (isFunction && (!hasResult || isSetting))
    gaps.push({ kind: 'gap', quote: sentences.join(' ') || 'The description is empty.' });
  return gaps;
}

const MAX_QUOTE = 200;
const MAX_NEAR = 40;

/** What is given is no result: a description that says no more lacks what the function is for. */
function withoutGiven(sentence: string): string {
  return sentence.replace(
    /^(?:(?:you are |we are |you will be )?given\b[^,.:]*?(?= and (?:you|your|we|returns?|finds?|checks?)\b|[,.:]|$)|(?:the )?inputs? (?:is|are)\b.*|(?:it |this function |(?:write|create|implement) an? (?:python )?(?:function|program|method) (?:that|which) )?(?:takes|accepts|receives|gets)\b(?![^.]*\b(?:and|then|to)\b (?:returns?|checks?|finds?|counts?|prints?|\w+s\b))[^,.:]*)/i,
    '',
  );
}

/**
 * What a verb needs besides its object: where something is inserted, by what a list is filtered, which number is returned.
 * An example may show it.
 */
const HALVES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:insert|add|put|place)s?\b/i, /\b(?:in|into|between|at|to|after|before|on|and|two)\b/i],
  [
    /^(?:filter|select|keep|remove|delete|pick)s?\b/i,
    /\b(?:that|which|whose|where|with|by|if|only|than|all|from|at)\b/i,
  ],
  [/^(?:process|handle|transform|modify|change|manipulate)(?:es|s)?\b/i, /\b(?:by|so that|into|as|using|to|such)\b/i],
  [
    /\b(?:returns?|outputs?|prints?|generates?|creates?) (?:an? )?(?:integer|number|list|string|value|tuple|array|boolean|list of \w+(?: elements?)?)\W*$/i,
    /^$/,
  ],
];

function lacksItsHalf(sentence: string): boolean {
  return HALVES.some(([verb, half]) => verb.test(sentence) && !half.test(sentence.replace(verb, '')));
}

/** A problem that is told as a story says at its end what is asked for. */
const SETTING = /^(?:you are|you will be|we are|given)\b/i;
const RESULT =
  /\b(?:returns?|returned|prints?|outputs?|finds?|checks?|counts?|computes?|calculates?|determines?|tells?|converts?|sorts?|filters?|decides?|implements?|reverses?|removes?|replaces?|modif\w+|your task|result|answer|whether)\b/i;

/** What is so anyway, and the marks of examples. */
const BACKGROUND =
  /^(?:there (?:is|are|were)\b|the (?:list|array|string|input|sequence|dictionary) (?:contains|consists|is|has|may)\b|restrictions?\b|an? [\w-]+(?: \w+)? is an? |an? [\w ]{2,30} (?:is|are) (?:called|defined|said|considered)\b|(?:for )?exam(?:ple|ble)s?\b|task\b|input\b|output\b|constraints?\b|note\b|explanation\b|assume\b|it is assumed\b|you may assume\b|for \w+ = |\w+\(.*\)\s*(?:=+>?|-+>|\u279e|\u2192))/i;
/** `Return element in the list`: not which one. */
const ANY =
  /^returns? (?:an? |the )?(?:elements?|items?|values?|numbers?|words?|characters?|strings?|nodes?|indexe?s?|lists?|results?|outputs?)(?: (?:in|of|from) (?:the|an?|this) (?:given )?\w+)?\W*$/i;

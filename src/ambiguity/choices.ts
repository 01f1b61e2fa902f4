import { type Ambiguity, finding } from './ambiguity.js';
import type { Profile } from './profile.js';

/*
 * Choices that a text leaves open. An "or" is a choice only if nothing makes it a rule that holds for all of its parts:
 * a condition, a denial, a sum of cases. Its parts must also be no classes into which something is sorted. Pure.
 */

const ALTERNATIVE =
  /\band ?\/ ?or\b|\b(?:maybe|perhaps|possibly|optionally)\b|\b(?:whichever|whatever)\b|\beither\b[^.]*\bor\b|\b(?:is|as|in|be|use|using|with) (?:an? )?\w+ or (?:an? )?\w+\b/i;
/** Words that make an "or" a rule: all of its parts count. */
const RULE =
  /\b(?:when|if|unless|until|whether|without|than|more|less|fewer|only|no|not|never|must not|every|each|any|all|refuse|deny|both)\b/i;
/** What follows "or" is the name of a class. */
const CLASSES = /\b(?:classify|categori[sz]e|identify|label|tell me (?:whether|which|if)|group|divide|separate)\b/i;

/** `(ascending or descending)`: two of a kind in brackets, and no number. */
const IN_BRACKETS =
  /\((?:(?:by|in|from|as|the|an?) )*[a-z-]+(?: [a-z-]+)? or (?:(?:by|in|from|as|the|an?) )*[a-z-]+(?: [a-z-]+)?(?: or [^)]*)?\)/i;
const NO_CHOICE = /\b(?:more|less|fewer|higher|lower|later|null|none|empty|both|missing|not)\b/i;
const DECIDED_ELSEWHERE = /\b(?:depending on|according to|parameter|flag|option|argument)\b/i;

/** An agent that gets both at once has to know which one is meant. The words of a pair may stand in either order. */
const OPPOSITES = [
  ['longest', 'shortest'],
  ['(?:larg|bigg|great|high)est', '(?:small|low|least)(?:est)?'],
  ['max(?:imum)?', 'min(?:imum)?'],
  ['most', 'least'],
  ['first', 'last'],
  ['ascending(?:ly)?', 'descending(?:ly)?'],
  ['increasing(?:ly)?', 'decreasing(?:ly)?'],
  ['even', 'odd'],
  ['prefix(?:es)?', '(?:post|suf)fix(?:es)?'],
  ['start', 'end'],
  ['left', 'right'],
  ['rows?', 'columns?'],
  ['before', 'after'],
  ['words?', 'lines?'],
  ['clockwise', '(?:counter|anti)-?clockwise'],
  ['sum', 'product'],
].map(
  ([one = '', other = '']) =>
    new RegExp(`\\b(?:${one} or (?:the |in |by |only )?${other}|${other} or (?:the |in |by |only )?${one})\\b`, 'i'),
);
/** No condition excuses these: how many it takes is what the condition says. */
const HOW_MANY =
  /\b(?:(?:only )?(?:one|some) or all|all or (?:only )?(?:one|some)) (?!of (?:the )?(?:following|these))\w/i;
/** `is odd or even`, `whether the first or last`: the sentence says what either means. */
const SAYS_BOTH = /\b(?:if|when|whether|either|any|no|not|neither|is|are)\b[^.,]{0,40}$/i;

/** `a = x or a = y`: the same thing by two formulas. */
const TWO_FORMULAS = /(?<![\w[\]])([\w[\]]+) = [^.;=]{1,60}? or \1 = /;
/** In a description of a function: three that could each be meant. */
const ONE_OF_THREE =
  /(?<!\b(?:if|when|whether|either|any|no|not|is|are)\b[^.,]{0,40})\b[a-z]{4,} or [a-z]{4,} or [a-z]{4,}\b/;
/** `less than or greater than`: together they leave out next to nothing. */
const ALL_ORDERS =
  /\b(?:less|smaller|lower) than or (?:greater|larger|higher) than\b|\b(?:greater|larger) than or (?:less|smaller) than\b/i;

export function choiceIn(sentence: string, { isRich, isFunction }: Profile): readonly Ambiguity[] {
  if (CLASSES.test(sentence)) return [];
  const bracketText = IN_BRACKETS.exec(sentence)?.[0] ?? '';
  const isBracketed = bracketText !== '' && !NO_CHOICE.test(bracketText);
  if (
    isBracketed ||
    isOpposed(sentence) ||
    TWO_FORMULAS.test(sentence) ||
    ALL_ORDERS.test(sentence) ||
    HOW_MANY.test(sentence) ||
    (isFunction && ONE_OF_THREE.test(sentence))
  )
    return finding('choice', sentence, true);
  const match = ALTERNATIVE.exec(sentence);
  // In a long report, "maybe" says what its author supposes about the cause.
  if (match === null || isRich || (isFunction && !/and ?\/ ?or|maybe|perhaps/i.test(sentence))) return [];
  const isExplicit = /and ?\/ ?or|maybe|perhaps|possibly|whichever|whatever/i.test(sentence);
  return finding('choice', sentence, isExplicit || !RULE.test(sentence));
}

function isOpposed(sentence: string): boolean {
  if (DECIDED_ELSEWHERE.test(sentence)) return false;
  return OPPOSITES.some((pair) => {
    const pairMatch = pair.exec(sentence);
    return pairMatch !== null && !SAYS_BOTH.test(sentence.slice(0, pairMatch.index));
  });
}

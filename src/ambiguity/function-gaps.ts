import type { Ambiguity } from './ambiguity.js';
import type { Profile } from './profile.js';

/* What the description of a function, or any text, lacks: its result, or the end of its last sentence. Pure. */

/** No sentence ends with one of these. "In" and "for" do end titles. */
const DANGLING = /\b(?:that|which|the|an?|of|and|or|whose|than|with|from|because|into|such)\s*$/i;
export function unfinishedIn({ prose, isFunction, sentences }: Profile): readonly Ambiguity[] {
  const paragraphs = prose.split(/\n\s*\n/).map((part) => part.trim());
  const cut = paragraphs.filter((part) => part !== '' && DANGLING.test(part));
  const found = cut.map((part): Ambiguity => ({ kind: 'missing', quote: part.slice(-MAX_QUOTE) }));
  const saysResult = sentences.some((sentence) => /\w/.test(withoutGiven(sentence)));
  if (isFunction && !saysResult) found.push({ kind: 'gap', quote: sentences.join(' ') || 'The description is empty.' });
  return found;
}

const MAX_QUOTE = 200;

/** What is given is no result: a description that says no more lacks what the function is for. */
function withoutGiven(sentence: string): string {
  return sentence.replace(
    /^(?:(?:you are |we are )?given\b[^,.:]*|(?:the )?inputs? (?:is|are)\b.*|(?:it |this function )?takes\b[^,.:]*)/i,
    '',
  );
}

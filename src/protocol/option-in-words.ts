import type { Question, QuestionOption, QuestionPart, QuestionResponse } from './question.js';

/*
 * People answer in words what they could have chosen: "c", "Option C: both of them", the label itself, or "Yes, go ahead" to
 * an approval. Only what can mean nothing else is taken for a choice; whatever has a condition or more to it stays text,
 * and where text alone decides nothing the person is asked to choose.
 */

export interface ChosenInWords {
  readonly optionIds: readonly string[];
  /** The text names the option and says nothing beside it. */
  readonly isAll: boolean;
}

/** A choice that was made in words is that choice; words that only name it are its label. */
export function understood({ questions }: Pick<Question, 'questions'>, response: QuestionResponse): QuestionResponse {
  const { answer, optionIds = [], ...rest } = response;
  const part = questions.find(({ id }) => id === response.questionId);
  if (part === undefined || answer === undefined || optionIds.length > 0) return response;
  const inWords = chosenInWords(part, answer);
  if (inWords === undefined) return response;
  return { ...rest, optionIds: inWords.optionIds, ...(inWords.isAll ? {} : { answer }) };
}

type Choice = Pick<QuestionPart, 'options' | 'multiSelect'>;

export function chosenInWords({ options = [], multiSelect = false }: Choice, text: string): ChosenInWords | undefined {
  if (options.length === 0) return undefined;
  const said = text.trim();
  const byLabel = options.filter(({ label }) => bare(label) === bare(said));
  if (byLabel.length === 1) return chosen(byLabel, true);
  const several = listed(options, said);
  if (several.length > 1) return multiSelect ? chosen(several, true) : undefined;
  return named(options, said) ?? decided(options, said);
}

const LEAD = String.raw`^(?:(?:please\s+)?(?:use|take|choose|pick|go (?:with|for)|i(?:'d| would)? (?:choose|pick|take|prefer))\s+)?(?:the\s+)?`;
const CONDITION = /^(?:but|only|if|unless|when|except|without|or)\b/i;

/** `c`, `c)`, `(c)`, `option C: both of them`, `Use option c - both`; a bare letter needs something behind it that ends it. */
function named(options: readonly QuestionOption[], text: string): ChosenInWords | undefined {
  for (const option of options) {
    const id = escaped(option.id);
    const reference = new RegExp(String.raw`${LEAD}(?:option\s+)?["'([]?${id}["')\]]?(?=$|\s|[.:;,!-])`, 'i').exec(
      text,
    );
    if (reference === null) continue;
    const rest = text.slice(reference[0].length);
    if (/^[\s.!]*(?:(?:please|thanks|thank you)[\s.!]*)?$/i.test(rest)) return chosen([option], true);
    const [, beside = ''] = /^\s*(?:[:;,.]|-+)\s*(.*)$/s.exec(rest.replace(/^\s+(?=-)/, '')) ?? [];
    if (beside !== '' && !CONDITION.test(beside)) return chosen([option], false);
  }
  return undefined;
}

/** `a and c`: nothing but options. */
function listed(options: readonly QuestionOption[], text: string): readonly QuestionOption[] {
  const [, list = ''] = /^(?:options?\s+)?(.*?)[.!]?$/is.exec(text) ?? [];
  const ids = list.split(/\s*(?:,|&|\+|\band\b)\s*/i).filter((id) => id !== '');
  const found = ids.flatMap((id) => options.filter((option) => option.id.toLowerCase() === id.toLowerCase()));
  return found.length === ids.length ? found : [];
}

const YES =
  /^(?:yes|yep|yeah|yup|sure|ok|okay|fine|agreed|approved?|i (?:approve|agree)|go ahead|please (?:do|go ahead)|do it|proceed|lgtm|looks good|sounds good|of course)(?: (?:please|then|with it|to me|it))?$/;
const COURTESY = /^(?:please|thanks|thank you)$/;
const NO =
  /^(?:no|nope|rejected?|denied|declined|i (?:reject|disagree|object)|do not|don't|not now|not yet|never)(?:$|[,.;:!]| (?:do|go ahead)\b)/;

/** A plain yes or no to an approval. A yes is one only if nothing stands beside it. */
function decided(options: readonly QuestionOption[], text: string): ChosenInWords | undefined {
  const [yes, no] = ['approve', 'reject'].map((id) => options.find((option) => option.id === id));
  if (yes === undefined || no === undefined) return undefined;
  const words = text.toLowerCase().replaceAll('\u2019', "'");
  const clauses = words
    .split(/[,.;:!]+/)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
  if (clauses.length > 0 && clauses.every((clause) => YES.test(clause) || COURTESY.test(clause))) {
    return clauses.some((clause) => YES.test(clause)) ? chosen([yes], false) : undefined;
  }
  return NO.test(words) && !clauses.some((clause) => YES.test(clause)) ? chosen([no], false) : undefined;
}

function chosen(options: readonly QuestionOption[], isAll: boolean): ChosenInWords {
  return { optionIds: options.map(({ id }) => id), isAll };
}

const bare = (text: string): string =>
  text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

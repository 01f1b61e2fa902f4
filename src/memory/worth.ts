/*
 * What a plain statement is worth, where no word says that it is a decision, a change or an error. It gets points for
 * names that can be looked up again, for reasons, bounds and amounts. It loses points for what is only possible, felt or
 * wished. Each word is looked up once, which is faster than a pattern for each sign. Pure.
 */

/** From here on a statement is worth keeping for itself. */
export const WORTH_KEEPING = 3;

const LONG_ENOUGH = 8;

type Sign = 'reason' | 'bound' | 'now' | 'hedge' | 'praise' | 'passes' | 'courtesy';

/** Each sign with its points and the words that show it. */
const SIGNS: readonly (readonly [Sign, number, string])[] = [
  [
    'reason',
    1,
    'because since so hence thus therefore due which whereas although otherwise weil da deshalb damit sonst obwohl',
  ],
  [
    'bound',
    1,
    'must never only always cannot not no none without instead stay stays remain remains need needs require requires until each every everything anything nothing zero all limit limits limited least most longer nur nie niemals immer nicht kein keine keinen keiner muss m\u00fcssen muessen darf d\u00fcrfen duerfen bleibt h\u00f6chstens hoechstens mindestens ohne bis',
  ],
  ['now', 1, 'now jetzt nun'],
  // Only possible, or only thought.
  [
    'hedge',
    -2,
    "would could might may maybe perhaps probably possibly presumably seem seems suspect sound sounds think guess believe theory ideally i'd it'd they'd we'd suppose assuming suggest propose proposal hypothesis k\u00f6nnte koennte k\u00f6nnten koennten w\u00fcrde wuerde w\u00fcrden wuerden vielleicht vermutlich m\u00f6glich moeglich m\u00f6glichkeiten wohl",
  ],
  // One of several ways is praised.
  ['praise', -2, 'fastest simplest cleanest smallest easiest safest best cheapest quickest'],
  // It works, and that is all.
  ['passes', -3, 'passed green clean'],
  [
    'courtesy',
    -4,
    'thank thanks thx sorry pleasure luck welcome congrats congratulations enjoy glad happy hope lovely wonderful amazing brilliant excellent fascinating productive nice great awesome cheers evening weekend hesitate bye haha lol',
  ],
];

const POINTS_OF: ReadonlyMap<Sign, number> = new Map(SIGNS.map(([sign, points]) => [sign, points]));
const SIGN_OF: ReadonlyMap<string, Sign> = new Map(
  SIGNS.flatMap(([sign, , words]) => words.split(' ').map((word): readonly [string, Sign] => [word, sign])),
);

/** What words do not show. */
const FORMS: readonly (readonly [RegExp, number])[] = [
  // An amount with its unit, a version, a range.
  [/(?<![\w#]|\w-)\d[\d.,]*(?:\s?(?:%|\u00b0|[a-zA-Z\u00b5]{1,3}\b|[a-z]{3,12}s\b)|\.\d|:\d)/, 1],
  // The author names the subject, or lists its parts.
  [/^[^:,.;!?]{2,40}: \S/, 1],
  [/, [^,.;]{2,40}(?:,| and | und ) ?\S/, 1],
  // It rules something out that was never so.
  [/\bit(?:'s| is| was) not\b|\bnot the (?:cause|reason|problem)\b|\bisn't (?:it|the)\b/i, -2],
  // The speaker says it of himself or to another person, or what it is about stands elsewhere.
  [
    /^(?:i|i'm|i've|my|(?:so |and |but |then )?(?:it|this|that|there|here|they|these|those|both|one|two|same|done|next))\b/i,
    -1,
  ],
  [/^(?:or|if|unless|should|suppose)\b/i, -2],
  [/!$|\btests? (?:now |all )?pass\b/, -2],
];

interface Scan {
  readonly words: readonly string[];
  readonly signs: ReadonlySet<Sign>;
}

let last: readonly [string, Scan] | undefined;

/** The words of a sentence and what they show. Several rules ask the same of one sentence. */
function scanned(text: string): Scan {
  if (last?.[0] === text) return last[1];
  const words = wordsIn(text);
  const signs = new Set<Sign>();
  for (const [place, word] of words.entries()) {
    const sign = SIGN_OF.get(word) ?? (word.endsWith("n't") ? 'bound' : undefined);
    if (sign !== undefined && !isOther(word, place, words)) signs.add(sign);
  }
  if (
    signs.has('hedge') &&
    !wordsIn(text.split(REASON_GIVEN, 1)[0] ?? '').some((word) => SIGN_OF.get(word) === 'hedge')
  )
    signs.delete('hedge');
  const scan = { words, signs };
  last = [text, scan];
  return scan;
}

/** `The name stays; another one would break the viewer`: what would be is the reason. */
const REASON_GIVEN =
  /;|\b(?:because|since|otherwise|weil|sonst)\b|(?<=\b(?:not|never|cannot|no|must|only)\b.{10,}), (?=(?:the|an?|it|so|and|as)\b)/i;

/** `So ...` begins a sentence and gives no reason; what may not be is a rule. */
function isOther(word: string, place: number, words: readonly string[]): boolean {
  const next = words[place + 1];
  return (word === 'so' && place === 0) || (word === 'may' && (next === 'not' || next === 'only'));
}

export function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+(?:['-][\p{L}\p{N}]+)*/gu) ?? [];
}

export function worthOf(text: string, specific: number): number {
  const { words, signs } = scanned(text);
  let points = specific + (words.length >= LONG_ENOUGH ? 1 : 0);
  for (const sign of signs) points += POINTS_OF.get(sign) ?? 0;
  for (const [form, value] of FORMS) if (form.test(text)) points += value;
  return points;
}

/** Only possible, or only thought. */
export function isHedged(text: string): boolean {
  return scanned(text).signs.has('hedge');
}

/** How many of the words of a text are among others. */
export function sharedWords(text: string, others: ReadonlySet<string>): number {
  let count = 0;
  for (const word of new Set(scanned(text).words)) if (others.has(word)) count++;
  return count;
}

/** What the speaker takes for true and has not seen. */
export const SUPPOSED =
  /\b(?:probably|maybe|might|perhaps|possibly|presumably|(?:could|may) (?:also |well )?be|seems?|suspect|hypothesis|guess|theory|i think|i believe|vermutlich|vielleicht|wohl)\b/i;

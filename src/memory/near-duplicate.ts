import { readSaid, type Said, type Term } from './said.js';
import { OPTIONAL } from './said-words.js';

/*
 * Whether two observations say the same. Losing a fact is worse than keeping it twice. So both must have the same words,
 * in the one form that said.ts gives them: every number, name and condition counts. Only a reason may stand in one and not
 * in the other. What is denied, who does what, and whether it is asked, planned or done must agree.
 */

/** Texts by place, of which one that says the same is found without a look at most of the others. */
export class Facts {
  readonly #facts: Said[] = [];
  readonly #placesByWord = new Map<string, Set<number>>();

  constructor(texts: readonly string[] = []) {
    for (const [place, text] of texts.entries()) this.set(place, text);
  }

  set(place: number, text: string): void {
    const said = saidIn(text);
    for (const word of this.#facts[place]?.words ?? []) this.#placesByWord.get(word)?.delete(place);
    this.#facts[place] = said;
    for (const word of said.words) {
      const places = this.#placesByWord.get(word) ?? new Set();
      this.#placesByWord.set(word, places.add(place));
    }
  }

  /** The first place with the same fact, or -1. */
  find(text: string, isWanted: (place: number) => boolean = () => true): number {
    const said = saidIn(text);
    const places = this.#candidates(said).filter((place) => {
      const other = this.#facts[place];
      return isWanted(place) && other !== undefined && isSame(said, other);
    });
    return places.length === 0 ? -1 : Math.min(...places);
  }

  /** Those with the rarest of the words that a repetition may not leave out. */
  #candidates({ words, reasons }: Said): readonly number[] {
    const needed = [...words].filter((word) => !reasons.has(word) && !OPTIONAL.has(word) && word !== MOVE);
    if (needed.length === 0) return [...this.#facts.keys()];
    return needed
      .map((word): readonly number[] => [...(this.#placesByWord.get(word) ?? [])])
      .reduce((fewest, places) => (places.length < fewest.length ? places : fewest));
  }
}

/** Of two texts that say the same, whether the first has more of it, such as a reason. */
export function saysMore(text: string, other: string): boolean {
  return wordsThatTell(text) > wordsThatTell(other);
}

function wordsThatTell(text: string): number {
  return [...saidIn(text).words].filter((word) => !OPTIONAL.has(word)).length;
}

function isSame(left: Said, right: Said): boolean {
  const [onlyLeft, onlyRight] = [without(left.words, right.words), without(right.words, left.words)];
  const shared = left.words.size - onlyLeft.length;
  if (shared === 0) return false;
  const extras = [extrasOf(left, onlyLeft, shared), extrasOf(right, onlyRight, shared)] as const;
  if (extras.some(({ others }) => others > 0)) return false;
  // Another kind of thing is another thing, and another reason is more to know.
  if ([onlyLeft, onlyRight].every((words) => words.some((word) => OPTIONAL.has(word)))) return false;
  if (extras.every(({ reasons }) => reasons > 0)) return false;
  return (
    hasSameMood(left, right) &&
    left.deniesTwice === right.deniesTwice &&
    deniesTheSame(left, right) &&
    deniesTheSame(right, left) &&
    hasSameCause(left, right) &&
    hasSameRoles(left, right) &&
    !isExchanged(left, right)
  );
}

function extrasOf({ reasons, denials, listed }: Said, words: readonly string[], shared: number) {
  const counts = { reasons: 0, optional: 0, others: 0 };
  for (const word of words) {
    if (reasons.has(word)) counts.reasons++;
    else if (
      shared >= FEWEST_WITH_OPTIONAL &&
      ((OPTIONAL.has(word) && !listed.has(word)) || (word === MOVE && denials.length > 0))
    )
      counts.optional++;
    else counts.others++;
  }
  return counts;
}

/** What is now in one place instead of another has moved. */
const MOVE = 'move';
/** Beside fewer words they say too much. */
const FEWEST_WITH_OPTIONAL = 3;

/** Whatever one says no of, the other does too. A reason that only one of them has may deny what it wants. */
function deniesTheSame(one: Said, other: Said): boolean {
  return one.denials.every(({ kind, words }) => {
    if (words.length > 0 && words.every((word) => !other.words.has(word) && one.reasons.has(word))) return true;
    // "The cache was removed from the service" says where it was; beside a "to", it would have to be told.
    if (kind === 'from' && !one.hasGoal && !other.hasGoal) return true;
    return other.denials.some(
      (denial) =>
        (denial.kind === kind || denial.kind === 'instead' || kind === 'instead') &&
        (words.some((word) => denial.words.includes(word)) || (words.length === 0 && denial.words.length === 0)),
    );
  });
}

/** What follows from what: a reason in one is no conclusion in the other, beside another reason. */
function hasSameCause({ words, reasons }: Said, other: Said): boolean {
  const isMoved = [...reasons].some((word) => other.words.has(word) && !other.reasons.has(word));
  const isOtherMoved = [...other.reasons].some((word) => words.has(word) && !reasons.has(word));
  return !(isMoved && isOtherMoved);
}

function hasSameMood(left: Said, right: Said): boolean {
  if (left.isAsked !== right.isAsked) return false;
  if ((left.permits && right.demands) || (left.demands && right.permits)) return false;
  return fitsPlan(left, right) && fitsPlan(right, left);
}

/** "Add the cache" and "the cache will be added" are still to be done, "added the cache" is not. */
function fitsPlan(one: Said, other: Said): boolean {
  const isPlannedAlone = (word: string) => one.planned.has(word) && other.past.has(word) && !one.past.has(word);
  const isWishedAlone = (word: string) => one.wished.has(word) && !other.wished.has(word) && !other.planned.has(word);
  return [...one.words].every((word) => !isPlannedAlone(word) && !isWishedAlone(word));
}

/** "A calls B" is not "B calls A", but it is "B is called by A". */
function hasSameRoles(left: Said, right: Said): boolean {
  if (left.words.size < FEWEST_TURNED && [...left.words].join(' ') !== [...right.words].join(' ')) return false;
  const [leftThings, rightThings] = [thingsOf(left), thingsOf(right)];
  const words = [...leftThings.keys()].filter(
    (word) => rightThings.has(word) && !(left.reasons.has(word) && right.reasons.has(word)),
  );
  const bothArePassive = [left, right].every(({ terms }) => terms.some(({ isPassive }) => isPassive));
  const isActor = (terms: readonly Term[], place = 0) => terms[place]?.isActor === true;
  const hasOtherActor = (word: string) =>
    isActor(left.terms, leftThings.get(word)) !== isActor(right.terms, rightThings.get(word));
  if (bothArePassive && words.some(hasOtherActor)) return false;
  return words.every((one, place) =>
    words.slice(place + 1).every((two) => {
      if (isNumber(one) !== isNumber(two)) return true;
      const leftSpan = spanOf(left.terms, leftThings.get(one), leftThings.get(two));
      const rightSpan = spanOf(right.terms, rightThings.get(one), rightThings.get(two));
      return leftSpan.verbs.every((verb) =>
        rightSpan.verbs.every((other) => {
          if (verb.word !== other.word) return true;
          const isTurned = verb.isPassive !== other.isPassive;
          if (leftSpan.isReversed !== rightSpan.isReversed) return isTurned;
          return !(isTurned && (verb.isPassive ? leftSpan : rightSpan).hasActor);
        }),
      );
    }),
  );
}

/** Two words that change places say something else more often than not. */
const FEWEST_TURNED = 3;

/** Further away from each other, two words are hardly parts of one statement. */
const FURTHEST = 5;

/** What lies between two things: verbs, and whether the second is told as the one that acts. */
function spanOf(terms: readonly Term[], one = 0, two = 0) {
  const [from, to] = [Math.min(one, two), Math.max(one, two)];
  return {
    isReversed: one > two,
    verbs: to - from > FURTHEST ? [] : terms.slice(from + 1, to).filter(({ isVerb }) => isVerb),
    hasActor: terms[to]?.isActor === true,
  };
}

/** The things whose part nothing else tells, at their places: those that are named once. */
function thingsOf({ terms, denials }: Said): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const named = new Set<string>();
  const denied = new Set(denials.flatMap(({ kind, words }) => (kind === 'not' ? [] : words)));
  for (const [place, { word, isThing }] of terms.entries()) {
    if (!isThing || denied.has(word)) continue;
    if (named.has(word)) places.delete(word);
    else places.set(word, place);
    named.add(word);
  }
  return places;
}

/** "8080 for the API and 8081 for metrics": two things in each other's place, and all others where they were. */
function isExchanged(left: Said, right: Said): boolean {
  const [one = [], other = []] = [left, right].map(({ terms }) =>
    terms.filter(({ word, isThing }) => isThing && left.words.has(word) && right.words.has(word)),
  );
  const isPassive = (terms: readonly Term[]) => terms.some((term) => term.isPassive);
  if (one.length !== other.length || isPassive(one) !== isPassive(other)) return false;
  const moved = one.flatMap(({ word }, place) => (word === other[place]?.word ? [] : [place]));
  const [first = 0, second = 0] = moved;
  return moved.length === 2 && second > first + 1 && one[first]?.word === other[second]?.word;
}

/** "30 seconds until the timeout" is "timeout after 30 seconds". */
function isNumber(word: string): boolean {
  return /^\d/.test(word);
}

function without(left: ReadonlySet<string>, right: ReadonlySet<string>): readonly string[] {
  return [...left].filter((word) => !right.has(word));
}

const MOST_KEPT = 512;
const cache = new Map<string, Said>();

/** Each text is compared with many others. */
function saidIn(text: string): Said {
  const said = cache.get(text) ?? readSaid(text);
  if (cache.size >= MOST_KEPT) cache.clear();
  cache.set(text, said);
  return said;
}

import type { ClarificationRecord } from '../protocol/clarification.js';
import type { DigestTopic } from '../protocol/digest.js';
import { overlap, wordsOf } from '../protocol/similarity.js';

interface Group {
  readonly topic: string;
  readonly words: ReadonlySet<string>;
  readonly clarifications: string[];
}

/** Topics that share at least this part of their words are one. */
const SIMILAR_FROM = 0.5;

/**
 * What was asked about, the most common first. Topics are compared by their words: each joins the group whose first
 * topic it resembles most, and a group has the name of its first topic. The same records give the same groups, in
 * whatever order they come.
 */
export function topicsOf(records: readonly ClarificationRecord[]): readonly DigestTopic[] {
  const groups = new Groups();
  for (const { id, topic } of records.toSorted(byCreation)) groups.of(topic.trim()).clarifications.push(id);
  return groups.all
    .map(({ topic, clarifications }) => ({ topic, count: clarifications.length, clarifications }))
    .toSorted((a, b) => b.count - a.count);
}

/** Compares a topic only with groups that share a word with it: a busy week has thousands. */
class Groups {
  readonly all: Group[] = [];
  readonly #byTopic = new Map<string, Group>();
  readonly #byWord = new Map<string, Group[]>();

  of(topic: string): Group {
    const sameTopic = this.#byTopic.get(topic.toLowerCase());
    if (sameTopic !== undefined) return sameTopic;
    const words = meaningfulWords(topic);
    const group = this.#nearest(words) ?? this.#open(topic, words);
    this.#byTopic.set(topic.toLowerCase(), group);
    return group;
  }

  #nearest(words: ReadonlySet<string>): Group | undefined {
    const candidates = new Set(this.#rarestHalf(words).flatMap((word) => this.#byWord.get(word) ?? []));
    let best: { readonly group: Group; readonly likeness: number } | undefined;
    for (const group of candidates) {
      const likeness = overlap(words, group.words);
      if (likeness >= SIMILAR_FROM && likeness > (best?.likeness ?? 0)) best = { group, likeness };
    }
    return best?.group;
  }

  /** Topics that share half of their words share at least one of any larger half; the rare words lead to few groups. */
  #rarestHalf(words: ReadonlySet<string>): readonly string[] {
    const groupsWith = (word: string) => this.#byWord.get(word)?.length ?? 0;
    return [...words].toSorted((a, b) => groupsWith(a) - groupsWith(b)).slice(0, Math.floor(words.size / 2) + 1);
  }

  #open(topic: string, words: ReadonlySet<string>): Group {
    const group: Group = { topic, words, clarifications: [] };
    this.all.push(group);
    for (const word of words) {
      const ofWord = this.#byWord.get(word) ?? [];
      this.#byWord.set(word, ofWord);
      ofWord.push(group);
    }
    return group;
  }
}

/** Leaves out the little words, which all topics share; a topic of nothing else stays as it is. */
function meaningfulWords(topic: string): ReadonlySet<string> {
  const words = wordsOf(topic);
  const meaningful = [...words].filter((word) => !LITTLE_WORDS.has(word));
  return meaningful.length === 0 ? words : new Set(meaningful);
}

const LITTLE_WORDS: ReadonlySet<string> = new Set(
  'a an the of for to in on at by and or with which what how is are do does should we i it'.split(' '),
);

function byCreation(a: ClarificationRecord, b: ClarificationRecord): number {
  return Date.parse(a.created) - Date.parse(b.created) || (a.id < b.id ? -1 : 1);
}

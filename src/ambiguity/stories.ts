import { anchorsIn } from './anchors.js';

/*
 * User stories: who wants what, and why. The purpose does not say what is to be made. A story that names an action and its
 * object can be worked on; one that only names an interest ("see how my team is doing") cannot. Pure.
 */

const STORY = /^as an? [^,]{2,60}?,? I (?:want|need|would like|wish)\b(?: to)?\s*(.*)$/is;

/** What is wanted, without the purpose; undefined for what is no story. */
export function wishOf(sentence: string): string | undefined {
  return STORY.exec(sentence)?.[1]?.replace(/,?\s*(?:so that|in order to|so I can|because)\b.*$/is, '');
}

/** Verbs and things that say no action: what is seen, and what happens then, stays open. */
const INTEREST =
  /^(?:be able to |have |see |get )?(?:follow|monitor|manage|handle|control|organi[sz]e|understand|know|improve|optimi[sz]e|support|deal with|keep track of|stay|be (?:informed|notified|aware|updated|told)|(?:more|better|full|an?|the|some)? ?(?:control|insights?|overview|information|info|details|visibility|transparency|progress|feedback|flexibility|performance|experience|guidance|help)\b|how .* (?:is|are|was|were) (?:doing|going|performing))/i;

export function isOpenStory(sentence: string, others: readonly string[]): boolean {
  const wish = wishOf(sentence);
  if (wish === undefined || wish === '') return false;
  const criteria = others.filter((other) => anchorsIn(other.replace(/^\s*(?:acceptance|ac|criteria)[^:]*:/i, '')) > 0);
  return INTEREST.test(wish) && anchorsIn(wish) === 0 && criteria.length === 0;
}

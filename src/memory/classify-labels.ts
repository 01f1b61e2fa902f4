import type { ObservationCategory } from '../protocol/observation.js';

/* What the author of a sentence says that it is: by a word and a colon in front of it, or by the heading above it. Pure. */

const LABELS: readonly (readonly [RegExp, ObservationCategory])[] = [
  [
    /^(?:(?:final |key |design |architecture )?(?:decision|decided|resolution|agreed|conclusion|choice|chosen|verdict|entscheidung|beschluss))(?: \([^)]*\)| \d[^:]{0,20})?\s*[:\u2013\u2014-]\s/i,
    'decision',
  ],
  [
    /^(?:(?:the |die )?(?:root )?(?:cause|ursache)|error|warning|bug|failed|failure|problem|issue found|regression|fix(?:ed)? bug|fehler)\s*[:\u2013\u2014]\s/i,
    'error',
  ],
  [
    /^(?:change[ds]?|fix(?:ed)?|behoben|changed files?|commit(?:ted)?|refactor(?:ed)?|added|updated|removed)\s*:\s/i,
    'code-change',
  ],
  [
    /^(?:note|nb|fact|key(?: fact| figure| point)?|important|remember|caveat|todo|gotcha|constraint|requirement|finding|heads[- ]up|fyi|limitation|known (?:issue|limitation)|open (?:question|issue|point)|follow-?up|remaining|open|still (?:open|to do|missing)|not (?:done|covered|fixed|tested)|untested|worth knowing|for the record|out of scope|lesson|reminder|warning|assumption|convention|rule|(?:one |two |a few )?(?:more )?things? to (?:keep in mind|note|remember|know|watch)|keep in mind|be aware|beware|wichtig|hinweis|achtung|merke)s?\s*[:\u2013\u2014]\s/i,
    'key-fact',
  ],
  [/^(?:note|be aware|keep in mind|bear in mind|mind|remember|beachte|bedenke) that\b/i, 'key-fact'],
  // In a chat without a colon, and only in front of something to tell.
  [/^(?:fyi|btw|by the way|heads[- ]up|for the record)\b,?\s+(?:\S+\s+){5}/i, 'key-fact'],
];

export function byLabel(text: string): ObservationCategory | undefined {
  return LABELS.find(([label]) => label.test(text))?.[1];
}

const HEADINGS: readonly (readonly [RegExp, ObservationCategory])[] = [
  [
    /\b(?:decisions?|decided|choices|agreed|agreements?|trade-?offs|resolutions?|approach chosen|rationale)\b/i,
    'decision',
  ],
  [
    /\b(?:errors?|problems?|bugs?|failures?|root causes?|incidents?|what went wrong|issues (?:found|encountered|hit)|regressions?)\b/i,
    'error',
  ],
  [
    /\b(?:changes?|changed|modified|files?(?: and code)?(?: sections?)?|implemented|implementation|what i did|what was done|what's done|done|work completed|completed(?: work)?|commits?|refactor\w*)\b/i,
    'code-change',
  ],
  [
    /\b(?:facts?|notes?|findings?|learned|learnings?|lessons|constraints?|caveats?|limitations?|important|assumptions?|requirements?|gotchas?|conventions?|context|technical concepts|background|open (?:questions?|items?|issues?|points?)|to-?dos?|next steps?|remaining|pending|follow-?ups?|known issues?|still open|not done|out of scope|knowledge|state|rules|worth knowing|good to know|side effects?|watch out|risks?)\b/i,
    'key-fact',
  ],
];

/** What could be done is not what was done. */
export const OFFERED =
  /\b(?:either|options|alternatives|ways|choices|possibilities|approaches|proposals?|suggestions?|ideas|thoughts|considerations|candidates)\b/i;

/** What the speaker is about to do: the list below says nothing of what was done. */
export const PLANNED =
  /\b(?:i|we)(?:'m| am|'re| are)? ?(?:going to|'ll|will|shall|plan to)\b|^(?:my |the |here is the )?plan\b|\bich werde\b/i;

export function categoryOfHeading(heading: string): ObservationCategory | undefined {
  return heading === '' || /\?$/.test(heading) ? undefined : HEADINGS.find(([name]) => name.test(heading))?.[1];
}

/** What is left to do is worth knowing only as such. */
export const LEFT_OPEN =
  /\b(?:open (?:questions?|items?|issues?|points?)|to-?dos?|next steps?|remaining|pending|follow-?ups?|still open|not done)\b/i;

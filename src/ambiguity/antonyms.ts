/*
 * Two things that cannot both be true of one subject, by the words that people use for them. Pure.
 */

const ANTONYMS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:permanent(?:ly)?|irreversibl[ey]|for good|cannot be (?:undone|restored|recovered))\b/i,
    /\b(?:can|may|could|will)(?: still)? be (?:restored|undone|recovered|undeleted)\b/i,
  ],
  [
    /\b(?:paged|paginated|in pages|page by page|per page)\b/i,
    /\b(?:whole|entire|complete|full) (?:list|result|set|collection)\b|\bin (?:one|a single) (?:response|request|page)\b/i,
  ],
  [/\b(?:newest|latest) first\b/i, /\b(?:oldest|earliest) first\b/i],
  [/\bcase[- ]insensitive\b|\bignor\w+ (?:upper and lower )?case\b/i, /(?<!in)\bcase[- ]sensitive\b/i],
  [
    /\bread-only\b|\bimmutable\b|\bcannot be (?:changed|edited|modified)\b/i,
    /\b(?:can|may) (?:be )?(?:change|edit|modif|updat)\w*|\b(?:lets?|allows?) [^.]{2,40} (?:change|edit|modify|update)\b/i,
  ],
  [
    /\banonymous(?:ly)?\b|\bwithout (?:logging in|an account|a login|authentication)\b/i,
    /\b(?:must|have to|need to) (?:be logged in|log in|sign in|authenticate)\b|\brequires? (?:a login|authentication|an account)\b/i,
  ],
  [/\b(?:is|are|must be) unique\b/i, /\bduplicates? (?:is|are) (?:allowed|possible|kept)\b/i],
  [/(?<!a)\bsynchronous(?:ly)?\b/i, /\basynchronous(?:ly)?\b|\bin the background\b/i],
  [/\bencrypted\b/i, /\b(?:in|as) plain ?text\b/i],
];

export function areOpposed(left: string, right: string): boolean {
  return ANTONYMS.some(
    ([one, other]) =>
      (one.test(left) && other.test(right) && !one.test(right)) ||
      (one.test(right) && other.test(left) && !one.test(left)),
  );
}

const REQUIRED =
  /^(?:the )?(?:field |parameter |argument |header |property )?[`"']?(\w[\w-]*)[`"']? (?:is|must be) (?:required|mandatory|given|present)\b/i;
const REFUSED = /\b(?:[45]\d\d|error|reject\w*|refus\w*|fail\w*|invalid|throws?|rais\w+|exception)\b/i;

/** What is required has no default: `status is required`, and `if status is missing, open is used`. */
export function isRequiredAndDefaulted(left: string, right: string): boolean {
  return defaults(left, right) || defaults(right, left);
}

function defaults(requirement: string, other: string): boolean {
  const [, name] = REQUIRED.exec(requirement) ?? [];
  if (name === undefined || REFUSED.test(other)) return false;
  const isMissing = new RegExp(
    `\\b(?:if|when|without)\\b[^.]*\\b${name}\\b[^.]*\\b(?:missing|absent|omitted|left out|not (?:given|set|present|provided)|empty)\\b`,
    'i',
  );
  return (
    isMissing.test(other) ||
    new RegExp(`\\b(?:defaults? (?:of|for) [\`"']?${name}\\b|${name}[\`"']? defaults to)`, 'i').test(other)
  );
}

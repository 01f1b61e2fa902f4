import { stemOf } from '../search/words.js';

/* The words by which said.ts reads a text. */

const LABELS =
  'decision|agreed|decided|rule|note|error|fixed|refactored|changed|cause|update|warning|important|reminder|convention|fact|finding|lesson|bug|fix|refactoring';

/** Who says it, and that it is worth knowing. */
export const FRAMES: readonly RegExp[] = [
  new RegExp(`^\\s*(?:[a-z]+ )?(?:${LABELS}):`, 'gi'),
  /\b(?:the )?(?:user|team|agent) (?=(?:says?|said|wants?|prefers?|asked|asks|decided|settled|chose|agreed|told|moved|added|changed|removed|fixed)\b)/gi,
  /\b(?:it turns out|keep in mind|for your information|fyi|(?:found|turns|turned) out|the reason(?: why)?|code change|in this change|please)\b/gi,
];

/** What several words say together, in one spelling. */
export const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:instead of|rather than|in place of|as opposed to|and not|but not)\b/gi, ' insteadof '],
  [/\b(?:r[au]n(?:s|ning)? )?out[- ]of[- ]memory\b|\bOOM\b/gi, ' outofmemory '],
  [/\b(?:get|gets|got|getting) rid of\b/gi, ' removed '],
  [/\bout of(?: the)?\b/gi, ' from'],
  [/\btak(?:es?|ing) place\b/gi, ' happens '],
  [/(\d[\d.,]*\s?[a-z%]*)\s*->\s*(?=\d)/gi, ' from $1 to '],
  [/\b(?:at most|up to|not? more than)\s+(?=\d)/gi, ' limit '],
  [/\b(?:may|must|can|should) not (?:exceed|be (?:larg|long|bigg|high|great)er than)\b/gi, ' limit '],
  [/\b(?:in order )?to (?:avoid|prevent)\b/gi, ' because not '],
  [/\bnot (?:all|every|each)\b/gi, ' notall '],
  [/\b(?:replac|swapp)ed ((?:[\w./-]+ ){1,3}?)(?:with|by|for) /gi, ' moved from $1 to '],
  [/\b(?:replac(?:e|es|ing)|swap|swaps|swapping) ((?:[\w./-]+ ){1,3}?)(?:with|by|for) /gi, ' move from $1 to '],
  [
    /((?:[\w./-]+ ){1,2}?)(?:is|are|was|were|has been|have been|got) (?:replaced|swapped) (?:with|by|for) /gi,
    ' moved from $1 to ',
  ],
  [/\b(?:such as|for example|for instance|e\.g\.|any ?more)/gi, ' '],
  [/\b(?:is|are|was|were|has) gone\b/gi, ' was removed '],
  [/(\d) ?(?:times|x)\b/gi, '$1 '],
  [/\btr(?:y|ies|ied|ying) again\b/gi, ' retry '],
  [/\b(?:that is|that|which is) why\b|\band therefore\b|, so (?!that\b|as\b)/gi, ' therefore '],
  [/\bno longer\b/gi, ' nolonger '],
  [/\bin favou?r of\b/gi, ' for '],
  // "By 10 percent" is not "to 10 percent".
  [/\b(by|every|within) (?=\d)/gi, ' $1number '],
  [/\b(?:no one|no-one)\b/gi, ' nobody '],
  [/\btim(?:e|es|ed|ing)[ -]?outs?\b/gi, ' timeout '],
  [/\bpull[ -]requests?\b|\bPRs?\b/gi, ' pr '],
  [/\benv(?:ironment)?[ -]var(?:iable)?s?\b/gi, ' variable '],
  [/\bdue to\b|\bbecause of\b|\bso that\b|\bthanks to\b/gi, ' because '],
  [/\b(?:want|plan|intend|propose|hope)(?:s|ed|ning)? to\b/gi, ' should '],
  [/\b(?:needs?|has|have|had|got) to (?=be\b)/gi, ' should '],
  [/\bkeeps? (?=\w+ing\b)/gi, ' '],
  [/\bused to (?=be\b|have\b)/gi, ' formerly '],
  [/\bgoing to\b/gi, ' will '],
  [/\bafter (?=\d+(?:[.,]\d+)? ?(?:m?s|secs?|seconds?|mins?|minutes?|hours?|days?)\b)/gi, ' '],
  [/\b(?:not|never) (?:be )?(?:allowed|permitted)\b/gi, ' forbidden '],
  [/\bnot (?:be(?:en|ing)? )?(?:set|defined)\b/gi, ' missing '],
  [/\bnot (?:pass(?:es|ed|ing)?|succeed(?:s|ed|ing)?)\b/gi, ' fail '],
  [/\b(prefer(?:s|red)?) ([^.;:]{1,40}?) to\b/gi, '$1 $2 over'],
  [/\b(?:built|based) on\b|\bbacked by\b/gi, ' using '],
];

/** Words that say no of what stands beside them. */
export const NEGATORS: ReadonlyMap<string, 'not' | 'instead' | 'from'> = new Map([
  ...'not never no none nobody nothing without neither nor nolonger missing unset undefined forbidden prohibited disallowed rejected'
    .split(' ')
    .map((word) => [word, 'not'] as const),
  ...['insteadof', 'over', '>'].map((word) => [word, 'instead'] as const),
  ['from', 'from'],
]);

/** Between two things, they say which is which. */
export const RELATIONS: ReadonlySet<string> = new Set('before after to into than until then ->'.split(' '));

/** Grammar: they carry nothing, and a verb may follow. Words that limit, such as "only", "some" and "if", are none of them. */
export const TRANSPARENT: ReadonlySet<string> = new Set(
  (
    'a an the this that these those our your their its his her my we you they it he she i us them him me itself themselves ourselves ' +
    'is are was were be been being am has have had having do does did doing done can may will shall must should need needs ' +
    'of for in on at to by with per via into onto through as and but or so because since therefore there here which who what where therefore ' +
    'also just now all every each any both then within from over during very really already currently always ever today why successfully ' +
    'such let lets get gets got t s'
  ).split(' '),
);

/** Verbs of every decision and every state: what they say, the rest says. Told by spelling: "importer" is not "important". */
const LIGHT_VERBS =
  'use choose pick select decide settle adopt go agree opt prefer want require need note remember set work say tell come equal make live sit happen occur exist';
const LIGHT_FORMS =
  'chose chosen choice decision preference went gone goes made said told came done setting opted opting settled sat sitting must ' +
  'fact rule convention reason everyone everybody instead team agent';

const LIGHT: ReadonlySet<string> = new Set([
  ...LIGHT_FORMS.split(' '),
  ...LIGHT_VERBS.split(' ').flatMap((verb) => {
    const stem = verb.replace(/e$/, '');
    return [verb, `${verb}s`, `${stem}ed`, `${stem}ing`];
  }),
]);

export function isLight(lower: string): boolean {
  return LIGHT.has(lower);
}

/** What kind of thing a name is of. */
export const KINDS: ReadonlySet<string> = new Set(
  'database server service system app application project variable value error branch environment pipeline call request user cause size data state step job problem'
    .split(' ')
    .map(stemOf),
);

/** With the verbs that go with any thing. One text may leave them out, but not have another. */
export const OPTIONAL: ReadonlySet<string> = new Set([
  ...KINDS,
  ...'run put change allow find see store stay if'.split(' ').map(stemOf),
]);

const SAME = `
postgresql postgres pg; mongodb mongo; kubernetes k8s; javascript js; typescript ts; documentation doc docs; authentication auth;
configuration config cfg; repository repo; directory dir folder; production prod; development dev; environment env; database db;
minimum min; message msg; temporary tmp temp; dependency dep deps; request req; response resp; parameter param;
service svc; library lib; package pkg; password pwd passwd; function func fn; application app; message msg; error err;
move relocate transfer extract pull switch migrate; raise increase bump; lower decrease reduce; add added adding create introduce insert; speed sped; another other extra additional; fix resolve solve repair;
fail break; delete remove drop eliminate; if when whenever; store save persist keep hold; large big; fast quick; begin start; limit cap maximum max; direct straight`;

/** By spelling and by stem, the stem of the word that stands for it. */
export const SAME_WORD: ReadonlyMap<string, string> = new Map(
  SAME.split(';').flatMap((line) => {
    const [base = '', ...others] = line.trim().split(/\s+/);
    return [base, ...others].flatMap((other) => [other, stemOf(other)].map((key) => [key, stemOf(base)] as const));
  }),
);

interface Unit {
  readonly name: string;
  readonly factor: number;
}

/** A duration in milliseconds, up to weeks; other units by one name. */
export const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ['ms msec millisecond milliseconds', 'ms', 1],
      ['s sec secs second seconds', 'ms', 1_000],
      ['m min mins minute minutes', 'ms', 60_000],
      ['h hr hrs hour hours', 'ms', 3_600_000],
      ['d day days', 'ms', 86_400_000],
      ['week weeks', 'ms', 604_800_000],
      ['kb kilobyte kilobytes', 'kb', 1],
      ['mb megabyte megabytes', 'mb', 1],
      ['gb gigabyte gigabytes', 'gb', 1],
      ['tb terabyte terabytes', 'tb', 1],
      ['% percent', '%', 1],
    ] as const
  ).flatMap(([names, name, factor]) => names.split(' ').map((one) => [one, { name, factor }] as const)),
);

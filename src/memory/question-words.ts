/*
 * The words of a question: brought to one form, without those that every question has, and with one word for all that mean
 * the same. Pure.
 */

/** What is written in two words and is one. */
export function joined(text: string): string {
  return (
    text
      .replace(/\b(?:switch|turn)(?:ed|ing|es|s)? (on|off)\b/g, (_, way: string) =>
        way === 'on' ? 'enable' : 'disable',
      )
      .replace(
        // Not the noun: "is the audit log in UTC".
        /(?<!\b(?:the|an?|our|this|each|every|audit|error|access|change|event|server|request|debug|activity) )\b(log|sign|opt|time|back|roll|shut|check|scale|set)(?:ged|ging|s|ed|ing)? (in|out|up|back|down|off)\b/g,
        '$1$2',
      )
      .replace(/\b(?:kind|sort)s? of\b/g, '')
      .replace(/\b(?:is|are|was|were) (?=[^?]*\b(?:supposed|meant|expected) to\b)/g, 'should ')
      .replace(/\b(?:supposed|meant|expected) to\b/g, '')
      .replace(/\b(?:forbidden|prohibited|disallowed|not (?:allowed|permitted))\b/g, 'must not')
      .replace(/\bwhose (\w+) (?:is|do we|does it) (?:need(?:ed)?|required?)\b(?: (?:for|to))?/g, 'who $1')
      .replace(/\b(?:get|receive)s? (?:an? |the )?(?=notifications?\b)/g, '')
      .replace(/\bgets? (?=\w+ed\b)/g, 'is ')
      .replace(/\b(?:in|at) (?:which|what) (?:place|location)\b/g, 'where')
      .replace(/\b(without) (?:giving|having|providing|entering|using)\b/g, '$1')
      .replace(
        /\b(?:no more than|up to|at most|at max(?:imum)?|largest|biggest|longest|highest|greatest|upper limit)\b/g,
        'maximum',
      )
      .replace(
        /\b(?:no (?:less|fewer) than|at least|at min(?:imum)?|smallest|shortest|lowest|lower limit)\b/g,
        'minimum',
      )
      .replace(/\b(?:by default|defaults)\b/g, 'default')
      .replace(/\b(?:after (?:what|which) time|until when)\b/g, 'how long')
      .replace(/\b(?:after|for|within|in|until) (?=how (?:long|many)\b)/g, '')
      // The unit of an answer is no part of the question.
      .replace(/\bhow many (?:(?:kilo|mega|giga)?bytes|kb|mb|gb)\b/g, 'how large')
      .replace(/\bhow many (?:milliseconds|seconds|minutes|hours|days|weeks|months|years)\b/g, 'how long')
      // "How many tries before it is locked" is "after how many tries is it locked".
      .replace(/(\bhow many\b[^?]*) (?:before|until) (?=(?:(?:an?|the) )?(?:\w+ ){1,3}(?:is|are|gets?)\b)/g, '$1 ')
      .replace(/, in (?:milliseconds|seconds|minutes|hours|days|bytes|megabytes|percent)(?=[?.,]|$)/g, '')
      .replace(/\b(?:versions? |v)(?=\d)/g, '')
      .replace(/\b(?:more than one|multiple)\b/g, 'several')
      .replace(
        /\b(?:which|what) (?:team|person|people|group|role)s? (?=[a-z]+s\b|is\b|are\b|may\b|can\b|has\b)/g,
        'who ',
      )
      .replace(/\b(?:needs? to|has to|have to)\b/g, 'should')
      .replace(/\bneed(?:s|ed)?\b/g, 'required')
      .replace(/\bin (?:what|which) way\b/g, 'how')
      .replace(/\btime zones?\b/g, 'timezone')
      .replace(/\btwo times\b/g, 'twice')
      .replace(/\b(?:has|have|had) left\b/g, 'leaves')
      .replace(/\b(col|behavi|fav|lab|neighb|hon)our/g, '$1or')
      .replace(/\bcentre/g, 'center')
      .replace(/(?<=[a-z]{2}(?:al|an|ar|er|il|im|in|om|on|or|at))is(?=(?:e|ed|es|ing|ation)\b)/g, 'iz')
      .replace(/\b(?:mandatory|obligatory|compulsory)\b/g, 'required')
      .replace(/\b(?:once|as soon as) (?=(?:it|the|they|an?|he|she|we|this|that)\b)/g, 'after ')
      .replace(/\b(?:written|write|writes|recorded|record) (?:in)?to (?:the |an? )?(?=\w* ?log\b)/g, '')
      .replace(NAMED_KIND, '$1$2')
      .replace(/['\u2019]s\b/g, '')
      .replace(
        /\b(?:kept|sent|held|built|written|wrote|chosen|chose|sold|bought|lost|shown|paid|made|ran|begun|began|taken|took|given|gave)\b/g,
        (form) => BASE_FORM[form] ?? form,
      )
  );
}

const KIND_OF_NAME =
  '(?:field|column|parameter|flag|option|endpoint|table|header|variable|setting|file|function|method|class)';
/** What kind of thing a name in code is can be left out: "the field `size`" is "`size`". */
const NAMED_KIND = new RegExp(`\\b(?:the )?${KIND_OF_NAME} (\`[^\`]+\`)|(\`[^\`]+\`) ${KIND_OF_NAME}\\b`, 'g');

const BASE_FORM: Readonly<Record<string, string>> = {
  ...{ kept: 'keep', sent: 'send', held: 'hold', built: 'build', written: 'write', wrote: 'write', chosen: 'choose' },
  ...{
    chose: 'choose',
    sold: 'sell',
    bought: 'buy',
    lost: 'lose',
    shown: 'show',
    paid: 'pay',
    made: 'make',
    ran: 'run',
  },
  ...{ begun: 'begin', began: 'begin', taken: 'take', took: 'take', given: 'give', gave: 'give' },
};

export function rawWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []
  );
}

/** Each word once. */
export function stemsIn(text: string): readonly string[] {
  return [
    ...new Set(
      rawWords(text)
        .filter((word) => !STOP_WORDS.has(word))
        .map(stem),
    ),
  ];
}

/** One word for all that mean the same. */
export function meaning(word: string): string {
  return SAME_WORD.get(word) ?? word;
}

/** Enough of Porter's idea to bring the forms of one word together. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  const plural = word
    .replace(/(?:sses)$/, 'ss')
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=[^s])s$/, '');
  const bare = plural
    .replace(/(?<=er)(?:ing|ed)$/, '')
    .replace(/(?:ations?|ition|(?<=[st])ion|ments?|ing|ed|er|able|ly|al|ity|ness)$/, '');
  return (bare.length >= 3 ? bare : plural).replace(/([^aeiousz])\1$/, '$1').replace(/e$/, '');
}

export const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an the and or of for with to in on at by from as is are was were be been do does did done have has had should shall can could may might must will would we i you they it its our your their us this that these those there here what which when where who whom how why if then than so such any all each every some only just also about into via per out up need needs want wants please them my exactly actually currently really one ones let there's it's prd adr spec says say mentions mention unclear regarding concerning question clear whether think know tell confirm too s".split(
    ' ',
  ),
);

/** Words that most questions of this kind have. */
export const COMMON: ReadonlySet<string> = new Set(
  'use used using enable handle system service application data value work go happen expect allow permit able behave behaviour decide decision type way api project feature option possible frequent frequently often many much remain stay stays respect hidden follow apply exist time times number count amount length long size large big duration period unit technology tool people person once be become scheme convention procedure process'
    .split(' ')
    .map(stem),
);

/** The same thing under another name; everything in a line counts as its first word. */
const SAME_WORD: ReadonlyMap<string, string> = new Map(
  [
    'database db datastore storage store persist persistence',
    'postgresql postgres pg',
    'authentication auth authenticate authenticated signin login log-in sign-in',
    'configuration config setting settings',
    'expire expiry expiration lifetime ttl valid last live validity',
    'maximum max limit cap bound',
    'minimum min',
    'delete remove drop purge erase deletion',
    'user account',
    'keep retain retention store preserve',
    'error failure fail exception break',
    'retry retries attempt repeat',
    'timeout wait',
    'currency money',
    'timestamp datetime',
    'email mail e-mail',
    'notify notification inform',
    'language locale i18n translation translate',
    'permission access right authorize',
    'log logging logs',
    'cache cached caching',
    'format shape structure',
    'version release',
    'queue broker',
    'encrypt encryption encrypted cipher',
    'pagination page paging paginate',
    'sort order ordering sorted',
    'price pricing cost',
    'library package',
    'rename name naming call named called',
    'show display render present',
    'start begin',
    'send deliver emit dispatch',
    'duplicate twice double dedupe',
    'concurrent parallel simultaneous',
    'backup snapshot',
    'region location',
    'round rounding rounded',
    'zone timezone',
    'hash digest',
    'id identifier',
    'field column attribute property',
    'enable activate',
    'disable deactivate',
    'inactive idle inactivity',
    'picture image photo',
    'see view visible seen',
    'own owner responsible',
    'licence license',
    'skip ignore omit',
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((word) => [stem(word), stem(first)] as const);
  }),
);

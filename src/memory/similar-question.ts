/*
 * Whether a question that was decided before is the question that is asked now. A wrong answer costs more than asking
 * again, so this is a match or nothing: everything that could make it another question must be the same (numbers, names in
 * code, environments, opposites, denial, the kind of question), and of the other words most.
 */

export interface AskedQuestion {
  readonly issueNumber: number;
  readonly topic: string;
  readonly question: string;
}

/** How well a decided question fits, from 0 to 1; 0 for what is another question. */
export function sameQuestion(asked: AskedQuestion, decided: AskedQuestion): number {
  const left = read(asked);
  const right = read(decided);
  const isOtherIssue = asked.issueNumber !== decided.issueNumber;
  if (isOtherIssue && (POINTS_AT_ISSUE.test(asked.question) || POINTS_AT_ISSUE.test(decided.question))) return 0;
  if (!isOtherIssue && isToTheLetter(asked, decided)) return 1;
  if (differs(left, right)) return 0;
  const score = likeness(left, right);
  return isOtherIssue && score < ACROSS_ISSUES ? 0 : score;
}

/** However few its words are: asked of the same issue under the same topic, it is the same question. */
function isToTheLetter(asked: AskedQuestion, decided: AskedQuestion): boolean {
  return letters(asked.question) === letters(decided.question) && letters(asked.topic) === letters(decided.topic);
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();

/** From this likeness on, the earlier answer is given. Calibrated by `npm run bench -- answers`. */
export const CONFIDENT = 0.8;
/** Another issue has other artifacts: there the words must be nearly the same. */
const ACROSS_ISSUES = 1;

interface Read {
  /** The words that carry the question, as stems. */
  readonly words: readonly string[];
  readonly topic: readonly string[];
  readonly exact: ReadonlySet<string>;
  readonly settings: ReadonlySet<string>;
  readonly poles: ReadonlySet<string>;
  /** Small words that change what is asked. */
  readonly turns: ReadonlySet<string>;
  readonly ways: ReadonlyMap<string, Way>;
  readonly kind: Kind;
  /** What it asks the number of. */
  readonly counted: string | undefined;
  readonly mayDo: boolean;
  readonly mustDo: boolean;
  readonly raw: readonly string[];
}

function read({ topic, question }: AskedQuestion): Read {
  const text = joined(question.toLowerCase());
  const own = stemsIn(text);
  const kind = kindOf(text);
  const mayDo = /\b(?:may|can|could|able|allowed|permitted|possible)\b/.test(text);
  const words = own.filter((word) => !SETTINGS.has(word));
  return {
    // How many are allowed asks for the most.
    words: mayDo && isAmount(kind) && !words.includes(MINIMUM) ? [...new Set([...words, MAXIMUM])] : words,
    topic: stemsIn(joined(topic.toLowerCase())),
    exact: exactIn(question),
    settings: new Set(own.flatMap((word) => SETTINGS.get(word) ?? [])),
    poles: new Set(rawWords(text).filter((word) => POLE_OF.has(word))),
    turns: new Set(TURNS.filter(([, pattern]) => pattern.test(text)).map(([turn]) => turn)),
    ways: waysIn(text),
    kind,
    counted: /\bhow many (?:different |distinct )?([\p{L}\p{N}_-]+)/u.exec(text)?.[1],
    mayDo,
    mustDo: /\b(?:must|required|mandatory|obliged)\b/.test(text),
    raw: rawWords(inOrder(text)),
  };
}

/** "At signup, is it required?" is "is it required at signup?". */
function inOrder(text: string): string {
  return text.replace(
    /^([^,?]{3,60}), ((?:is|are|do|does|should|can|may|must|will|which|what|how|who|where)\b[^?]*)\?/,
    '$2 $1',
  );
}

/** What is written in two words and is one. */
function joined(text: string): string {
  return text
    .replace(/\b(?:switch|turn)(?:ed|ing|es|s)? (on|off)\b/g, (_, way: string) => (way === 'on' ? 'enable' : 'disable'))
    .replace(
      /\b(log|sign|opt|time|back|roll|shut|check|scale|set)(?:ged|ging|s|ed|ing)? (in|out|up|back|down|off)\b/g,
      '$1$2',
    )
    .replace(
      /\b(?:no more than|up to|at most|at max(?:imum)?|largest|biggest|longest|highest|greatest|upper limit)\b/g,
      'maximum',
    )
    .replace(/\b(?:no (?:less|fewer) than|at least|at min(?:imum)?|smallest|shortest|lowest|lower limit)\b/g, 'minimum')
    .replace(/\b(?:by default|defaults)\b/g, 'default')
    .replace(/\b(?:after|for|within|in|until) (?=how (?:long|many)\b)/g, '')
    .replace(/['\u2019]s\b/g, '')
    .replace(
      /\b(?:kept|sent|held|built|written|wrote|chosen|chose|sold|bought|lost|shown|paid|made|ran|begun|began|taken|took|given|gave)\b/g,
      (form) => BASE_FORM[form] ?? form,
    );
}

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

type Way = 'to' | 'from';

/** Calls to a service are not calls from it. */
function waysIn(text: string): ReadonlyMap<string, Way> {
  const found = text.matchAll(
    /\b(to|into|onto|from|by) (?:(?:the|a|an|our|its|their|all|any|every|each) )*([\p{L}\p{N}_-]+)/gu,
  );
  return new Map(
    [...found].map(([, way = '', word = '']) => [stem(word), way === 'from' || way === 'by' ? 'from' : 'to'] as const),
  );
}

/** Each turns a question into another one: whether it is denied, is about the past, asks whether something goes on. */
const TURNS: readonly (readonly [string, RegExp])[] = [
  [
    'not',
    /\b(?:not|never|without|don't|doesn't|isn't|aren't|shouldn't|can't|cannot|won't|mustn't|no longer|except|exclud\w+|forbid\w*|forbidden|prohibit\w*|avoid\w*|disallow\w*|besides|other than|un(?:authenticated|authorized|encrypted|signed|verified|paid|known))\b/,
  ],
  ['still', /\b(?:still|anymore|any ?more|any longer|no longer|already|again|yet|continue)\b/],
  ['only', /\b(?:only|solely|exclusively|nothing but)\b/],
  ['else', /\b(?:else|another|other|additional\w*|instead|alternative\w*)\b/],
  [
    'past',
    /\b(?:was|were|had|used to|previously|formerly|originally|did (?!(?:we|you|they) (?:decide|agree|choose|settle)))\b/,
  ],
  ['future', /\b(?:next|future|later|eventually|from now on|going forward|upcoming)\b/],
  ['part', /\b(?:some|sometimes|partly|partially|certain|a few)\b/],
  ['if', /\b(?:if|unless|in case|provided that|now that)\b/],
];

/** Numbers, versions, names in code, paths and words in capitals: a question about another one is another question. */
function exactIn(question: string): ReadonlySet<string> {
  const code = question.match(/`[^`]+`|"[^"]+"|\b\w+(?:[_/.]\w+)+\b|\b[a-z]+[A-Z]\w*\b/g) ?? [];
  const names = question.match(/(?<=\S\s)[A-Z][A-Za-z]*[A-Z0-9]\w*|(?<=[a-z,] )[A-Z][a-z]+\w*/g) ?? [];
  const units =
    question.match(
      /\b(?:per|every|each|a) (?:second|minute|hour|day|week|month|quarter|year)\b|\b(?:from|to) which\b/gi,
    ) ?? [];
  const numbers = question.match(/\b\d+(?:[.,:]\d+)*(?:\s?(?:%|ms|kb|mb|gb|s|h|d|min))?\b/gi) ?? [];
  return new Set(
    [...code, ...names, ...numbers, ...units].map((name) =>
      name.replace(/[`"\s]|\(\)$|\b(?:per|every|each|a) /g, '').toLowerCase(),
    ),
  );
}

function differs(left: Read, right: Read): boolean {
  if (!isEqual(left.turns, right.turns) || !isCompatible(left.kind, right.kind) || isOtherDuty(left, right))
    return true;
  if (!isEqual(left.settings, right.settings) || hasOpposites(left.poles, right.poles)) return true;
  if (left.counted !== undefined && right.counted !== undefined && stem(left.counted) !== stem(right.counted))
    return true;
  if (goesOtherWay(left.ways, right.ways) || isReordered(left.raw, right.raw)) return true;
  return !isEqual(left.exact, right.exact) && !namesOnlyIn(left, right);
}

/** Whether it may be done is another question than whether it is done or must be. */
function isOtherDuty(left: Read, right: Read): boolean {
  if ((left.mayDo && right.mustDo && !right.mayDo) || (right.mayDo && left.mustDo && !left.mayDo)) return true;
  return left.kind === 'yesno' && right.kind === 'yesno' && left.mayDo !== right.mayDo;
}

function goesOtherWay(left: ReadonlyMap<string, Way>, right: ReadonlyMap<string, Way>): boolean {
  return [...left].some(([word, way]) => right.has(word) && right.get(word) !== way);
}

/** The same words in another order: "may admins remove users", "may users remove admins". The sides of an "or" may change places. */
function isReordered(left: readonly string[], right: readonly string[]): boolean {
  if (left.includes('or')) return false;
  const [one, other] = [left, right].map((words) => words.filter((word) => !STOP_WORDS.has(word)).join(' '));
  return one !== other && left.toSorted().join(' ') === right.toSorted().join(' ');
}

/** One side may name the options of a choice that the other leaves open; a number is never left open. */
function namesOnlyIn(left: Read, right: Read): boolean {
  const [few, many] = left.exact.size < right.exact.size ? [left, right] : [right, left];
  const extra = [...many.exact].filter((name) => !few.exact.has(name));
  const isWithin = [...few.exact].every((name) => many.exact.has(name));
  return isWithin && many.kind === 'choice' && extra.every((name) => !/\d/.test(name)) && extra.length >= 2;
}

/**
 * Each word stands for one word of the other side. Where each side has one of its own, one was put in the place of the
 * other; where only one side has, it narrows the question: neither is the same question for certain.
 */
function likeness(left: Read, right: Read): number {
  const { shared: paired, onlyLeft, onlyRight } = pairedOff(left.words, right.words);
  const shared = paired + left.settings.size;
  const extraLeft = withoutTopic(onlyLeft, right);
  const extraRight = withoutTopic(onlyRight, left);
  // One word in common is a subject, not a question.
  if ((extraLeft.length > 0 && extraRight.length > 0) || shared < 2) return 0;
  const extra = extraLeft.length + extraRight.length;
  return extra === 0 ? 1 : Math.min(shared / (shared + extra), NARROWED);
}

/** A question that says more than the other one; below what is given without asking. */
const NARROWED = 0.75;

/** Equal words first, then those that mean the same. */
function pairedOff(left: readonly string[], right: readonly string[]) {
  const [leftWords, rightWords] = [left, right].map((words) => words.filter((word) => !COMMON.has(word)));
  const rest = [...(rightWords ?? [])];
  const take = (word: string, isSame: (other: string) => boolean): boolean => {
    const place = rest.findIndex((other) => isSame(other));
    if (place >= 0) rest.splice(place, 1);
    return place >= 0 && word !== '';
  };
  const unequal = (leftWords ?? []).filter((word) => !take(word, (other) => other === word));
  const onlyLeft = unequal.filter((word) => !take(word, (other) => meaning(other) === meaning(word)));
  return { shared: (leftWords ?? []).length - onlyLeft.length, onlyLeft, onlyRight: rest };
}

/** What the other side's topic says, its question need not repeat. */
function withoutTopic(words: readonly string[], { topic }: Read): readonly string[] {
  return words.filter((word) => !topic.some((other) => meaning(other) === meaning(word)));
}

const isAmount = (kind: Kind): boolean => ['count', 'size', 'quantity', 'duration'].includes(kind);

type Kind =
  | 'count'
  | 'duration'
  | 'frequency'
  | 'size'
  | 'quantity'
  | 'time'
  | 'place'
  | 'person'
  | 'reason'
  | 'manner'
  | 'choice'
  | 'yesno'
  | 'open';

const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [
    /\bhow (?:often|frequent(?:ly)?)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:interval|frequency)\b|\bhow many times\b/,
    'frequency',
  ],
  [/\bhow (?:many|few)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:number|count)\b/, 'count'],
  [/\bhow (?:large|big|wide|deep|far|high|small)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}size\b/, 'size'],
  [
    /\bhow long\b|\bhow soon\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:duration|timeout|ttl|lifetime|period|retention)\b/,
    'duration',
  ],
  [
    /\bhow (?:much|old|fast)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:limit|maximum|minimum|length|rate)\b/,
    'quantity',
  ],
  [/\bwhy\b|\bwhat is the reason\b/, 'reason'],
  [/\bwho\b|\bwhose\b|\bwhich (?:role|user|team|person|people|group)s?\b/, 'person'],
  [/\bwhere\b|\b(?:in )?which (?:folder|file|directory|table|bucket|region|place)\b/, 'place'],
  [/\bwhen\b(?! (?:a|an|the|it|we|they|i|you|there|this|that|one|two|some|no|its)\b)|\bwhat (?:time|date)\b/, 'time'],
  [/\bor\b|\bwhich\b|\bwhat\b/, 'choice'],
  [/\bhow\b/, 'manner'],
  [/^(?:[^?]*[.,;:] )?(?:is|are|do|does|did|should|shall|can|may|must|will|would|has|have|could|need)\b/, 'yesno'],
];

function kindOf(text: string): Kind {
  const questions = text.split(/(?<=[.!?])\s+/).filter((part) => part.includes('?'));
  const asked = questions.at(-1) ?? text;
  return KINDS.find(([pattern]) => pattern.test(asked))?.[1] ?? 'open';
}

const ALIKE: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
  quantity: ['count', 'duration', 'frequency', 'size'],
  duration: ['time'],
};

function isCompatible(left: Kind, right: Kind): boolean {
  const isAlike = (one: Kind, other: Kind) => ALIKE[one]?.includes(other) ?? false;
  return left === right || left === 'open' || right === 'open' || isAlike(left, right) || isAlike(right, left);
}

const POINTS_AT_ISSUE =
  /\b(?:this|these|here|our new|the new|above|below|the (?:story|task|feature|ticket|issue|spec|endpoint|page|screen|form|job|step|change))\b/i;

/** Where something runs, and for whom. */
const SETTINGS: ReadonlyMap<string, string> = new Map(
  [
    ['production', 'prod live'],
    ['staging', 'stage preprod'],
    ['development', 'dev local locally localhost'],
    ['ci', 'pipeline'],
    ['test', 'tests testing e2e'],
    ['mobile', 'app ios android phone'],
    ['web', 'browser desktop'],
    ['admin', 'admins administrator administrators backoffice'],
    ['guest', 'guests anonymous'],
    ['free', 'trial'],
    ['premium', 'paid enterprise pro'],
    ['europe', 'eu gdpr'],
    ['usa', 'us'],
  ].flatMap(([name = '', others = '']) => [name, ...others.split(' ')].map((word) => [stem(word), name] as const)),
);

/** Of each pair, a question about the one is not a question about the other. */
const OPPOSITES =
  'min/max minimum/maximum read/write reads/writes create/delete created/deleted creation/deletion add/remove insert/delete input/output request/response requests/responses before/after enable/disable enabled/disabled client/server frontend/backend public/private user/admin upload/download uploads/downloads import/export imports/exports first/last sync/async synchronous/asynchronous internal/external incoming/outgoing inbound/outbound old/new encrypt/decrypt start/end login/logout sender/receiver source/target primary/secondary ios/android success/failure successful/failed up/down increase/decrease buyer/seller customer/supplier monthly/yearly daily/weekly weekly/monthly daily/monthly hourly/daily access/refresh soft/hard lower/upper hot/cold horizontal/vertical email/sms push/email open/closed open/close lock/unlock ascending/descending debit/credit invoice/receipt order/refund payment/refund payments/refunds password/username name/email create/update update/delete updates/deletes read/delete list/create forward/backward left/right parent/child row/column header/footer json/xml csv/json get/post put/patch archive/delete archived/deleted warn/fail retry/abort cache/log shipping/billing day/night staff/customers employees/customers teachers/students doctors/patients drivers/passengers optional/required optional/mandatory more/less more/fewer greater/less larger/smaller older/newer longer/shorter higher/lower above/below over/under inside/outside within/outside all/some all/none always/never always/sometimes before/during during/after until/after since/until optin/optout login/signup signup/logout displayed/stored shown/stored'
    .split(' ')
    .map((pair) => pair.split('/'));
const [MAXIMUM, MINIMUM] = [stem('maximum'), stem('minimum')];
const POLE_OF: ReadonlyMap<string, readonly string[]> = polesOf();

function polesOf(): ReadonlyMap<string, readonly string[]> {
  const poles = new Map<string, string[]>();
  for (const [one = '', other = ''] of OPPOSITES) {
    poles.set(one, [...(poles.get(one) ?? []), other]);
    poles.set(other, [...(poles.get(other) ?? []), one]);
  }
  return poles;
}

function hasOpposites(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return [...left].some(
    (word) => !right.has(word) && (POLE_OF.get(word) ?? []).some((other) => right.has(other) && !left.has(other)),
  );
}

function isEqual(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((word) => right.has(word));
}

function rawWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []
  );
}

/** Each word once. */
function stemsIn(text: string): readonly string[] {
  return [
    ...new Set(
      rawWords(text)
        .filter((word) => !STOP_WORDS.has(word))
        .map(stem),
    ),
  ];
}

/** One word for all that mean the same. */
function meaning(word: string): string {
  return SAME_WORD.get(word) ?? word;
}

/** Enough of Porter's idea to bring the forms of one word together. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  const plural = word
    .replace(/(?:sses)$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '');
  const bare = plural.replace(/(?:ations?|ition|tion|ments?|ing|ed|er|able|ly|al|ity|ness)$/, '');
  return (bare.length >= 3 ? bare : plural).replace(/([^aeioulsz])\1$/, '$1').replace(/e$/, '');
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an the and or of for with to in on at by from as is are was were be been do does did done have has had should shall can could may might must will would we i you they it its our your their us this that these those there here what which when where who whom how why if then than so such any all each every some only just also about into via per out up need needs want wants please exactly actually currently really kind sort one ones let there's it's prd adr spec says say mentions mention unclear regarding concerning question clear whether think know tell confirm too s".split(
    ' ',
  ),
);

/** Words that most questions of this kind have. */
const COMMON: ReadonlySet<string> = new Set(
  'use used using support handle system service application data value work go happen make get set keep expect require allow permit able implement behave behaviour define decide decision type way api project feature option possible frequent frequently often many much remain stay stays respect hidden follow apply exist build base run put time times number count amount length long size large big duration period unit technology tool people person once be become'
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
    'error failure fail exception',
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
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((word) => [stem(word), stem(first)] as const);
  }),
);

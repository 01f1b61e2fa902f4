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
  /** Of the question. */
  readonly words: ReadonlySet<string>;
  /** Of the question and its topic. */
  readonly around: ReadonlySet<string>;
  readonly exact: ReadonlySet<string>;
  readonly settings: ReadonlySet<string>;
  readonly poles: ReadonlySet<string>;
  readonly isDenied: boolean;
  readonly kind: Kind;
}

function read({ topic, question }: AskedQuestion): Read {
  const text = question.toLowerCase();
  const own = new Set(wordsIn(question));
  const words = new Set([...own].filter((word) => !SETTINGS.has(word)));
  return {
    words,
    around: new Set([...words, ...wordsIn(topic)]),
    exact: exactIn(question),
    settings: new Set([...own].flatMap((word) => SETTINGS.get(word) ?? [])),
    poles: new Set([...rawWords(text)].filter((word) => POLE_OF.has(word))),
    isDenied: DENIAL.test(text),
    kind: kindOf(text),
  };
}

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
  if (left.isDenied !== right.isDenied || !isCompatible(left.kind, right.kind)) return true;
  if (!isEqual(left.settings, right.settings) || hasOpposites(left.poles, right.poles)) return true;
  return !isEqual(left.exact, right.exact) && !namesOnlyIn(left, right);
}

/** One side may name the options of a choice that the other leaves open; a number is never left open. */
function namesOnlyIn(left: Read, right: Read): boolean {
  const [few, many] = left.exact.size < right.exact.size ? [left, right] : [right, left];
  const extra = [...many.exact].filter((name) => !few.exact.has(name));
  const isWithin = [...few.exact].every((name) => many.exact.has(name));
  return isWithin && many.kind === 'choice' && extra.every((name) => !/\d/.test(name)) && extra.length >= 2;
}

/** Where each side has a word of its own, one was put in the place of the other: it is about something else. */
function likeness(left: Read, right: Read): number {
  const onlyLeft = [...left.words].filter((word) => !right.around.has(word) && !COMMON.has(word));
  const onlyRight = [...right.words].filter((word) => !left.around.has(word) && !COMMON.has(word));
  if (onlyLeft.length > 0 && onlyRight.length > 0) return 0;
  const shared = [...left.words].filter((word) => right.words.has(word) && !COMMON.has(word)).length;
  // One word in common is a subject, not a question.
  return shared < 2 ? 0 : shared / (shared + onlyLeft.length + onlyRight.length);
}

type Kind = 'quantity' | 'time' | 'place' | 'person' | 'reason' | 'manner' | 'choice' | 'yesno' | 'open';

const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [
    /\bhow (?:many|much|long|often|large|big|old|far|few|soon|fast|wide|deep)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:limit|maximum|minimum|size|length|duration|number|timeout|ttl|interval|rate|lifetime|period|count|retention)\b/,
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
  choice: ['manner', 'open', 'yesno', 'place', 'quantity'],
  manner: ['choice', 'open'],
  open: ['choice', 'manner', 'quantity', 'time', 'place', 'person', 'yesno', 'reason'],
  quantity: ['time', 'open', 'choice'],
  time: ['quantity', 'open'],
  place: ['choice', 'open'],
  person: ['open'],
  reason: ['open'],
  yesno: ['choice', 'open'],
};

function isCompatible(left: Kind, right: Kind): boolean {
  return left === right || (ALIKE[left]?.includes(right) ?? false);
}

const DENIAL =
  /\b(?:not|never|without|don't|doesn't|isn't|aren't|shouldn't|can't|cannot|won't|no longer|except|exclud\w+|forbid\w*|disallow\w*|besides|other than|un(?:authenticated|authorized|encrypted|signed|verified|paid|known))\b/;
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
  'min/max minimum/maximum read/write reads/writes create/delete created/deleted creation/deletion add/remove insert/delete input/output request/response requests/responses before/after enable/disable enabled/disabled client/server frontend/backend public/private user/admin upload/download uploads/downloads import/export imports/exports first/last sync/async synchronous/asynchronous internal/external incoming/outgoing inbound/outbound old/new encrypt/decrypt start/end login/logout sender/receiver source/target primary/secondary ios/android success/failure successful/failed up/down increase/decrease buyer/seller customer/supplier monthly/yearly daily/weekly weekly/monthly daily/monthly hourly/daily access/refresh soft/hard lower/upper hot/cold horizontal/vertical email/sms push/email open/closed open/close lock/unlock ascending/descending debit/credit invoice/receipt order/refund payment/refund payments/refunds password/username name/email create/update update/delete updates/deletes read/delete list/create forward/backward left/right parent/child row/column header/footer json/xml csv/json get/post put/patch archive/delete archived/deleted warn/fail retry/abort cache/log shipping/billing day/night staff/customers employees/customers teachers/students doctors/patients drivers/passengers'
    .split(' ')
    .map((pair) => pair.split('/'));
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

function rawWords(text: string): ReadonlySet<string> {
  return new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [],
  );
}

function wordsIn(text: string): readonly string[] {
  return [...rawWords(text)]
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => SAME_WORD.get(stem(word)) ?? stem(word));
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
  "a an the and or of for with to in on at by from as is are was were be been do does did done have has had should shall can could may might must will would we i you they it its our your their us this that these those there here what which when where who whom how why if then than so such any all each every some only just also about into via per out up need needs want wants please exactly actually currently really kind sort one ones let there's it's prd adr spec says say mentions mention unclear regarding concerning question clear whether think know tell confirm".split(
    ' ',
  ),
);

/** Words that most questions of this kind have. */
const COMMON: ReadonlySet<string> = new Set(
  'use used using support handle system service application data value work go happen make get set keep expect require allow implement behave behaviour define decide decision type way api project feature option possible frequent remain respect hidden follow apply exist build run put time number least most time day hours be become same'
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
    'expire expiry expiration lifetime ttl valid last live stay validity',
    'limit maximum max cap upper allow allowed bound',
    'minimum min least lower',
    'delete remove drop purge erase deletion',
    'user customer client account member',
    'keep retain retention store preserve',
    'error failure fail exception problem',
    'retry retries attempt repeat again',
    'timeout wait',
    'currency money',
    'date timestamp datetime time',
    'email mail e-mail',
    'notify notification alert inform',
    'language locale i18n translation translate',
    'permission access right role authorize allowed',
    'log logging logs audit record',
    'cache cached caching',
    'file document attachment upload',
    'size large big length long',
    'format shape structure layout schema',
    'version release',
    'queue broker',
    'encrypt encryption encrypted cipher',
    'pagination page paging paginate',
    'sort order ordering sorted',
    'price pricing cost fee',
    'use choose pick select go adopt take prefer',
    'library package framework dependency',
    'rename name naming call named called',
    'show display render present',
    'send deliver emit dispatch',
    'duplicate twice double dedupe',
    'concurrent parallel simultaneous',
    'backup snapshot',
    'region location country',
    'round rounding rounded',
    'zone timezone utc',
    'hash digest',
    'id identifier key uuid',
    'field column attribute property',
    'optional mandatory required nullable',
    'default fallback',
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((word) => [stem(word), stem(first)] as const);
  }),
);

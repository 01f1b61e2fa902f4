import { hasOtherNames, isSameWord, STOP_WORDS, stem } from './question-words.js';

/*
 * What makes a question a different one although most of its words are the same. These are small words that change its
 * meaning, names and numbers, where it runs, which of two opposites it is about, and which way something goes. Pure.
 */

/** Each turns a question into another one: whether it is denied, is about the past, asks whether something goes on. */
export const TURNS: readonly (readonly [string, RegExp])[] = [
  [
    'not',
    /\b(?:not|never|without|don't|doesn't|isn't|aren't|shouldn't|can't|cannot|won't|mustn't|no longer|except|exclud\w+|forbid\w*|forbidden|prohibit\w*|avoid\w*|disallow\w*|besides|other than|un(?:authenticated|authorized|encrypted|signed|verified|paid|known))\b/,
  ],
  ['still', /\b(?:still|anymore|any ?more|any longer|no longer|already|again|yet|continue)\b/],
  ['only', /(?<!\bor )\b(?:only|solely|exclusively|nothing but)\b/],
  ['else', /\b(?:else|another|other|a different|additional\w*|instead|alternative\w*)\b/],
  [
    'past',
    // "After it was shipped" is no question about the past.
    /(?:^|[.,;:!?] )(?:(?:who|what|which|when|where|why|how)\b(?: \w+){0,3} )?(?:was|were|had|did (?!(?:we|you|they) (?:decide|agree|choose|settle)))\b|\b(?:used to|previously|formerly|originally)\b/,
  ],
  ['future', /\b(?:next|future|later|eventually|from now on|going forward|upcoming)\b/],
  ['part', /\b(?:some|sometimes|partly|partially|certain|a few)\b/],
];

/** What something is done without: another thing makes it another question. */
export function withoutWhat(text: string): string | undefined {
  const word = /\b(?:without|except|excluding) (?:(?:the|an?|any|its|their|for) )*([\p{L}\p{N}_-]+)/u.exec(text)?.[1];
  return word === undefined ? undefined : stem(word);
}

/** Numbers, versions, names in code, paths and words in capitals: a question about another one is another question. */
export function exactIn(text: string): ReadonlySet<string> {
  const question = text.replace(/\b(?:versions? |v)(?=\d)/gi, '');
  const code = question.match(/`[^`]+`|"[^"]+"|\b\w+(?:[_/.]\w+)+\b|\b[a-z]+[A-Z]\w*\b/g) ?? [];
  const names = question.match(/(?<=\S\s|^)[A-Z][A-Za-z]*[A-Z0-9]\w*|(?<=[a-z,] )[A-Z][a-z]+\w*/g) ?? [];
  const units =
    question.match(
      /\b(?:per|every|each|(?<!\b(?:or|after|for|in|within|than|last) )a) (?:second|minute|hour|day|week|month|quarter|year)\b/gi,
    ) ?? [];
  const numbers = question.match(/\bv?\d+(?:[.,:]\d+)*(?:\s?(?:%|ms|kb|mb|gb|s|h|d|min))?\b/gi) ?? [];
  return new Set(
    [...code, ...names.filter(isName), ...numbers, ...units].map((name) =>
      name.toLowerCase().replace(/[`"\s]|\(\)$|\b(?:per|every|each|a) /g, ''),
    ),
  );
}

/** "Which queue does it come from", "to which queue does it go". */
export function directionIn(text: string): string | undefined {
  const [, before, after] = /\b(from|to) (?:which|what)\b|\b(?:which|what)\b[^?]+ (from|to)\?/.exec(text) ?? [];
  return before ?? after;
}

/** "RAM", "CI" and "OK" are words like others. */
function isName(name: string): boolean {
  const word = name.toLowerCase();
  return settingOf(word) === undefined && !hasOtherNames(stem(word)) && word !== 'ok';
}

/** Where something runs, and for whom. By the word: what is "paid" is no "payment". */
export function settingOf(word: string): string | undefined {
  return SETTINGS.get(word) ?? SETTINGS.get(word.replace(/s$/, ''));
}

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
    ['usa', 'america american'],
  ].flatMap(([name = '', others = '']) => [name, ...others.split(' ')].map((word) => [word, name] as const)),
);

/** Of each pair, a question about the one is not a question about the other. */
const OPPOSITES =
  'min/max minimum/maximum read/write reads/writes create/delete created/deleted creation/deletion add/remove insert/delete input/output request/response requests/responses before/after enable/disable enabled/disabled client/server frontend/backend public/private user/admin upload/download uploads/downloads import/export imports/exports first/last sync/async synchronous/asynchronous internal/external incoming/outgoing inbound/outbound old/new encrypt/decrypt start/end login/logout sender/receiver source/target primary/secondary ios/android success/failure successful/failed up/down increase/decrease buyer/seller customer/supplier monthly/yearly daily/weekly weekly/monthly daily/monthly hourly/daily access/refresh soft/hard lower/upper hot/cold horizontal/vertical email/sms push/email open/closed open/close lock/unlock ascending/descending debit/credit invoice/receipt order/refund payment/refund payments/refunds password/username name/email create/update update/delete updates/deletes read/delete list/create forward/backward left/right parent/child row/column header/footer json/xml csv/json get/post put/patch archive/delete archived/deleted warn/fail retry/abort cache/log shipping/billing day/night staff/customers employees/customers teachers/students doctors/patients drivers/passengers optional/required optional/mandatory more/less more/fewer greater/less larger/smaller older/newer longer/shorter higher/lower above/below over/under inside/outside within/outside all/some all/none always/never always/sometimes before/during during/after until/after since/until optin/optout login/signup signup/logout displayed/stored shown/stored'
    .split(' ')
    .map((pair) => pair.split('/'));
export const POLE_OF: ReadonlyMap<string, readonly string[]> = polesOf();

function polesOf(): ReadonlyMap<string, readonly string[]> {
  const poles = new Map<string, string[]>();
  for (const [one = '', other = ''] of OPPOSITES) {
    poles.set(one, [...(poles.get(one) ?? []), other]);
    poles.set(other, [...(poles.get(other) ?? []), one]);
  }
  return poles;
}

export function hasOpposites(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return [...left].some(
    (word) => !right.has(word) && (POLE_OF.get(word) ?? []).some((other) => right.has(other) && !left.has(other)),
  );
}

const PREPOSITIONS: ReadonlyMap<string, string> = new Map(
  ['from by', 'to into onto', 'before', 'after', 'than', 'over', 'against', 'with'].flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((word) => [word, first] as const);
  }),
);
/** Where what a preposition belongs to has ended. */
const ENDS = new Set('in on at for of or and when if while without that which what how who where why'.split(' '));

/** Words that two unlike things may both have before them. */
const POINTING = new Set('same other own single first last new'.split(' '));

/** "Allowed to call": what follows is no place. */
const BEFORE_VERBS = new Set(
  'allowed able permitted required needed possible want wants going used ok fine'.split(' '),
);

/** The words that follow each preposition, as stems. */
export function objectsIn(words: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const objects = new Map<string, Set<string>>();
  let current: Set<string> | undefined;
  for (const [place, word] of words.entries()) {
    const isOfVerb = word === 'to' && BEFORE_VERBS.has(words[place - 1] ?? '');
    const preposition = isOfVerb ? undefined : PREPOSITIONS.get(word);
    if (preposition !== undefined) {
      current = objects.get(preposition) ?? new Set();
      objects.set(preposition, current);
    } else if (ENDS.has(word)) current = undefined;
    else if (!STOP_WORDS.has(word) && !POINTING.has(word)) current?.add(stem(word));
  }
  return objects;
}

/** Calls to a service are not calls from it, and a call from A to B is none from B to A. */
export function goesOtherWay(one: Placed, another: Placed): boolean {
  const [left, right] = [one.objects, another.objects];
  // What only one of them says is no matter of the way.
  const known = (objects: ReadonlySet<string>, words: readonly string[]) =>
    new Set([...objects].filter((object) => words.some((word) => isSameWord(word, object))));
  const isMoved = [...left].some(([preposition, objects]) => {
    const words = known(objects, another.words);
    const others = known(right.get(preposition) ?? new Set(), one.words);
    return words.size > 0 && others.size > 0 && !hasSame(words, others);
  });
  const isTurned = (one: Objects, other: Objects): boolean =>
    [...(one.get('to') ?? [])].some((word) => other.get('from')?.has(word) && !other.get('to')?.has(word));
  return isMoved || isTurned(left, right) || isTurned(right, left);
}

function hasSame(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...words].some((word) => [...others].some((other) => isSameWord(word, other)));
}

type Objects = ReturnType<typeof objectsIn>;

interface Placed {
  readonly objects: Objects;
  readonly words: readonly string[];
}

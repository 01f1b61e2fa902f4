import { alternativesOf } from '../search/same-meaning.js';
import { stemOf } from '../search/words.js';
import { inDigits } from './number-words.js';

/*
 * The words of a question: brought to one form, without those that every question has, and with one word for all that mean
 * the same. Pure.
 */

/** What people say around a question: greetings, what they are at, what they have read. */
export function withoutChatter(question: string): string {
  return question
    .replace(
      /(?:^|(?<=[.!?:;,\u2014-]\s))(?:(?:hi|hey|hello|sorry|thanks|ok(?:ay)?|so|quick (?:one|question)(?: from [^.!?:]{1,40})?|just (?:to (?:confirm|be sure|check)|checking|wondering)|one more (?:thing|question))\b[,.!:;\s\u2014-]*|(?:could|can|would) you (?:please )?(?:tell me|confirm|clarify|say)(?: whether| if)?\s|(?:please )?(?:confirm|clarify)(?: whether| if| that)?:?\s|(?:do|does) (?:you|anyone) (?:know|remember) (?:whether|if)?\s?|i(?:'m| am) (?:not sure|wondering|about to [^.!?]{1,80}|working on [^.!?]{1,60})[.,;:]?\s)+/gi,
      '',
    )
    .replace(
      /(?:^|(?<=[.!?]\s))(?:the|our) (?:prd|spec(?:ification)?|adr|design(?: doc)?|ticket|story)\b[^.!?]{0,40}\b(?:says|mentions|states|has)\b[^.!?]*[.!?]\s+/gi,
      '',
    )
    .replace(/,? (?:pls|please|thanks)(?=[?.!]?\s*$)/i, '');
}

/** One spelling for amounts: `20 percent` is `20%`, and `thirty minutes` are `30min`. */
export function withUnits(text: string): string {
  return UNITS.reduce((result, [pattern, unit]) => result.replace(pattern, unit), inDigits(text));
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:https? )?status codes?\b|\bhttps? (?:status|codes?)\b/gi, 'status'],
  [/[\u20ac](?: ?)(?=\d)([\d.,]*\d)|(?<=\d) ?(?:euros?\b|eur\b|\u20ac)/gi, '$1eur'],
  [/\$ ?([\d.,]*\d)|(?<=\d) ?(?:dollars?|usd)\b/gi, '$1usd'],
  [
    /\b(?:one|(?:a|the) (?:whole|full)|(?<=\b(?:for|or|to|within|after) )an?) (?=(?:second|minute|hour|day|week|month|year)\b)/gi,
    '1 ',
  ],
  [/(?<=\d) ?(?:percent\b|per cent\b|%)/gi, '%'],
  [/(?<=\d) ?(?:milliseconds?|msecs?|ms)\b/gi, 'ms'],
  [/(?<=\d) ?(?:seconds?|secs?|s)\b/gi, 's'],
  [/(?<=\d) ?(?:minutes?|mins?)\b/gi, 'min'],
  [/(?<=\d) ?(?:hours?|hrs?|h)\b/gi, 'h'],
  [/(?<=\d) ?(?:days?|d)\b/gi, 'd'],
  [/(?<=\d) ?weeks?\b/gi, 'w'],
  [/(?<=\d) ?months?\b/gi, 'mo'],
  [/(?<=\d) ?years?\b/gi, 'y'],
  [/(?<=\d) ?(?:megabytes?|mib|mb)\b/gi, 'mb'],
  [/(?<=\d) ?(?:gigabytes?|gib|gb)\b/gi, 'gb'],
  [/(?<=\d) ?(?:kilobytes?|kib|kb)\b/gi, 'kb'],
];

/** What is written in two words and is one. */
export function joined(text: string): string {
  return (
    text
      .replace(/\b(what|which|where|who|when|how|that|there|it)['\u2019]s\b/g, '$1 is')
      .replace(
        /\b(?:before|until) (?:we|it|they|you|one) (?:gives?|stops?)(?: up| trying| retrying)?\b|\b(?:stop|give up) (?:re)?trying\b/g,
        'maximum',
      )
      .replace(/\bhow many (?:attempts|tries|retries)\b/g, 'how many times retry')
      .replace(/\b(e-?mail)(?:'s)? address(?:es)?\b/g, '$1')
      .replace(/\bshopping (?=carts?\b)|\bline (?=items?\b)|\bat rest\b/g, '')
      .replace(/\b(?:send|sends|sent|give|gives|bring|brings) ([^?.,]{2,40}) back\b/g, 'return $1')
      .replace(/\bwrite(?:s|n)? ([^?]{2,40}) (?:in)?to (?:the |an? )?((?:\w+ )?logs?)\b/g, 'log $1')
      .replace(/\b(?:that|which) (?:we|you|they|i) (?:take|make|have|use|keep|run)\b/g, '')
      .replace(/\bmakes? (?:an? )?(\w+ )?(?=(?:calls?|requests?|changes?)\b)/g, '$1')
      .replace(
        /\b(?:has|have) (?:one|it|that|this|any|anything|something) (?:already )?been (?:chosen|decided|picked|agreed|settled)\b/g,
        'which one',
      )
      .replace(/\bat (?:what|which) (?:point|moment|time)\b/g, 'when')
      .replace(/\blives?(?= (?:in|on|at|below|under|inside)\b|\?)/g, 'belong')
      .replace(/\bduring (?:the )?(night|day|weekend)s?\b/g, 'at $1')
      .replace(/\bfirst (release|version|phase)\b|\b(release|version|phase) one\b/g, '$1$2 1')
      .replace(/\blocal times?(?: ?zone)?\b/g, 'localtime')
      .replace(/\breal[ -]time\b/g, 'realtime')
      .replace(/\b(?:right|straight) away\b/g, 'immediately')
      .replace(/\b(?:character set|charset)s?\b/g, 'encoding')
      .replace(/\bdecimal places\b/g, 'decimals')
      .replace(
        /\b(is|are) there (?:an?|any) (?:agreed|standard|fixed|official|common|preferred|hard)\b/g,
        '$1 there any',
      )
      .replace(/\blocal (?=disks?|storage|files?|variables?|branch)/g, '')
      .replace(/\bgo(?:es)? out\b/g, 'send')
      .replace(
        /\bwhen (?:are|is|do|does|should|must) ([^?]+?) (?:be )?(?:deleted|purged|removed|erased|dropped)\b/g,
        'how long keep $1',
      )
      .replace(/\b(?:(?:more|higher|greater|larger) than|over|exceeding) (?=\d)/g, 'above ')
      .replace(/\b(?:(?:less|fewer|lower|smaller) than|under) (?=\d)/g, 'below ')
      .replace(/\bwith(?: \w+)? or without\b/g, 'with')
      .replace(/\btr(?:y|ies|ied) again\b/g, 'retry')
      .replace(/\b(?:switch|turn)(?:ed|ing|es|s)? (on|off)\b/g, (_, way: string) =>
        way === 'on' ? 'enable' : 'disable',
      )
      .replace(
        // Not the noun: "is the audit log in UTC".
        /(?<!\b(?:the|an?|our|this|each|every|audit|error|access|change|event|server|request|debug|activity) )\b(log|sign|opt|back|roll|shut|check|scale|set|fall)(?:ged|ging|s|ed|ing)? (in|out|up|back|down|off)\b/g,
        '$1$2',
      )
      .replace(/\btim(?:e|es|ed|ing) out\b/g, 'timeout')
      // Not what is paid for: "a paid plan".
      .replace(/\bpaid(?= (?:out|by|to|in|for|with|back|when|after|before|at|on|twice|once)\b|[?.,]|$)/g, 'pay')
      .replace(/\bkick(?:s|ed|ing)? off\b/g, 'start')
      .replace(/\bend[- ]to[- ]end\b/g, 'e2e')
      .replace(/\b(?:go|turn)(?:es|s)? red\b/g, 'fail')
      .replace(/\bis it (?:ok(?:ay)?|fine|allowed|permitted|acceptable|possible) (?:to|for us to|if we)\b/g, 'may we')
      .replace(/\b(?:kind|sort)s? of\b/g, '')
      .replace(/\b(?:is|are|was|were) (?=[^?]*\b(?:supposed|meant|expected) to\b)/g, 'should ')
      .replace(/\b(?:supposed|meant|expected) to\b/g, '')
      .replace(
        /\bwhat (?:should |will |does )?happens?(?: to| with)?\b|\bwhat (?:do|should|does|must|will) (?:(?:the|an?) )?(\w+(?: \w+)?) do(?: with| about)?\b/g,
        'how handle $1',
      )
      .replace(/\b(?:handled?|treat(?:ed)?|deal(?:t)? with)\b/g, 'handle')
      .replace(/\b(?:at once|at the same time)\b/g, 'concurrent')
      .replace(
        /\b(?:with (?:an? |the )?missing|(?:has|have|having|with|gives?|given) no|lack(?:s|ing)?(?: an?| the)?)\b/g,
        'without',
      )
      .replace(/\b(?:forbidden|prohibited|disallowed|not (?:allowed|permitted))\b/g, 'must not')
      .replace(/\bwhose (\w+) (?:is|do we|does it) (?:need(?:ed)?|required?)\b(?: (?:for|to))?/g, 'who $1')
      .replace(/\bwhose (\w+) (?:do|does) ([^?]+?) (?:need|require)\b/g, 'who $1 $2')
      .replace(/\b(?:get|receive)s? (?:an? |the )?(?=(?:notification|alert|e-?mail)s?\b)/g, '')
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
      .replace(/\b(?:which|what) [^?]{2,40}? (?:is|are) responsible for\b/g, 'who')
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
  );
}

const KIND_OF_NAME =
  '(?:field|column|parameter|flag|option|endpoint|table|header|variable|setting|file|function|method|class)';
/** What kind of thing a name in code is can be left out: "the field `size`" is "`size`". */
const NAMED_KIND = new RegExp(`\\b(?:the )?${KIND_OF_NAME} (\`[^\`]+\`)|(\`[^\`]+\`) ${KIND_OF_NAME}\\b`, 'g');

export function rawWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []
  );
}

/** Each word once. */
export function stemsIn(text: string, isWanted: (word: string) => boolean = () => true): readonly string[] {
  return [
    ...new Set(
      rawWords(text)
        .flatMap(partsOf)
        .filter((word) => !STOP_WORDS.has(word) && isWanted(word))
        .map(stem),
    ),
  ];
}

/** `A mixed-currency order` is an order with mixed currencies. */
function partsOf(word: string): readonly string[] {
  return !word.includes('-') || hasOtherNames(stem(word)) ? [word] : word.split('-').filter((part) => part !== '');
}

/** One form for all forms of a word. How many there are is no form of how often. */
export function stem(word: string): string {
  const stemOfWord = stemOf(word.replace(/(?<=.{5})ments?$|(?<=.{4})able$/, ''));
  return /^\d/.test(stemOfWord) ? word : stemOfWord;
}

/** "db" for "database". Two long words of one list may be rivals: "authentication" and "authorisation". */
function isShortFor(left: string, right: string): boolean {
  const isShort = Math.min(left.length, right.length) <= 4;
  return isShort && alternativesOf(left).some(({ term, weight }) => term === right && weight === IN_SHORT);
}

const IN_SHORT = 0.8;

/** Whether two words, as stems, mean the same in a question. A word may belong to several groups. */
export function isSameWord(left: string, right: string): boolean {
  if (left === right || isShortFor(left, right)) return true;
  const [groups, others] = [GROUPS_OF.get(left), GROUPS_OF.get(right)];
  return groups !== undefined && others !== undefined && groups.some((group) => others.includes(group));
}

/** Whether a word, as a stem, has another name. */
export function hasOtherNames(word: string): boolean {
  return GROUPS_OF.has(word) || alternativesOf(word).length > 0;
}

export const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an the and or of for with to in on at by from as is are was were be been do does did done have has had should shall can could may might must will would we i you they it its our your their us this that these those there here what which when where who whom how why if then than so such any all each every some only just also about into via per out up need needs want wants please them my someone somebody anyone anybody exactly actually currently really one ones let together there's it's prd adr spec says say mentions mention unclear regarding concerning question clear whether think know tell confirm too s".split(
    ' ',
  ),
);

/** Words that most questions of this kind have. */
export const COMMON: ReadonlySet<string> = new Set(
  'use used using enable handle system service application data value work go happen expect allow permit able behave behaviour decide decision type way api project feature option possible frequent frequently often many much remain stay stays respect follow apply exist time times number count amount length long size large big duration period unit technology tool people person once be become reason scheme convention procedure process interval frequency belong member choose chosen pick agree settle appear agreed'
    .split(' ')
    .map(stem),
);

/** Words that a question about a thing may have or not: what is done with it, what holds it. */
export const LIGHT: ReadonlySet<string> = new Set(
  'run go get put give make take have set apply do be become show store keep pay write publish build ship provide return bring come serve hold belong base entry record item list place folder file directory bucket point moment case reason level threshold name issue perform fire send talk come generate find job version part'
    .split(' ')
    .map(stem),
);

/** Words between two things. */
export const BETWEEN: ReadonlySet<string> = new Set(
  'over between against during within through across'.split(' ').map(stem),
);

/** What kind of thing it is that a question offers some of. */
export const CLASSES: ReadonlySet<string> = new Set(
  'protocol format standard library framework tool language style scheme convention service provider broker engine kind type approach strategy method technology database notation encoding transport casing backend store vendor'
    .split(' ')
    .map(stem),
);

/** The same of a question how much it is, and of one that asks for an amount of time or offers some. */
export const LIGHT_OF_COUNTS: ReadonlySet<string> = new Set(
  'hold have contain return show accept carry send'.split(' ').map(stem),
);
/** The same of a question whether something happens. */
export const LIGHT_OF_EVENTS: ReadonlySet<string> = new Set(
  'come trigger make take appear exist occur include'.split(' ').map(stem),
);
export const LIGHT_OF_AMOUNTS: ReadonlySet<string> = new Set([
  ...LIGHT_OF_COUNTS,
  ...'valid last maximum'.split(' ').map(stem),
]);

/*
 * The same thing under another name. Things of one kind that exclude each other are in no group: an archive is no backup, and
 * who updates does not create.
 */
const SAME_WORDS = `
abort cancel; admin administrator; alert inform notification notify warn; allow authorise let permit; alter adjust change edit modify update;
amount quantity sum total; anybody anyone everybody everyone; app application; approve approval sign-off signoff; attempt repeat rerun retry try;
attribute column field property; auth authenticate authentication log-in login sign-in signin; automatic automatically; backup dump snapshot; answer give reply respond return yield; emit fire publish raise send trigger; next following; earlier former previous prior; refresh update renew;
begin boot initiate launch start trigger; bill billing invoice; blank empty; lack missing; bound cap ceiling limit max maximum quota;
bug defect; buyer client customer shopper; cache cached caching; calculate compute derive determine; consecutive sequential sequence; bad invalid; car vehicle; check validate verify;
choose decide pick select; cipher encrypt encryption; clear delete deletion discard drop erase purge remove wipe; clone copy replicate;
combine join merge unify; concurrent parallel simultaneous simultaneously; config configuration setting settings; conceal hide;
cost fee price pricing; create creation generate make produce; credential secret; currency money; database datastore db storage;
date day; datetime timestamp; deactivate disable; deadline due; decline deny refuse reject; decrease lower reduce shrink; deep depth;
deliver dispatch emit forward pass send transmit; deploy deployment rollout; detect notice recognise; digest hash; dimension size; directory folder; display present render show;
divide partition shard split; doc documentation docs; double duplicate twice; e-mail email mail; employ use utilise;
enable activate; end finish halt stop terminate; env environment; error exception fail failure; exceed overflow; exchange replace substitute swap;
expiration expire expiry last lifetime live ttl valid validity; fetch retrieve; find look-up lookup search; first initial; fix repair;
floor min minimum; format layout shape structure; fraction percent percentage proportion rate ratio share; frequency interval;
former old previous; gap hole; get obtain receive; give provide supply; grow increase raise; hold keep persist preserve retain retention save store;
i18n language locale translate translation; id identifier; idle inactive inactivity; ignore omit skip; image photo photograph picture;
immediate immediately instant instantly; include contain part; deduplicate dedupe duplicate; bill charge; different other; access see view; show visible see; infrastructure infra; job task; key-fact fact; k8s kubernetes; launch publish release ship;
latest newest recent; memory ram; host run; lib library package; licence license; location region; log logging; maintainer own owner responsible; mandatory require;
merchant seller shop vendor; move migrate transfer relocate; name naming call rename title; normalise canonicalise; notification push-message;
number count; order sort sorting; order purchase; page paging paginate pagination; password passphrase; pause suspend; pay payment;
permission right; pg postgres postgresql; phone mobile smartphone; prod production; queue broker; real-time realtime; recover restore;
revert rollback undo; review inspect; round rounding; schedule timetable; see view visible; sign signature; slow latency; speed fast;
throttle rate-limit; timeout wait; timezone zone; user account; version release; website site; whole entire; worker runner`;

const GROUPS_OF: ReadonlyMap<string, readonly number[]> = groupsByWord();

function groupsByWord(): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [group, words] of SAME_WORDS.split(';').entries())
    for (const word of new Set(words.trim().split(/\s+/).map(stem)))
      groups.set(word, [...(groups.get(word) ?? []), group]);
  return groups;
}

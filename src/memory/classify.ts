import type { ObservationCategory } from '../protocol/observation.js';
import { GERMAN } from './classify-german.js';
import { byLabel, categoryOfHeading, OFFERED, PLANNED } from './classify-labels.js';
import { isNoise } from './noise.js';
import type { Sentence } from './sentences.js';
import { isEcho, NO_SETTING, type Setting } from './setting.js';
import type { Said } from './transcript-message.js';
import { isHedged, SUPPOSED, WORTH_KEEPING, worthOf } from './worth.js';

/*
 * What a sentence of a session is worth remembering for. Most are worth nothing: intentions, progress, courtesy. Of the
 * rest, the words of a sentence and the heading above it say what it is. Weights only matter when there are too many.
 */

export interface Classified {
  readonly category: ObservationCategory;
  readonly weight: number;
  /** No word says what it is: it goes on with the statement before it, if there is one. */
  readonly isPlain?: boolean;
}

export function classify(
  { text, heading, isItem }: Sentence,
  by: 'user' | 'assistant' | 'summary',
  setting: Setting = NO_SETTING,
): Classified | undefined {
  if (
    isNoise(text) ||
    OFFERED.test(heading) ||
    (isItem && PLANNED.test(heading)) ||
    /^(?:option )?[A-E]\)\s/.test(text)
  )
    return undefined;
  const specific = specificity(text);
  const under = categoryOfHeading(heading);
  const label = byLabel(text);
  if (
    label === undefined &&
    under !== undefined &&
    by !== 'user' &&
    (isItem || by === 'summary') &&
    text.split(' ').length >= 3
  ) {
    return specific > 0 || text.split(' ').length >= 5 ? { category: under, weight: 4 + specific } : undefined;
  }
  const classification = label ?? (by === 'user' ? saidByUser(text) : saidByAgent(text, specific, setting));
  if (classification !== undefined)
    return { category: classification, weight: 3 + specific + (under === classification ? 2 : 0) };
  return plainly(text, specific, by, setting);
}

/** What a statement is worth although none of its words says what it is. */
function plainly(text: string, specific: number, by: Said['by'], setting: Setting): Classified | undefined {
  const isUser = by === 'user';
  if (text.split(' ').length < SHORTEST || (isUser && (setting.isOpening || TASK.test(text)))) return undefined;
  const isRepeated = !isUser && isEcho(text, setting);
  const points =
    worthOf(text, specific) +
    (isUser || isRepeated ? 1 : 0) +
    (setting.isAnswer && !/^(?:it|they|that|this)\b/i.test(text) ? 1 : 0);
  if (points < WORTH_KEEPING) return undefined;
  return { category: inSetting(text, by, setting), weight: 2 + specific, isPlain: true };
}

/** What a fact is in its setting: decided where it answers or repeats an answer, an error where it explains a failure. */
function inSetting(text: string, by: Said['by'], setting: Setting): ObservationCategory {
  if (by === 'user') return setting.isAnswer || ORDERED.test(text) ? 'decision' : 'key-fact';
  if (RESULT.test(text)) return 'key-fact';
  if (isEcho(text, setting) && !CAUSE_NAMED.test(text)) return 'decision';
  if ((setting.isTroubled && EXPLAINS.test(text)) || HAPPENS.test(text)) return 'error';
  return /\b(?:now|jetzt|nun)\b/i.test(text) && specificity(text) > 0 ? 'code-change' : 'key-fact';
}

const ORDERED =
  /\b(?:must|never|always|only|no|not|don't|keep|use|please|should|bitte|nur|nie|kein\w*|darf|muss|bleibt)\b/i;
const HAPPENS =
  /\b(?:happen(?:s|ed)|aris(?:es?|en)|occur(?:s|red)|entsteh(?:t|en)|kam daher)\b.*\b(?:because|since|when|as|weil|wenn|dass)\b/i;

/** What was measured, and what is to be watched out for. */
const RESULT = /\b(?:down|up) (?:to|from) \d|\bfrom \d\S* ?\w{0,3} to \d|\b(?:gotchas?|caveats?)\b/i;
const SHORTEST = 5;
const CAUSE_NAMED = /\b(?:because|caused?|reason|comes? from|came from|due to|weil|ursache)\b/i;

const EXPLAINS =
  /\b(?:because|since|so|hence|thus|which|but|although|instead|while|whereas|cause|reason|comes? from|came from|due to|aris\w+|daher|never|too|weil|da|deshalb|dadurch|obwohl|aber)\b|n't\b/i;

/** How much of it can be looked up again: names of code, paths, figures, names of products. */
export function specificity(text: string): number {
  const isPlace = hasPlace(text) ? 1 : 0;
  const isFigure =
    /(?<![\w#])\d[\d.,]*\s?(?:%|ms|s|m|h|d|kb|mb|gb|kib|mib|seconds?|minutes?|hours?|days?|weeks?|months?|years?|requests?|rows?|times|retries|attempts|characters|bytes|users?|connections?|workers?|replicas?|cents?|eur|usd)?\b/i.test(
      text,
    )
      ? 1
      : 0;
  const isName =
    /(?<=\S\s)(?:[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}\w*|[A-Z][a-z]{2,})\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+\b|"[^"]{2,40}"/.test(
      text,
    )
      ? 1
      : 0;
  const isCounted = /\b(?:two|three|four|five|six|seven|eight|nine|ten|twice)\b/i.test(text) ? 1 : 0;
  return isPlace + Math.max(isFigure, isCounted) + isName;
}

const PLACE =
  /`[^`]+`|(?<![\w/:])(?:\.{0,2}\/)?[\w@.-]+\/[\w./@*-]*\w|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|cc|h|swift|md|toml|json|ya?ml|sql|sh|css|scss|html|vue|svelte|tf|proto|graphql|env|lock|ini|cfg|conf|xml|gradle)\b|\b(?:Dockerfile|Makefile|Jenkinsfile|Procfile)\b|\b\w+\(\)/;

/** Looks first for what every place has: the pattern takes as long as all others together. */
function hasPlace(text: string): boolean {
  return /[`/]|\.[A-Za-z]|\(\)|file\b/.test(text) && PLACE.test(text);
}

const COMMIT = /\bcommit(?:ted)?(?: (?:as|in|to|with))?:? `?[0-9a-f]{7,40}\b/i;
const VERB =
  '(?:re-?)?(?:added|adds|created|creates|modified|updated|updates|changed|changes|renamed|renames|deleted|deletes|removed|removes|refactored|implemented|implements|wrote|rewrote|moved|moves|replaced|replaces|fixed|fixes|introduced|introduces|extracted|extracts|split|wrapped|wired|migrated|migrates|dropped|drops|converted|converts|switched|bumped|upgraded|downgraded|extended|extends|simplified|inlined|exported|registered|set|documented|covered|enabled|disabled|reverted|reverts|patched|hardened|strips?|cached|made|makes|increased|lowered|raised|reduced|configured|installed|pinned|merged|ported|put)';
const CHANGE = new RegExp(
  `^(?:(?:PR|MR|pull request|merge request) #?\\d+ |(?:i|we|it)(?:'ve| have| also| now| then)* |also |then |and |finally,? |now |the (?:patch|commit|pr|change|diff|fix|migration) (?:also )?)*${VERB}\\b`,
  'i',
);
const CHANGED = new RegExp(
  `\\b(?:i|we)(?:'ve| have)?(?: also| now| then| just)* ${VERB}\\b|\\b(?:was|were|has been|have been|is now|are now|now) (?:${VERB.slice(0, -1)}|gone|called|[a-z]{3,12}(?:s|ed|en|wn|lt|pt)))\\b`,
  'i',
);
const FILE_FIRST =
  /^(?:`[^`]+`|[\w@.-]*[\w/-]+\.\w{1,6})(?:\s*(?:,|and|\+)\s*(?:`[^`]+`|[\w/.-]+\.\w{1,6}))*(?:\s*\([^)]{1,40}\))?\s*(?:[:\u2013\u2014]|-{1,2}(?=\s)|->|\u2192)\s*\S/;

const DECISION =
  /\b(?:decided|decision (?:is|was)|chose|chosen|opted|settled on|go(?:es|ing)? with|went with|agreed (?:on|to|that|with)|(?:we|i)(?:'ll| will) (?:not |only |always |never |also |just )?(?:use|keep|store|stick|switch|drop|have|put|send|return|support|require|ship|treat|rely|leave|default|skip|defer|postpone|accept|reject|cap|limit|expose|avoid)|let's (?:use|reuse|keep|go with|stick|drop|not|avoid|store|switch|leave|skip|defer)|stick(?:ing)? with|switch(?:ed|ing) (?:to|from)|(?<!takes? .{0,40})instead of|rather than|(?:considered|tried|looked at) .{3,100}, but|prefer(?:red|s)? .{3,80} (?:over|to|because)|in favou?r of|rejected|ruled out|won't (?:use|support|do|be|add|change)|picked|approved|standardi[sz]ed? on|(?:keep|kept|leave|left|leaving|keeping) .{3,60} (?:as is|as-is|for now|unchanged|in place|out)|deliberately|on purpose|intentionally|by design|postponed|deferred|out of scope|not worth|trade-?off|the (?:plan|policy|rule|approach) is (?:to|that|now)|(?:stays?|remains?) (?:at|as|in|on|the|with|out|off|unchanged)|agreed:)\b|^[\w` .-]{2,40} it is\b|(?:^|[,;:] )(?:so |then |and |therefore )?we (?:only |just |simply |also |now |always |never |no longer )?(?!(?:are|were|was|have|had|can|could|should|would|might|may|must|need|want|will|see|saw|know|think|get|got|do|did|still|might|already|really|all|hope|guess|believe|assume|suspect|first|then|run|look|wait|try|find|found|said|tried|looked|noticed|did|don't|didn't|can't|couldn't|haven't|cannot|\w+ed)\b)[a-z]{3,} (?!ed\b)\S+/i;
const STRONG_DECISION =
  /\b(?:decided|chose|chosen|opted|settled on|going with|went with|agreed|ruled out|rejected|approved|stick(?:ing)? with|picked|standardi[sz]ed)\b/i;

const ERROR =
  /\b(?:errors?|exceptions?|fail(?:s|ed|ure|ures|ing)?|crash(?:es|ed|ing)?|timed out|times out|root cause|panic(?:s|ked)?|segfault\w*|regression|deadlock\w*|race condition|memory leak|leak(?:s|ed|ing)|out of memory|OOM\w*|E(?:CONN\w+|NOENT|ACCES|PERM|ADDRINUSE|TIMEDOUT|XDEV|MFILE|PIPE|EXIST|INVAL|RESOLVE)|HTTP [45]\d\d|[45]\d\d(?= (?:error|response|status|because|when|if|on|for|from))|flaky|corrupt(?:ed|s|ion)?|refused|not found|cannot (?:find|read|resolve|connect|be)|unable to|could not|couldn't|does(?:n't| not) (?:work|exist|compile|start)|broke|broken|breaks|ran out of|wipe[sd]|disappear(?:s|ed)|los(?:es?|ing) (?:data|its|the|their)|bug(?! fix)|off[- ]by[- ]one|undefined is not|null pointer|N\+1|duplicated?|lost|stale|wrong(?:ly)?|incorrect(?:ly)?|missing|hang(?:s|ing)?|hung|throws?|loops? forever|infinite loop|double[- ]\w+ed)\b/i;
const NAMED_ERROR = /\b(?:raise[sd]?|throw[sn]?|threw)\b.*\w+(?:Error|Exception|::\w+)\b/;
const HARD_ERROR =
  /\b(?:error|exception|fail(?:s|ed|ure|ures|ing)|crash(?:es|ed|ing)?|timed out|times out|root cause|panic\w*|segfault\w*|regression|deadlock\w*|race condition|memory leak|out of memory|OOM\w*|E(?:CONN\w+|NOENT|ACCES|PERM|ADDRINUSE|TIMEDOUT|XDEV|MFILE|PIPE|EXIST|INVAL|RESOLVE)|HTTP [45]\d\d|flaky|corrupt(?:ed|s|ion)|undefined is not|bug|broke|broken|hangs?|infinite loop)\b|\b\w+(?:Error|Exception)\b/;
const CAUSE =
  /\b(?:because|caus(?:e|es|ed|ing)|due to|root|reason|turn(?:s|ed) out|when|since|after|if|unless|why|so that|so the|which (?:made|makes|meant|means|led)|happen(?:s|ed)|came from|comes from|until|with)\b/i;
const NO_ERROR =
  /\b(?:no|without|zero|0|any|free of) (?:\w+ )?(?:errors?|exceptions?|failures?|crashes|regressions?|bugs?)\b|\berror(?:s)?[- ](?:handling|messages?|codes?|class(?:es)?|types?|format|pages?|responses?|boundar\w+|tracking|states?|paths?|shape|budget|rates?|reporting|log(?:s|ging)?)\b|\b(?:handles?|handling|test(?:s|ed)? (?:for|that)|should|would|will|may|might|could|must|can|to) (?:\w+ ){0,2}(?:errors?|fail|crash|throw|time out)\b|\b(?:errors?|failures?|crashes|timeouts) (?:would|could|might|may)\b|\bfail(?:s|ing)?[- ](?:fast|closed|open|safe|over|early)\b|\bfailover\b|\b(?:no longer|never|not) (?:fail|crash|hang|break)\w*\b|\bmissing (?:values|fields)? ?(?:are|is) (?:allowed|treated|filled)\b/i;

const FACT =
  /\b(?:wants (?:the|an?)|relie[sd] on|expects|turns? out|turned out|found (?:that|out)|discovered|learned|noticed that|requires?|required|needs? (?:at least|to be|an?|the|to)|depends? on|limited to|limits?|allows?|shares?|at most|at least|maximum|minimum|max|min|up to|no more than|only (?:works?|supports?|accepts?|runs?|allows?|the|when|one|if|in|on|for|from|by|has|have|admins?|reads?|writes?)|(?:does|do)(?:n't| not) (?:support|allow|accept|have|use|run|expose|return|include|retry|cache|know)|not supported|unsupported|(?:is|are|gets?) (?:\w+ly )?(?:stored|deleted|removed|dropped|reset|overwritten|cleared|ignored|located|defined|configured|kept|documented|deployed|hosted|generated|cached|created|written|validated|set|computed|handled|shared|signed|encrypted|rotated|called|sent|limited|capped|owned|served|rendered|triggered|scheduled|built|read|run|used|mounted|loaded|pinned|deprecated|disabled|enabled) (?:in|at|by|from|on|under|with|via|as|every|before|after|once|only|through|to|until|per|for|into|when)|lives? (?:in|at|under|on)|defaults? (?:to|is|of|are)|by default|expires?|ttl|runs? (?:on|every|at|in|as|before|after|under|with)|listens? on|is (?:\w+ly )?(?:deprecated|required|mandatory|optional|read-only|idempotent|append-only|immutable|unique|case-sensitive|rate-limited|authoritative|the source of truth|generated|frozen|unused|undocumented|eventually)|must(?:n't| not)? (?:be|not|never|have|always|match|use|run|go|come|stay|contain|stay|set|call|pass|return|keep|include|happen|send)|never|always|rate[- ]limit\w*|quota|deadline|convention|contract|guarantees?|returns? (?:an?|the|null|\d+|`|only|nothing|empty|true|false)|expects?|timeout (?:of|is)|every \d+|still (?:needs?|missing|open|to do|uses?|has|have)|not yet|remains?|assum(?:es|ed|ing|ption)|compatible|incompatible|supports?|uses? (?:`|[A-Z]|an?\b|the\b)|costs?|takes? (?:about |around |~)?\d[\w.]*|measured|went (?:down|up|from)|drop(?:s|ped) (?:from|to)|faster|slower|p9\d|\d+ ?% of|has (?:no|only|an?|\d+)|have (?:no|only|\d+)|there (?:is|are) (?:no|only|\d+|two|three|already)|means that|therefore|brought|default \d|(?:is|are) (?:not |un)affected|because)\b/i;

function saidByAgent(text: string, specific: number, setting: Setting): ObservationCategory | undefined {
  if (COMMIT.test(text)) return text.split(' ').length >= 4 ? 'code-change' : undefined;
  const isPlaced = hasPlace(text);
  if (CHANGE.test(text) && isPlaced) return STRONG_DECISION.test(text) ? 'decision' : 'code-change';
  if (FILE_FIRST.test(text)) return 'code-change';
  const isError = isErrorText(text, specific);
  if (STRONG_DECISION.test(text)) return 'decision';
  if (isHedged(text) && SUPPOSED.test(text)) return undefined;
  if (GERMAN.change.test(text)) return 'code-change';
  if (isError) return 'error';
  if (CHANGED.test(text) && isPlaced) return 'code-change';
  if ((DECISION.test(text) || GERMAN.decision.test(text)) && !isHedged(text)) return 'decision';
  if ((CHANGE.test(text) || IS_NOW.test(text)) && specific > 0) return 'code-change';
  const words = text.split(' ').length;
  const isConcrete = words >= 8 && (specific >= 2 || MEASURED.test(text) || REASON.test(text));
  if (worthOf(text, specific) <= (isHedged(text) ? 1 : 0)) return undefined;
  return (isFact(text) && specific > 0) || RULE.test(text) || PLACED.test(text) || isConcrete
    ? inSetting(text, 'assistant', setting)
    : undefined;
}

/** What is so since the work: `the save version is 12 now`. */
const IS_NOW = /\b(?:is|are) (?:\S+ ){1,3}now\b|\S+ now (?:is|are|[a-z]{2,}s)\b/i;
/** An amount with its unit can be looked up again. */
const MEASURED =
  /(?<![\w#])\d[\d.,]*\s?(?:%|ms|s|sec|min|h|kb|mb|gb|kib|mib|gib|seconds?|minutes?|hours?|days?|weeks?|months?|requests?|rows?|eur|usd)\b/i;
/** What something comes from is worth knowing without a name, too. */
const REASON =
  /\b(?:because|due to|caused by|comes from|came from)\b|, so (?:that )?(?!it(?:'s| is) not\b)(?:the|an?|it|its|we|they|no|each|every|all|only|there)\b/i;
/** `it is vendored in`, with the place. */
const PLACED =
  /(?:\b(?:is|are|was|were|lives?)|'s|'re) (?:\w+(?:ed|en|t) )?(?:in|from|by|at|via|under) (?:the )?`[^`]+`/i;

function isFact(text: string): boolean {
  return FACT.test(text) || (GERMAN.fact.test(text) && text.split(' ').length >= 5);
}

/** What is never to be done needs no figure. */
const RULE = /\b(?:should|must) (?:never|always) (?:\S+ ){3}/i;

/** What happened to people or things, with its cause: `players were dropped because ...`. */
const SUFFERED =
  /\b(?:dropped|disconnected|killed|rejected|locked out|charged twice|too (?:high|low|slow|large)|doubled|parked|skipped)\b.*\b(?:because|due to)\b/i;

function isErrorText(text: string, specific: number): boolean {
  if (SUFFERED.test(text)) return true;
  if (GERMAN.error.test(text)) return GERMAN.cause.test(text);
  if (!(ERROR.test(text) || NAMED_ERROR.test(text)) || NO_ERROR.test(text)) return false;
  return HARD_ERROR.test(text) ? specific > 0 || CAUSE.test(text) : specific > 0 && CAUSE.test(text);
}

/** What a user orders is decided; what a user tells about errors and limits is worth knowing as such. */
const ORDER =
  /^(?:(?:please|also|and|but|oh and|one (?:more )?thing|ok(?:ay)?|yes|no|hmm|right|actually|then|so|sure|fine|agreed|great)[,.:;!]?\s+(?:then\s+)?)*(?:use|don't|do not|never|always|keep|make sure|raise|lower|increase|reduce|only|avoid|prefer|store|stick|stay|put|drop|skip|leave|set|fail|return|allow|reject|require|limit|cap|treat|reuse|let's|we(?:'ll| will)? (?:must|need|want|should|use|don't|do not|never|always|only|can't|cannot|have to|agreed|decided|are|go|keep|store)|it (?:must|should|has to|needs to)|(?:the|all|every|each|no|any|our) [\w`./-]+(?: [\w`./-]+){0,4} (?:must|should|has to|have to|needs? to|can't|cannot|may not|may only|is|are|stays?|goes?|will)|i (?:want|prefer|need|don't want|do not want|decided|'d rather|would rather)|i'd (?:prefer|rather)|go with|go for|do it (?:in|with|by|via)|take|pick|no\b|not\b|instead)\b/i;

/** Where the rest of it is written down. */
const TICKET = /\b[A-Z]{2,10}-\d{1,6}\b/;
/** `raise the window to 800 ms` */
const SETS_VALUE = /^(?:ok(?:ay)?[.,]? )?(?:raise|lower|increase|reduce|set|bump|limit|cap|change)\b.*\bto \d/i;
/** How things are done, told by a user: `deploys go through the release workflow only`. */
const CUSTOM = /^(?!.*\?)(?:\S+ ){2,}.*\b(?:never|always|only)\b/i;

/** What is to be done now is over when it is done; how it must be done is worth knowing. */
const TASK =
  /^(?:(?:please|now|then|also|next|and|can you|could you)[,:]? )*(?:we (?:need|have|want) to (?:pick|decide|choose|find|figure|look)|add|implement|fix|write|create|build|find|update|refactor|investigate|look|check|show|run|explain|help|review|debug|test|continue|open|commit|push|deploy|rename|clean)\b/i;
const CONSTRAINT =
  /\b(?:i want|while you|must|never|always|only|don't|do not|without|at most|at least|no more|instead|not|keep|because|same)\b/i;

function saidByUser(text: string): ObservationCategory | undefined {
  const words = text.split(/\s+/).length;
  if (words === 3 && (/^agreed\b/i.test(text) || GERMAN.decision.test(text))) return 'decision';
  if (words === 3 && /\b(?:only|never|always)\b/i.test(text)) return 'decision';
  if (words < 4 && !/ it is\b/.test(text)) return undefined;
  if (TICKET.test(text)) return 'key-fact';
  if (SETS_VALUE.test(text)) return 'decision';
  if (TASK.test(text) && !CONSTRAINT.test(text)) return undefined;
  if (STRONG_DECISION.test(text) || DECISION.test(text) || /\bso (?:do|use|make|keep|always|never) /i.test(text))
    return 'decision';
  if (/\b(?:must(?:n't)?|has to|have to)\b/i.test(text) && !/^(?:we|i|you) /i.test(text)) return 'decision';
  const specific = specificity(text);
  if (/^(?:i |we )?(?:have |'ve )?\w+ed\b/i.test(text) && CHANGE.test(text) && specific > 0) return 'code-change';
  if (isErrorText(text, specific) && HARD_ERROR.test(text)) return 'error';
  if (GERMAN.decision.test(text) || GERMAN.order.test(text)) return 'decision';
  if (/,? (?:but|and) (?:please )?(?:don't|do not|never|keep|only|without) \S+ \S+/i.test(text)) return 'decision';
  if (/\b(?:i|we) (?:want|need|expect) (?:an?|the|no|every|all|this|it|that)\b/i.test(text) && specific > 0)
    return 'decision';
  if (ORDER.test(text) && (specific > 0 || words >= 6 || /^(?:never|always)\b/i.test(text)))
    return /\b(?:must|never|always|only|don't|do not|should|keep|stay|put|use|make sure|avoid|prefer|not|want|skip|leave|drop|stick|set|fail|return|allow|reject|require|limit|cap|treat|reuse|no)\b/i.test(
      text,
    )
      ? 'decision'
      : isFact(text)
        ? 'key-fact'
        : undefined;
  if (FILE_LISTED.test(text)) return 'code-change';
  if (CUSTOM.test(text) && words >= 6) return 'decision';
  return PLACED.test(text) || (isFact(text) && (specific > 0 || words >= 12)) ? 'key-fact' : undefined;
}

/** "`0031.sql`, nullable, no backfill" */
const FILE_LISTED = /^`[^`]+\.\w{1,6}`, (?:\S+ ){2}/;

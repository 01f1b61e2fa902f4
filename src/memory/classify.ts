import type { ObservationCategory } from '../protocol/observation.js';
import { categoryOf, RESULT, STRONG_DECISION } from './category.js';
import { isChoice, isTaken, isWork } from './choice.js';
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
  { text, heading, isItem, shown }: Sentence,
  by: 'user' | 'assistant' | 'summary',
  settingOfText: Setting = NO_SETTING,
): Classified | undefined {
  if (
    isNoise(text) ||
    OFFERED.test(heading) ||
    (isItem && PLANNED.test(heading)) ||
    /^(?:option )?[A-E]\)\s/.test(text)
  )
    return undefined;
  const setting: Setting = shown === undefined ? settingOfText : { ...settingOfText, phase: shown };
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
    const category = under === 'code-change' && RESULT.test(text) ? 'key-fact' : under;
    return specific > 0 || text.split(' ').length >= 5 ? { category, weight: 4 + specific } : undefined;
  }
  const sign = label ?? (by === 'user' ? saidByUser(text, setting) : saidByAgent(text, specific));
  if (sign !== undefined) {
    const category = label ?? categoryOf(text, by, setting, sign);
    return { category, weight: 3 + specific + (under === category ? 2 : 0) };
  }
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
    (setting.isAnswer && !/^(?:it|they|that|this)\b/i.test(text) ? 1 : 0) +
    (!isUser && setting.phase === 'failed' ? 1 : 0);
  if (points < WORTH_KEEPING) return undefined;
  return { category: categoryOf(text, by, setting, 'key-fact'), weight: 2 + specific, isPlain: true };
}

const SHORTEST = 5;

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
/** `I mapped 23514 to 409 in errors.go`: with any verb but those of looking. */
const DID =
  /^(?:i|we)(?:'ve| have)? (?:also |now |then |just )?(?!(?:look|check|open|notic|confirm|measur|verifi|test|tri|reproduc|trac|need|want|expect|assum|fail|ask|learn|start|stopp|reach|analy[sz]|compar|search|review|examin|inspect|inform|report|discuss|consider|decid|agree|reject|approv|pick|suppos|notifi|mention|talk|work|wait|us|call)ed\b)[a-z]{2,}ed\b/i;
const FILE_FIRST =
  /^(?:`[^`]+`|[\w@.-]*[\w/-]+\.\w{1,6})(?:\s*(?:,|and|\+)\s*(?:`[^`]+`|[\w/.-]+\.\w{1,6}))*(?:\s*\([^)]{1,40}\))?\s*(?:[:\u2013\u2014]|-{1,2}(?=\s)|->|\u2192)\s*\S/;

const DECISION =
  /\b(?:decided|decision (?:is|was)|chose|chosen|opted|settled on|go(?:es|ing)? with|went with|agreed (?:on|to|that|with)|(?:we|i)(?:'ll| will) (?:not |only |always |never |also |just )?(?:use|keep|store|stick|switch|drop|have|put|send|return|support|require|ship|treat|rely|leave|default|skip|defer|postpone|accept|reject|cap|limit|expose|avoid)|let's (?:use|reuse|keep|go with|stick|drop|not|avoid|store|switch|leave|skip|defer)|stick(?:ing)? with|switch(?:ed|ing) (?:to|from)|(?<!takes? .{0,40})instead of|rather than|(?:considered|tried|looked at) .{3,100}, but|prefer(?:red|s)? .{3,80} (?:over|to|because)|in favou?r of|rejected|ruled out|won't (?:use|support|do|be|add|change)|picked|approved|standardi[sz]ed? on|(?:keep|kept|leave|left|leaving|keeping) .{3,60} (?:as is|as-is|for now|unchanged|in place|out)|deliberately|on purpose|intentionally|by design|postponed|deferred|out of scope|not worth|trade-?off|the (?:plan|policy|rule|approach) is (?:to|that|now)|(?:stays?|remains?) (?:at|as|in|on|the|with|out|off|unchanged)|agreed:)\b|^[\w` .-]{2,40} it is\b|(?:^|[,;:] )(?:so |then |and |therefore )?we (?:only |just |simply |also |now |always |never |no longer )?(?!(?:are|were|was|have|had|can|could|should|would|might|may|must|need|want|will|see|saw|know|think|get|got|do|did|still|might|already|really|all|hope|guess|believe|assume|suspect|first|then|run|look|wait|try|find|found|said|tried|looked|noticed|did|don't|didn't|can't|couldn't|haven't|cannot|\w+ed)\b)[a-z]{3,} (?!ed\b)\S+/i;

const ERROR =
  /\b(?:errors?|exceptions?|fail(?:s|ed|ure|ures|ing)?|crash(?:es|ed|ing)?|timed out|times out|root cause|panic(?:s|ked)?|segfault\w*|regression|deadlock\w*|race condition|memory leak|leak(?:s|ed|ing)|out of memory|OOM\w*|E(?:CONN\w+|NOENT|ACCES|PERM|ADDRINUSE|TIMEDOUT|XDEV|MFILE|PIPE|EXIST|INVAL|RESOLVE)|(?:HTTP|[Ss]tatus) [45]\d\d|[45]\d\d(?= (?:error|response|status|because|when|if|on|for|from))|flaky|corrupt(?:ed|s|ion)?|refused|not found|cannot (?:find|read|resolve|connect|be)|unable to|could not|couldn't|does(?:n't| not) (?:work|exist|compile|start)|broke|broken|breaks|ran out of|wipe[sd]|disappear(?:s|ed)|los(?:es?|ing) (?:data|its|the|their)|bug(?! fix)|off[- ]by[- ]one|undefined is not|null pointer|N\+1|duplicated?|lost|stale|wrong(?:ly)?|incorrect(?:ly)?|missing|hang(?:s|ing)?|hung|throws?|loops? forever|infinite loop|double[- ]\w+ed)\b/i;
const NAMED_ERROR = /\b(?:raise[sd]?|throw[sn]?|threw)\b.*\w+(?:Error|Exception|::\w+)\b/;
const HARD_ERROR =
  /\b(?:error|exception|fail(?:s|ed|ure|ures|ing)|crash(?:es|ed|ing)?|timed out|times out|root cause|panic\w*|segfault\w*|regression|deadlock\w*|race condition|memory leak|out of memory|OOM\w*|E(?:CONN\w+|NOENT|ACCES|PERM|ADDRINUSE|TIMEDOUT|XDEV|MFILE|PIPE|EXIST|INVAL|RESOLVE)|(?:HTTP|[Ss]tatus) [45]\d\d|flaky|corrupt(?:ed|s|ion)|undefined is not|bug|broke|broken|hangs?|infinite loop)\b|\b\w+(?:Error|Exception)\b/;
const CAUSE =
  /\b(?:because|caus(?:e|es|ed|ing)|due to|root|reason|turn(?:s|ed) out|when|since|after|if|unless|why|so that|so the|which (?:made|makes|meant|means|led)|happen(?:s|ed)|came from|comes from|until|with)\b/i;
const NO_ERROR =
  /\b(?:no|without|zero|0|any|free of) (?:\w+ )?(?:errors?|exceptions?|failures?|crashes|regressions?|bugs?)\b|\berror(?:s)?[- ](?:handling|messages?|codes?|class(?:es)?|types?|format|pages?|responses?|boundar\w+|tracking|states?|paths?|shape|budget|rates?|reporting|log(?:s|ging)?)\b|\b(?:handles?|handling|test(?:s|ed)? (?:for|that)|should|would|will|may|might|could|must|can|to) (?:\w+ ){0,2}(?:errors?|fail|crash|throw|time out)\b|\b(?:errors?|failures?|crashes|timeouts) (?:would|could|might|may)\b|\bfail(?:s|ing)?[- ](?:fast|closed|open|safe|over|early)\b|\bfailover\b|\b(?:no longer|never|not) (?:fail|crash|hang|break)\w*\b|\bmissing (?:values|fields)? ?(?:are|is) (?:allowed|treated|filled)\b/i;

/** It says what something needs, allows, does by itself or is bound to. */
const FACT =
  /\b(?:wants (?:the|an?)|expects?|turn(?:s|ed) out|found (?:that|out)|discovered|learned|requires?|required|needs?|depends? on|limit(?:s|ed)?|allows?|shares?|at (?:most|least)|max(?:imum)?|min(?:imum)?|up to|only|(?:does|do)(?:n't| not)|(?:not |un)supported|(?:is|are) (?:\w+ly )?\w+(?:ed|en|t) (?:in|at|by|from|on|under|with|via|as|every|before|after|once|only|through|to|until|per|for|into|when)|lives?|defaults?|expires?|ttl|runs? \w+|listens? on|is (?:\w+ly )?(?:deprecated|mandatory|optional|read-only|immutable|unique|generated|unused)|must(?:n't)?|never|always|quota|deadline|contract|guarantees?|returns?|every \d+|still (?:needs?|uses?|ha(?:s|ve)|open)|not yet|remains?|assum\w+|(?:in)?compatible|supports?|uses?|costs?|takes? (?:about |around |~)?\d|faster|slower|(?:dropped|went) (?:down|up|from|to)|p9\d|ha(?:s|ve) (?:no|an?|\d+)|there (?:is|are)|therefore|(?:is|are) (?:not |un)affected|because)\b/i;

function saidByAgent(text: string, specific: number): ObservationCategory | undefined {
  if (COMMIT.test(text)) return text.split(' ').length >= 4 ? 'code-change' : undefined;
  const isPlaced = hasPlace(text);
  if (CHANGE.test(text) && isPlaced) return STRONG_DECISION.test(text) ? 'decision' : 'code-change';
  if (FILE_FIRST.test(text) || (isPlaced && DID.test(text))) return 'code-change';
  const isError = isErrorText(text, specific);
  if (STRONG_DECISION.test(text)) return 'decision';
  if (isHedged(text) && SUPPOSED.test(text)) return undefined;
  if (GERMAN.change.test(text)) return 'code-change';
  if (isError) return 'error';
  if (CHANGED.test(text) && isPlaced) return 'code-change';
  if ((DECISION.test(text) || GERMAN.decision.test(text)) && !isHedged(text)) return 'decision';
  if (CHANGE.test(text) && specific > 0) return 'code-change';
  const words = text.split(' ').length;
  const isConcrete = words >= 8 && (specific >= 2 || REASON.test(text));
  if (worthOf(text, specific) <= (isHedged(text) ? 1 : 0)) return undefined;
  return (FACT.test(text) && specific > 0) || isConcrete ? 'key-fact' : undefined;
}

/** What something comes from is worth knowing without a name, too. */
const REASON =
  /\b(?:because|due to|caused by|comes from|came from)\b|, so (?:that )?(?!it(?:'s| is) not\b)(?:the|an?|it|its|we|they|no|each|every|all|only|there)\b/i;
function isErrorText(text: string, specific: number): boolean {
  if (GERMAN.error.test(text)) return GERMAN.cause.test(text);
  if (!(ERROR.test(text) || NAMED_ERROR.test(text)) || NO_ERROR.test(text)) return false;
  return HARD_ERROR.test(text) ? specific > 0 || CAUSE.test(text) : specific > 0 && CAUSE.test(text);
}

/** Where the rest of it is written down. */
const TICKET = /\b[A-Z]{2,10}-\d{1,6}\b/;
/** What is to be done now is over when it is done; how it must be done is worth knowing. */
const TASK =
  /^(?:(?:please|now|then|also|next|and|can you|could you)[,:]? )*(?:we (?:need|have|want) to (?:pick|decide|choose|find|figure|look)|add|implement|fix|write|create|build|find|update|refactor|investigate|look|check|show|run|explain|help|review|debug|test|continue|open|commit|push|deploy|rename|clean)\b/i;
const CONSTRAINT =
  /\b(?:i want|while you|must|never|always|only|don't|do not|without|at most|at least|no more|instead|not|keep|because|same)\b/i;

function saidByUser(text: string, setting: Setting): ObservationCategory | undefined {
  const words = text.split(/\s+/).length;
  if (words === 3 && (/^agreed\b/i.test(text) || GERMAN.decision.test(text))) return 'decision';
  if (words === 3 && /\b(?:only|never|always)\b|\bstays? \S*\d/i.test(text)) return 'decision';
  if (isTaken(text)) return 'decision';
  if (words < 4 && !/ it is\b/.test(text)) return undefined;
  if (TICKET.test(text)) return 'key-fact';
  if (words <= 6 && POINTS_ONLY.test(text)) return undefined;
  const isTask = TASK.test(text) || (setting.isOpening && (isWork(text) || WISH.test(text)));
  if (isTask && !CONSTRAINT.test(text)) return undefined;
  if (STRONG_DECISION.test(text) || DECISION.test(text)) return 'decision';
  if (/\b(?:must(?:n't)?|has to|have to)\b/i.test(text) && !/^(?:we|i|you) /i.test(text)) return 'key-fact';
  const specific = specificity(text);
  if (/^(?:i |we )?(?:have |'ve )?\w+ed\b/i.test(text) && CHANGE.test(text) && specific > 0) return 'code-change';
  if (isErrorText(text, specific) && HARD_ERROR.test(text)) return 'error';
  if (GERMAN.decision.test(text)) return 'decision';
  if (
    isChoice(text) &&
    (specific > 0 ||
      words >= 6 ||
      isEcho(text, setting) ||
      /^(?:use|keep|reuse) (?!it|this|that|them)/i.test(text) ||
      /^(?:never|always)\b/i.test(text))
  )
    return 'decision';
  return FACT.test(text) && (specific > 0 || words >= 12) ? 'key-fact' : undefined;
}

/** What the session is for. */
const WISH = /^(?:we (?:want|need|would like|'d like)|please|pls|can you|could you)\b/i;

/** `Hm, don't do that`: what it is about stands elsewhere. */
const POINTS_ONLY = /\b(?:it|that|this|them)[.!]*$/i;

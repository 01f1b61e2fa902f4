import type { ObservationCategory } from '../protocol/observation.js';
import { GERMAN } from './classify-german.js';
import type { Sentence } from './sentences.js';

/*
 * What a sentence of a session is worth remembering for. Most are worth nothing: intentions, progress, courtesy. Of the
 * rest, the words of a sentence and the heading above it say what it is. Weights only matter when there are too many.
 */

export interface Classified {
  readonly category: ObservationCategory;
  readonly weight: number;
}

export function classify(
  { text, heading, isItem }: Sentence,
  by: 'user' | 'assistant' | 'summary',
): Classified | undefined {
  if (isNoise(text) || OFFERED.test(heading) || /^(?:option )?[A-E]\)\s/.test(text)) return undefined;
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
  const found = label ?? (by === 'user' ? saidByUser(text) : saidByAgent(text, specific));
  if (found !== undefined) return { category: found, weight: 3 + specific + (under === found ? 2 : 0) };
  return undefined;
}

/** How much of it can be looked up again: names of code, paths, figures, names of products. */
function specificity(text: string): number {
  const isPlace = PLACE.test(text) ? 1 : 0;
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

const LABELS: readonly (readonly [RegExp, ObservationCategory])[] = [
  [
    /^(?:(?:final |key |design |architecture )?(?:decision|decided|resolution|agreed|conclusion|choice|chosen|verdict|entscheidung|beschluss))(?: \([^)]*\))?\s*[:\u2013\u2014-]\s/i,
    'decision',
  ],
  [
    /^(?:(?:root )?cause|error|warning|bug|failed|failure|problem|issue found|regression|fix(?:ed)? bug|fehler|ursache)\s*[:\u2013\u2014]\s/i,
    'error',
  ],
  [/^(?:change[ds]?|changed files?|commit(?:ted)?|refactor(?:ed)?|added|updated|removed)\s*:\s/i, 'code-change'],
  [
    /^(?:note|nb|fact|key fact|important|remember|caveat|todo|gotcha|constraint|requirement|finding|heads[- ]up|fyi|limitation|known (?:issue|limitation)|open (?:question|issue|point)|follow-?up|remaining|still (?:open|to do|missing)|not done|out of scope|lesson|reminder|warning|assumption|convention|rule|(?:one |two |a few )?(?:more )?things? to (?:keep in mind|note|remember|know|watch)|keep in mind|be aware|beware|wichtig|hinweis|achtung|merke)s?\s*[:\u2013\u2014]\s/i,
    'key-fact',
  ],
];

function byLabel(text: string): ObservationCategory | undefined {
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
    /\b(?:facts?|notes?|findings?|learned|learnings?|lessons|constraints?|caveats?|limitations?|important|assumptions?|requirements?|gotchas?|conventions?|context|technical concepts|background|open (?:questions?|items?|issues?|points?)|to-?dos?|next steps?|remaining|pending|follow-?ups?|known issues?|still open|not done|out of scope|knowledge|state|rules)\b/i,
    'key-fact',
  ],
];

/** What could be done is not what was done. */
const OFFERED = /\b(?:options|alternatives|ways|choices|possibilities|approaches|proposals?|suggestions?)\b/i;

export function categoryOfHeading(heading: string): ObservationCategory | undefined {
  return heading === '' || /\?$/.test(heading) ? undefined : HEADINGS.find(([name]) => name.test(heading))?.[1];
}

/** What is left to do is worth knowing only as such. */
export const LEFT_OPEN =
  /\b(?:open (?:questions?|items?|issues?|points?)|to-?dos?|next steps?|remaining|pending|follow-?ups?|still open|not done)\b/i;

const OPENERS =
  '(?:(?:ok(?:ay)?|alright|great|good|perfect|right|sure|now|next|first|then|so|and|but|also|finally|hmm+|actually|well|yes|no|done|interesting|excellent|wait)[,.!:;]?\\s+)*';
const LOOKING =
  'look|check|see|read|search|grep|run|open|inspect|explore|examine|verify|start|begin|continue|try|take|find|list|view|review|dig|investigate|analy[sz]e|trace|locate|confirm|create|add|update|write|fix|implement|make|do|get|work|proceed|move on|test|rerun|re-run|edit|apply|put|give|show|help|wait|understand|summari[sz]e|clean|commit|address|handle|double-check|go (?:ahead|through|back|over)|finish|set up|install|build|think|explain|reproduce|measure|patch|have a look|take a look';
const NOISE: readonly RegExp[] = [
  new RegExp(`^${OPENERS}(?:let me|let's (?:${LOOKING}|also|now|first)\\b)`, 'i'),
  new RegExp(
    `^${OPENERS}(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| need to| want to| should| can| could| have to|'d like to| must| might)? (?:(?:now|first|also|then|just|quickly|next|probably|start by|begin by|need to|going to|will|still|really|have to) )*(?:${LOOKING})\\b`,
    'i',
  ),
  new RegExp(`^${OPENERS}(?:i'm|i am|we're|we are) (?:now |currently |still |just )?\\w+ing\\b`, 'i'),
  new RegExp(
    `^${OPENERS}(?:look|check|read|runn|search|explor|examin|inspect|updat|creat|add|writ|fix|start|investigat|analy[sz]|review|verify|test|try|wait|think|work|apply|edit|rerunn|re-runn|scann|fetch|install|build|compil|load|generat|digging|summari[sz]|clean|mov|open|sett|confirm)ing\\b`,
    'i',
  ),
  /^(?:all |the )?(?:\d+ )?(?:unit |integration |new |existing |other |remaining |e2e )*(?:tests?|checks?|specs?|suites?)(?: \w+){0,2} (?:pass|passed|passes|passing|green|succeed|are (?:now )?(?:green|passing)|is green|ok)\b/i,
  /^(?:done|finished|completed?|all (?:good|set|done|green|clean|clear|checks)|everything (?:works|passes|is|looks)|(?:the )?(?:build|lint\w*|type-?check\w*|ci|pipeline|suite|formatter) (?:passe[sd]|succeed\w*|is (?:green|clean)|works|are clean)|looks good|that(?:'s| is| was)? (?:it|all|done|works?|worked|fine|good|great)|it works|works now)\b/i,
  /^\W*\d+ (?:tool (?:calls?|uses?)|files? (?:changed|read|modified)|passed|failed|tests?|tokens?|insertions?|messages?|turns?|steps?|lines?|matches|results|errors?|warnings?|more|items?)\b/i,
  /^\W*(?:total (?:cost|tokens|duration|time)|tokens?(?: used)?:|cost:|duration|elapsed|time:|session(?: id)?:|session (?:started|ended|saved|resumed)|exit(?:ed)?(?: with)? code 0|no (?:errors|issues|changes|problems|output|matches)\b|nothing to|up to date|already up|ready (?:to|for)|in progress|press |esc |ctrl[+-]|type \/|tip:|usage:|welcome|model:|cwd:|context left|auto-?accept|read \d+|wrote \d+ lines|updated \S+ with \d+|listed \d+|found \d+ (?:files?|matches|results|lines)|searched|ran \d+|applied edit to|added \S+ to the chat|add .+ to the chat|commit [0-9a-f]{7}\b.*\bchat|repo-map|main model|weak model|git repo|aider v|codex v|gemini cli|claude code v|context:|workdir|sandbox|approval|reasoning|provider|thinking|\? for shortcuts|shift\+tab|bypass|allow|yes,|no,? and|do you want)/i,
  /^(?:thanks|thank you|please (?:let|reach|feel|note that i)|let us know|feel free|(?:i )?hope|happy to|glad|if you(?:'d| would| have| want| need| like| prefer)|looking forward|sounds? (?:good|great)|makes sense|good (?:question|point|catch|idea|call|morning)|great|nice|cool|awesome|you(?:'re| are) (?:right|welcome|absolutely)|sorry|apologies|my (?:bad|mistake|apologies)|absolutely|of course|certainly|understood|got it|hi\b|hello|hey|cheers|want me to|would you|should i|shall i|do you|can you|could you|what|which|why|how|is (?:it|this|that|there)|are there|does|did|ok\b|okay\b|yes\b|yep|no worries|go ahead|sure)\b[^:]*$/i,
  /^(?:here(?:'s| is| are)|below|this is (?:the|a) (?:summary|list|plan|overview|diff)|the following|as follows|see (?:below|above)|in summary|to summari[sz]e|summary of|overview|i(?:'ve| have) (?:read|looked|reviewed|checked|gone|finished|completed|now|got|a (?:good|clear))|now (?:that|i|we|the))\b/i,
  /^(?:there (?:are|is)|we have|you have|i see) (?:\w+ ){0,3}(?:options|choices|ways|approaches|possibilities|alternatives)\b/i,
  /^(?:then |so |personally,? )?i(?:'d| would) (?:also |then |probably )?(?:suggest|recommend|propose|put|add|use|go|start|do|make|keep|store)\b/i,
  /^(?:then |so |personally,? )?(?:i|we) (?:suggest|recommend|propose|suspect|guess|suppose|could|might)\b/i,
  /^(?:perhaps|maybe|probably|possibly|my (?:first |best |next )?guess|might be|could be|one option|another option|alternatively)\b/i,
  /^script (?:started|done) on\b/i,
  GERMAN.noise,
  /\?["')]*$/,
  /^(?:https?:\/\/\S+|[\w./-]+)$/,
  /^\W*(?:[\u2800-\u28ff|/\\-]\s)?(?:[\w-]+ing)\b.{0,30}(?:\.{3}|\u2026)\W*$/i,
];

/** `Looking at a.ts, the entry is there twice`: what was seen follows. */
const SEEN =
  /^(?:looking (?:at|into|through)|checking|reading|comparing|testing|running) [^,]{3,80}, (?:the|it|there|this|that|both|each|every|all|we|i see|`)/i;

export function isNoise(text: string): boolean {
  const words = text.split(/\s+/).length;
  if ((words < 3 && !/ it is\b/.test(text)) || words > 90 || !/\p{L}{3}/u.test(text)) return true;
  return !SEEN.test(text) && NOISE.some((pattern) => pattern.test(text));
}

const COMMIT = /\bcommit(?:ted)?(?: (?:as|in|to|with))?:? `?[0-9a-f]{7,40}\b/i;
const VERB =
  '(?:re-?)?(?:added|adds|created|creates|modified|updated|updates|changed|changes|renamed|renames|deleted|deletes|removed|removes|refactored|implemented|implements|wrote|rewrote|moved|moves|replaced|replaces|fixed|fixes|introduced|introduces|extracted|extracts|split|wrapped|wired|migrated|migrates|dropped|drops|converted|converts|switched|bumped|upgraded|downgraded|extended|extends|simplified|inlined|exported|registered|set|documented|covered|enabled|disabled|reverted|reverts|patched|hardened|cached|made|makes|increased|lowered|raised|reduced|configured|installed|pinned|merged|ported|put)';
const CHANGE = new RegExp(
  `^(?:(?:i|we|it)(?:'ve| have| also| now| then)* |also |then |and |finally,? |now |the (?:patch|commit|pr|change|diff|fix|migration) (?:also )?)*${VERB}\\b`,
  'i',
);
const CHANGED = new RegExp(
  `\\b(?:i|we)(?:'ve| have)?(?: also| now| then| just)* ${VERB}\\b|\\b(?:was|were|has been|have been|is now|are now|now) (?:${VERB.slice(0, -1)}|gone|called|[a-z]{3,12}s))\\b`,
  'i',
);
const FILE_FIRST =
  /^(?:`[^`]+`|[\w@.-]*[\w/-]+\.\w{1,6})(?:\s*(?:,|and|\+)\s*(?:`[^`]+`|[\w/.-]+\.\w{1,6}))*(?:\s*\([^)]{1,40}\))?\s*(?:[:\u2013\u2014]|-{1,2}(?=\s)|->|\u2192)\s*\S/;

const DECISION =
  /\b(?:decided|decision (?:is|was)|chose|chosen|opted|settled on|go(?:es|ing)? with|went with|agreed (?:on|to|that|with)|(?:we|i)(?:'ll| will) (?:not |only |always |never |also |just )?(?:use|keep|store|stick|switch|drop|have|put|send|return|support|require|ship|treat|rely|leave|default|skip|defer|postpone|accept|reject|cap|limit|expose|avoid)|let's (?:use|reuse|keep|go with|stick|drop|not|avoid|store|switch|leave|skip|defer)|stick(?:ing)? with|switch(?:ed|ing) (?:to|from)|(?<!takes? .{0,40})instead of|rather than|(?:considered|tried|looked at) .{3,100}, but|prefer(?:red|s)? .{3,80} (?:over|to|because)|in favou?r of|rejected|ruled out|won't (?:use|support|do|be|add|change)|picked|approved|standardi[sz]ed? on|(?:keep|kept|leave|left|leaving|keeping) .{3,60} (?:as is|as-is|for now|unchanged|in place|out)|deliberately|on purpose|intentionally|by design|postponed|deferred|out of scope|not worth|trade-?off|the (?:plan|policy|rule|approach) is|(?:stays?|remains?) (?:at|as|in|on|the|with|out|off|unchanged)|agreed:)\b|^[\w` .-]{2,40} it is\b/i;
const STRONG_DECISION =
  /\b(?:decided|chose|chosen|opted|settled on|going with|went with|agreed|ruled out|rejected|approved|stick(?:ing)? with|picked|standardi[sz]ed)\b/i;

const ERROR =
  /\b(?:errors?|exceptions?|fail(?:s|ed|ure|ures|ing)?|crash(?:es|ed|ing)?|timed out|times out|root cause|panic(?:s|ked)?|segfault\w*|regression|deadlock\w*|race condition|memory leak|leak(?:s|ed|ing)|out of memory|OOM\w*|E(?:CONN\w+|NOENT|ACCES|PERM|ADDRINUSE|TIMEDOUT|XDEV|MFILE|PIPE|EXIST|INVAL|RESOLVE)|HTTP [45]\d\d|[45]\d\d(?= (?:error|response|status|because|when|if|on|for|from))|flaky|corrupt(?:ed|s|ion)?|refused|not found|cannot (?:find|read|resolve|connect|be)|unable to|could not|couldn't|does(?:n't| not) (?:work|exist|compile|start)|broke|broken|breaks|bug(?! fix)|off[- ]by[- ]one|undefined is not|null pointer|N\+1|duplicated?|lost|stale|wrong(?:ly)?|incorrect(?:ly)?|missing|hang(?:s|ing)?|hung|loops? forever|infinite loop|double[- ]\w+ed)\b/i;
const NAMED_ERROR = /\b(?:raise[sd]?|throw[sn]?|threw)\b.*\w+(?:Error|Exception|::\w+)\b/;
const HARD_ERROR =
  /\b(?:error|exception|fail(?:s|ed|ure|ures|ing)|crash(?:es|ed|ing)?|timed out|times out|root cause|panic\w*|segfault\w*|regression|deadlock\w*|race condition|memory leak|out of memory|OOM\w*|E(?:CONN\w+|NOENT|ACCES|PERM|ADDRINUSE|TIMEDOUT|XDEV|MFILE|PIPE|EXIST|INVAL|RESOLVE)|HTTP [45]\d\d|flaky|corrupt(?:ed|s|ion)|undefined is not|bug|broke|broken|hangs?|infinite loop)\b|\b\w+(?:Error|Exception)\b/;
const CAUSE =
  /\b(?:because|caus(?:e|es|ed|ing)|due to|root|reason|turn(?:s|ed) out|when|since|after|if|unless|why|so that|so the|which (?:made|makes|meant|means|led)|happen(?:s|ed)|came from|comes from|until|with)\b/i;
const NO_ERROR =
  /\b(?:no|without|zero|0|any|free of) (?:\w+ )?(?:errors?|exceptions?|failures?|crashes|regressions?|bugs?)\b|\berror(?:s)?[- ](?:handling|messages?|codes?|class(?:es)?|types?|format|pages?|responses?|boundar\w+|tracking|states?|paths?|shape|budget|rates?|reporting|log(?:s|ging)?)\b|\b(?:handles?|handling|test(?:s|ed)? (?:for|that)|should|would|will|may|might|could|must|can|to) (?:\w+ ){0,2}(?:errors?|fail|crash|throw|time out)\b|\bfail(?:s|ing)?[- ](?:fast|closed|open|safe|over|early)\b|\bfailover\b|\b(?:no longer|never|not) (?:fail|crash|hang|break)\w*\b|\bmissing (?:values|fields)? ?(?:are|is) (?:allowed|treated|filled)\b/i;

const FACT =
  /\b(?:wants (?:the|an?)|relie[sd] on|expects|turns? out|turned out|found (?:that|out)|discovered|learned|noticed that|requires?|required|needs? (?:at least|to be|an?|the|to)|depends? on|limited to|limits?|allows?|shares?|at most|at least|maximum|minimum|max|min|up to|no more than|only (?:works?|supports?|accepts?|runs?|allows?|the|when|one|if|in|on|for|from|by|has|have|admins?|reads?|writes?)|(?:does|do)(?:n't| not) (?:support|allow|accept|have|use|run|expose|return|include|retry|cache|know)|not supported|unsupported|(?:is|are|gets?) (?:\w+ly )?(?:stored|deleted|removed|dropped|reset|overwritten|cleared|ignored|located|defined|configured|kept|documented|deployed|hosted|generated|cached|created|written|validated|set|computed|handled|shared|signed|encrypted|rotated|called|sent|limited|capped|owned|served|rendered|triggered|scheduled|built|read|run|used|mounted|loaded|pinned|deprecated|disabled|enabled) (?:in|at|by|from|on|under|with|via|as|every|before|after|once|only|through|to|until|per|for|into|when)|lives? (?:in|at|under|on)|defaults? (?:to|is|of|are)|by default|expires?|ttl|runs? (?:on|every|at|in|as|before|after|under|with)|listens? on|is (?:\w+ly )?(?:deprecated|required|mandatory|optional|read-only|idempotent|append-only|immutable|unique|case-sensitive|rate-limited|authoritative|the source of truth|generated|frozen|unused|undocumented|eventually)|must(?:n't| not)? (?:be|not|never|have|always|match|use|run|go|come|stay|contain|stay|set|call|pass|return|keep|include|happen|send)|never|always|rate[- ]limit\w*|quota|deadline|convention|contract|guarantees?|returns? (?:an?|the|null|\d+|`|only|nothing|empty|true|false)|expects?|timeout (?:of|is)|every \d+|still (?:needs?|missing|open|to do|uses?|has|have)|not yet|remains?|assum(?:es|ed|ing|ption)|compatible|incompatible|supports?|uses? (?:`|[A-Z]|an?\b|the\b)|costs?|takes? (?:about |around |~)?\d[\w.]*|measured|went (?:down|up|from)|drop(?:s|ped) (?:from|to)|faster|slower|p9\d|\d+ ?% of|has (?:no|only|an?|\d+)|have (?:no|only|\d+)|there (?:is|are) (?:no|only|\d+|two|three|already)|means that|therefore|brought|default \d|because)\b/i;

function saidByAgent(text: string, specific: number): ObservationCategory | undefined {
  if (COMMIT.test(text)) return text.split(' ').length >= 4 ? 'code-change' : undefined;
  const isPlaced = PLACE.test(text);
  if (CHANGE.test(text) && isPlaced) return STRONG_DECISION.test(text) ? 'decision' : 'code-change';
  if (FILE_FIRST.test(text)) return 'code-change';
  const isError = isErrorText(text, specific);
  if (STRONG_DECISION.test(text)) return 'decision';
  if (GERMAN.change.test(text)) return 'code-change';
  if (isError) return 'error';
  if (CHANGED.test(text) && isPlaced) return 'code-change';
  if (DECISION.test(text) || GERMAN.decision.test(text)) return 'decision';
  if (CHANGE.test(text) && specific > 0) return 'code-change';
  const isConcrete = specific >= 2 && text.split(' ').length >= 8;
  return (isFact(text) && specific > 0) || RULE.test(text) || isConcrete ? 'key-fact' : undefined;
}

function isFact(text: string): boolean {
  return FACT.test(text) || (GERMAN.fact.test(text) && text.split(' ').length >= 5);
}

/** What is never to be done needs no figure. */
const RULE = /\b(?:should|must) (?:never|always) (?:\S+ ){3}/i;

function isErrorText(text: string, specific: number): boolean {
  if (GERMAN.error.test(text)) return GERMAN.cause.test(text);
  if (!(ERROR.test(text) || NAMED_ERROR.test(text)) || NO_ERROR.test(text)) return false;
  return HARD_ERROR.test(text) ? specific > 0 || CAUSE.test(text) : specific > 0 && CAUSE.test(text);
}

/** What a user orders is decided; what a user tells about errors and limits is worth knowing as such. */
const ORDER =
  /^(?:(?:please|also|and|but|oh and|one (?:more )?thing|ok(?:ay)?|yes|no|hmm|right|actually|then|so|sure|fine|agreed|great)[,.:;!]?\s+(?:then\s+)?)*(?:use|don't|do not|never|always|keep|make sure|only|avoid|prefer|store|stick|stay|put|drop|skip|leave|set|fail|return|allow|reject|require|limit|cap|treat|reuse|let's|we(?:'ll| will)? (?:must|need|want|should|use|don't|do not|never|always|only|can't|cannot|have to|agreed|decided|are|go|keep|store)|it (?:must|should|has to|needs to)|(?:the|all|every|each|no|any|our) [\w`./-]+(?: [\w`./-]+){0,4} (?:must|should|has to|have to|needs? to|can't|cannot|may not|may only|is|are|stays?|goes?|will)|i (?:want|prefer|need|don't want|do not want|decided|'d rather|would rather)|i'd (?:prefer|rather)|go with|go for|take|pick|no\b|not\b|instead)\b/i;

/** What is to be done now is over when it is done; how it must be done is worth knowing. */
const TASK =
  /^(?:(?:please|now|then|also|next|and|can you|could you)[,:]? )*(?:we (?:need|have|want) to (?:pick|decide|choose|find|figure|look)|add|implement|fix|write|create|build|find|update|refactor|investigate|look|check|show|run|explain|help|review|debug|test|continue|open|commit|push|deploy|rename|clean)\b/i;
const CONSTRAINT =
  /\b(?:must|never|always|only|don't|do not|without|at most|at least|no more|instead|not|keep|because|same)\b/i;

function saidByUser(text: string): ObservationCategory | undefined {
  const words = text.split(/\s+/).length;
  if (words < 4 && !/ it is\b/.test(text)) return undefined;
  if (TASK.test(text) && !CONSTRAINT.test(text)) return undefined;
  if (STRONG_DECISION.test(text) || DECISION.test(text) || /\bso (?:do|use|make|keep|always|never) /i.test(text))
    return 'decision';
  if (/\b(?:must(?:n't)?|has to|have to)\b/i.test(text) && !/^(?:we|i|you) /i.test(text)) return 'decision';
  const specific = specificity(text);
  if (/^(?:i |we )?(?:have |'ve )?\w+ed\b/i.test(text) && CHANGE.test(text) && specific > 0) return 'code-change';
  if (isErrorText(text, specific) && HARD_ERROR.test(text)) return 'error';
  if (GERMAN.decision.test(text) || GERMAN.order.test(text)) return 'decision';
  if (/,? (?:but|and) (?:please )?(?:don't|do not|never|keep|only|without) \S+ \S+/i.test(text)) return 'decision';
  if (/\b(?:i|we) (?:want|need|expect) (?:an?|the|no|every|all)\b/i.test(text) && specific > 0) return 'decision';
  if (ORDER.test(text) && (specific > 0 || words >= 6 || /^(?:never|always)\b/i.test(text)))
    return /\b(?:must|never|always|only|don't|do not|should|keep|stay|put|use|make sure|avoid|prefer|not|want|skip|leave|drop|stick|set|fail|return|allow|reject|require|limit|cap|treat|reuse|no)\b/i.test(
      text,
    )
      ? 'decision'
      : isFact(text)
        ? 'key-fact'
        : undefined;
  return isFact(text) && (specific > 0 || words >= 12) ? 'key-fact' : undefined;
}

import type { Ambiguity, AmbiguityKind } from './ambiguity.js';
import { anchorsIn, sentencesOf } from './anchors.js';
import { contradictionsIn } from './contradictions.js';
import { contradictedExamples } from './examples.js';
import { unfinishedIn } from './function-gaps.js';
import { type Profile, profileOf } from './profile.js';
import { isOpenQuestion, isOpenStory, isQuestion, isVagueReport } from './questions.js';
import { isVague } from './vague.js';

/*
 * What a text leaves undecided, found by its structure. A weak word alone is no finding: "large" beside "200 MB" is
 * clear, and "delete old records" is not, although only the second half of a sentence decides that. So every check
 * looks for what is missing around a word (a number, a name, a condition), for a choice without a decision, for a guess
 * that is stated, or for two statements that cannot both hold. Pure.
 */

export interface Examined {
  /** What is asked for: an issue, a requirement, a report of a fault. */
  readonly task?: string;
  /** What an agent says that it did. */
  readonly reply?: string;
  /** What was written, compared with each other. */
  readonly artifacts?: readonly { readonly path?: string; readonly content: string }[];
}

export function ambiguitiesIn({ task = '', reply = '', artifacts = [] }: Examined): readonly Ambiguity[] {
  const contents = artifacts.map(({ content }) => content);
  const profile = profileOf(task);
  const statements = [profile.prose, ...contents].filter((text) => text.trim() !== '');
  return once([
    ...(task.trim() === '' ? [] : inTask(task, profile)),
    ...sentencesOf(reply).flatMap(inReply),
    ...contents.flatMap((content) => sentencesOf(content).flatMap(missingIn)),
    ...contradictionsIn(statements, { isStrict: profile.isRich || profile.isFunction }),
  ]);
}

/** Findings as lines for the author of a text. */
export function toldAmbiguities(found: readonly Ambiguity[]): string {
  return found
    .slice(0, MAX_TOLD)
    .map(({ kind, quote }) => `- ${MEANING[kind]}: "${quote.slice(0, MAX_QUOTE)}"`)
    .join('\n');
}

const MAX_TOLD = 8;
const MAX_QUOTE = 300;

const MEANING: Readonly<Record<AmbiguityKind, string>> = {
  choice: 'several possibilities, none taken',
  guess: 'a guess',
  missing: 'a value is missing',
  measure: 'no measure is given',
  gap: 'it is not said what exactly',
  reference: 'it refers to something that is not here',
  contradiction: 'these contradict each other',
};

/** In a text that is definite as a whole, a loose word is the tone of its author. */
const MANY_SENTENCES = 3;
const DEFINITE_SHARE = 0.5;

function inTask(task: string, profile: Profile): readonly Ambiguity[] {
  const { sentences, definite, isRich } = profile;
  const isDefinite = sentences.length >= MANY_SENTENCES && definite >= DEFINITE_SHARE;
  return [
    ...sentences.flatMap((sentence) => [
      ...(profile.isFunction ? [] : missingIn(sentence)),
      ...choiceIn(sentence, profile),
      ...referenceIn(sentence, profile),
      ...finding('measure', sentence, isVague(sentence)),
      ...(isRich || profile.isFunction ? [] : measureIn(sentence, isDefinite)),
    ]),
    ...gapIn(profile),
    ...openIn(profile),
    ...unfinishedIn(profile),
    ...contradictedExamples(task, profile.prose),
  ];
}

function inReply(sentence: string): readonly Ambiguity[] {
  return [...missingIn(sentence), ...guessIn(sentence)];
}

const PLACEHOLDER =
  /\b(?:TBD|TBA|TBC|FIXME|XXX)\b|\?\?\?+|\bto be (?:determined|decided|defined|confirmed|clarified)\b|<(?!\/|https?:|!--|(?:details|summary|kbd|code|pre|span|div|table|img|sub|sup|strong|em|private)\b)[a-z][a-z _-]{2,30}>(?!\s*<\/)|\{\{[^}]*\}\}|\bplaceholder for\b|:\s*(?:N|n|X|x)\.?$|\bTODO\b/;

function missingIn(sentence: string): readonly Ambiguity[] {
  return finding('missing', sentence, PLACEHOLDER.test(withoutCode(sentence)));
}

/** Code may hold angle brackets and templates that are no gaps. */
function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, ' ');
}

const ALTERNATIVE =
  /\band\/or\b|\b(?:maybe|perhaps|possibly|optionally)\b|\bwhichever\b|\beither\b[^.]*\bor\b|\b(?:is|as|in|be|use|using|with) (?:an? )?\w+ or (?:an? )?\w+\b/i;
/** Words that make an "or" a rule: all of its parts count. */
const RULE =
  /\b(?:when|if|unless|until|whether|without|than|more|less|fewer|only|no|not|never|must not|every|each|any|all|refuse|deny|both)\b/i;

/** `(ascending or descending)`: two of a kind in brackets, and no number. */
const IN_BRACKETS =
  /\((?:(?:by|in|from|as|the|an?) )*[a-z-]+(?: [a-z-]+)? or (?:(?:by|in|from|as|the|an?) )*[a-z-]+(?: [a-z-]+)?(?: or [^)]*)?\)/i;
const NO_CHOICE = /\b(?:more|less|fewer|higher|lower|later|null|none|empty|both|missing|not)\b/i;
const OPPOSITES =
  /\b(?:longest|largest|biggest|highest|maximum|max|first|ascending|increasing|even|prefix|start|left|rows?|before|words?) or (?:the |in |by )?(?:shortest|smallest|lowest|minimum|min|last|descending|decreasing|odd|postfix|suffix|end|right|columns?|after|lines?)\b|\b(?:shortest|smallest|lowest|minimum|min|descending|decreasing) or (?:the |in |by )?(?:longest|largest|biggest|highest|maximum|max|ascending|increasing)\b/i;
const DECIDED_ELSEWHERE = /\b(?:depending on|according to|whether|parameter|flag|option|argument)\b/i;

function choiceIn(sentence: string, { isRich, isFunction }: Profile): readonly Ambiguity[] {
  const bracketed = IN_BRACKETS.exec(sentence)?.[0] ?? '';
  const isBracketed = bracketed !== '' && !NO_CHOICE.test(bracketed);
  const isOpposite = OPPOSITES.test(sentence) && !RULE.test(sentence) && !DECIDED_ELSEWHERE.test(sentence);
  if (isBracketed || isOpposite) return finding('choice', sentence, true);
  const match = ALTERNATIVE.exec(sentence);
  // In a long report, "maybe" says what its author supposes about the cause.
  if (match === null || isRich || (isFunction && !/and\/or|maybe|perhaps/i.test(match[0]))) return [];
  const isExplicit = /and\/or|maybe|perhaps|possibly|whichever/i.test(match[0]);
  return finding('choice', sentence, isExplicit || !RULE.test(sentence));
}

const ELSEWHERE =
  /\bas (?:\w+ )?(?:agreed|discussed|mentioned|usual|before|talked about)\b|\bwe (?:talked|spoke) about\b|\b(?:last time|the other day|like before|you know|as always)\b|\bsame (?:problem|issue|thing|way) as\b(?! [A-Z#\d`])/i;

/** An order about something that is not there: `Send it to them.` */
const BARE_PRONOUN =
  /^(?:please |can you |could you )?(?!(?:is|are|was|does|do|has|note|ensure|see)\b)[a-z]+ (?:it|them|these|those)\b(?! \w+ (?:that|which))/i;
const NOT_SHOWN =
  /\b(?:this|these) (?:file|query|code|function|script|page|list|text|image|document|table|data|component|method)s?\b|\bthe other (?:one|format|way|option|version|file|page)\b/i;

function referenceIn(sentence: string, { sentences, hasCode }: Profile): readonly Ambiguity[] {
  const isLone = !hasCode && sentences.length <= 2 && sentence === sentences[0];
  const isNowhere = isLone && (BARE_PRONOUN.test(sentence) || NOT_SHOWN.test(sentence)) && !/["`:]/.test(sentence);
  return finding('reference', sentence, isNowhere || ELSEWHERE.test(sentence));
}

/** No number makes these definite. */
const NEVER_MEASURED =
  /\b(?:appropriate(?:ly)?|suitable|sensible|reasonabl[ey]|properly|etc\b|as (?:needed|required|much as possible|possible|they should|appropriate)|where (?:it makes sense|necessary|needed|possible|appropriate)|if (?:necessary|needed|possible)|intuitive|user[- ]friendly|something|somehow|the right \w+|strangely|nicer|better|easier to|timely|not too (?:many|much|long|often))/i;
/** These are definite beside a number, a name or a condition. */
const MEASURED_BY_ANCHORS =
  /\b(?:fast(?:er)?|quick(?:ly|er)?|slow(?:er|ly)?|speed|large|huge|big(?:ger)?|small(?:er)?|too (?:long|big|much|many|often|slow|large)|a few|few|several|some|(?<!how )many|various|certain|often|regularly|periodically|occasionally|sometimes|securely|secure|robust|flexible|efficient(?:ly)?|scalable|modern|easier|easy|simple|simpler|simply|nice|good|relevant|important|recent(?:ly)?|old|the new|active|normal|usual|correctly|wrong|broken|odd|strange|abuse|long|cheap|affordable|decent|popular|best)\b/i;

function measureIn(sentence: string, isDefinite: boolean): readonly Ambiguity[] {
  if (NEVER_MEASURED.test(sentence)) return finding('measure', sentence, true);
  return finding('measure', sentence, !isDefinite && MEASURED_BY_ANCHORS.test(sentence) && anchorsIn(sentence) < 1);
}

const MAX_GAP_WORDS = 16;
/** A demand, as an order or as what a thing is to do. */
const DEMAND =
  /^(?:please )?(?:add|allow|analy[sz]e|archive|arrange|book|build|buy|cache|calculate|call|change|check|clean|compare|configure|connect|convert|create|delete|deploy|design|develop|display|download|draw|enable|encrypt|export|extend|filter|find|fix|generate|get|give|handle|help|hide|implement|import|improve|install|integrate|introduce|let|limit|log|make|merge|migrate|monitor|move|notify|optimi[sz]e|order|organi[sz]e|parse|plan|plot|prepare|prevent|print|process|provide|reduce|refactor|remind|remove|rename|render|replace|restart|review|rewrite|run|schedule|search|send|set(?: up)?|show|sort|speed|split|start|stop|store|summari[sz]e|support|sync|test|track|translate|update|upgrade|upload|use|validate|verify|write)\b|\b(?:should|shall|must|can|needs? to|is to|are able to|(?:I|we) (?:need|want|would like|have to))\b|\b(?:is|are|takes?|crash\w*|appears?|does not|do not|doesn't|don't|fails?|shows?) /i;
/** What a program is to do is said by naming the program's one task. */
const NAMED_TASK = /\b(?:function|method|program|script|query|class|regex)\b(?: in \w+)? (?:to|that|which) \w+/i;
const NAMED_TASK_WORDS = 9;
/** A name inside a sentence. */
const NAME = /(?<=[a-z,] )[A-Z][a-z]+\b/;
const NAME_WORDS = 7;
const LOOSE_SHARE = 0.34;
/** What several sentences are about if they report or wish for something without details. */
const COMPLAINT =
  /\b(?:improv\w+|enhanc\w+|optimi[sz]\w+|handl\w+|support|fix|broken|wrong|errors?|crash\w*|problems?|issues?|bugs?|fail\w*|slow|nice|needs?|asked for|helpful|(?:does not|doesn't|cannot|can't|stopped) \w+)\b/i;

/** A task in a few sentences that hold on to next to nothing: no number, name, path, condition or example. */
function gapIn({ prose, sentences, words, definite, hasCode, isRich }: Profile): readonly Ambiguity[] {
  const [first = ''] = sentences;
  // Whether a question about the world can be answered does not depend on numbers in it.
  if (sentences.length === 1 && isQuestion(first)) return [];
  if (hasCode || isRich || !sentences.some((sentence) => DEMAND.test(sentence))) return [];
  const isLoose = words < MAX_LOOSE_WORDS && definite < LOOSE_SHARE;
  if (sentences.length > 1) return finding('gap', first, isLoose && COMPLAINT.test(prose));
  const isNamed =
    (words >= NAMED_TASK_WORDS && NAMED_TASK.test(prose)) || (words >= NAME_WORDS && NAME.test(first.slice(1)));
  return finding('gap', first, words <= MAX_GAP_WORDS && anchorsIn(first) === 0 && !isNamed);
}

const MAX_LOOSE_WORDS = 60;
const MAX_REPORT_WORDS = 40;

function openIn({ prose, sentences, words, hasCode, isFunction }: Profile): readonly Ambiguity[] {
  const [first = '', ...others] = sentences;
  if (hasCode || isFunction) return [];
  return [
    ...finding('gap', first, (others.length === 0 && isOpenQuestion(first)) || isOpenStory(first, others)),
    ...finding('gap', prose, words <= MAX_REPORT_WORDS && isVagueReport(prose)),
  ];
}

const GUESS =
  /\bI (?:\w+ )?(?:assum(?:e|ed)|guess(?:ed)?|suppose(?:d)?|presum(?:e|ed)|interpreted|took it that)\b|\b(?:assuming|presumably|hopefully|I think (?:it|this|that) (?:is|should|may))\b|\b(?:probably|supposedly)\b|\bI(?: am|'m| was) not (?:\w+ )?(?:sure|certain|clear)\b|\bnot (?:entirely |quite )?(?:sure|clear|certain|obvious)\b|\b(?:was|were|is|are) (?:not|never) (?:\w+ )?(?:specified|stated|defined|given|mentioned|documented)\b|\b(?:does|did|do) not (?:say|specify|state|mention|tell)\b|\bthere (?:was|is) no (?:information|mention|indication|word)\b|\bunclear\b|\bambiguous\b|\bcould not (?:find out|tell|determine|figure)\b|\bI did not find\b|\blet me know if\b|\bif you (?:prefer|would rather|want)\b|\bdepending on (?:how|what|whether) you\b|\bunless (?:told|you say|you tell me) otherwise\b|\bmay be what you (?:want|need|meant)\b|\b(?:for now|at the moment|as a sensible default|some default)\b|\bleft\b[^.]*\bopen\b|\bcould be \S+ or \S+|\b(?:would|could) also (?:fit|work|do)\b|\beither (?:\w+ )?(?:approach|way|option|one) (?:works|is fine|would)\b|\bcontradict\b|\beither the\b[^.]*\bor the\b|\bdecide (?:what|whether|how|which)\b/i;

/** The same words in a sentence that says what settled it. */
const SETTLED =
  /\b(?:CLR-\d+-\d+|as (?:the )?[\w-]+ (?:says?|shows?|defines?|confirmed|decided)|confirmed|answered|agreed in|because (?:the|ADR|PRD|[A-Z])|recorded as ASM-|recorded it as an assumption)\b/;

function guessIn(sentence: string): readonly Ambiguity[] {
  const isOpenQuestion = /^(?:should|shall|is|are|do|does|which|what|how|whether)\b.*\?$/i.test(sentence);
  const differs =
    /\b(?:says?|shows?|has|names?)\b[^.;]*\band\b[^.;]*\b(?:says?|shows?|has|names?)\b[^.;]*;? ?I (?:took|used|chose|followed|went)/i;
  const isGuess = isOpenQuestion || GUESS.test(sentence) || differs.test(sentence);
  return finding('guess', sentence, isGuess && !SETTLED.test(sentence));
}

function finding(kind: AmbiguityKind, quote: string, isFound: boolean): readonly Ambiguity[] {
  return isFound ? [{ kind, quote }] : [];
}

function once(found: readonly Ambiguity[]): readonly Ambiguity[] {
  return found.filter(
    ({ kind, quote }, index) => found.findIndex((other) => other.kind === kind && other.quote === quote) === index,
  );
}

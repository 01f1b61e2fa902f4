import type { Ambiguity, AmbiguityKind } from './ambiguity.js';
import { anchorsIn, sentencesOf } from './anchors.js';
import { contradictionsIn } from './contradictions.js';

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
  const statements = [task, ...contents].filter((text) => text.trim() !== '');
  return once([
    ...inTask(sentencesOf(task)),
    ...gapIn(task),
    ...sentencesOf(reply).flatMap(inReply),
    ...contents.flatMap((content) => sentencesOf(content).flatMap(missingIn)),
    ...contradictionsIn(statements),
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

function inTask(sentences: readonly string[]): readonly Ambiguity[] {
  const definite = sentences.filter((sentence) => anchorsIn(sentence) > 0).length;
  const isDefinite = sentences.length >= MANY_SENTENCES && definite / sentences.length >= DEFINITE_SHARE;
  return sentences.flatMap((sentence) => [
    ...missingIn(sentence),
    ...choiceIn(sentence),
    ...referenceIn(sentence),
    ...measureIn(sentence, isDefinite),
  ]);
}

function inReply(sentence: string): readonly Ambiguity[] {
  return [...missingIn(sentence), ...guessIn(sentence)];
}

const PLACEHOLDER =
  /\b(?:TBD|TBA|TBC|FIXME|XXX)\b|\?\?\?+|\bto be (?:determined|decided|defined|confirmed|clarified)\b|<(?!\/|https?:|!--|(?:details|summary|kbd|code|pre|span|div|table|img|sub|sup|strong|em|private)\b)[a-z][a-z _-]{2,30}>(?!\s*<\/)|\{\{[^}]*\}\}|\bplaceholder\b|:\s*(?:N|n|X|x)\.?$|\bTODO\b/;

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

function choiceIn(sentence: string): readonly Ambiguity[] {
  const match = ALTERNATIVE.exec(sentence);
  if (match === null) return [];
  const isExplicit = /and\/or|maybe|perhaps|possibly|whichever|either/i.test(match[0]);
  return finding('choice', sentence, isExplicit || !RULE.test(sentence));
}

const ELSEWHERE =
  /\bas (?:\w+ )?(?:agreed|discussed|mentioned|usual|before|talked about)\b|\bwe (?:talked|spoke) about\b|\b(?:last time|the other day|like before|you know|as always)\b|\bsame (?:problem|issue|thing|way) as\b(?! [A-Z#\d`])/i;

function referenceIn(sentence: string): readonly Ambiguity[] {
  return finding('reference', sentence, ELSEWHERE.test(sentence));
}

/** No number makes these definite. */
const NEVER_MEASURED =
  /\b(?:appropriate(?:ly)?|suitable|sensible|reasonabl[ey]|properly|etc\b|as (?:needed|required|much as possible|possible|they should|appropriate)|where (?:it makes sense|necessary|needed|possible|appropriate)|if (?:necessary|needed|possible)|intuitive|user[- ]friendly|something|somehow|the right \w+|strangely|nicer|better)/i;
/** These are definite beside a number, a name or a condition. */
const MEASURED_BY_ANCHORS =
  /\b(?:fast(?:er)?|quick(?:ly|er)?|slow(?:er|ly)?|speed|large|huge|big(?:ger)?|small(?:er)?|too (?:long|big|much|many|often|slow|large)|a few|few|several|some|many|various|certain|often|regularly|periodically|occasionally|sometimes|securely|secure|robust|flexible|efficient(?:ly)?|scalable|modern|easier|easy|simple|simpler|simply|nice|good|relevant|important|recent(?:ly)?|old|new|active|normal|usual|correctly|wrong|broken|odd|strange|abuse|long)\b/i;

function measureIn(sentence: string, isDefinite: boolean): readonly Ambiguity[] {
  if (NEVER_MEASURED.test(sentence)) return finding('measure', sentence, true);
  return finding('measure', sentence, !isDefinite && MEASURED_BY_ANCHORS.test(sentence) && anchorsIn(sentence) < 1);
}

const MAX_GAP_WORDS = 16;
/** A demand, as an order or as what a thing is to do. */
const DEMAND =
  /^(?:please )?(?:add|allow|archive|build|change|check|clean|create|delete|enable|export|extend|fix|handle|implement|improve|integrate|introduce|let|limit|make|migrate|move|optimi[sz]e|prevent|provide|reduce|refactor|remove|rename|replace|rewrite|send|set up|show|speed|store|support|update|upgrade|use|write)\b|\b(?:should|shall|must|can|needs? to|is to|are able to)\b|\b(?:is|are|takes?|crash\w*|appears?|does not|do not) /i;

/** A task in one short sentence that holds on to nothing: no number, name, path, condition or example. */
function gapIn(task: string): readonly Ambiguity[] {
  const sentences = sentencesOf(task);
  const [only] = sentences;
  if (only === undefined || sentences.length > 1) return [];
  const isShort = only.split(/\s+/).length <= MAX_GAP_WORDS;
  return finding('gap', only, isShort && DEMAND.test(only) && anchorsIn(only) === 0);
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

import { type Ambiguity, type AmbiguityKind, finding } from './ambiguity.js';
import { sentencesOf } from './anchors.js';
import { choiceIn } from './choices.js';
import { contradictionsIn } from './contradictions.js';
import { contradictedExamples } from './examples.js';
import { unfinishedIn } from './function-gaps.js';
import { gapIn, openIn } from './gaps.js';
import { guessIn } from './guesses.js';
import { measureIn } from './measures.js';
import { type Profile, profileOf } from './profile.js';
import { isVague } from './vague.js';

/*
 * Finds by its structure what a text leaves undecided. A weak word alone is no finding: "large" beside "200 MB" is
 * clear, and "delete old records" is not, although only the second half of a sentence decides that. So a check looks
 * for what is missing around a word: a number, a name, a condition. Or it looks for a choice without a decision, a
 * stated guess, or two statements that cannot both hold. Pure.
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
export function toldAmbiguities(ambiguities: readonly Ambiguity[]): string {
  return ambiguities
    .slice(0, MAX_TOLD)
    .map(({ kind, quote }) => `- ${MEANING[kind]}: "${quote.slice(0, MAX_QUOTE).replace(HALF, '')}"`)
    .join('\n');
}

const MAX_TOLD = 8;
const MAX_QUOTE = 300;
/** The first half of a character whose second half was cut off. */
const HALF = /[\ud800-\udbff]$/;

const MEANING: Readonly<Record<AmbiguityKind, string>> = {
  choice: 'several possibilities, none taken',
  guess: 'a guess',
  missing: 'a value is missing',
  measure: 'no measure is given',
  gap: 'it is not said what exactly',
  reference: 'it refers to something that is not here',
  contradiction: 'these contradict each other',
};

function inTask(task: string, profile: Profile): readonly Ambiguity[] {
  const { sentences } = profile;
  return [
    ...sentences.flatMap((sentence) => [
      ...(profile.isFunction ? [] : missingIn(sentence)),
      ...choiceIn(sentence, profile),
      ...referenceIn(sentence, profile),
      ...finding('measure', sentence, isVague(sentence, profile)),
      ...measureIn(sentence, profile),
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

const ELSEWHERE =
  /\bas (?:\w+ )?(?:agreed|discussed|mentioned|usual|before|talked about)\b|\bwe (?:talked|spoke) about\b|\b(?:last time|the other day|like before|you know|as always)\b|\bsame (?:problem|issue|thing|way) as\b(?! [A-Z#\d`])/i;

/** A sentence about a thing, which it names. */
const STATEMENT = /^(?:this|these|each|every|if|any|the|an?|when|as|it|all|our)\b/i;
/** An order about something that is not there: `Send it to them.` */
const BARE_PRONOUN =
  /^(?:please |can you |could you )?(?!(?:is|are|was|does|do|has|note|ensure|see)\b)[a-z]+ (?:it|them|these|those)\b(?! \w+ (?:that|which))/i;
const NOT_SHOWN =
  /\b(?:this|these) (?:file|query|code|function|script|page|list|text|image|document|table|data|component|method)s?\b|\bthe other (?:one|format|way|option|version|file|page)\b/i;

function referenceIn(sentence: string, { sentences, hasCode }: Profile): readonly Ambiguity[] {
  const isLone = !hasCode && sentences.length <= 2 && sentence === sentences[0];
  const isOrder = !STATEMENT.test(sentence);
  const isNowhere = isLone && isOrder && (BARE_PRONOUN.test(sentence) || NOT_SHOWN.test(sentence));
  return finding('reference', sentence, (isNowhere && !/["`:]/.test(sentence)) || ELSEWHERE.test(sentence));
}

function once(ambiguities: readonly Ambiguity[]): readonly Ambiguity[] {
  return ambiguities.filter(
    ({ kind, quote }, index) =>
      ambiguities.findIndex((other) => other.kind === kind && other.quote === quote) === index,
  );
}

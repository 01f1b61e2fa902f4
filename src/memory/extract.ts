import { withoutPrivate } from '../protocol/redact.js';
import type { SessionSummary } from '../protocol/session-summary.js';

/*
 * Sorts an agent's plain text, sentence by sentence. Agents that reply with observations do not need this; for the
 * others it finds what they decided, changed and stumbled over.
 */

const DECISION =
  /^(?:decision|decided)\s*:|\b(?:(?:i|we|team) (?:have )?(?:decided|chose|agreed)|decided (?:to|on|against)|chose|chosen|(?:we|i) will use|going with|settled on|opted for)\b/i;
const CHANGE =
  /\b(?:creat|add|modifi|updat|chang|renam|delet|remov|refactor|implement|wrote|written|rewr|mov|replac|fix|commit)\w*\b/i;
const PLACE =
  /`[^`]+`|\b[\w.-]+\/[\w./-]+|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|md|toml|json|ya?ml|sql|sh|css|html)\b/;
const COMMIT = /\bcommit(?:ted)?(?: (?:as|in|to))?:? `?[0-9a-f]{7,40}\b/i;
const ERROR =
  /^(?:error|warning|failed)\s*:|\b(?:errors?|exceptions?|fail(?:s|ed|ure|ures|ing)?|crash(?:es|ed)?|timed out)\b/i;
const NO_ERROR =
  /\b(?:no|without|zero|0|any) (?:\w+ )?(?:errors?|exceptions?|failures?|crashes)\b|\b(?:handles?|handling|fixed)\b/i;
const FACT = /^(?:note|fact|key fact|important|remember|caveat|todo)\s*:/i;

export function factsIn(text: string): SessionSummary {
  const facts = {
    decisions: [] as string[],
    codeChanges: [] as string[],
    errors: [] as string[],
    keyFacts: [] as string[],
  };
  for (const sentence of sentencesOf(text)) {
    const section = sectionOf(sentence);
    if (section !== undefined) facts[section].push(sentence);
  }
  return facts;
}

/** The first meaningful sentence of a text in which nothing else was found. */
export function gistOf(text: string): string | undefined {
  return sentencesOf(text)[0];
}

function sectionOf(sentence: string): keyof SessionSummary | undefined {
  if (sentence.endsWith('?')) return undefined;
  if (COMMIT.test(sentence)) return 'codeChanges';
  if (DECISION.test(sentence)) return 'decisions';
  if (ERROR.test(sentence) && !NO_ERROR.test(sentence)) return 'errors';
  if (CHANGE.test(sentence) && PLACE.test(sentence)) return 'codeChanges';
  return FACT.test(sentence) ? 'keyFacts' : undefined;
}

/** Leaves out fenced code: it is in the artifacts, and its lines are no sentences. */
function sentencesOf(text: string): readonly string[] {
  return withoutPrivate(text)
    .replace(/^```[\s\S]*?^(?:```|(?![\s\S]))/gm, '\n')
    .split(/\n+|(?<=[.!?])\s+(?=[A-Z`"'(])/)
    .map((part) => part.replace(/^\s*(?:[-*>#]+|\d+[.)])\s+/, '').trim())
    .filter((part) => part.split(/\s+/).length >= 3);
}

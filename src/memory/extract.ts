import type { ObservationCategory } from '../protocol/observation.js';
import { withoutPrivate } from '../protocol/redact.js';
import type { SessionSummary } from '../protocol/session-summary.js';
import { draftsIn } from './draft-observations.js';
import { isNoise } from './noise.js';
import { sentencesOf } from './sentences.js';

/*
 * Sorts an agent's plain text, sentence by sentence. Agents that reply with observations do not need this; for the
 * others it finds what they decided, changed and stumbled over.
 */

/** By the rules by which a transcript is read. Pure. */
export function factsIn(text: string, by: 'user' | 'assistant' = 'assistant'): SessionSummary {
  const drafts = draftsIn(withoutPrivate(text), by);
  const of = (section: ObservationCategory) =>
    drafts.filter(({ category }) => category === section).map(({ content }) => content);
  return { decisions: of('decision'), codeChanges: of('code-change'), errors: of('error'), keyFacts: of('key-fact') };
}

/** The first meaningful sentence of a text in which nothing else was found. */
export function gistOf(text: string): string | undefined {
  const sentences = sentencesOf(withoutPrivate(text)).filter((one) => one.text.split(/\s+/).length >= 3);
  return (sentences.find((one) => !isNoise(one.text)) ?? sentences[0])?.text;
}

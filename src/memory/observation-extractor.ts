import { makeObservationId, parseAgentName, parseIssueNumber } from '../protocol/ids.js';
import { MAX_OBSERVATIONS_PER_CAPTURE } from '../protocol/limits.js';
import type { Observation, ObservationCategory } from '../protocol/observation.js';
import { redact } from '../protocol/redact.js';
import { parseSummary, type SessionSummary, SUMMARY_SECTIONS } from '../protocol/session-summary.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { estimateTokens } from '../protocol/tokens.js';
import { categoryOfHeading } from './classify-labels.js';
import { draft, draftObservations, draftsIn, type ObservationDraft } from './draft-observations.js';
import { isNoise } from './noise.js';
import { sentencesOf } from './sentences.js';
import { readTranscript } from './transcript.js';

/** What the transcript of a session is worth remembering for, in whatever form its program left it. Pure. */
export function draftsOfTranscript(text: string): readonly ObservationDraft[] {
  return draftObservations(readTranscript(text));
}

/**
 * What a compaction summary says: its decisions, code changes, errors and key facts, each for itself, and whatever
 * stands outside of its sections as one text. Pure.
 */
export function draftsOfSummary(summary: string): readonly ObservationDraft[] {
  const text = redact(summary);
  const sections = parseSummary(text);
  const listedDrafts = SUMMARY_SECTIONS.flatMap(([key]) => sections[key].map((fact) => draft(CATEGORY_OF[key], fact)));
  const drafts =
    listedDrafts.length > 0
      ? listedDrafts
      : draftsIn(text, 'summary').map(({ category, content }) => draft(category, content));
  const rest = sentencesOf(text)
    .filter((sentence) => categoryOfHeading(sentence.heading) === undefined && !isNoise(sentence.text))
    .map((sentence) => sentence.text)
    .filter((sentence) => !drafts.some(({ content }) => content.includes(sentence)));
  const restDrafts = rest.length === 0 ? [] : [draft('compaction-summary', rest.join(' '))];
  return [...drafts, ...restDrafts].slice(0, MAX_OBSERVATIONS_PER_CAPTURE);
}

const CATEGORY_OF: Readonly<Record<keyof SessionSummary, ObservationCategory>> = {
  decisions: 'decision',
  codeChanges: 'code-change',
  errors: 'error',
  keyFacts: 'key-fact',
};

export interface ObservationExtractorOptions {
  /** When it was observed, as a timestamp. */
  readonly now: () => string;
  /** Six letters and digits, different each time. */
  readonly random: () => string;
  readonly countTokens?: (text: string) => number;
}

/** Turns what a session left behind into observations with ids; it stores nothing. */
export class ObservationExtractor {
  constructor(private readonly options: ObservationExtractorOptions) {}

  /** From the summary that compaction made of a session. */
  extractObservations(summary: string, agent: string, issue: number, sessionId: string): readonly Observation[] {
    return this.#observations(draftsOfSummary(summary), agent, issue, sessionId);
  }

  /** From the session word for word. */
  extractFromTranscript(text: string, agent: string, issue: number, sessionId: string): readonly Observation[] {
    return this.#observations(draftsOfTranscript(text), agent, issue, sessionId);
  }

  #observations(
    drafts: readonly ObservationDraft[],
    name: string,
    issue: number,
    sessionId: string,
  ): readonly Observation[] {
    const { now, random, countTokens = estimateTokens } = this.options;
    const agent = parseAgentName(name);
    const issueNumber = parseIssueNumber(issue);
    const timestamp = now();
    const timestampMs = toEpochMs(timestamp);
    return drafts.map(({ category, content, summary }) => ({
      id: makeObservationId({ agent, issueNumber, timestampMs, suffix: random() }),
      agent,
      issueNumber,
      category,
      content,
      summary,
      tokens: countTokens(content),
      timestamp,
      sessionId,
    }));
  }
}

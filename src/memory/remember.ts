import { AgentXError } from '../protocol/errors.js';
import { makeObservationId, parseAgentName, parseIssueNumber } from '../protocol/ids.js';
import { countCharacters, MAX_OBSERVATION_CHARACTERS, MAX_OBSERVATIONS_PER_CAPTURE } from '../protocol/limits.js';
import {
  isCertain,
  type Observation,
  type ObservationCategory,
  type ObservationFile,
  type ObservationSource,
} from '../protocol/observation.js';
import { redact } from '../protocol/redact.js';
import { shorten } from '../protocol/shorten.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { Facts, saysMore } from './near-duplicate.js';
import type { MemoryPorts } from './ports.js';

/** An observation before it has an id, a time and a count of tokens. */
export interface ObservationDraft {
  readonly category: ObservationCategory;
  readonly content: string;
  /** By default the beginning of the content. */
  readonly summary?: string | undefined;
  readonly source?: ObservationSource | undefined;
  /** The tokens of the text that it was taken from. */
  readonly sourceTokens?: number | undefined;
}

export interface RememberRequest {
  readonly agent: string;
  readonly issueNumber: number;
  readonly sessionId?: string | undefined;
  readonly drafts: readonly ObservationDraft[];
}

export interface Remembered {
  /** As they are stored now: new ones, and those that a draft only repeated. */
  readonly observations: readonly Observation[];
  /** How many of them are new. */
  readonly added: number;
  /** How many drafts said what was there already. */
  readonly merged: number;
  /** Why nothing could be stored. */
  readonly skipped?: string;
}

export const NOTHING_REMEMBERED: Remembered = { observations: [], added: 0, merged: 0 };

const MAX_SUMMARY_CHARACTERS = 160;

type RememberPorts = Pick<MemoryPorts, 'store' | 'bus' | 'clock' | 'tokenizer' | 'random'>;

/**
 * Stores drafts as observations: without secrets, counted, each with an id of its own. A draft that says what the issue
 * has already raises the count of that one instead.
 */
export async function remember(ports: RememberPorts, request: RememberRequest): Promise<Remembered> {
  const { store, bus, clock } = ports;
  const agent = parseAgentName(request.agent);
  const issueNumber = parseIssueNumber(request.issueNumber);
  // Before anything is counted or shortened: a summary must not cut a secret in half.
  const drafts = requireDrafts(request.drafts)
    .slice(0, MAX_OBSERVATIONS_PER_CAPTURE)
    .map((draft) => ({ ...draft, content: redact(draft.content).trim() }))
    .filter(({ content }) => content !== '');
  if (drafts.length === 0) return NOTHING_REMEMBERED;
  const at = clock.now();
  const newObservations = await Promise.all(
    drafts.map((draft) => observationOf(ports, { draft, agent, issueNumber, sessionId: request.sessionId, at })),
  );
  const result = await store.observations.update(issueNumber, (file) => merge(file, newObservations, at));
  const { observations } = result;
  bus.emit('memory-stored', {
    agent,
    issueNumber,
    count: observations.length,
    totalTokens: observations.reduce((sum, { tokens }) => sum + tokens, 0),
    observationIds: observations.map(({ id }) => id),
    timestamp: toEpochMs(at),
  });
  return result;
}

interface Made {
  readonly draft: ObservationDraft;
  readonly agent: string;
  readonly issueNumber: number;
  readonly sessionId: string | undefined;
  readonly at: string;
}

/** Callers in plain JavaScript may leave out what the types require. */
function requireDrafts(drafts: readonly ObservationDraft[]): readonly ObservationDraft[] {
  if (Array.isArray(drafts) && drafts.every((draft) => typeof draft?.content === 'string')) return drafts;
  throw new AgentXError('INVALID_INPUT', "What is to be remembered is a list of 'drafts', each with a 'content'.");
}

async function observationOf(
  { tokenizer, random }: RememberPorts,
  { draft, agent, issueNumber, sessionId, at }: Made,
): Promise<Observation> {
  const timestampMs = toEpochMs(at);
  const { content: text, source, sourceTokens } = draft;
  // As the store would cut it: the count is of what is stored.
  const content = countCharacters(text) <= MAX_OBSERVATION_CHARACTERS ? text : cut(text);
  return {
    id: makeObservationId({ agent, issueNumber, timestampMs, suffix: random() }),
    agent,
    issueNumber,
    category: draft.category,
    content,
    summary: shorten(redact(draft.summary ?? firstSentence(content)).trim(), MAX_SUMMARY_CHARACTERS),
    tokens: await tokenizer.count(content),
    tokenizer: tokenizer.name,
    timestamp: at,
    sessionId: sessionId ?? `${agent}-${timestampMs}-${random()}`,
    ...(source !== undefined && { source }),
    ...(sourceTokens !== undefined && { sourceTokens }),
  };
}

function cut(text: string): string {
  return `${[...text]
    .slice(0, MAX_OBSERVATION_CHARACTERS - 3)
    .join('')
    .trimEnd()}...`;
}

function firstSentence(content: string): string {
  const [first = content] = content.split(/\n|(?<=[.!?])\s+(?=[^a-z])/);
  return first.length < MIN_SUMMARY_CHARACTERS ? content.replace(/\s+/g, ' ') : first;
}

const MIN_SUMMARY_CHARACTERS = 20;

/** Pure. */
function merge(
  file: ObservationFile,
  newObservations: readonly Observation[],
  at: string,
): { readonly next: ObservationFile; readonly result: Remembered } {
  const observations = [...file.observations];
  const facts = new Facts(observations.map(({ content }) => content));
  const touchedPlaces = new Set<number>();
  let added = 0;
  for (const one of newObservations) {
    const citedPlace = findCited(observations, one);
    const place = citedPlace < 0 ? findSame(observations, facts, one) : citedPlace;
    const observation = observations[place];
    if (observation === undefined) {
      added++;
      const newPlace = observations.push(one) - 1;
      facts.set(newPlace, one.content);
      touchedPlaces.add(newPlace);
      continue;
    }
    touchedPlaces.add(place);
    if (citedPlace >= 0) continue;
    const next = repeated(observation, one, at);
    observations[place] = next;
    if (next.content !== observation.content) facts.set(place, next.content);
  }
  const storedObservations = [...touchedPlaces].flatMap((place) => observations[place] ?? []);
  const result = { observations: storedObservations, added, merged: newObservations.length - added };
  return { next: { ...file, observations }, result };
}

/** The summary of a session repeats what was decided in it and cites the record, such as `(CLR-42-001, architect)`. */
function findCited(observations: readonly Observation[], one: Observation): number {
  if (isCertain(one)) return -1;
  const [citation = ''] = /\([^()]*\)$/.exec(one.content) ?? [];
  const citedIds: readonly string[] = citation.match(/\b(?:CLR-\d+-\d+|oq-[\w-]+)/g) ?? [];
  return observations.findIndex((other) => isCertain(other) && citedIds.includes(other.source?.id ?? ''));
}

/** What was decided by a clarification or a human is a record of its own, whatever else says the same. */
function findSame(observations: readonly Observation[], facts: Facts, one: Observation): number {
  return facts.find(one.content, (place) => {
    const other = observations[place];
    // Restoring the originals would take what was merged into one of these away.
    return other?.mergedFrom === undefined && other?.category === one.category && hasSameSource(other, one);
  });
}

function hasSameSource(left: Observation, right: Observation): boolean {
  if (!isCertain(left) && !isCertain(right)) return true;
  return left.source?.id === right.source?.id && left.source?.kind === right.source?.kind;
}

/**
 * The text that says more stays, as it may have a reason. A session that is captured again, as by a hook that runs after each of
 * its turns, has said it once.
 */
function repeated(observation: Observation, repetition: Observation, at: string): Observation {
  const { content, summary, tokens, tokenizer } = saysMore(repetition.content, observation.content)
    ? repetition
    : observation;
  return {
    ...observation,
    content,
    summary,
    tokens,
    ...(tokenizer !== undefined && { tokenizer }),
    ...(observation.sessionId !== repetition.sessionId && { count: (observation.count ?? 1) + 1, lastSeenAt: at }),
  };
}

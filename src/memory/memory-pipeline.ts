import type { RecallRequest } from '../ports/recall.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import type { ContextCompactedPayload } from '../protocol/events.js';
import { parseAgentName, parseIssueNumber } from '../protocol/ids.js';
import type { Observation, ObservationIndex } from '../protocol/observation.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { estimateTokens } from '../protocol/tokens.js';
import { draftObservations } from './draft-observations.js';
import { type InjectionResult, MemoryInjector } from './memory-injector.js';
import { draftsOfSummary } from './observation-extractor.js';
import type { MemoryPorts } from './ports.js';
import { RelevanceScorer, type Scored } from './relevance-scorer.js';
import { NOTHING_REMEMBERED, type ObservationDraft, type Remembered, remember } from './remember.js';
import { readTranscript } from './transcript.js';
import type { TranscriptMessage } from './transcript-message.js';

/** Whose session it was. */
interface CapturedSession {
  readonly agent: string;
  readonly issueNumber: number;
  readonly sessionId: string;
}

export interface CapturedTranscript extends CapturedSession {
  readonly text: string;
  /** Nothing that its user says counts. */
  readonly isBriefed?: boolean;
}

interface Captured {
  readonly drafts: readonly ObservationDraft[];
  /** Of everything that was said in the session. */
  readonly originalTokens: number;
  readonly ifEmpty: string;
}

/** Finds what is worth remembering in the summary of a session. */
export type Extract = (summary: string) => readonly ObservationDraft[];

/** As many entries are scored for a recall. */
const MAX_CANDIDATES = 50;
const WARN_OBSERVATIONS = 40_000;
const WARN_BYTES = 40 * 1024 * 1024;
const NOTHING: InjectionResult = { section: '', observations: [], tokens: 0 };

/**
 * What is remembered of a session when it ends, and recalled when the next one starts. Nothing that goes wrong in here
 * ends a session: it is logged, and the session goes on without its memory.
 */
export class MemoryPipeline {
  readonly #ends = new Set<() => void>();
  readonly #capturing = new Set<Promise<unknown>>();
  #hasLookedAtSize = false;

  constructor(
    private readonly ports: MemoryPorts,
    private readonly extract: Extract = draftsOfSummary,
  ) {}

  /** Captures on every `context-compacted` until the returned function is called. */
  startCapture(isWanted: (payload: ContextCompactedPayload) => boolean = () => true): () => void {
    const unsubscribe = this.ports.bus.on('context-compacted', (payload) => {
      if (!isWanted(payload)) return;
      const capture = this.capture(payload).finally(() => this.#capturing.delete(capture));
      this.#capturing.add(capture);
    });
    const end = (): void => {
      unsubscribe();
      this.#ends.delete(end);
    };
    this.#ends.add(end);
    return end;
  }

  /** Resolves when everything that was compacted so far is stored or was given up. */
  async idle(): Promise<void> {
    while (this.#capturing.size > 0) await Promise.all(this.#capturing);
  }

  /** Stores what the summary of a session says. Never rejects. */
  async capture(
    payload: Pick<ContextCompactedPayload, 'agent' | 'issueNumber' | 'sessionId' | 'originalTokens' | 'summary'>,
  ): Promise<Remembered> {
    const { agent, issueNumber, sessionId, originalTokens, summary } = payload;
    const source = { kind: 'session', id: sessionId } as const;
    return this.#capture({ agent, issueNumber, sessionId }, () => ({
      drafts: this.extract(summary).map((draft) => ({ source, ...draft })),
      originalTokens,
      ifEmpty: 'No observations extracted from session (empty summary)',
    }));
  }

  /** Stores what the transcript of a session says, in whatever form its program left it. Never rejects. */
  async captureTranscript({ text, isBriefed = false, ...session }: CapturedTranscript): Promise<Remembered> {
    const source = { kind: 'transcript', id: session.sessionId } as const;
    return this.#capture(session, () => {
      const messages = readTranscript(text).filter((one) => !isBriefed || one.kind !== 'said' || one.by !== 'user');
      return {
        drafts: draftObservations(messages).map((draft) => ({ ...draft, source })),
        originalTokens: messages.reduce((sum, message) => sum + estimateTokens(textOf(message)), 0),
        ifEmpty: 'No observations extracted from session (nothing to remember in its transcript)',
      };
    });
  }

  async #capture(session: CapturedSession, readDrafts: () => Captured): Promise<Remembered> {
    const { log, settings } = this.ports;
    if (!settings.enabled) return NOTHING_REMEMBERED;
    const started = performance.now();
    try {
      const { drafts, originalTokens, ifEmpty } = readDrafts();
      if (drafts.length === 0) {
        log.info(ifEmpty, { ...session });
        return NOTHING_REMEMBERED;
      }
      const sourceTokens = Math.round(originalTokens / drafts.length);
      const withTokens = drafts.map((draft) => ({ sourceTokens, ...draft }));
      const result = await remember(this.ports, { ...session, drafts: withTokens });
      const { added, merged } = result;
      const figures = { count: added, merged, latencyMs: elapsed(started) };
      log.info('memory captured', { memory: 'captured', ...session, ...figures });
      await this.#warnOfSize();
      return result;
    } catch (error) {
      const reason = this.#warnOfCapture(error, { ...session, latencyMs: elapsed(started) });
      return { ...NOTHING_REMEMBERED, skipped: reason };
    }
  }

  /** The section for the prompt of a session that starts, or an empty text. Never rejects. */
  async injectMemory(agent: string, issue: number, context?: string): Promise<string> {
    return (await this.recall({ agent, issueNumber: issue, query: context })).section;
  }

  async recall(request: RecallRequest): Promise<InjectionResult> {
    const { log, settings, clock, bus } = this.ports;
    const budget = request.maxTokens ?? settings.maxTokens;
    if (!settings.enabled || budget <= 0) return NOTHING;
    const started = performance.now();
    const agent = parseAgentName(request.agent);
    const issueNumber = parseIssueNumber(request.issueNumber);
    try {
      const damaged: AgentXError[] = [];
      const scored = await this.#scored({ ...request, agent, issueNumber }, damaged);
      const known = request.known ?? new Set<string>();
      const result = new MemoryInjector(budget).inject(scored, { budget, known: new Set(known) });
      const { observations, tokens } = result;
      await this.#countRecalls(observations);
      const timestamp = toEpochMs(clock.now());
      const observationIds = observations.map(({ id }) => id);
      if (observations.length > 0)
        bus.emit('memory-recalled', {
          agent,
          issueNumber,
          count: observations.length,
          totalTokens: tokens,
          observationIds,
          timestamp,
        });
      const displaced = observations.reduce((sum, one) => sum + (one.sourceTokens ?? one.tokens), 0);
      log.info(`Memory recall displaced ${displaced} tokens of manual re-read`, {
        memory: 'recalled',
        agent,
        issueNumber,
        count: observations.length,
        tokens,
        displaced,
        latencyMs: elapsed(started),
      });
      return damaged.length === 0 ? result : { ...result, damaged };
    } catch (error) {
      log.warn(`Memory recall skipped: ${messageOf(error)}`, { agent, issueNumber });
      return NOTHING;
    }
  }

  /** Best match first. */
  async searchMemory(query: string, limit?: number): Promise<readonly ObservationIndex[]> {
    return this.ports.settings.enabled ? this.ports.store.observations.search(query, limit) : [];
  }

  async getObservation(id: string): Promise<Observation | null> {
    return this.ports.store.observations.getById(id);
  }

  dispose(): void {
    for (const end of this.#ends) end();
  }

  /** The best of what may be recalled; only that is read whole. */
  async #scored(request: RecallRequest, damaged: AgentXError[]): Promise<readonly Scored<Observation>[]> {
    const { agent, issueNumber } = request;
    const query = (request.query ?? '').trim();
    const scorer = new RelevanceScorer(this.ports.settings.weights);
    const nowMs = toEpochMs(this.ports.clock.now());
    const entries = await this.#candidates({ ...request, query }, damaged);
    const candidates = ofAgentFirst(scorer.score(entries, { query, nowMs }), { agent, issueNumber });
    return candidates.slice(0, MAX_CANDIDATES);
  }

  /** Those of this issue, and what this or another issue knows about the subject. */
  async #candidates(
    { issueNumber, query, among }: RecallRequest & { readonly query: string },
    damaged: AgentXError[],
  ): Promise<readonly Observation[]> {
    if (among !== undefined)
      return (await this.#whole(among, damaged)).filter(({ rejectedBy }) => rejectedBy === undefined);
    const ownObservations = await this.#readable(issueNumber, damaged);
    const matches =
      query === '' ? [] : (await this.ports.store.observations.find({ query, limit: MAX_CANDIDATES })).items;
    const relatedMatches = matches.filter(
      (one) => one.issueNumber !== issueNumber && isClose(one.score, matches[0]?.score),
    );
    return [
      ...ownObservations.filter(({ archived }) => archived !== true),
      ...(await this.#whole(relatedMatches, damaged)),
    ];
  }

  /** A damaged file takes only its own observations away. */
  async #readable(
    issueNumber: number,
    damaged: AgentXError[],
    ids?: ReadonlySet<string>,
  ): Promise<readonly Observation[]> {
    try {
      return await this.ports.store.observations.getByIssue(issueNumber, ids);
    } catch (error) {
      if (error instanceof AgentXError) damaged.push(error);
      this.ports.log.warn(`Memory of issue #${issueNumber} skipped: ${messageOf(error)}`, { issueNumber });
      return [];
    }
  }

  async #whole(
    entries: readonly Pick<ObservationIndex, 'id' | 'issueNumber'>[],
    damaged: AgentXError[],
  ): Promise<readonly Observation[]> {
    const ids = new Set(entries.map(({ id }) => id));
    const issues = [...new Set(entries.map(({ issueNumber }) => issueNumber))];
    return (await Promise.all(issues.map((issue) => this.#readable(issue, damaged, ids)))).flat();
  }

  /** A lock that cannot be had skips the count, never the session. */
  async #countRecalls(observations: readonly Observation[]): Promise<void> {
    if (observations.length === 0) return;
    try {
      await this.ports.store.observations.countRecalls(observations.map(({ id }) => id));
    } catch (error) {
      this.ports.log.warn(`Memory recall not counted: ${messageOf(error)}`, { error: messageOf(error) });
    }
  }

  /** To count everything takes longer than a capture, and a few sessions do not make a store large: once is enough. */
  async #warnOfSize(): Promise<void> {
    if (this.#hasLookedAtSize) return;
    this.#hasLookedAtSize = true;
    const { totalObservations, bytes } = await this.ports.store.observations.getStats();
    for (const alert of alertsFor({ totalObservations, bytes }))
      this.ports.log.warn(alert, { totalObservations, bytes });
  }

  /** Says why, too. */
  #warnOfCapture(error: unknown, fields: Readonly<Record<string, unknown>>): string {
    const isLocked = error instanceof AgentXError && error.code === 'LOCK_TIMEOUT';
    // The pid of a line is that of the process that writes it.
    const { pid: holderPid, ...lock } = isLocked ? error.details : {};
    const holder = holderPid === undefined ? lock : { ...lock, holderPid };
    const reason = isLocked ? `lock timeout on ${String(lock.path ?? lock.file ?? 'its file')}` : messageOf(error);
    this.ports.log.warn(`Memory capture skipped: ${reason}`, { memory: 'capture-error', ...fields, ...holder });
    return reason;
  }
}

/** What a person should be told about the size of a store. */
export function alertsFor({
  totalObservations,
  bytes,
}: {
  readonly totalObservations: number;
  readonly bytes: number;
}): readonly string[] {
  return [
    ...(bytes > WARN_BYTES
      ? ["Memory store exceeds 40MB. Run 'agentx memory compact' (AgentX: Compact Memory) to reduce."]
      : []),
    ...(totalObservations > WARN_OBSERVATIONS
      ? [`Memory store has ${totalObservations} observations. Consider compaction.`]
      : []),
  ];
}

/** What other issues know is worth a place only if it is about the same. */
function isClose(score: number, best = 0): boolean {
  return score >= best / 2;
}

/** What this agent knows about this issue comes before what scores the same elsewhere. */
function ofAgentFirst(
  scored: readonly Scored<Observation>[],
  { agent, issueNumber }: { readonly agent: string; readonly issueNumber: number },
): readonly Scored<Observation>[] {
  const bonus = ({ entry }: Scored<Observation>) =>
    (entry.issueNumber === issueNumber ? OWN_ISSUE : 0) + (entry.agent === agent ? OWN_AGENT : 0);
  return scored.toSorted((left, right) => right.score + bonus(right) - left.score - bonus(left));
}

const OWN_ISSUE = 0.1;
const OWN_AGENT = 0.05;

function textOf(message: TranscriptMessage): string {
  return message.kind === 'call' ? (message.command ?? '') : message.text;
}

function elapsed(started: number): number {
  return Math.round(performance.now() - started);
}

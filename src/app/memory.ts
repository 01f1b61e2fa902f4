import { randomBytes } from 'node:crypto';
import type { InjectionResult } from '../memory/memory-injector.js';
import { alertsFor, MemoryPipeline } from '../memory/memory-pipeline.js';
import type { MemoryPorts } from '../memory/ports.js';
import { NOTHING_REMEMBERED, type Remembered, type RememberRequest, remember } from '../memory/remember.js';
import { type Snippet, snippetOf } from '../memory/snippet.js';
import { type Timeline, timeline } from '../memory/timeline.js';
import type { Embedder } from '../ports/embedder.js';
import type { FoundObservations, IObservationStore, RebuildResult, ScoredObservation } from '../ports/observations.js';
import type { RecallRequest } from '../ports/recall.js';
import type { Page } from '../ports/store.js';
import type { Config } from '../protocol/config.js';
import { fnv1a64 } from '../protocol/derived-id.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import type { Observation, ObservationIndex, ObservationManifest, StoreStats } from '../protocol/observation.js';
import { type CompactionResult, STALE_ARCHIVE_AFTER_DAYS } from '../protocol/observation-compaction.js';
import type { ObservationFilter } from '../protocol/observation-filter.js';
import type { Paging } from '../protocol/page.js';
import { redact } from '../protocol/redact.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { checkedRequest } from './checked-request.js';
import { type MemoryMetrics, readMetrics } from './memory-metrics.js';
import { readTranscriptFile } from './read-transcript.js';
import { openTokenizer } from './tokenizer.js';

export type MemoryHit = ScoredObservation & Partial<Snippet>;

export interface MemorySearch extends ObservationFilter {
  /** The last word may not be complete. */
  readonly isTyped?: boolean;
}

export interface FoundMemory extends Omit<FoundObservations, 'items'> {
  readonly items: readonly MemoryHit[];
  /** The query as it was probably meant, if it has words that no observation has. */
  readonly didYouMean?: string;
}

export interface MemoryStats extends StoreStats {
  /** What a person should do something about. */
  readonly alerts: readonly string[];
  /** What the log tells of the last captures, recalls and searches. */
  readonly metrics: MemoryMetrics;
}

export interface TranscriptRequest {
  readonly agent: string;
  readonly issueNumber: number;
  readonly file: string;
  /** By default made of how the transcript begins. */
  readonly sessionId?: string | undefined;
  /** The user's messages are our briefs, which hold what other agents decided: only the agent's own words count. */
  readonly isBriefed?: boolean;
}

type Base = Pick<MemoryPorts, 'bus' | 'clock' | 'log'> & { readonly store: MemoryPorts['store'] };

interface MemoryOptions {
  readonly config: Pick<Config, 'memory'>;
  readonly logs: string;
  /** Without it, searches go by words alone. */
  readonly embedder?: Embedder | undefined;
}

/** What surfaces do with the memory. */
export class Memory {
  readonly #ports: MemoryPorts;
  readonly #memory: IObservationStore;
  readonly #logs: string;
  readonly #embedder: Embedder | undefined;
  readonly pipeline: MemoryPipeline;

  constructor(base: Base, { config, logs, embedder }: MemoryOptions) {
    this.#embedder = embedder;
    const { enabled, max_tokens: maxTokens, weights } = config.memory;
    this.#ports = {
      ...base,
      tokenizer: openTokenizer(),
      settings: { enabled, maxTokens, weights },
      random: sixCharacters,
    };
    this.#memory = base.store.observations;
    this.#logs = logs;
    this.pipeline = new MemoryPipeline(this.#ports);
  }

  /**
   * Each of the first few with the part of its text that matches. What is still being typed and finds nothing is searched
   * by the word that it probably becomes.
   */
  async search(request: MemorySearch): Promise<FoundMemory> {
    const startedAt = performance.now();
    const { isTyped = false, ...filters } = checkedRequest(request);
    const { query = '' } = filters;
    if (typeof query !== 'string') throw new AgentXError('INVALID_INPUT', 'What is searched for is a text.', { query });
    const results = await this.#found(filters);
    const didYouMean = await this.#memory.didYouMean(query);
    if (isTyped && results.total === 0 && didYouMean !== undefined && beginsWith(didYouMean, query))
      return this.search({ ...filters, query: didYouMean });
    const items = await Promise.all(results.items.map((item, place) => this.#withSnippet(item, place, query)));
    const latencyMs = Math.round(performance.now() - startedAt);
    this.#ports.log.info('memory searched', {
      memory: 'searched',
      query: redact(query),
      results: results.total,
      latencyMs,
    });
    return { ...results, items, ...(didYouMean !== undefined && { didYouMean }) };
  }

  /** By words; with an embedder, the best of them by meaning too. An embedder that fails is left out, with a warning. */
  async #found(filters: ObservationFilter): Promise<FoundObservations> {
    const { query = '', limit = DEFAULT_LIMIT } = filters;
    if (this.#embedder === undefined || query.trim() === '') return this.#memory.find(filters);
    const results = await this.#memory.find({ ...filters, limit: Math.max(limit, BY_MEANING) });
    try {
      const { byMeaning } = await import('../memory/by-meaning.js');
      return { ...results, items: (await byMeaning(this.#embedder, redact(query), results.items)).slice(0, limit) };
    } catch (error) {
      this.#ports.log.warn(`Memory searched by words alone: ${messageOf(error)}`, {});
      return { ...results, items: results.items.slice(0, limit) };
    }
  }

  /** Newest first, in pages. */
  async list(filter: Omit<ObservationFilter, 'query' | 'limit'> & Paging): Promise<Page<ObservationIndex>> {
    return this.#memory.list(checkedRequest(filter));
  }

  /** NOT_FOUND if there is none. */
  async show(id: string): Promise<Observation> {
    const observation = await this.#memory.getById(id);
    if (observation === null) throw new AgentXError('NOT_FOUND', `There is no observation ${id}.`, { id });
    return observation;
  }

  remove(id: string): Promise<boolean> {
    return this.#memory.remove(id);
  }

  /** INVALID_STATE if the memory is turned off, INVALID_INPUT if nothing is left once private text and secrets are out. */
  async add(request: RememberRequest): Promise<Remembered> {
    if (!this.#ports.settings.enabled) {
      const problem = 'The memory is turned off: [memory] enabled is false in config.toml. Nothing was stored.';
      throw new AgentXError('INVALID_STATE', problem, { setting: 'memory.enabled' });
    }
    const result = await remember(this.#ports, checkedRequest(request));
    if (result.observations.length > 0) return result;
    throw new AgentXError('INVALID_INPUT', 'There is nothing to remember: the text is empty, or all of it is private.');
  }

  /** Remembers what was said in a session, from the file that it left behind. Never rejects. */
  async capture(request: TranscriptRequest): Promise<Remembered> {
    if (!this.#ports.settings.enabled) return NOTHING_REMEMBERED;
    try {
      const { file, sessionId, isBriefed = false, ...work } = checkedRequest(request);
      const text = await readTranscriptFile(file);
      // A transcript grows; its beginning stays.
      const id = sessionId ?? `transcript-${fnv1a64(text.slice(0, 500))}`;
      return await this.pipeline.captureTranscript({ ...work, text, sessionId: id, isBriefed });
    } catch (error) {
      const reason = messageOf(error);
      const work = { agent: request?.agent, issueNumber: request?.issueNumber };
      this.#ports.log.warn(`Memory capture skipped: ${reason}`, { memory: 'capture-error', ...work });
      return { ...NOTHING_REMEMBERED, skipped: reason };
    }
  }

  timeline(id: string, count?: number): Promise<Timeline> {
    return timeline(this.#memory, id, count);
  }

  async recall(request: RecallRequest): Promise<InjectionResult> {
    return this.pipeline.recall(checkedRequest(request));
  }

  async stats(): Promise<MemoryStats> {
    const stats = await this.#memory.getStats();
    return { ...stats, alerts: alertsFor(stats), metrics: await readMetrics(this.#logs) };
  }

  compact(issueNumber: number): Promise<CompactionResult> {
    return this.#logged('memory compacted', this.#memory.compact(issueNumber));
  }

  /** Every issue of which nothing was remembered for so long that it may be archived; those with something to merge. */
  async compactStale(): Promise<readonly CompactionResult[]> {
    const latest = new Map<number, string>();
    for (const { issueNumber, timestamp } of (await this.#memory.list()).items)
      if (!latest.has(issueNumber)) latest.set(issueNumber, timestamp);
    const oldest = toEpochMs(this.#ports.clock.now()) - STALE_ARCHIVE_AFTER_DAYS * DAY_MS;
    const staleIssues = [...latest].filter(([, timestamp]) => toEpochMs(timestamp) < oldest).map(([issue]) => issue);
    const results: CompactionResult[] = [];
    for (const issueNumber of staleIssues.toSorted((left, right) => left - right)) {
      const result = await this.compact(issueNumber);
      if (result.moved > 0) results.push(result);
    }
    return results;
  }

  restore(issueNumber: number): Promise<CompactionResult> {
    return this.#logged('memory restored', this.#memory.restore(issueNumber));
  }

  rebuild(): Promise<RebuildResult> {
    return this.#memory.rebuild();
  }

  /** The manifest in its first version. */
  async export(): Promise<ObservationManifest> {
    const { items } = await this.#memory.list();
    return { version: 1, updatedAt: this.#ports.clock.now(), entries: items.toReversed() };
  }

  async #withSnippet(item: ScoredObservation, place: number, query: string): Promise<MemoryHit> {
    if (query.trim() === '' || place >= SNIPPETS) return item;
    const observation = await this.#memory.getById(item.id).catch(() => null);
    return observation === null ? item : { ...item, ...snippetOf(observation.content, query) };
  }

  async #logged(message: string, result: Promise<CompactionResult>): Promise<CompactionResult> {
    const counts = await result;
    this.#ports.log.info(message, { memory: 'compacted', ...counts });
    return counts;
  }
}

function beginsWith(text: string, beginning: string): boolean {
  return text.toLowerCase().startsWith(beginning.trim().toLowerCase());
}

const DAY_MS = 86_400_000;
const DEFAULT_LIMIT = 20;
/** So many of the best by words are ordered by meaning. */
const BY_MEANING = 100;

/** More results than these are skimmed, not read. */
const SNIPPETS = 50;

/** Letters and digits: what is left of enough random bytes. */
function sixCharacters(): string {
  return randomBytes(12)
    .toString('base64')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 6)
    .padEnd(6, '0');
}

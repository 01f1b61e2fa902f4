import * as z from 'zod/mini';
import { AgentXError } from './errors.js';
import { parseAgentName, parseIssueNumber } from './ids.js';
import { ObservationCategory } from './observation.js';

/** Which observations are wanted. Dates are ISO 8601, with or without a time; `until` itself is not included. */
export interface ObservationFilter {
  readonly query?: string | undefined;
  readonly agent?: string | undefined;
  readonly issueNumber?: number | undefined;
  readonly category?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Archived ones too. */
  readonly archived?: boolean | undefined;
  /** Only what can answer a question: resolved clarifications, and answers of humans. */
  readonly isDecided?: boolean | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_SEARCH_LIMIT = 20;
export const MAX_SEARCH_LIMIT = 1000;

export interface ParsedFilter {
  readonly agent: string | undefined;
  readonly issueNumber: number | undefined;
  readonly category: ObservationCategory | undefined;
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
  readonly archived: boolean;
  readonly isDecided: boolean;
}

/** INVALID_INPUT for what cannot be meant. */
export function parseFilter({
  agent,
  issueNumber,
  category,
  since,
  until,
  archived = false,
  isDecided = false,
}: ObservationFilter): ParsedFilter {
  return {
    agent: agent === undefined ? undefined : parseAgentName(agent),
    issueNumber: issueNumber === undefined ? undefined : parseIssueNumber(issueNumber),
    category: category === undefined ? undefined : parseCategory(category),
    sinceMs: since === undefined ? undefined : parseDate(since),
    untilMs: until === undefined ? undefined : parseDate(until),
    archived,
    isDecided,
  };
}

/** A number, or how a person typed it. */
export function parseLimit(limit: number | string = DEFAULT_SEARCH_LIMIT): number {
  const count = Number(limit);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_SEARCH_LIMIT) return count;
  throw invalid('number of results', String(limit), `whole numbers from 1 to ${MAX_SEARCH_LIMIT}`);
}

export function parseCategory(category: string): ObservationCategory {
  const parsed = z.safeParse(ObservationCategory, category);
  if (parsed.success) return parsed.data;
  throw invalid('category', category, ObservationCategory.options.join(', '));
}

function parseDate(text: string): number {
  const isDate = typeof text === 'string' && /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text);
  // A parser takes February 30 for March 2.
  const ms = isDate && z.regexes.date.test(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw invalid('date', text, 'ISO 8601 such as 2026-02-26 or 2026-02-26T10:00:00Z');
}

function invalid(what: string, value: string, allowed: string): AgentXError {
  return new AgentXError('INVALID_INPUT', `'${value}' is not a valid ${what}. Allowed: ${allowed}.`, {
    what,
    value,
    allowed,
  });
}

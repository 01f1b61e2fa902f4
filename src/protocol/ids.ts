import * as z from 'zod/mini';
import { derivedEscalationId, fnv1a64 } from './derived-id.js';
import { AgentXError } from './errors.js';
import { shorten } from './shorten.js';

// Leading zeros are refused in the issue number so that every clarification has exactly one spelling of its id.
const CLARIFICATION_ID = /^CLR-(0|[1-9]\d{0,14})-(\d{3}|[1-9]\d{3,14})$/;
const ASSUMPTION_ID = /^ASM-(0|[1-9]\d{0,14})-(\d{3}|[1-9]\d{3,14})$/;
const OBSERVATION_ID = /^obs-([a-z][a-z0-9-]{0,63})-(0|[1-9]\d{0,14})-(\d{1,15})-([A-Za-z0-9]{6})$/;
const QUESTION_ID = /^oq-[A-Za-z0-9_-]{1,64}$/;
// Session ids become file names.
const SESSION_ID = /^run-[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{1,80}\.[1-9]\d{0,8}$/;
// A session's, or a clarification's with the round that is answered.
const TRANSCRIPT_ID = /^(?:run-[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{1,80}|CLR-\d{1,15}-\d{3,15})\.[1-9]\d{0,8}$/;
const RUN_ID = /^run-[A-Za-z0-9_-]{1,64}$/;
// Agent names become object keys: the shape excludes `__proto__`, the lookahead the other dangerous names.
const AGENT_NAME = /^(?!(?:constructor|prototype)$)[a-z][a-z0-9-]{0,63}$/;

export const IssueNumber = z.int().check(z.gte(0));
export const AgentName = z.string().check(z.regex(AGENT_NAME, 'must be an agent name such as product-manager'));
export const ClarificationId = sequencedId(CLARIFICATION_ID, 'must be a clarification id such as CLR-42-001');
export const AssumptionId = sequencedId(ASSUMPTION_ID, 'must be an assumption id such as ASM-42-001');
export const QuestionId = z.string().check(z.regex(QUESTION_ID, 'must be a question id such as oq-1a2b3c4d'));
export const RunId = z.string().check(z.regex(RUN_ID, 'must be a run id such as run-42-1a2b3c4d'));
export const SessionId = z
  .string()
  .check(z.regex(SESSION_ID, 'must be a session id such as run-42-1a2b3c4d.implement.1'));
export const TranscriptId = z.string().check(z.regex(TRANSCRIPT_ID, 'must be a transcript id such as CLR-42-001.1'));
export const ObservationId = z
  .string()
  .check(z.regex(OBSERVATION_ID, 'must be an observation id such as obs-engineer-29-1709035200000-a1b2c3'));

export const KNOWN_AGENTS = [
  'product-manager',
  'ux-designer',
  'architect',
  'engineer',
  'reviewer',
  'devops-engineer',
  'data-scientist',
  'tester',
  'analyst',
  'dreamer',
  'planner',
  'coder',
  'project-manager',
] as const;

/** Upstream first. A workflow's own order wins where it decides; agents not listed come after, as configured. */
export const AGENT_PRECEDENCE = ['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer'] as const;

/** Authors of thread entries that are no agents of the workflow. */
export const HUB = 'agent-x';
export const HUMAN = 'human';
export const MEMORY = 'memory';
/** These names carry authority in a thread; no agent may have one of them. */
export const RESERVED_NAMES: readonly string[] = [HUB, HUMAN, MEMORY];

const ALIASES: ReadonlyMap<string, string> = new Map([['pm', 'product-manager']]);

export interface SequencedId {
  readonly issueNumber: number;
  readonly sequence: number;
}

export interface ObservationIdParts {
  readonly agent: string;
  readonly issueNumber: number;
  readonly timestampMs: number;
  readonly suffix: string;
}

export function parseIssueNumber(value: number | string): number {
  const number =
    typeof value === 'string' && /^#?(0|[1-9]\d{0,15})$/.test(value) ? Number(value.replace('#', '')) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw invalid('issue number', value, 'whole numbers from 0');
}

/** Resolves aliases (`pm`) and refuses what is no agent name. It does not know whether the agent is configured. */
export function parseAgentName(value: string): string {
  const name = ALIASES.get(value) ?? value;
  if (isMatch(AGENT_NAME, name)) return name;
  throw invalid('agent name', value, 'lower-case kebab-case names such as product-manager, up to 64 characters');
}

export function parseClarificationId(value: string): SequencedId {
  return parseSequenced(CLARIFICATION_ID, value, 'clarification id', 'CLR-{issue}-{seq} such as CLR-42-001');
}

export function makeClarificationId(issueNumber: number, sequence: number): string {
  return makeSequenced('CLR', issueNumber, sequence);
}

export function parseAssumptionId(value: string): SequencedId {
  return parseSequenced(ASSUMPTION_ID, value, 'assumption id', 'ASM-{issue}-{seq} such as ASM-42-001');
}

export function makeAssumptionId(issueNumber: number, sequence: number): string {
  return makeSequenced('ASM', issueNumber, sequence);
}

export function parseQuestionId(value: string): string {
  if (isMatch(QUESTION_ID, value)) return value;
  throw invalid('question id', value, 'oq-{id} such as oq-1a2b3c4d');
}

/** Whether an id begins so, in upper or lower case. */
export function beginsWith(start: string): (id: string) => boolean {
  const lowerStart = start.toLowerCase();
  return (id) => id.toLowerCase().startsWith(lowerStart);
}

/** `random` is eight lower-case hexadecimal digits from the caller. */
export function makeQuestionId(random: string): string {
  if (/^[0-9a-f]{8}$/.test(random)) return `oq-${random}`;
  throw invalid('question id suffix', random, 'eight lower-case hexadecimal digits');
}

export function parseObservationId(value: string): ObservationIdParts {
  const [, agent, issue, timestamp, suffix] = matchOf(OBSERVATION_ID, value);
  if (agent === undefined || issue === undefined || timestamp === undefined || suffix === undefined) {
    throw invalid('observation id', value, 'obs-{agent}-{issue}-{timestampMs}-{6 characters}');
  }
  return { agent, issueNumber: Number(issue), timestampMs: Number(timestamp), suffix };
}

export function isObservationId(value: string): boolean {
  return isMatch(OBSERVATION_ID, value);
}

export function makeObservationId(parts: ObservationIdParts): string {
  const id = `obs-${parseAgentName(parts.agent)}-${parts.issueNumber}-${parts.timestampMs}-${parts.suffix}`;
  parseObservationId(id);
  return id;
}

/**
 * The id of the question that an escalation opens. Derived, so that a sweep after a crash finds the question already
 * there instead of opening a second one.
 */
export function escalationQuestionId(clarificationId: string, round: number): string {
  parseClarificationId(clarificationId);
  return derivedEscalationId(clarificationId, round);
}

/** The id of a question by its cause, such as one act of a reply: asking again gives the same question. */
export function questionIdFor(origin: string): string {
  return `oq-${fnv1a64(origin)}`;
}

/** Two runs of one issue differ in when they began or in their predecessor. */
export function makeRunId(issueNumber: number, at: string, previous = ''): string {
  return `run-${parseIssueNumber(issueNumber)}-${fnv1a64(`${at}/${previous}`).slice(-8)}`;
}

export function parseSessionId(value: string): string {
  if (isMatch(SESSION_ID, value)) return value;
  throw invalid('session id', value, '{run}.{step}.{attempt} such as run-42-1a2b3c4d.implement.1');
}

export function parseTranscriptId(value: string): string {
  if (isMatch(TRANSCRIPT_ID, value)) return value;
  throw invalid('transcript id', value, 'a session id, or a clarification with its round such as CLR-42-001.1');
}

/** The session of the n-th attempt at a run's step. */
export function makeSessionId(runId: string, step: string, attempt: number): string {
  const isPlain = /^[A-Za-z0-9_-]{1,64}$/.test(step);
  const name = isPlain ? step : `${step.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40)}-${fnv1a64(step)}`;
  return parseSessionId(`${runId}.${name}.${attempt}`);
}

function sequencedId(pattern: RegExp, message: string) {
  return z.string().check(
    z.regex(pattern, message),
    z.refine((id) => !id.endsWith('-000'), message),
  );
}

function parseSequenced(pattern: RegExp, value: string, what: string, allowed: string): SequencedId {
  const [, issue, sequence] = matchOf(pattern, value);
  if (issue === undefined || sequence === undefined || Number(sequence) === 0) throw invalid(what, value, allowed);
  return { issueNumber: Number(issue), sequence: Number(sequence) };
}

function makeSequenced(prefix: string, issueNumber: number, sequence: number): string {
  parseIssueNumber(issueNumber);
  if (!Number.isSafeInteger(sequence) || sequence < 1) throw invalid('sequence', sequence, 'whole numbers from 1');
  return `${prefix}-${issueNumber}-${String(sequence).padStart(3, '0')}`;
}

/** A pattern would match the word `undefined` for a missing value. */
function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function matchOf(pattern: RegExp, value: unknown): readonly (string | undefined)[] {
  return typeof value === 'string' ? (pattern.exec(value) ?? []) : [];
}

function invalid(what: string, value: unknown, allowed: string): AgentXError {
  // Not every object can be made a text.
  const isSpeakable = typeof value !== 'object' && typeof value !== 'function';
  const shortText = shorten(isSpeakable ? String(value) : typeof value, 80);
  const problem =
    value === undefined || value === null ? `The ${what} is missing` : `'${shortText}' is not a valid ${what}`;
  return new AgentXError('INVALID_INPUT', `${problem}. Allowed: ${allowed}.`, {
    what,
    value: shortText,
    allowed,
  });
}

import { isUtf8 } from 'node:buffer';
import * as z from 'zod/mini';
import { AgentStatusFile } from '../../../protocol/agent-status.js';
import { AssumptionFile } from '../../../protocol/assumption.js';
import { ClarificationLedger } from '../../../protocol/clarification.js';
import { Deliveries } from '../../../protocol/delivery.js';
import { Issue } from '../../../protocol/issue.js';
import { ObservationFile } from '../../../protocol/observation.js';
import { Interaction, OrchestratorState } from '../../../protocol/orchestrator.js';
import { parseWith } from '../../../protocol/parse.js';
import { Question } from '../../../protocol/question.js';
import { Recalls } from '../../../protocol/recalls.js';
import { Run } from '../../../protocol/run.js';
import { corruptFile, decodeDocument, encodeDocument, MAX_DOCUMENT_BYTES } from '../document-kind.js';
import {
  asObject,
  type Salvage,
  salvageDeliveries,
  salvageIssue,
  salvageIssueNumbers,
  salvageLines,
  salvageOrchestrator,
  salvageQuestion,
  salvageRecalls,
  salvageRun,
  salvageStatuses,
} from './salvage.js';
import { salvageAssumptions, salvageLedger, salvageObservations } from './salvage-records.js';

/** What a repair knows beside the damaged text. */
export interface Evidence {
  readonly at: string;
  /** What earlier repairs of the same file moved aside. */
  readonly earlier: readonly string[];
  /** The highest issue number in the name of any file. */
  readonly highestIssue: number;
}

/** How one file is examined, and what can be saved of it. */
export interface ExaminedDocument {
  /** Permissions of a replacement. */
  readonly mode: number;
  /** Made anew from other files whenever it is missing: a damaged one is removed. */
  readonly isDerived?: boolean;
  /** The number that must not be given again if the file is lost. */
  readonly issueNumber?: number;
  /** Throws CORRUPT_FILE. */
  readonly check: (path: string, bytes: Buffer) => void;
  readonly salvage: (text: string, evidence: Evidence) => Salvage;
  readonly encode: (path: string, document: unknown) => Buffer;
}

/** By the path below `.agentx`; undefined for other files. */
export function documentAt(path: string): ExaminedDocument | undefined {
  for (const [pattern, make] of DOCUMENTS) {
    const [, key] = pattern.exec(path) ?? [];
    if (key !== undefined) return make(key);
  }
  return undefined;
}

/** The number in the name of a file below `.agentx`, moved aside or not. */
export function issueNumberIn(path: string): number {
  const [, digits] = /^(?:issues\/|(?:state|memory)\/(?:\w+\/)?issue-)(\d{1,15})(?:\.json|\/)/.exec(path) ?? [];
  return Number(digits ?? 0);
}

const NUMBER = '(0|[1-9]\\d{0,14})';
const Anything = z.looseObject({});
const Manifest = z.looseObject({ version: z.literal([1, 2]), updatedAt: z.string() });
const IssueNumbers = z.looseObject({ last: z.int().check(z.gte(0)) });

const DOCUMENTS: readonly (readonly [RegExp, (key: string) => ExaminedDocument])[] = [
  [
    /^state\/(issue-numbers)\.json$/,
    () =>
      json({ what: 'counter', schema: IssueNumbers }, (text, { highestIssue }) =>
        salvageIssueNumbers(text, highestIssue),
      ),
  ],
  [
    new RegExp(`^issues/${NUMBER}\\.json$`),
    (key) => ({
      ...json({ what: 'issue', schema: Issue, number: Number(key) }, (text, { at }) =>
        salvageIssue(Number(key), text, at),
      ),
      mode: 0o666,
      issueNumber: Number(key),
    }),
  ],
  [
    new RegExp(`^state/clarifications/issue-${NUMBER}\\.json$`),
    (key) =>
      json({ what: 'ledger', schema: ClarificationLedger, issueNumber: Number(key) }, (text, { earlier }) =>
        salvageLedger({ issueNumber: Number(key), text, earlier }),
      ),
  ],
  [
    new RegExp(`^state/assumptions/issue-${NUMBER}\\.json$`),
    (key) =>
      json({ what: 'list of assumptions', schema: AssumptionFile, issueNumber: Number(key) }, (text, { earlier }) =>
        salvageAssumptions({ issueNumber: Number(key), text, earlier }),
      ),
  ],
  [
    /^state\/questions\/(oq-[A-Za-z0-9_-]{1,64})\.json$/,
    (key) => json({ what: 'question', schema: Question, id: key }, (text) => salvageQuestion(key, text)),
  ],
  [
    new RegExp(`^state/runs/issue-${NUMBER}\\.json$`),
    (key) =>
      json({ what: 'run', schema: Run, anyText: true, issueNumber: Number(key) }, (text) =>
        salvageRun(Number(key), text),
      ),
  ],
  [/^state\/(agent-status)\.json$/, () => json({ what: 'status file', schema: AgentStatusFile }, salvageStatuses)],
  [
    /^state\/(orchestrator)\.json$/,
    () => json({ what: 'list of sessions', schema: OrchestratorState }, salvageOrchestrator),
  ],
  [/^state\/(recalls)\.json$/, () => json({ what: 'list of recalls', schema: Recalls }, salvageRecalls)],
  [/^state\/(notify)\.json$/, () => json({ what: 'list of messages', schema: Deliveries }, salvageDeliveries)],
  [/^state\/(interactions)\.ndjson$/, () => interactions],
  [
    /^state\/(?:sessions|transcripts)\/([^/]+)\.json$/,
    () => json({ what: 'session', schema: Anything, anyText: true }, unsaved),
  ],
  [/^state\/tasks\/([^/]+)\/config\.json$/, () => derived({ what: 'settings of a task', schema: Anything })],
  [/^state\/index\/([^/]+)\.json$/, () => derived({ what: 'index', schema: Anything })],
  [/^memory\/(manifest)\.json$/, () => derived({ what: 'manifest', schema: Manifest })],
  [
    new RegExp(`^memory/(?:archive/)?issue-${NUMBER}\\.json$`),
    (key) => ({
      ...json({ what: 'file of observations', schema: ObservationFile, issueNumber: Number(key) }, (text, { at }) =>
        salvageObservations({ issueNumber: Number(key), text }, at),
      ),
      mode: 0o666,
    }),
  ],
];

/** Beside `what` and `schema`, what the document must say of itself: one under the name of another is damaged too. */
interface JsonRules {
  readonly what: string;
  readonly schema: z.core.$ZodType;
  /** Output of programs may contain anything. */
  readonly anyText?: boolean;
  readonly id?: string;
  readonly number?: number;
  readonly issueNumber?: number;
}

function json(
  { what, schema, anyText = false, ...identity }: JsonRules,
  salvage: ExaminedDocument['salvage'],
): ExaminedDocument {
  const parse = (value: unknown) => {
    const parsed = parseWith(schema, value, `The ${what}`, { anyText });
    for (const [field, expected] of Object.entries(identity)) {
      const actual = asObject(parsed)[field];
      if (actual !== expected) throw new Error(`it says it is ${String(actual)}, its name says ${expected}`);
    }
    return parsed;
  };
  const kind = { parse, mode: 0o600, durable: true };
  return {
    mode: kind.mode,
    check: (path, bytes) => {
      if (bytes.length > MAX_DOCUMENT_BYTES) throw corruptFile(path, `it has ${bytes.length} bytes`);
      decodeDocument(kind, path, bytes);
    },
    salvage,
    encode: encodeDocument,
  };
}

function derived(rules: JsonRules): ExaminedDocument {
  return { ...json(rules, unsaved), isDerived: true };
}

const interactions: ExaminedDocument = {
  mode: 0o600,
  check: (path, bytes) => {
    if (!isUtf8(bytes)) throw corruptFile(path, 'it is not valid UTF-8');
    for (const [index, line] of bytes.toString('utf8').split('\n').entries()) {
      if (line.trim() !== '' && !isInteraction(parsed(line)))
        throw corruptFile(path, `line ${index + 1} is no interaction`);
    }
  },
  salvage: (text) => salvageLines(text, isInteraction),
  encode: (_path, document) => Buffer.from(String(document)),
};

const isInteraction = (value: unknown): boolean => z.safeParse(Interaction, value).success;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const unsaved = (): Salvage => ({ document: undefined, summary: 'Nothing could be saved.', lost: [] });

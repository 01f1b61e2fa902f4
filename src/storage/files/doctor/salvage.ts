import * as z from 'zod/mini';
import { AgentStatusEntry } from '../../../protocol/agent-status.js';
import { Deliveries, noDeliveries } from '../../../protocol/delivery.js';
import { AgentName, RunId } from '../../../protocol/ids.js';
import { Issue, IssueComment } from '../../../protocol/issue.js';
import { readJsonPrefix } from '../../../protocol/json-prefix.js';
import { OrchestratorSession } from '../../../protocol/orchestrator.js';
import { Question } from '../../../protocol/question.js';
import { NO_RECALLS } from '../../../protocol/recalls.js';
import { JournalEntry, Run } from '../../../protocol/run.js';
import { findUnsound } from '../../../protocol/sound-data.js';

/** What can be saved of a damaged document. */
export interface Salvage {
  /** The replacement; undefined if there can be none, and the file is only moved aside. */
  readonly document: unknown;
  readonly summary: string;
  readonly lost: readonly string[];
}

/** A question is answered as a whole, so only optional fields may be missing. */
export function salvageQuestion(id: string, text: string): Salvage {
  const fields = asObject(readJsonPrefix(text).value);
  const question = fields.id === id ? keepValid(Question, fields) : undefined;
  if (question === undefined) return lostDocument(`${id} could not be saved. Its agent has to ask again.`, [id]);
  return { document: question.value, summary: `The question is kept${without(question.dropped)}.`, lost: [] };
}

/** Each count stands for itself. */
export function salvageRecalls(text: string): Salvage {
  const matches = [...text.matchAll(/"(obs-[^"\\]+)":\s*(\d{1,9})\b/g)];
  const counts = Object.fromEntries(matches.map(([, id = '', count]) => [id, Number(count)]));
  const summary = `How often ${Object.keys(counts).length} observations were recalled is kept.`;
  return { document: { ...NO_RECALLS, counts }, summary, lost: [] };
}

/** An issue without its title is lost; every other field has an initial value. */
export function salvageIssue(number: number, text: string, at: string): Salvage {
  const fields = asObject(readJsonPrefix(text, ['comments']).value);
  if (fields.number !== number || typeof fields.title !== 'string') {
    return lostDocument(`Issue #${number} could not be saved. Its number is not given again.`, [`#${number}`]);
  }
  const comments = Array.isArray(fields.comments) ? fields.comments : [];
  const valid = comments.filter(
    (comment) => findUnsound(comment) === undefined && z.safeParse(IssueComment, comment).success,
  );
  const issue = keepValid(Issue, { ...newIssue(at), ...fields, comments: valid }, newIssue(at));
  if (issue === undefined) return lostDocument(`Issue #${number} could not be saved.`, [`#${number}`]);
  const missingFields = Object.keys(newIssue(at)).filter((key) => !Object.hasOwn(fields, key));
  const reset = [...new Set([...missingFields, ...issue.dropped])];
  const notes = [
    reset.length > 0 ? `lost and set anew: ${reset.join(', ')}` : '',
    valid.length < comments.length ? `${comments.length - valid.length} damaged comments lost` : '',
  ].filter(Boolean);
  const summary = `The issue is kept with ${valid.length} comments${notes.map((note) => `; ${note}`).join('')}.`;
  return { document: issue.value, summary, lost: reset };
}

/** The journal is a history: entries after a gap no longer follow from those before. */
export function salvageRun(issueNumber: number, text: string): Salvage {
  const fields = asObject(readJsonPrefix(text, ['journal']).value);
  const journal = Array.isArray(fields.journal) ? fields.journal : [];
  const end = journal.findIndex((entry) => !z.safeParse(JournalEntry, entry).success);
  const entries = end < 0 ? journal : journal.slice(0, end);
  const run = fields.issueNumber === issueNumber ? keepValid(Run, { ...fields, journal: entries }) : undefined;
  if (run === undefined)
    return lostDocument(`The run of issue #${issueNumber} could not be saved. It starts anew.`, []);
  const summary = `The run is kept with the first ${entries.length} entries of its journal${without(run.dropped)}.`;
  return { document: run.value, summary, lost: [] };
}

/** Statuses that follow from clarifications are derived from the ledgers; the next command corrects them. */
export function salvageStatuses(text: string): Salvage {
  const fields = asObject(readJsonPrefix(text).value);
  return salvageEntries(fields, {
    noun: 'agents',
    keep: (name, entry) => z.safeParse(AgentName, name).success && keepValid(AgentStatusEntry, entry)?.value,
  });
}

export function salvageOrchestrator(text: string): Salvage {
  const { sessions, ...rest } = asObject(readJsonPrefix(text, ['sessions']).value);
  const salvage = salvageEntries(asObject(sessions), {
    noun: 'sessions',
    keep: (id, session) => z.safeParse(RunId, id).success && keepValid(OrchestratorSession, session)?.value,
  });
  return { ...salvage, document: { ...rest, sessions: salvage.document } };
}

/** Dead letters are lost; open questions are told again, once, because what was told is not known. */
export function salvageDeliveries(text: string): Salvage {
  const { channels } = asObject(readJsonPrefix(text, ['channels']).value);
  const isWhole = z.safeParse(Deliveries, { ...noDeliveries(), channels }).success;
  return {
    document: { ...noDeliveries(), ...(isWhole && { channels }) },
    summary: 'What people were told is not known any more: they hear of open questions once more.',
    lost: [],
  };
}

/** `highestInFiles` is the highest number that other files show. */
export function salvageIssueNumbers(text: string, highestInFiles: number): Salvage {
  const numbers = [...text.matchAll(/\d{1,15}/g)].map(([digits]) => Number(digits));
  const last = numbers.reduce((highest, number) => Math.max(highest, number), highestInFiles);
  return { document: { last }, summary: `The next issue is #${last + 1}.`, lost: [] };
}

export function salvageLines(text: string, isValid: (value: unknown) => boolean): Salvage {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const validLines = lines.filter((line) => {
    const { value, state } = readJsonPrefix(line);
    return state === 'whole' && isValid(value);
  });
  const document = validLines.map((line) => `${line}\n`).join('');
  return { document, summary: `${validLines.length} of ${lines.length} lines kept.`, lost: [] };
}

/**
 * A value that fits its schema, without the fields that keep it from fitting. Undefined if the rest does not fit
 * either: then one of them was not optional. A field with a default goes back to it.
 */
export function keepValid<S extends z.core.$ZodType>(
  schema: S,
  value: unknown,
  defaults: Readonly<Record<string, unknown>> = {},
): { readonly value: z.output<S>; readonly dropped: readonly string[] } | undefined {
  const rest = { ...asObject(value) };
  const droppedFields: string[] = [];
  for (;;) {
    const [unsound] = findUnsound(rest)?.path ?? [];
    const result = z.safeParse(schema, rest);
    if (result.success && unsound === undefined) return { value: result.data, dropped: droppedFields };
    const suspects = [unsound, ...(result.error?.issues ?? []).map(({ path: [key] }) => key)].map(String);
    const wrongKey = suspects.find((key) => Object.hasOwn(rest, key));
    if (wrongKey === undefined || droppedFields.includes(wrongKey)) return undefined;
    droppedFields.push(wrongKey);
    if (Object.hasOwn(defaults, wrongKey)) rest[wrongKey] = defaults[wrongKey];
    else delete rest[wrongKey];
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

interface EntryRules {
  readonly noun: string;
  /** False or undefined for an entry that cannot be kept. */
  readonly keep: (key: string, entry: unknown) => unknown;
}

function salvageEntries(entriesByName: Readonly<Record<string, unknown>>, { noun, keep }: EntryRules): Salvage {
  const names = Object.keys(entriesByName);
  const entries = names.map((name) => [name, keep(name, entriesByName[name]) || undefined] as const);
  const validEntries = entries.filter(([, entry]) => entry !== undefined);
  const lostNames = entries.filter(([, entry]) => entry === undefined).map(([name]) => name);
  const summary = `${validEntries.length} of ${names.length} ${noun} kept${lostNames.length > 0 ? `, ${lostNames.join(', ')} lost` : ''}.`;
  return { document: Object.fromEntries(validEntries), summary, lost: lostNames };
}

const newIssue = (at: string) => ({
  body: '',
  labels: [],
  status: 'Backlog',
  state: 'open',
  assignee: null,
  taskStatus: 'open',
  block_reason: null,
  created: at,
  updated: at,
  comments: [],
});

const without = (droppedFields: readonly string[]): string =>
  droppedFields.length > 0 ? `, without ${droppedFields.join(', ')}, which made no sense` : '';

const lostDocument = (summary: string, lost: readonly string[]): Salvage => ({ document: undefined, summary, lost });

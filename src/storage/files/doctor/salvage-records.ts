import type * as z from 'zod/mini';
import { Assumption } from '../../../protocol/assumption.js';
import { ClarificationRecord } from '../../../protocol/clarification.js';
import { makeAssumptionId, makeClarificationId } from '../../../protocol/ids.js';
import { type JsonPrefix, readJsonPrefix, wholeObjectsIn } from '../../../protocol/json-prefix.js';
import { Observation } from '../../../protocol/observation.js';
import { asObject, keepValid, type Salvage } from './salvage.js';

/*
 * Saves the records of a list that are whole and fit their schema, and makes sure that no id is ever given twice. If
 * the damaged text shows for certain which id was the last, numbering goes on after it. If records may have been cut
 * off without a trace, it skips more numbers than a file of the largest size can hold.
 */

/** The store takes at least 170 bytes for the shortest record, and 16 MiB for a file. */
const NUMBERS_LEFT_OUT = 100_000;
/** A text may mention any number; one with more digits was never given by counting. */
const MENTIONED_DIGITS = 7;

export interface RecordsRequest {
  readonly issueNumber: number;
  readonly text: string;
  /** What earlier repairs of the same file moved aside. */
  readonly earlier?: readonly string[];
}

export function salvageLedger(request: RecordsRequest): Salvage {
  return salvageNumbered(request, {
    list: 'clarifications',
    noun: 'clarifications',
    prefix: `CLR-${request.issueNumber}-`,
    schema: ClarificationRecord,
    isIdNeeded: true,
    makeId: makeClarificationId,
  });
}

export function salvageAssumptions(request: RecordsRequest): Salvage {
  return salvageNumbered(request, {
    list: 'assumptions_made',
    noun: 'assumptions',
    prefix: `ASM-${request.issueNumber}-`,
    schema: Assumption,
    isIdNeeded: false,
    makeId: makeAssumptionId,
  });
}

/** Ids of observations are random: there is no number to continue from. */
export function salvageObservations({ issueNumber, text }: RecordsRequest, at: string): Salvage {
  const spec = { list: 'observations', noun: 'observations', schema: Observation, prefix: 'obs-', isIdNeeded: true };
  const records = findRecords(text, spec, (record) => record.issueNumber === issueNumber);
  const document = { ...records.rest, version: 1, issueNumber, updatedAt: at, observations: records.records };
  return { document, ...summaryOf(text, spec, records) };
}

interface Spec<S extends z.core.$ZodType> {
  readonly list: string;
  readonly noun: string;
  /** How the ids of this file begin. */
  readonly prefix: string;
  readonly schema: S;
  readonly isIdNeeded: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

interface FoundRecords {
  readonly records: readonly Fields[];
  /** Elements of the list, kept or not; undefined if the list itself is damaged. */
  readonly elements: readonly unknown[] | undefined;
  readonly dropped: readonly string[];
  /** The other fields of the document. */
  readonly rest: Fields;
  /** The text after the last record that was kept. */
  readonly tail: string;
}

function salvageNumbered<S extends z.core.$ZodType>(
  { issueNumber, text, earlier = [] }: RecordsRequest,
  spec: Spec<S> & { readonly makeId: (issueNumber: number, sequence: number) => string },
): Salvage {
  const records = findRecords(text, spec, ({ id }) => id === undefined || String(id).startsWith(spec.prefix));
  const highest = Math.max(0, ...[text, ...earlier].map((source) => highestIn(source, spec.prefix)));
  const isCertain = isLastKnown({ issueNumber, text, earlier }, spec, records);
  const lastSequence = isCertain ? highest : highest + NUMBERS_LEFT_OUT * (1 + earlier.length);
  const { summary, lost } = summaryOf(text, spec, records);
  const next = spec.makeId(issueNumber, lastSequence + 1);
  const why = isCertain ? '' : ', as more may have been lost than can be seen';
  return {
    document: { ...records.rest, issueNumber, lastSequence, [spec.list]: records.records },
    summary: `${summary} The next is ${next}${why}.`,
    lost,
  };
}

function findRecords<S extends z.core.$ZodType>(
  text: string,
  { list, schema, isIdNeeded }: Spec<S>,
  belongs: (record: Fields) => boolean,
): FoundRecords {
  const { value, state } = readJsonPrefix(text, [list]);
  const { [list]: elementsInFile, ...rest } = asObject(value);
  const elements: readonly unknown[] | undefined =
    state !== 'damaged' && Array.isArray(elementsInFile) ? elementsInFile : undefined;
  const droppedFields: string[] = [];
  const accept = (element: unknown): Fields | undefined => {
    const validRecord = keepValid(schema, element);
    const record = asObject(validRecord?.value);
    if (validRecord === undefined || !belongs(record) || (isIdNeeded && record.id === undefined)) return undefined;
    droppedFields.push(...validRecord.dropped.map((field) => `${field} of ${record.id ?? 'one without id'}`));
    return record;
  };
  if (elements !== undefined) {
    const validRecords = elements.map(accept).filter((record) => record !== undefined);
    return { records: withoutRepeats(validRecords), elements, dropped: droppedFields, rest, tail: '' };
  }
  const scraps: { readonly record: Fields; readonly start: number; readonly end: number }[] = [];
  for (const { value: object, start, end } of state === 'damaged' ? wholeObjectsIn(text) : []) {
    const record = accept(object);
    if (record === undefined) continue;
    while ((scraps.at(-1)?.start ?? -1) > start) scraps.pop();
    scraps.push({ record, start, end });
  }
  const records = withoutRepeats(scraps.map(({ record }) => record));
  return {
    records,
    elements: undefined,
    dropped: droppedFields,
    rest: {},
    tail: text.slice(scraps.at(-1)?.end ?? text.length),
  };
}

/** Of two records with one id, the longer one. */
function withoutRepeats(records: readonly Fields[]): readonly Fields[] {
  const byId = new Map<unknown, Fields>();
  for (const [index, record] of records.entries()) {
    const key = record.id ?? index;
    const other = byId.get(key);
    if (other === undefined || JSON.stringify(other).length < JSON.stringify(record).length) byId.set(key, record);
  }
  return [...byId.values()];
}

function highestIn(text: string, prefix: string): number {
  const patterns = [
    new RegExp(`"id"\\s*:\\s*"${prefix}(\\d{3,15})"`, 'g'),
    new RegExp(`${prefix}(\\d{1,${MENTIONED_DIGITS}})(?!\\d)`, 'g'),
    /"lastSequence"\s*:\s*(\d{1,15})(?=[\s,}])/g,
  ];
  const numbers = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, digits]) => Number(digits)));
  return numbers.reduce((highest, number) => Math.max(highest, number), 0);
}

/** Whether the text shows the highest id ever given in its issue. Records stand in the order of their ids. */
function isLastKnown<S extends z.core.$ZodType>(
  { issueNumber, text, earlier = [] }: RecordsRequest,
  { prefix, isIdNeeded }: Spec<S>,
  { elements, records, rest, tail }: FoundRecords,
): boolean {
  const hasCounter = /"lastSequence"\s*:\s*\d{1,15}(?=[\s,}])/.test(text);
  if (!hasCounter && (text.includes('lastSequence') || earlier.length > 0)) return false;
  if (elements === undefined) {
    const last = String(records.at(-1)?.id ?? '');
    const isClosed = /^\s*\](?:\s*,\s*"lastSequence"\s*:\s*\d{1,15})?\s*\}\s*$/.test(tail);
    return isClosed && last.startsWith(prefix) && Number(last.slice(prefix.length)) >= highestIn(text, prefix);
  }
  if (rest.issueNumber !== issueNumber || isIncomplete(readJsonPrefix(text))) return false;
  return elements.every((element) => {
    const { id } = asObject(element);
    return id === undefined ? !isIdNeeded : new RegExp(`^${prefix}\\d{3,15}$`).test(String(id));
  });
}

const isIncomplete = ({ state }: JsonPrefix): boolean => state === 'cut' || state === 'damaged';

function summaryOf<S extends z.core.$ZodType>(
  text: string,
  { noun, prefix }: Spec<S>,
  { records, elements, dropped }: FoundRecords,
): Pick<Salvage, 'summary' | 'lost'> {
  const idsInText = [...text.matchAll(new RegExp(`"id"\\s*:\\s*"(${prefix}[\\w-]{1,100})"`, 'g'))].map(
    ([, id]) => id ?? '',
  );
  const keptIds = new Set(records.map(({ id }) => id));
  const lostIds = [...new Set(idsInText)].filter((id) => !keptIds.has(id));
  const total = Math.max(records.length + lostIds.length, elements?.length ?? 0);
  const losses = lostIds.length > 0 ? `, ${lostIds.join(', ')} lost` : '';
  const fields = dropped.length > 0 ? ` Dropped, as it made no sense: ${dropped.join(', ')}.` : '';
  const summary = total === 0 ? `No ${noun} could be found.` : `${records.length} of ${total} ${noun} kept${losses}.`;
  return { summary: `${summary}${fields}`, lost: lostIds };
}

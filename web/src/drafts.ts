import { versionOf } from '../../src/protocol/draft-version.js';
import { messageOf } from '../../src/protocol/errors.js';
import { understood } from '../../src/protocol/option-in-words.js';
import type { Question, QuestionResponse } from '../../src/protocol/question.js';
import type { DraftBody } from '../../src/protocol/rest.js';
import { hasSameResponse } from '../../src/protocol/same-response.js';
import { isLocked, Offline, Refusal, request } from './api.js';
import { type KeptDraft, keepDraft } from './browser-storage.js';
import { draftOf, holds, isEmpty, type OtherDraft, responsesOf, together } from './draft-versions.js';
import { newName } from './names.js';
import { at, change, current, type Draft, type DraftState, type PartDraft } from './state.js';

/*
 * Drafts reach the server within a second. What the server does not have yet is in the browser's own storage as well,
 * so that neither a crash nor a tab closed while offline loses anything.
 */

const SAVE_MS = 400;
const RETRY_MS = 2_000;
/** While a person types here, text from elsewhere does not replace theirs. */
const HANDS_OFF_MS = 2_500;
/** How many saves of unknown fate the next save names. */
const MAX_ATTEMPTS = 40;

/** What this tab knows about its draft of one question. */
interface Writing {
  /** The server's name for the version here; undefined if it has none. */
  base: string | undefined;
  /** Further versions that the text here was made from, or that may have arrived without an acknowledgement. */
  included: readonly string[];
  /** Every version that ever stood here: messages about them may come late. */
  readonly everyVersion: Set<string>;
  isDirty: boolean;
  editedAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  isSaving: boolean;
}

const writings = new Map<string, Writing>();

function writingOf(id: string): Writing {
  const knownWriting = writings.get(id);
  if (knownWriting !== undefined) return knownWriting;
  const freshWriting: Writing = {
    base: undefined,
    included: [],
    everyVersion: new Set(),
    isDirty: false,
    editedAt: Number.NEGATIVE_INFINITY,
    timer: undefined,
    isSaving: false,
  };
  writings.set(id, freshWriting);
  return freshWriting;
}

const madeFrom = ({ base, included }: Writing): readonly string[] => [
  ...(base === undefined ? [] : [base]),
  ...included.slice(-MAX_ATTEMPTS),
];

export function edit(question: Question, partId: string, part: PartDraft): void {
  change({ notice: undefined, toConfirm: undefined });
  write(question.id, { ...draftFor(current(), question.id), [partId]: part });
}

function write(id: string, draft: Draft): void {
  const writing = writingOf(id);
  writing.isDirty = true;
  writing.editedAt = performance.now();
  change({ drafts: { ...current().drafts, [id]: draft } });
  keepHere(id);
  tell(id, { kind: 'typing' });
  saveIn(id, SAVE_MS);
}

function keepHere(id: string): void {
  const writing = writingOf(id);
  const draft = draftFor(current(), id);
  keepDraft(id, writing.isDirty ? { questionId: id, draft, replaces: madeFrom(writing) } : undefined);
}

function tell(id: string, draftState: DraftState | undefined): void {
  const { [id]: _, ...others } = current().draftStates;
  change({ draftStates: draftState === undefined ? others : { ...others, [id]: draftState } });
}

function saveIn(id: string, milliseconds: number): void {
  const writing = writingOf(id);
  if (writing.timer !== undefined) return;
  writing.timer = setTimeout(() => {
    writing.timer = undefined;
    void save(id);
  }, milliseconds);
}

async function save(id: string): Promise<void> {
  const { isDirty, isSaving } = writingOf(id);
  if (isSaving) return saveIn(id, SAVE_MS);
  if (isDirty) await putNext(id).catch(() => undefined);
}

/** One at a time, so that they arrive in order. */
async function putNext(id: string): Promise<DraftBody> {
  const writing = writingOf(id);
  writing.isSaving = true;
  try {
    const answer = await put(id);
    if (writing.isDirty) saveIn(id, SAVE_MS);
    else tell(id, { kind: 'saved' });
    return answer;
  } catch (error) {
    notSaved(id, error);
    throw error;
  } finally {
    writing.isSaving = false;
  }
}

/** A refusal may be temporary, unless it is about the draft itself: then the next keystroke tries again. */
function notSaved(id: string, error: unknown): void {
  const isAway = error instanceof Offline || isLocked(error);
  const isFinal = error instanceof Refusal && error.status >= 400 && error.status < 429 && !isAway;
  if (!isFinal) saveIn(id, RETRY_MS);
  tell(id, isAway ? { kind: 'unsaved' } : { kind: 'refused', why: messageOf(error) });
}

async function put(id: string): Promise<DraftBody> {
  const writing = writingOf(id);
  const draft = draftFor(current(), id);
  const version = newName();
  const replaces = madeFrom(writing);
  writing.everyVersion.add(version);
  writing.included = [...writing.included, version];
  keepHere(id);
  const content = { responses: responsesOf(draft), version, replaces };
  const answer = await request<DraftBody>('PUT', at(`/notifications/${id}/draft`), content);
  const index = writing.included.indexOf(version);
  // Later saves may or may not have arrived; those known to have arrived were made from it.
  if (index >= 0) writing.base = version;
  if (index >= 0) writing.included = writing.included.slice(index + 1);
  if (draftFor(current(), id) === draft) writing.isDirty = false;
  keepHere(id);
  return answer;
}

/** Holds the clock at once, after saving the draft if necessary. Returns how long it is now until the fallback. */
export async function hold(id: string): Promise<number | undefined> {
  const { isDirty, isSaving } = writingOf(id);
  if (isDirty && !isSaving) return (await putNext(id)).leftMs;
  return (await request<DraftBody>('PUT', at(`/notifications/${id}/draft`), {})).leftMs;
}

/** The page is being left or hidden: pending drafts are saved now. */
export function flushDrafts(): void {
  for (const [id, writing] of writings) {
    if (!writing.isDirty) continue;
    put(id).catch((error: unknown) => notSaved(id, error));
  }
}

/** The answer was taken. What it did not contain stays: parts that others had answered, and what other tabs had. */
export function forgetSent(id: string, sentResponses: readonly QuestionResponse[]): void {
  const draft = draftFor(current(), id);
  const unsentParts = responsesOf(draft).filter((response) => !hasSameResponse(response, sentResponses));
  const rest = draftOf(unsentParts);
  if (isEmpty(rest)) forgetDraft(id);
  else write(id, rest);
}

/** Every version of the draft is over. */
function forgetDraft(id: string): void {
  const writing = writingOf(id);
  clearTimeout(writing.timer);
  writing.timer = undefined;
  writing.isDirty = false;
  keepHere(id);
  const { [id]: _, ...drafts } = current().drafts;
  change({ drafts });
  tell(id, undefined);
}

/** Another person writes here from now on. */
export function forgetAllDrafts(): void {
  for (const { timer } of writings.values()) clearTimeout(timer);
  writings.clear();
  inheritedIds.clear();
  change({ drafts: {}, otherDrafts: {}, draftStates: {} });
}

/** The person discarded the draft, here and on the server. */
export async function discardDraft(id: string): Promise<void> {
  const replaces = madeFrom(writingOf(id));
  forgetDraft(id);
  await remove(id, replaces);
}

async function remove(id: string, replaces: readonly string[]): Promise<void> {
  if (replaces.length === 0) return;
  await request('PUT', at(`/notifications/${id}/draft`), { responses: [], replaces }).catch(() => undefined);
}

/** Adds the text from elsewhere to the text here. */
export function addOther(id: string, other: OtherDraft): void {
  include(id, other);
  write(id, together(draftFor(current(), id), other.draft));
}

export async function discardOther(id: string, other: OtherDraft): Promise<void> {
  include(id, other);
  await remove(id, [other.version]);
}

function include(id: string, { version }: OtherDraft): void {
  const writing = writingOf(id);
  writing.everyVersion.add(version);
  writing.included = [...writing.included, version];
  keepDraft(version, undefined);
  showOthers(
    id,
    othersOf(current(), id).filter((one) => one.version !== version),
  );
}

function showOthers(id: string, list: readonly OtherDraft[]): void {
  const { [id]: _, ...otherDrafts } = current().otherDrafts;
  change({ otherDrafts: list.length === 0 ? otherDrafts : { ...otherDrafts, [id]: list } });
}

/** What was written, here or in another tab, and is the answer by now is not offered any more. */
export function dropGiven(question: Question): void {
  const { id, responses = [] } = question;
  const isGiven = (draft: Draft) =>
    responsesOf(draft).every((one) => hasSameResponse(understood(question, one), responses));
  if (isGiven(draftFor(current(), id))) forgetDraft(id);
  showOthers(
    id,
    othersOf(current(), id).filter(({ draft }) => !isGiven(draft)),
  );
}

export function draftFor({ drafts }: { readonly drafts: Readonly<Record<string, Draft>> }, id: string): Draft {
  return drafts[id] ?? NOTHING;
}

export function othersOf(
  { otherDrafts }: { readonly otherDrafts: Readonly<Record<string, readonly OtherDraft[]>> },
  id: string,
): readonly OtherDraft[] {
  return otherDrafts[id] ?? NONE;
}

const NOTHING: Draft = {};
const NONE: readonly OtherDraft[] = [];

/** Whether text of this person would be lost. */
export function hasDraft(id: string): boolean {
  return !isEmpty(draftFor(current(), id)) || othersOf(current(), id).length > 0;
}

/** Drafts of this person on the server whose answers are not given yet. */
export function takeDrafts(questions: readonly Question[]): void {
  for (const question of questions) {
    const local = othersOf(current(), question.id).filter(({ version }) => inheritedIds.has(version));
    meet(question.id, [...unsaidIn(question), ...local]);
  }
}

function unsaidIn({ drafts = [], responses = [], lateResponses = [] }: Question): readonly OtherDraft[] {
  const givenResponses = [...responses, ...lateResponses.flatMap((lateAnswer) => lateAnswer.responses)];
  return drafts.flatMap((draft) => {
    const unsentResponses = draft.responses.filter((response) => !hasSameResponse(response, givenResponses));
    if (draft.principal !== current().principal || unsentResponses.length === 0) return [];
    return [{ version: versionOf(draft), draft: draftOf(unsentResponses), replaces: draft.replaces ?? [] }];
  });
}

/** A version made from the text here replaces it; the others are shown beside it. */
function meet(id: string, versions: readonly OtherDraft[]): void {
  const writing = writingOf(id);
  const foreignVersions = versions.filter(({ version }) => !writing.everyVersion.has(version));
  const draft = draftFor(current(), id);
  const next = foreignVersions.findLast(
    ({ replaces }) => isEmpty(draft) || (writing.base !== undefined && replaces.includes(writing.base)),
  );
  const isFree = !writing.isDirty && performance.now() - writing.editedAt >= HANDS_OFF_MS;
  if (next !== undefined && isFree) {
    writing.base = next.version;
    writing.included = [];
    writing.everyVersion.add(next.version);
    change({ drafts: { ...current().drafts, [id]: next.draft } });
    // What is about to be confirmed is what the person has read.
    if (current().toConfirm?.id === id) change({ toConfirm: undefined });
    meet(id, foreignVersions);
    return;
  }
  if (next !== undefined && !writing.isDirty) setTimeout(() => meetLate(id, foreignVersions), HANDS_OFF_MS);
  for (const { version, draft: other } of foreignVersions) {
    // The same text under another name.
    if (!holds(draft, other)) continue;
    writing.included = [...writing.included, version];
    writing.everyVersion.add(version);
  }
  showOthers(
    id,
    foreignVersions.filter(({ version }) => !writing.everyVersion.has(version)),
  );
}

/** The version that was to replace the text here may be the answer by now. */
function meetLate(id: string, versions: readonly OtherDraft[]): void {
  meet(id, versions);
  const endedQuestion = current().ended[id];
  if (endedQuestion !== undefined) dropGiven(endedQuestion);
}

/** Versions that only this browser has. */
const inheritedIds = new Set<string>();

/** What a closed tab had not saved. */
export function inheritDraft(name: string, { questionId: id, draft, replaces }: KeptDraft): void {
  keepDraft(name, undefined);
  const writing = writingOf(id);
  const draftHere = draftFor(current(), id);
  if (isEmpty(draft) || holds(draftHere, draft)) return;
  if (!writing.isDirty && (isEmpty(draftHere) || (writing.base !== undefined && replaces.includes(writing.base)))) {
    for (const version of replaces) writing.everyVersion.add(version);
    writing.included = [...writing.included, ...replaces.filter((version) => version !== writing.base)];
    write(id, draft);
    return;
  }
  const other = { version: newName(), draft, replaces };
  inheritedIds.add(other.version);
  keepDraft(other.version, { questionId: id, draft, replaces });
  showOthers(id, [...othersOf(current(), id), other]);
}

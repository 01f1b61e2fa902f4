import type { Question, QuestionResponse } from '../../src/protocol/question.js';
import { Offline, request } from './api.js';
import { at, change, current, type Draft, type PartDraft } from './state.js';

/*
 * Drafts: on the server within a second, whatever happens to this page. What the server does not have yet is in the
 * browser's own storage as well, so that a crash or a reload without a server loses nothing either.
 */

const SAVE_MS = 400;
const RETRY_MS = 2_000;
/** What another tab wrote is not taken over under the hands of somebody who types here. */
const HANDS_OFF_MS = 2_500;

/** A save is due or under way; what is typed meanwhile is saved next. */
const saving = new Map<string, ReturnType<typeof setTimeout>>();
const editedAt = new Map<string, number>();

export function edit(question: Question, partId: string, part: PartDraft): void {
  const { drafts } = current();
  const draft = { ...drafts[question.id], [partId]: part };
  change({ drafts: { ...drafts, [question.id]: draft }, draftState: 'typing', notice: undefined });
  editedAt.set(question.id, Date.now());
  keepHere(question.id, draft);
  saveIn(question.id, SAVE_MS);
}

function saveIn(id: string, milliseconds: number): void {
  if (saving.has(id)) return;
  saving.set(
    id,
    setTimeout(() => void save(id), milliseconds),
  );
}

async function save(id: string): Promise<void> {
  const draft = draftFor(current(), id);
  const tell = (draftState: 'saved' | 'unsaved' | 'refused') => {
    if (current().selected === id) change({ draftState });
  };
  try {
    await request('PUT', at(`/notifications/${id}/draft`), { responses: responsesOf(draft) });
    saving.delete(id);
    if (draftFor(current(), id) !== draft) return saveIn(id, SAVE_MS);
    keepHere(id, undefined);
    tell('saved');
  } catch (error) {
    saving.delete(id);
    if (error instanceof Offline) saveIn(id, RETRY_MS);
    tell(error instanceof Offline ? 'unsaved' : 'refused');
  }
}

/** The page is being left or hidden: what is due goes now. */
export function flushDrafts(): void {
  for (const [id, timer] of saving) {
    clearTimeout(timer);
    saving.delete(id);
    const responses = responsesOf(draftFor(current(), id));
    request('PUT', at(`/notifications/${id}/draft`), { responses }, { keepalive: true }).then(
      () => keepHere(id, undefined),
      () => saveIn(id, RETRY_MS),
    );
  }
}

/** It was sent or is not wanted any more. */
export function forgetDraft(id: string): void {
  clearTimeout(saving.get(id));
  saving.delete(id);
  keepHere(id, undefined);
  const { [id]: _, ...drafts } = current().drafts;
  change({ drafts, draftState: 'none' });
}

export async function discardDraft(id: string): Promise<void> {
  forgetDraft(id);
  await request('PUT', at(`/notifications/${id}/draft`), { responses: [] }).catch(() => undefined);
}

export function draftFor({ drafts }: { readonly drafts: Readonly<Record<string, Draft>> }, id: string): Draft {
  return drafts[id] ?? NOTHING;
}

const NOTHING: Draft = {};

/** Whether anything of what stands here would be lost. */
export function hasDraft(id: string): boolean {
  return responsesOf(draftFor(current(), id)).length > 0;
}

/** What the server kept of this person's, where nothing newer stands here. */
export function takeDrafts(questions: readonly Question[]): void {
  const { principal, drafts } = current();
  const kept = keptHere();
  const taken = questions.flatMap(({ id, drafts: known = [] }) => {
    if (saving.has(id) || Date.now() - (editedAt.get(id) ?? 0) < HANDS_OFF_MS) return [];
    const unsaved = kept[id];
    if (unsaved !== undefined) {
      saveIn(id, SAVE_MS);
      return [[id, unsaved] as const];
    }
    const mine = known.find((draft) => draft.principal === principal);
    return mine === undefined ? [] : [[id, draftOf(mine.responses)] as const];
  });
  if (taken.length > 0) change({ drafts: { ...drafts, ...Object.fromEntries(taken) } });
}

function draftOf(responses: readonly QuestionResponse[]): Draft {
  return Object.fromEntries(
    responses.map(({ questionId, answer = '', optionIds = [] }) => [questionId, { text: answer, optionIds }]),
  );
}

export function responsesOf(draft: Draft): readonly QuestionResponse[] {
  return Object.entries(draft).flatMap(([questionId, { text, optionIds }]) => {
    if (text.trim() === '' && optionIds.length === 0) return [];
    return [
      { questionId, ...(text.trim() === '' ? {} : { answer: text }), ...(optionIds.length === 0 ? {} : { optionIds }) },
    ];
  });
}

function keptHere(): Readonly<Record<string, Draft>> {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? '{}');
  } catch {
    return {};
  }
}

function keepHere(id: string, draft: Draft | undefined): void {
  const { [id]: before, ...others } = keptHere();
  if (draft === undefined && before === undefined) return;
  try {
    localStorage.setItem(storageKey(), JSON.stringify(draft === undefined ? others : { ...others, [id]: draft }));
  } catch {
    // A browser that keeps nothing still has the server.
  }
}

function storageKey(): string {
  const { projectId, principal } = current();
  return `agentx unsaved ${projectId} ${principal}`;
}

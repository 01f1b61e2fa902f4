import { newName } from './names.js';
import { current, type Decision, type Draft } from './state.js';
import { keysOf, ofBrowser } from './storage.js';

/*
 * What the server does not have yet, in the browser's own storage: unsaved drafts and unsent decisions. Each tab has
 * its own entry, so that two tabs never overwrite each other, and a lock that shows the others whether it is alive. The
 * first tab that notices takes over what a closed tab left behind.
 */

/** The content of a question's fields, and the versions on the server that it was made from. */
export interface KeptDraft {
  readonly questionId: string;
  readonly draft: Draft;
  readonly replaces: readonly string[];
}

export interface StoredWork {
  readonly drafts: Readonly<Record<string, KeptDraft>>;
  readonly decisions: readonly Decision[];
}

const NOTHING: StoredWork = { drafts: {}, decisions: [] };

let tab = newName();
let ownWork = NOTHING;
let isStored = true;

/** Whether the browser took what was to be kept: storage may be forbidden, or full. */
export function isKeptInBrowser(): boolean {
  return isStored;
}

/** Under any name: one for the text being written here, others for inherited texts. */
export function keepDraft(name: string, draft: KeptDraft | undefined): void {
  const { [name]: draftBefore, ...others } = ownWork.drafts;
  if (draft === undefined && draftBefore === undefined) return;
  keep({ ...ownWork, drafts: draft === undefined ? others : { ...others, [name]: draft } });
}

export function keepDecisions(decisions: readonly Decision[]): void {
  if (ownWork.decisions.length + decisions.length > 0) keep({ ...ownWork, decisions });
}

/** Another person writes here from now on, or for another project. What is left stays stored for the old one. */
export function startAnew(): void {
  ownWork = NOTHING;
  letGo();
  tab = newName();
}

const waitingKeys = new Set<string>();
let onInherited: (work: StoredWork) => void = () => {};

/** Calls back with what closed tabs left, now and whenever another one closes. */
export function inherit(onLeft: (work: StoredWork) => void): void {
  onInherited = onLeft;
  addEventListener('storage', ({ key, newValue }) => key !== null && newValue !== null && waitFor(key));
}

/** Call this once for each person who writes here. */
export function lookForHeritage(): void {
  for (const key of ofBrowser.keys()) waitFor(key);
}

function waitFor(key: string): void {
  if (waitingKeys.has(key) || !key.startsWith(prefix()) || key === prefix() + tab) return;
  waitingKeys.add(key);
  void whenGone(key, () => {
    waitingKeys.delete(key);
    const work = readKept(key);
    if (work === undefined || !key.startsWith(prefix())) return;
    // Stored as ours, under new names, before it is removed from the closed tab's entry.
    keep({ drafts: { ...ownWork.drafts, ...work.drafts }, decisions: [...ownWork.decisions, ...work.decisions] });
    ofBrowser.remove(key);
    onInherited(work);
  });
}

/** Pages from another machine without TLS have no locks: there every other tab counts as closed. */
async function whenGone(key: string, work: () => void): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(key, work);
  else work();
}

function keep(next: StoredWork): void {
  ownWork = next;
  const key = prefix() + tab;
  const isEmpty = Object.keys(ownWork.drafts).length + ownWork.decisions.length === 0;
  if (isEmpty) ofBrowser.remove(key);
  else {
    holdLock(key);
    isStored = ofBrowser.set(key, JSON.stringify(ownWork));
  }
}

let heldLock = '';
let letGo = () => {};

/** Held before anything is stored, as long as this tab lives and the same person writes in it. */
function holdLock(key: string): void {
  if (heldLock === key || !('locks' in navigator)) return;
  heldLock = key;
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void navigator.locks.request(key, () => until);
}

function readKept(key: string): StoredWork | undefined {
  const text = ofBrowser.get(key);
  if (text === undefined) return undefined;
  try {
    const work: StoredWork = { ...NOTHING, ...JSON.parse(text) };
    return { ...work, drafts: Object.fromEntries(Object.values(work.drafts).map((draft) => [newName(), draft])) };
  } catch {
    return undefined;
  }
}

function prefix(): string {
  return `agentx unsent ${keysOf(current())}`;
}

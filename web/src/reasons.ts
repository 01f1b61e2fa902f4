import { newName } from './names.js';
import { current } from './state.js';
import { keysOf, ofBrowser } from './storage.js';

/*
 * What a person writes to reject an assumption. The browser keeps it until the server took it or the person discarded
 * it. If the browser may store nothing, this tab keeps it.
 */

interface Reason {
  readonly text: string;
  /** The entries of the browser that the text was made from. */
  readonly entries: readonly string[];
}

/** By what all entries for one assumption begin with. */
const ofThisTab = new Map<string, Reason>();
const tab = newName();

export function reasonFor(assumptionId: string): string {
  return reasonBelow(beginningOf(assumptionId)).text;
}

/** Each tab has its own entry, so that two tabs never overwrite each other. */
export function keepReason(assumptionId: string, text: string): void {
  const beginning = beginningOf(assumptionId);
  const own = beginning + tab;
  if (text !== '') ofBrowser.set(own, text);
  for (const entry of [...reasonBelow(beginning).entries, own]) {
    if (text === '' || entry !== own) ofBrowser.remove(entry);
  }
  ofThisTab.set(beginning, { text, entries: text === '' ? [] : [own] });
}

/** At first, what this and other tabs left, one text below the other. */
function reasonBelow(beginning: string): Reason {
  const earlierReason = ofThisTab.get(beginning);
  if (earlierReason !== undefined) return earlierReason;
  const entries = ofBrowser.keys().filter((key) => key.startsWith(beginning));
  const reason = { text: [...new Set(entries.map((key) => ofBrowser.get(key)))].join('\n\n'), entries };
  ofThisTab.set(beginning, reason);
  return reason;
}

function beginningOf(assumptionId: string): string {
  return `agentx reason ${keysOf(current())}${assumptionId} `;
}

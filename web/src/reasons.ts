import { current } from './state.js';
import { keysOf, ofBrowser } from './storage.js';

/*
 * What a person writes to reject an assumption. The browser keeps it until the server took it or the person discarded
 * it. If the browser may store nothing, this tab keeps it.
 */

const ofThisTab = new Map<string, string>();

export function reasonFor(assumptionId: string): string {
  const key = keyOf(assumptionId);
  return ofThisTab.get(key) ?? ofBrowser.get(key) ?? '';
}

export function keepReason(assumptionId: string, text: string): void {
  const key = keyOf(assumptionId);
  ofThisTab.set(key, text);
  if (text === '') ofBrowser.remove(key);
  else ofBrowser.set(key, text);
}

function keyOf(assumptionId: string): string {
  return `agentx reason ${keysOf(current())}${assumptionId}`;
}

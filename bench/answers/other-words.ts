import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decisionsNear } from '../../src/hub/decided-before.js';
import { relatedDecisions } from '../../src/hub/related-decisions.js';
import { clarificationObservation } from '../../src/memory/decided.js';
import type { RecallRequest } from '../../src/ports/recall.js';
import { openInMemoryStore } from '../../src/storage/in-memory/store.js';
import { AT, aClarification } from '../../test/builders/clarification.js';

/*
 * Questions that are asked again in quite other words. Memory leaves them to their target: what counts is whether the earlier
 * decision is among those that the target is told of.
 */

export interface OtherWords {
  readonly earlier: { readonly topic: string; readonly question: string; readonly answer: string };
  readonly later: { readonly topic: string; readonly question: string };
  readonly same: boolean;
}

export function otherWords(name: string): readonly OtherWords[] {
  const file = fileURLToPath(new URL(`../answers/${name}.jsonl`, import.meta.url));
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line): OtherWords => JSON.parse(line));
}

export interface Told {
  /** The share of same questions whose target is told of the earlier decision. */
  readonly share: number;
  /** How many decisions a target is told of, on average. */
  readonly each: number;
}

/** All decisions of a list stand in one store, each on an issue of its own. */
export async function toldToTargets(pairs: readonly OtherWords[]): Promise<Told> {
  const store = openInMemoryStore();
  const ids = pairs.map(({ earlier }, place) => idOf(place, earlier));
  for (const [place, { earlier }] of pairs.entries()) {
    const observation = clarificationObservation(decided(place, earlier));
    if (observation !== undefined) await store.observations.store([observation]);
  }
  let foundCount = 0;
  let toldCount = 0;
  for (const [place, { later, same }] of pairs.entries()) {
    if (!same) continue;
    const among = await hintsFor(store, later);
    toldCount += among.length;
    if (among.includes(ids[place])) foundCount += 1;
  }
  const askedCount = pairs.filter(({ same }) => same).length;
  return { share: foundCount / askedCount, each: toldCount / askedCount };
}

async function hintsFor(
  store: ReturnType<typeof openInMemoryStore>,
  { topic, question }: OtherWords['later'],
): Promise<readonly (string | undefined)[]> {
  const requests: RecallRequest[] = [];
  const recall = { recall: async (request: RecallRequest) => String(requests.push(request)) };
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const record = aClarification({ id: 'CLR-1-001', topic });
  const near = await decisionsNear({ store, log, remembers: true }, { topic, question });
  await relatedDecisions({ recall, log }, { record, question, near, told: [] });
  return (requests[0]?.among ?? []).map(({ id }) => id);
}

function idOf(place: number, earlier: OtherWords['earlier']): string | undefined {
  return clarificationObservation(decided(place, earlier))?.id;
}

function decided(place: number, { topic, question, answer }: OtherWords['earlier']) {
  const entry = { round: 1, timestamp: AT };
  return aClarification({
    id: `CLR-${100 + place}-001`,
    topic,
    status: 'resolved',
    resolvedAt: AT,
    thread: [
      { ...entry, from: 'engineer', type: 'question', body: question },
      { ...entry, from: 'architect', type: 'answer', body: answer },
      { ...entry, from: 'engineer', type: 'resolution', body: 'Clear. Proceeding.' },
    ],
  });
}

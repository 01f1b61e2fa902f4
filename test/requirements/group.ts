export interface Requirement {
  readonly id: string;
  readonly text: string;
  /**
   * Where it comes from: a seed's number and section ("003 8.3" is its first half, "003 memory 8.3" its second), or a
   * page of the design ("contract 4"). Several are separated by semicolons; the scenarios of 003 8.3 are named.
   */
  readonly source: string;
}

type Entry = readonly [source: string, text: string];

/**
 * Numbers the entries of one story in order: US-1.1/1, US-1.1/2, ... Tests cite these numbers, so a new entry goes to
 * the end of its group and none is taken out of the middle. The title is for the reader of the list only.
 */
export function group(id: string, _title: string, entries: readonly Entry[]): readonly Requirement[] {
  return entries.map(([source, text], index) => ({ id: `${id}/${index + 1}`, text, source }));
}

/*
 * The places of the page and their addresses. The server answers these addresses with the page, the page goes to them,
 * and the command line prints them.
 */

export const VIEWS = ['inbox', 'board', 'asks', 'assumptions', 'memory', 'digest'] as const;
export type View = (typeof VIEWS)[number];

export interface Place {
  readonly view: View;
  /** The question, clarification, assumption, observation or week shown there; the board has no such id. */
  readonly id?: string;
}

/** Undefined if it is no address of the page. It does not check that the named record exists. */
export function placeAt(path: string): Place | undefined {
  const [isAddress, name = 'inbox', id] = /^\/(?:([a-z]+)(?:\/([^/]+))?\/?)?$/.exec(path) ?? [];
  const view = VIEWS.find((candidate) => candidate === name);
  if (isAddress === undefined || view === undefined) return undefined;
  if (id === undefined) return { view };
  const recordId = decoded(id);
  return recordId === undefined || view === 'board' ? undefined : { view, id: recordId };
}

export function pathOf({ view, id }: Place): string {
  return id === undefined ? `/${view}` : `/${view}/${encodeURIComponent(id)}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

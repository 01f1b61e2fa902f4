/*
 * Where on the page somebody can be, and the address of it. The server answers these addresses with the page, the page
 * goes where they lead, and the command line prints them.
 */

export const VIEWS = ['inbox', 'board', 'asks', 'assumptions', 'digest'] as const;
export type View = (typeof VIEWS)[number];

export interface Place {
  readonly view: View;
  /** The question, clarification, assumption or week that is shown there; the board has nothing of the kind. */
  readonly id?: string;
}

/** Undefined for what is no address of the page. Whether what it names exists is not known here. */
export function placeAt(path: string): Place | undefined {
  const [isAddress, name = 'inbox', id] = /^\/(?:([a-z]+)(?:\/([^/]+))?\/?)?$/.exec(path) ?? [];
  const view = VIEWS.find((known) => known === name);
  if (isAddress === undefined || view === undefined) return undefined;
  if (id === undefined) return { view };
  const named = decoded(id);
  return named === undefined || view === 'board' ? undefined : { view, id: named };
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

/*
 * The storage of the browser, which a person may have forbidden, and which may be full. Then nothing is kept, and the
 * page works all the same: the server has everything that was sent.
 */

export interface Keeper {
  get(key: string): string | undefined;
  /** Whether it is kept. */
  set(key: string, value: string): boolean;
  remove(key: string): void;
  keys(): readonly string[];
}

/** Even to name a forbidden storage throws. */
function keeper(storage: () => Storage): Keeper {
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    get: (key) => attempt(() => storage().getItem(key) ?? undefined, undefined),
    set: (key, value) =>
      attempt(() => {
        storage().setItem(key, value);
        return true;
      }, false),
    remove: (key) => attempt(() => storage().removeItem(key), undefined),
    keys: () => attempt(() => Object.keys(storage()), []),
  };
}

/** What keys of one person in one project begin with: no name of another person begins like that. */
export function keysOf({ projectId, principal }: { readonly projectId: string; readonly principal: string }): string {
  return `${encodeURIComponent(projectId)} ${encodeURIComponent(principal)} `;
}

/** All tabs of this browser, also later ones. */
export const ofBrowser = keeper(() => localStorage);
/** This tab alone. */
export const ofTab = keeper(() => sessionStorage);

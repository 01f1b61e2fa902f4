import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { orElse } from './file-system.js';

/** Who asks the operating system, and its answers; tests pass their own. */
export interface Permissions {
  /** Undefined on systems without users. */
  readonly user: number | undefined;
  readonly userName: () => string;
  /** Undefined if it does not exist, or cannot be seen. */
  readonly look: (path: string) => Pick<Stats, 'uid' | 'isDirectory'> | undefined;
  readonly mayUse: (path: string) => boolean;
}

/**
 * Why the operating system denied access to `path`, and the command that restores it: one `sudo` is enough to leave
 * files that belong to another user. Undefined if nothing can be seen.
 */
export function permissionProblem(path: string, permissions: Permissions = thisSystem): string | undefined {
  const { user, userName, look, mayUse } = permissions;
  if (user === undefined) return undefined;
  for (let place = path; ; place = dirname(place)) {
    const stat = look(place);
    if (stat !== undefined && stat.uid !== user) {
      const owner = `${place} belongs to ${nameOf(stat.uid)}, not to you.`;
      // A folder that was never ours may be the system's: nothing is said of taking it.
      return OURS.test(place) ? `${owner} To make it yours: sudo ${onAll('chown', userName(), place)}` : owner;
    }
    if (stat !== undefined && !mayUse(place)) {
      return `${place} is yours, but closed to you. To open it: ${onAll('chmod', 'u+rwX', place)}`;
    }
    if (stat?.isDirectory() || place === dirname(place)) return undefined;
  }
}

/** Our folder in a repository, and the one of the user's approvals; what is above that one may have been made with it. */
const OURS = /^.*[\\/](?:(?:\.agentx|\.local[\\/]state[\\/]agentx)(?=[\\/]|$)|\.local(?:[\\/]state)?$)/s;

/** A command that changed the owner of one of our files may have changed others: the whole folder is given back. */
function onAll(program: string, argument: string, place: string): string {
  const [folder] = OURS.exec(place) ?? [];
  return folder ? `${program} -R ${argument} ${quotePath(folder)}` : `${program} ${argument} ${quotePath(place)}`;
}

const quotePath = (path: string): string =>
  /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

const nameOf = (uid: number): string => (uid === 0 ? 'root' : `another user (uid ${uid})`);

const thisSystem: Permissions = {
  user: process.geteuid?.(),
  // The user may have no name on this machine.
  userName: () => orElse(String(process.geteuid?.() ?? ''), () => userInfo().username),
  look: (path) => orElse(undefined, () => statSync(path, { throwIfNoEntry: false })),
  mayUse: (path) =>
    orElse(false, () => {
      const isFolder = statSync(path).isDirectory();
      accessSync(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
      return true;
    }),
};

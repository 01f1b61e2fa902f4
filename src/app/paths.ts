import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Paths } from '../ports/paths.js';

/** Looks below a repository; links that lead out of it lead nowhere. */
export function openPaths({ repository }: { readonly repository: string }): Paths {
  return {
    async exists(path) {
      if (path.includes('\0')) return false;
      try {
        const root = await realpath(repository);
        const inside = relative(root, await realpath(join(root, path)));
        return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
      } catch {
        // Whatever keeps us from looking, it cannot be counted as there.
        return false;
      }
    },
  };
}

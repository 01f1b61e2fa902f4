import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Paths } from '../ports/paths.js';

/** Looks below a repository; links that lead out of it lead nowhere. */
export function openPaths({ placeOf }: { readonly placeOf: (issueNumber: number) => Promise<string> }): Paths {
  return {
    async exists(path, issueNumber) {
      if (path.includes('\0')) return false;
      try {
        const root = await realpath(await placeOf(issueNumber));
        const inside = relative(root, await realpath(join(root, path)));
        return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
      } catch {
        // A path that cannot be examined does not count as existing.
        return false;
      }
    },
    async isNameOfFile(name, issueNumber) {
      const folders = [await placeOf(issueNumber)];
      let lookedAtCount = 0;
      for (let folder = folders.pop(); folder !== undefined && lookedAtCount < MAX_ENTRIES; folder = folders.pop()) {
        for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
          lookedAtCount += 1;
          if (entry.isDirectory() && !ELSEWHERE.includes(entry.name)) folders.push(join(folder, entry.name));
          if (!entry.isDirectory() && entry.name === name) return true;
        }
      }
      // In a repository too large to search, the path counts as existing.
      return lookedAtCount >= MAX_ENTRIES;
    },
  };
}

const MAX_ENTRIES = 50_000;

/** People who name a file of the project do not mean one of these. */
const ELSEWHERE = ['.git', '.agentx', 'node_modules'];

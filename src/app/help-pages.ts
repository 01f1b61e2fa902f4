import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages of docs/ by name, as they came with the program: `configuration`, `workflows`, ... */
export function guidePages(): readonly string[] {
  const folder = guideFolder();
  if (folder === undefined) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
}

/** One of `guidePages()`, also as the file that it is: `inbox.md`. Any other name has no page: a name is compared, never made into a path. */
export function guidePage(name: string): string | undefined {
  const folder = guideFolder();
  const page = guidePages().find((one) => one === name || `${one}.md` === name);
  return folder === undefined || page === undefined ? undefined : readFileSync(join(folder, `${page}.md`), 'utf8');
}

/** From dist/, from dist/program/ or dist/chunks/, and from the sources. */
function guideFolder(): string | undefined {
  return ['../docs', '../../docs']
    .map((folder) => join(import.meta.dirname, folder))
    .find((folder) => existsSync(join(folder, 'configuration.md')));
}

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

/** One of `guidePages()`. Any other name has no page: a name is compared, never made into a path. */
export function guidePage(name: string): string | undefined {
  const folder = guideFolder();
  if (folder === undefined || !guidePages().includes(name)) return undefined;
  return readFileSync(join(folder, `${name}.md`), 'utf8');
}

/** From dist/, from dist/program/ or dist/chunks/, and from the sources. */
function guideFolder(): string | undefined {
  return ['../docs', '../../docs']
    .map((folder) => join(import.meta.dirname, folder))
    .find((folder) => existsSync(join(folder, 'configuration.md')));
}

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';

/** The newest file at a path whose parts may hold `*`. */
export function findTranscript(pattern: string): string | undefined {
  if (!isAbsolute(pattern)) return undefined;
  const { root } = parse(pattern);
  const parts = pattern.slice(root.length).split(sep);
  const paths = parts.reduce<readonly string[]>(
    (folders, part) => folders.flatMap((folder) => below(folder, part)),
    [root],
  );
  return paths.map((path) => ({ path, time: timeOf(path) })).sort((left, right) => right.time - left.time)[0]?.path;
}

/** The name of the newest file of a folder that was written since then and holds all of these texts, as JSON. */
export function findSession(folder: string, since: number, texts: readonly string[]): string | undefined {
  const inJson = texts.map((text) => JSON.stringify(text));
  const files = below(folder, '*.json').map((path) => ({ path, time: timeOf(path) }));
  const [newest] = files
    .filter(({ time }) => time >= since)
    .sort((left, right) => right.time - left.time)
    .filter(({ path }) => {
      const content = readFileSync(path, 'utf8');
      return inJson.every((text) => content.includes(text));
    });
  return newest === undefined ? undefined : parse(newest.path).name;
}

/**
 * Adds a line to the file of a conversation, below `.agentx/state`, that its CLI keeps in none. A line that the disk does
 * not take is not remembered; the turn goes on without it.
 */
export function keepLine(path: string, line: string): void {
  const folder = dirname(path);
  // What a person removed meanwhile is not made anew.
  if (!existsSync(join(folder, '../..'))) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  } catch {}
}

function below(folder: string, part: string): readonly string[] {
  if (!part.includes('*')) return timeOf(join(folder, part)) === 0 ? [] : [join(folder, part)];
  const [start = '', end = ''] = part.split('*');
  try {
    return readdirSync(folder)
      .filter((name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** 0 for what is not there, or cannot be looked at. */
function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

import { readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, parse, sep } from 'node:path';

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

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

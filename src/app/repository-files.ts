import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative, sep } from 'node:path';
import type { Files } from '../ports/files.js';
import { AgentXError } from '../protocol/errors.js';
import { shorten } from '../protocol/shorten.js';
import { errorCode } from '../storage/files/file-system.js';
import { isPublic } from './public-path.js';

/*
 * What agents see of a repository. Links are followed first, those of parents too, and the place they lead to counts;
 * walking through folders follows none.
 */

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const DEFAULT_LINES = 400;
const MAX_LINES = 2000;
const MAX_LINE_CHARACTERS = 2000;
const MAX_LISTED = 1000;
const MAX_FOUND = 100;
/** Folders that hold nothing of the project's own. */
const ELSEWHERE = new Set(['node_modules']);

export function openRepositoryFiles({ repository }: { readonly repository: string }): Files {
  const rootOf = () => realpathSync.native(repository);
  return {
    async read({ path, from = 1, lines = DEFAULT_LINES }) {
      const all = textAt(rootOf(), path).split('\n');
      const first = Math.max(1, from);
      const count = Math.min(Math.max(1, lines), MAX_LINES);
      const shownLines = all.slice(first - 1, first - 1 + count);
      const numberedLines = shownLines.map((line, index) => `${first + index}\t${shorten(line, MAX_LINE_CHARACTERS)}`);
      const rest = all.length - (first - 1 + shownLines.length);
      return [...numberedLines, ...(rest > 0 ? [`[${rest} more lines]`] : [])].join('\n');
    },
    async list({ folder = '.' }) {
      const root = rootOf();
      const matchingPaths: string[] = [];
      let isCut = false;
      for await (const path of walk(root, placeOf(root, folder))) {
        isCut = matchingPaths.length >= MAX_LISTED;
        if (isCut) break;
        matchingPaths.push(path);
      }
      if (matchingPaths.length === 0) return 'There are no files.';
      return [...matchingPaths.sort(), ...(isCut ? [`[cut: the first ${MAX_LISTED}]`] : [])].join('\n');
    },
    async search({ text, folder = '.' }) {
      const wantedText = text.toLowerCase();
      if (wantedText.trim() === '') throw refused(text, 'is empty', 'some words to look for');
      const root = rootOf();
      const matchingLines: string[] = [];
      for await (const path of walk(root, placeOf(root, folder))) {
        matchingLines.push(...linesWith(root, path, wantedText));
        if (matchingLines.length > MAX_FOUND) break;
      }
      if (matchingLines.length === 0) return 'Nothing was found.';
      const cutNotice = matchingLines.length > MAX_FOUND ? [`[cut: the first ${MAX_FOUND}]`] : [];
      return [...matchingLines.slice(0, MAX_FOUND), ...cutNotice].join('\n');
    },
  };
}

function linesWith(root: string, path: string, wantedText: string): readonly string[] {
  try {
    const content = textAt(root, path);
    if (!content.toLowerCase().includes(wantedText)) return [];
    return content
      .split('\n')
      .flatMap((line, index) =>
        line.toLowerCase().includes(wantedText) ? [`${path}:${index + 1}: ${shorten(line.trim(), 300)}`] : [],
      );
  } catch (error) {
    // A file that is no text, or that went away meanwhile, contains nothing.
    if (error instanceof AgentXError) return [];
    throw error;
  }
}

/**
 * Files below a folder, from the root of the repository; private ones and links are left out, and so are folders that
 * cannot be opened.
 */
async function* walk(root: string, folder: string, isWanted = true): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isWanted) throw unreadable(relative(root, folder) || '.', error);
    return [];
  });
  const folders: string[] = [];
  for await (const entry of entries) {
    const place = join(folder, entry.name);
    if (!isPublic(relative(root, place))) continue;
    if (entry.isFile()) yield relative(root, place).split(sep).join('/');
    else if (entry.isDirectory() && !ELSEWHERE.has(entry.name)) folders.push(place);
  }
  for (const place of folders.sort()) yield* walk(root, place, false);
}

/** Where a path leads once every link is followed. */
function placeOf(root: string, path: string): string {
  if (path.includes('\0')) throw refused(path, 'is no path');
  const inside = isAbsolute(path) ? relative(root, path) || '.' : normalize(path);
  if (inside !== '.' && inside !== './' && !isPublic(inside.replace(/[/\\]$/, ''))) throw refused(path, NOT_PUBLIC);
  try {
    const realPath = realpathSync.native(join(root, inside));
    if (realPath !== root && !isPublic(relative(root, realPath))) throw refused(path, NOT_PUBLIC);
    return realPath;
  } catch (error) {
    if (error instanceof AgentXError) throw error;
    throw unreadable(path, error);
  }
}

function textAt(root: string, path: string): string {
  const place = placeOf(root, path);
  try {
    // O_NOFOLLOW: a link that was put there meanwhile is not followed. O_NONBLOCK: a pipe does not block us.
    const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) throw refused(path, 'is no file');
      if (stats.size > MAX_FILE_BYTES) throw refused(path, 'is larger than 2 MiB', 'text files up to 2 MiB');
      const bytes = readFileSync(fd);
      if (bytes.includes(0)) throw refused(path, 'is no text', 'text files');
      return bytes.toString('utf8');
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (error instanceof AgentXError) throw error;
    throw unreadable(path, error);
  }
}

const NOT_PUBLIC = 'may not be read: it is outside the repository or private';

function unreadable(path: string, error: unknown): AgentXError {
  const code = errorCode(error) ?? 'an unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const shownPath = shorten(path, 200);
    return new AgentXError('NOT_FOUND', `There is no '${shownPath}' in the repository.`, { path: shownPath });
  }
  return refused(path, `cannot be read (${code})`);
}

const ALLOWED = 'files of the repository, without .git, .agentx/state and .env files';

function refused(path: string, problem: string, allowed = ALLOWED): AgentXError {
  const shownPath = shorten(path, 200);
  return new AgentXError('UNAUTHORIZED', `'${shownPath}' ${problem}. Allowed: ${allowed}.`, { path: shownPath });
}

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { AgentXError } from '../protocol/errors.js';
import { readIfThere, realFileSystem } from '../storage/files/file-system.js';
import { layoutOf } from '../storage/files/layout.js';
import { writeWhole } from '../storage/files/write-whole.js';

/**
 * What is wrong with the settings, for a command that did its work without reading them. To read them takes longer than
 * most such commands: which text this version found in order is kept among the indexes.
 */
export async function settingsProblem(root: string, text: string, version: string): Promise<AgentXError | undefined> {
  if (text === '') return undefined;
  const path = join(layoutOf(root).index, 'settings.json');
  const content = JSON.stringify({ version, length: text.length, checksum: crc32(text) });
  if (knownContent(path) === content) return undefined;
  try {
    (await import('./config.js')).loadConfig(root, {}, text);
  } catch (error) {
    if (error instanceof AgentXError) return error;
    throw error;
  }
  keep(path, content);
  return undefined;
}

function knownContent(path: string): string | undefined {
  try {
    return readIfThere(realFileSystem, path)?.toString();
  } catch {
    return undefined;
  }
}

/** Without it, the next command reads the settings again. */
function keep(path: string, content: string): void {
  try {
    writeWhole(realFileSystem, path, content, 0o600);
  } catch {}
}

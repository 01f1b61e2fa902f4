import { basename, dirname, join } from 'node:path';
import type { InteractionStore } from '../../ports/store.js';
import { AgentXError, messageOf } from '../../protocol/errors.js';
import { Interaction, interactionsIn, type LoggedInteraction } from '../../protocol/orchestrator.js';
import { letGo } from './cleanup.js';
import { corruptFile, decodeDocument, privateKind } from './document-kind.js';
import { errorCode, isDone, isSame, OWN_FILE_TO_APPEND, readIfThere, statIfThere, writeAll } from './file-system.js';
import type { FilesContext } from './files-context.js';
import { lockDocument } from './json-file.js';
import { canonicalPath, type FileLock, lockLost } from './lock.js';
import { asStoreError, orStoreError, replacedMeanwhile } from './store-error.js';

const NEWLINE = 0x0a;
const KIND = privateKind(Interaction, 'The interaction');

/**
 * `state/interactions.ndjson`: a line is written under the file's lock, in one piece and at the end, and never changed.
 * An incomplete line is left by a crash, or is being written: readers leave it out, and the next writer ends it first.
 */
export function interactionLog(context: FilesContext): InteractionStore {
  const { fs, layout } = context;
  const path = layout.interactionsFile;
  return {
    async append(interaction) {
      const line = `${JSON.stringify(KIND.parse(interaction))}\n`;
      refuseLink(context, path);
      const lock = await lockDocument(context, path);
      try {
        const bytes = readIfThere(fs, path) ?? Buffer.alloc(0);
        const { id } = interaction;
        const isThere = id !== undefined && parseLines(path, bytes).logged.some((line) => line.interaction.id === id);
        const isTorn = bytes.length > 0 && bytes.at(-1) !== NEWLINE;
        // The process that wrote a line may have died before the line was on the disk.
        await appendDurably(context, path, lock, isThere ? '' : isTorn ? `\n${line}` : line);
      } catch (error) {
        throw asStoreError('write', path, error);
      } finally {
        lock.release();
      }
    },
    async list(filter) {
      refuseLink(context, path);
      const bytes = orStoreError('read', path, () => readIfThere(fs, path)) ?? Buffer.alloc(0);
      const { logged: interactions, damaged } = parseLines(path, bytes);
      return { ...interactionsIn(interactions, filter), damaged: filter?.after === undefined ? damaged : [] };
    },
  };
}

function openAtEnd({ fs }: FilesContext, path: string): number {
  try {
    return fs.openSync(path, OWN_FILE_TO_APPEND, KIND.mode);
  } catch (error) {
    throw errorCode(error) === 'ELOOP' ? isLink(path) : error;
  }
}

/** The file that a link leads to is neither read nor locked. */
function refuseLink({ fs }: FilesContext, path: string): void {
  const own = join(canonicalPath(fs, dirname(path)), basename(path));
  if (canonicalPath(fs, path) !== own) throw isLink(path);
}

function isLink(path: string): AgentXError {
  const problem = `Cannot use ${path}: it is a link. Put a file in its place, or remove it.`;
  return new AgentXError('STORE_ERROR', problem, { path });
}

async function appendDurably(context: FilesContext, path: string, lock: FileLock, text: string): Promise<void> {
  const { fs, disk, folders, sync } = context;
  if (!lock.isMine()) throw lockLost(path);
  const fd = openAtEnd(context, path);
  let sizeBefore: number | undefined;
  try {
    const file = fs.fstatSync(fd);
    sizeBefore = file.size;
    writeAll(fs, fd, Buffer.from(text));
    if (sync) await disk.syncContent(fd);
    if (sync) await folders.sync(path, lock.file);
    if (!isSame(file, statIfThere(fs, path))) throw replacedMeanwhile(path);
  } catch (error) {
    // A retry would take a line that is not on the disk for one that is. If this is refused, the next writer ends half a
    // line, and a whole one stays. Without the lock, lines of other processes may follow.
    isDone(() => sizeBefore !== undefined && lock.isMine() && fs.ftruncateSync(fd, sizeBefore));
    throw error;
  } finally {
    letGo(fs, fd);
  }
}

function parseLines(path: string, bytes: Buffer) {
  const interactions: LoggedInteraction[] = [];
  const damaged: AgentXError[] = [];
  const wholeLines = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
  for (const [place, line] of wholeLines.toString('latin1').split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      interactions.push({ place, interaction: decodeDocument(KIND, path, Buffer.from(line, 'latin1')) });
    } catch (error) {
      damaged.push(corruptFile(path, `line ${place + 1}: ${messageOf(error)}`));
    }
  }
  return { logged: interactions, damaged };
}

import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, normalize, relative, sep } from 'node:path';
import type { WritableArtifacts } from '../ports/artifacts.js';
import { errorCode } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';
import { ArtifactWriter, type ArtifactWriterOptions } from './write-artifact.js';

export const MAX_ARTIFACT_BYTES = 64 * 1024;

/**
 * Reads what agents wrote below a repository. What is missing, outside, private or no file is left out. Every brief wants
 * them: read in place, which takes a tenth of the time that trips through the thread pool take.
 */
export function openArtifacts(options: ArtifactWriterOptions): WritableArtifacts {
  const { repository } = options;
  const writer = new ArtifactWriter(options);
  return {
    write: (artifact) => writer.write(artifact),
    async read(paths) {
      const root = realpathSync.native(repository);
      return paths.flatMap((path) => {
        const content = readInside(root, path);
        return content === undefined ? [] : [{ path, content }];
      });
    },
  };
}

function readInside(root: string, path: string): string | undefined {
  if (path.includes('\0') || !isPublic(normalize(path))) return undefined;
  try {
    // All links are followed first, those of parents too, and the place they lead to is what counts.
    const real = realpathSync.native(join(root, path));
    if (!isPublic(relative(root, real))) return undefined;
    // Neither a link that was put there meanwhile is followed, nor does a pipe without a writer hold us up.
    const fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return readStart(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (UNREADABLE.has(errorCode(error) ?? '')) return undefined;
    throw asStoreError('read', path, error);
  }
}

const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'EISDIR', 'ENXIO']);

/** What agents may read: nothing outside, of git, of the state, or of what is named like a file of secrets. */
function isPublic(path: string): boolean {
  // File systems that ignore case would open .GIT as .git.
  const parts = path.toLowerCase().split(sep);
  if (path === '' || parts.includes('..')) return false;
  if (parts.some((part) => part === '.git' || part.startsWith('.env'))) return false;
  return !parts.some((part, index) => part === '.agentx' && parts[index + 1] === 'state');
}

function readStart(fd: number): string | undefined {
  const stats = fstatSync(fd);
  if (!stats.isFile()) return undefined;
  const buffer = Buffer.alloc(Math.min(stats.size, MAX_ARTIFACT_BYTES));
  const bytesRead = readSync(fd, buffer, { position: 0 });
  const isCut = stats.size > bytesRead;
  // A character that the cut went through is left out whole.
  const content = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: isCut });
  return isCut ? `${content}\n[cut: the first ${MAX_ARTIFACT_BYTES / 1024} KiB of ${stats.size} bytes]` : content;
}

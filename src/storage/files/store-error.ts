import { AgentXError } from '../../protocol/errors.js';
import { errorCode } from './file-system.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file size limit is reached',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many open files',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENOENT: 'it, or the folder it is in, was removed meanwhile',
  EIO: 'the disk reports an input/output error (EIO)',
  ENAMETOOLONG: 'the name is too long',
};

/** What the operating system refused, told as a STORE_ERROR. Errors of our own pass through as they are. */
export function asStoreError(doing: string, path: string, cause: unknown): AgentXError {
  if (cause instanceof AgentXError) return cause;
  const code = errorCode(cause);
  const reason =
    folderProblem(cause) ?? (code && REASONS[code]) ?? (cause instanceof Error ? cause.message : String(cause));
  return new AgentXError('STORE_ERROR', `Cannot ${doing} ${path}: ${reason}.`, { path, cause: code }, { cause });
}

/** The name leads elsewhere by now: what was written, or was about to be, is not what others find there. */
export function replacedMeanwhile(path: string): AgentXError {
  const what = 'it, or a folder above it, was moved, removed or replaced meanwhile';
  return new AgentXError('STORE_ERROR', `Cannot write ${path}: ${what}. Look what is there, then try again.`, { path });
}

/** What mkdir says of a folder and all above it: on a disk that is read-only, that there is no such folder. */
function folderProblem(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('syscall' in cause) || cause.syscall !== 'mkdir') return undefined;
  if (errorCode(cause) === 'EEXIST') return 'there is a file where a folder has to be';
  return errorCode(cause) === 'ENOENT' ? 'its folder cannot be made; the file system may be read-only' : undefined;
}

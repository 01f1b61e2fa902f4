import { AgentXError, messageOf } from '../../protocol/errors.js';
import { errorCode } from './file-system.js';
import { permissionProblem } from './permission-problem.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file size limit is reached',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many open files',
  ELOOP: 'its links lead in a circle',
  ENFILE: 'too many open files on this machine',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENOENT: 'it, or the folder it is in, was removed meanwhile',
  EIO: 'the disk reports an input/output error (EIO)',
  ENAMETOOLONG: 'the name is too long',
};

/** What mkdir says of a folder and all above it: on a read-only disk, that there is no such folder. */
const REASONS_OF_MKDIR: typeof REASONS = {
  ...REASONS,
  EEXIST: 'there is a file where a folder has to be',
  ENOENT: 'its folder cannot be made; the file system may be read-only',
};

/** A refusal of the operating system, as a STORE_ERROR. Errors of our own pass through as they are. */
export function asStoreError(doing: string, path: string, cause: unknown): AgentXError {
  if (cause instanceof AgentXError) return cause;
  const code = errorCode(cause);
  const remedy = code && DENIED.has(code) ? permissionProblem(path) : undefined;
  const problem = `Cannot ${doing} ${path}: ${reasonOf(cause)}.`;
  if (remedy === undefined) return new AgentXError('STORE_ERROR', problem, { path, cause: code }, { cause });
  return new AgentXError('STORE_ERROR', `${problem} ${remedy}`, { path, cause: code, problem, remedy }, { cause });
}

/** What the operating system refused, in words. */
export function reasonOf(cause: unknown): string {
  const isOfMkdir = cause instanceof Error && 'syscall' in cause && cause.syscall === 'mkdir';
  return (isOfMkdir ? REASONS_OF_MKDIR : REASONS)[errorCode(cause) ?? ''] ?? messageOf(cause);
}

/** Carries out `work`; its refusal by the operating system becomes a STORE_ERROR. */
export function orStoreError<T>(doing: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreError(doing, path, error);
  }
}

/** Its two halves, for surfaces that show them apart: what is wrong, and what to do. */
export function problemAndRemedy(doing: string, path: string, cause: unknown): { reason: string; todo: string } {
  const { message, details } = asStoreError(doing, path, cause);
  const { problem, remedy } = details;
  if (typeof problem === 'string' && typeof remedy === 'string') return { reason: problem, todo: remedy };
  return { reason: message, todo: 'See to that, then try again.' };
}

/** The same for an error that was not wrapped on its way: undefined if it is no refusal of the operating system. */
export function systemRefusal(cause: unknown): AgentXError | undefined {
  const isRefusal = cause instanceof Error && 'syscall' in cause && 'path' in cause && typeof cause.path === 'string';
  return isRefusal ? asStoreError('use', String(cause.path), cause) : undefined;
}

const DENIED = new Set(['EACCES', 'EPERM']);

/** The name leads elsewhere by now: what was written, or was about to be, is not what others find there. */
export function replacedMeanwhile(path: string): AgentXError {
  const what = 'it, or a folder above it, was moved, removed or replaced meanwhile';
  return new AgentXError('STORE_ERROR', `Cannot write ${path}: ${what}. Look what is there, then try again.`, { path });
}

/** Nothing is made in its place. */
export function removedMeanwhile(root: string): AgentXError {
  const problem = `The folder ${root} was removed or moved away meanwhile. Put it back, then try again.`;
  return new AgentXError('STORE_ERROR', problem, { path: root });
}

import { futimesSync, Stats, utimesSync } from 'node:fs';
import { type FileSystem, realFileSystem } from '../../../src/storage/files/file-system.js';

type CallName = keyof FileSystem & string;

/** The calls after which something on the disk, or an open file, is different. */
const CHANGING: ReadonlySet<string> = new Set<CallName>([
  'close',
  'closeSync',
  'fchmodSync',
  'futimesSync',
  'linkSync',
  'mkdirSync',
  'open',
  'openSync',
  'renameSync',
  'unlinkSync',
  'write',
  'writeSync',
  'fdatasync',
  'fdatasyncSync',
  'fsync',
  'fsyncSync',
]);

/** The real file system, with something happening around each call that changes anything. */
export function aroundEachChange(
  around: (name: string, call: (args?: unknown[]) => unknown, args: unknown[]) => unknown,
) {
  return new Proxy<FileSystem>(
    { ...realFileSystem },
    {
      get(target, name) {
        const original = Reflect.get(target, name);
        if (typeof name !== 'string' || !CHANGING.has(name)) return original;
        return (...args: unknown[]) => around(name, (actual = args) => Reflect.apply(original, target, actual), args);
      },
    },
  );
}

/** Like a USB stick: no hard links. */
export function withoutLinks(): FileSystem {
  return aroundEachChange((name, call) => {
    if (name === 'linkSync') throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
    return call();
  });
}

/** The time that a system gives to a change whose clock moves in steps, as most do: the last step. */
const STEP_MS = 10;
const lastStep = (time: number): number => Math.floor(time / STEP_MS) * STEP_MS;

export function dateByCoarseClock(file: string | number): void {
  const seconds = lastStep(Date.now()) / 1000;
  if (typeof file === 'string') utimesSync(file, seconds, seconds);
  else futimesSync(file, seconds, seconds);
}

/** Dates every write as such a system does, even if the one below has a finer clock. */
export function withCoarseClock(): FileSystem {
  return new Proxy<FileSystem>(
    { ...realFileSystem },
    {
      get(target, name) {
        const original = Reflect.get(target, name);
        if (name === 'writeSync') {
          return (fd: number, ...args: unknown[]) => {
            const written = Reflect.apply(original, target, [fd, ...args]);
            dateByCoarseClock(fd);
            return written;
          };
        }
        if (name !== 'statSync' && name !== 'fstatSync') return original;
        return (...args: unknown[]) => {
          const stat: unknown = Reflect.apply(original, target, args);
          return stat instanceof Stats ? Object.assign(stat, { ctimeMs: lastStep(stat.ctimeMs) }) : stat;
        };
      },
    },
  );
}

/** A disk that refuses the given calls with the system's error. A refused close closes all the same. */
export function refusing(
  wants: (name: string) => boolean,
  code: () => 'EIO' | 'EROFS' = () => 'EIO',
  path: (path: string) => boolean = () => true,
): FileSystem {
  return aroundEachChange((name, call, args) => {
    const isMeant = typeof args[0] !== 'string' || path(args[0]);
    if (name === 'openSync' && args[1] === 'r') return call();
    if (!isMeant || !wants(name)) return call();
    if (name.startsWith('close')) call();
    return refuse(name, code(), args);
  });
}

/** The same for any call, reading ones included, with the error that `codeFor` names. */
export function refusingAny(codeFor: (name: string, on: unknown) => string | undefined): FileSystem {
  return new Proxy<FileSystem>(
    { ...realFileSystem },
    {
      get(target, name) {
        const original: unknown = Reflect.get(target, name);
        if (typeof name !== 'string' || typeof original !== 'function') return original;
        const call = (...args: unknown[]): unknown => {
          const code = codeFor(name, args[0]);
          const proceed = () => Reflect.apply(original, target, args);
          if (code === undefined) return proceed();
          if (name === 'closeSync') proceed();
          return refuse(name, code, args);
        };
        return name === 'realpathSync' ? Object.assign(call, { native: call }) : call;
      },
    },
  );
}

function refuse(name: string, code: string, args: readonly unknown[]): undefined {
  const error = Object.assign(new Error(`${code}: refused, ${name}`), { code, syscall: name });
  const done = args.at(-1);
  if (typeof done !== 'function') throw error;
  setImmediate(() => done(error));
  return undefined;
}

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve, sep } from 'node:path';

export interface ProgramPlace {
  /** The folder in which it would be started. */
  readonly cwd: string;
  /** The environment that it would have. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether there is a program of that name; searched as the system does when it starts one. */
export function isProgram(name: string, { cwd, env }: ProgramPlace): boolean {
  const isPath = name.includes('/') || name.includes(sep);
  const folders = isPath ? [''] : (env.PATH ?? env.Path ?? '/usr/bin:/bin').split(delimiter);
  const paths = folders.map((folder) => resolve(cwd, folder, name));
  return paths.some((path) => EXTENSIONS.some((extension) => isExecutable(`${path}${extension}`)));
}

const EXTENSIONS = process.platform === 'win32' ? ['', '.exe', '.com'] : [''];

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

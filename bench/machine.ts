import { cpus, release, type } from 'node:os';

/** What the figures were taken on. */
export function describeMachine() {
  return { node: process.version, system: `${type()} ${release()}`, cpus: cpus().length, cpu: cpus()[0]?.model ?? '' };
}

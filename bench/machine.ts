import { cpus, release, type } from 'node:os';

/** The machine on which the figures were measured. */
export function describeMachine() {
  return { node: process.version, system: `${type()} ${release()}`, cpus: cpus().length, cpu: cpus()[0]?.model ?? '' };
}

import type { Command } from 'commander';
import type { Output } from '../output.js';
import { bashScript } from './bash.js';
import { placesOf } from './candidates.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

const SCRIPTS = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);

/** The script is printed even with --json: its reader is a shell. */
export async function completion(out: Output, shell: string, program: Command): Promise<undefined> {
  const script = SCRIPTS.get(shell)?.(placesOf(program)) ?? '';
  out.json({ shell, script });
  out.print(script.trimEnd());
}

import { join } from 'node:path';
import type { Roles } from '../ports/roles.js';
import { parseAgentName } from '../protocol/ids.js';
import { textProblem } from '../protocol/sound-data.js';
import { readOwnText, refusedText } from './read-own-text.js';

/*
 * The role instructions in `agents/{name}.md` of a `.agentx` folder, as they are at the moment. An agent that is started
 * without its instructions, or with spoilt ones, would do something else than the user wants: so these are refused.
 */

export function openRoles({ root }: { readonly root: string }): Roles {
  return { of: async (agent) => readRole(join(root, 'agents', `${parseAgentName(agent)}.md`)) };
}

/** Undefined if there is no such file, or nothing in it. */
export function readRole(path: string): string | undefined {
  const text = (readOwnText(path) ?? '').trim();
  const problem = textProblem(text);
  if (problem !== undefined) throw refusedText(path, problem);
  return text || undefined;
}

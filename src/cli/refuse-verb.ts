import { suggestion } from '../protocol/did-you-mean.js';
import { AgentXError } from '../protocol/errors.js';

/** For a noun whose verb is misspelt or left out. */
export function refuseVerb(noun: string, verb: string | undefined, allowed: readonly string[]): never {
  const problem =
    verb === undefined
      ? `'agentx ${noun}' needs to know what to do. Allowed: ${allowed.join(', ')}.`
      : `There is no 'agentx ${noun} ${verb.slice(0, 80)}'.${suggestion(verb, allowed)}`;
  throw new AgentXError('INVALID_INPUT', `${problem} See: agentx ${noun} --help`, { noun, allowed });
}

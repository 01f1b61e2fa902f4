import { AgentXError } from '../../protocol/errors.js';
import { didYouMean } from '../state/known-agent.js';

/** For a noun whose verb is misspelt or left out. */
export function refuseVerb(noun: string, verb: string | undefined, allowed: readonly string[]): never {
  const problem =
    verb === undefined
      ? `'agentx ${noun}' needs to know what to do.`
      : `There is no 'agentx ${noun} ${verb}'.${didYouMean(verb, allowed)}`;
  throw new AgentXError('INVALID_INPUT', `${problem} Allowed: ${allowed.join(', ')}. See: agentx ${noun} --help`, {
    noun,
    allowed,
  });
}

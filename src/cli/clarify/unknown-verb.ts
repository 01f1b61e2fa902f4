import { AgentXError } from '../../protocol/errors.js';

/** What stands where a verb could, and the verbs that there are. */
export interface UnknownVerb {
  readonly unknown: readonly string[];
  readonly verbs: readonly string[];
}

export function refuseUnknown({ unknown: [verb], verbs }: UnknownVerb): void {
  if (verb === undefined) return;
  const shown = verb.slice(0, 80);
  const hint = `Allowed: ${verbs.join(', ')}, or nothing for the list.`;
  throw new AgentXError('INVALID_INPUT', `There is no verb '${shown}' here. ${hint}`, { verb: shown, allowed: verbs });
}

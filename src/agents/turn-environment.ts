import type { Brief } from '../protocol/brief.js';

/** The variables by which `agentx`, called from inside a turn, knows who calls it and for whom. */
export function turnEnvironment(
  brief: Brief,
  { root, turn }: { readonly root: string; readonly turn: string | undefined },
) {
  return {
    AGENTX_ROOT: root,
    AGENTX_AGENT: brief.agent,
    AGENTX_ISSUE: String(brief.issue.number),
    AGENTX_STEP: brief.kind === 'work' ? brief.step?.id : undefined,
    AGENTX_CLARIFICATION: brief.clarification?.id,
    // Set even if undefined: a target that was asked from inside a turn is not in that turn itself.
    AGENTX_TURN: turn,
  };
}

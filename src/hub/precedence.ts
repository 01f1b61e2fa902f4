import { AGENT_PRECEDENCE } from '../protocol/ids.js';
import { isUpstream, type Workflow } from '../protocol/workflow.js';
import { workflowOf } from './issue.js';
import type { OrderPorts } from './ports.js';

/** Which agent is upstream of which: a workflow's own order where it decides, the general list where it does not. */
export interface Precedence {
  readonly isUpstream: (agent: string, other: string) => boolean;
  /** Place in the general list, upstream first. */
  readonly rank: (agent: string) => number;
}

/** Workflows that contradict each other decide nothing. */
export function precedenceOf(workflows: readonly Workflow[], agents: readonly string[]): Precedence {
  const general = [...new Set<string>([...AGENT_PRECEDENCE, ...agents])];
  const before = (left: string, right: string) => workflows.some((workflow) => comesBefore(workflow, left, right));
  return {
    isUpstream: (agent, other) => before(agent, other) && !before(other, agent),
    rank: (agent) => (general.includes(agent) ? general.indexOf(agent) : general.length),
  };
}

/** The precedence among agents that meet on these issues. For a workflow that cannot be read, the list decides. */
export async function precedenceFor(ports: OrderPorts, issueNumbers: readonly number[]): Promise<Precedence> {
  const workflows = [...new Set(issueNumbers)].map(async (issueNumber) => {
    try {
      return [(await workflowOf(ports, issueNumber)).workflow];
    } catch (error) {
      ports.log.warn('no workflow to order the agents of a deadlock by', { issueNumber, error: String(error) });
      return [];
    }
  });
  return precedenceOf((await Promise.all(workflows)).flat(), ports.agents);
}

/** Whether some step of the second agent waits for a step of the first, and none the other way round. */
function comesBefore(workflow: Workflow, first: string, second: string): boolean {
  return hasStepAfter(workflow, first, second) && !hasStepAfter(workflow, second, first);
}

function hasStepAfter({ steps }: Workflow, first: string, second: string): boolean {
  const ofFirst = steps.filter((step) => step.agent === first);
  const ofSecond = steps.filter((step) => step.agent === second);
  return ofSecond.some((later) => ofFirst.some((earlier) => isUpstream({ steps }, earlier.id, later.id)));
}

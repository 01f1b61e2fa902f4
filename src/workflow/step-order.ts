import { AgentXError } from '../protocol/errors.js';
import type { Workflow, WorkflowStep } from '../protocol/workflow.js';

/**
 * The steps in an order in which each comes after what it needs; where that leaves a choice, in the order of the file.
 */
export function downstreamOrder(workflow: Pick<Workflow, 'steps'>): readonly WorkflowStep[] {
  const orderedSteps: WorkflowStep[] = [];
  const placedIds = new Set<string>();
  const remainingSteps = [...workflow.steps];
  while (remainingSteps.length > 0) {
    const next = remainingSteps.findIndex((step) => step.needs.every((id) => placedIds.has(id)));
    // A loaded workflow has no cycle; one that was put together by hand keeps its order from here on.
    for (const step of remainingSteps.splice(Math.max(next, 0), 1)) {
      orderedSteps.push(step);
      placedIds.add(step.id);
    }
  }
  return orderedSteps;
}

/** A cycle in `needs` as the ids along it, the first one repeated at the end; undefined if there is none. */
export function findCycle({ steps }: Pick<Workflow, 'steps'>): readonly string[] | undefined {
  const waitingSteps = new Map(steps.map((step) => [step.id, step.needs]));
  const firstMissing = (needs: readonly string[]): string | undefined => needs.find((id) => waitingSteps.has(id));
  for (let sizeBefore = -1; sizeBefore !== waitingSteps.size; ) {
    sizeBefore = waitingSteps.size;
    for (const [id, needs] of waitingSteps) if (firstMissing(needs) === undefined) waitingSteps.delete(id);
  }
  // Each remaining step needs another remaining one: following that leads round a cycle.
  const path: string[] = [];
  for (let [id] = waitingSteps.keys(); id !== undefined; id = firstMissing(waitingSteps.get(id) ?? [])) {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    path.push(id);
  }
  return undefined;
}

/** Whether a step runs for an issue with these labels. Case does not matter. */
export function matchesCondition(step: Pick<WorkflowStep, 'id' | 'condition'>, labels: readonly string[]): boolean {
  if (step.condition === undefined) return true;
  const condition = readCondition(step.condition);
  if (condition === undefined) {
    throw new AgentXError(
      'CONFIG_ERROR',
      `The condition '${step.condition}' of step '${step.id}' is not known. Allowed: ${ALLOWED_CONDITIONS}.`,
      { step: step.id, condition: step.condition },
    );
  }
  const hasLabel = labels.some((label) => label.toLowerCase() === condition.label.toLowerCase());
  return hasLabel !== condition.isNegated;
}

export const ALLOWED_CONDITIONS = 'label:x, !label:x';

/** `has_label:x` is how older files say `label:x`. */
export function readCondition(text: string): { readonly label: string; readonly isNegated: boolean } | undefined {
  const [, negation, label] = /^(!?)(?:has_)?label:(.*\S)$/.exec(text.trim()) ?? [];
  return label === undefined ? undefined : { label: label.trim(), isNegated: negation === '!' };
}

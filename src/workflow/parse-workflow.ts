import { Workflow } from '../protocol/workflow.js';
import { findProblem, findWarnings, resolveAliases } from './check-steps.js';
import { checkToml, dotted } from './check-toml.js';
import { configError, parseToml, placeOf, type TomlDocument } from './toml-document.js';
import type { TomlPath } from './toml-lines.js';

/** A workflow, its place in the file, and warnings for its author. Serves as a LocatedWorkflow. */
export interface ParsedWorkflow {
  readonly workflow: Workflow;
  readonly file: string;
  /** The line of a step, or of one of its keys; the step's if it leaves the key out. */
  lineOf(stepId: string, key?: string): number | undefined;
  readonly warnings: readonly string[];
}

export interface WorkflowContext {
  /** Every agent that a step may name. */
  readonly agents: readonly string[];
}

/** CONFIG_ERROR with file, line, key and the allowed values for the first error. */
export function parseWorkflow(text: string, file: string, { agents }: WorkflowContext): ParsedWorkflow {
  const document = withName(parseToml(text, file));
  const workflow = resolveAliases(checkToml(Workflow, document, nameIn(document)));
  const problem = findProblem(workflow, agents);
  if (problem !== undefined) throw configError(document, problem);
  const indexes = new Map(workflow.steps.map(({ id }, index) => [id, index]));
  return {
    workflow,
    file,
    lineOf: (stepId, key) => {
      const index = indexes.get(stepId);
      return index === undefined ? undefined : document.lineOf(['steps', index, ...(key === undefined ? [] : [key])]);
    },
    warnings: findWarnings(workflow).map(({ path, problem }) => `${placeOf(file, document.lineOf(path))}: ${problem}`),
  };
}

/** A file without a `[workflow]` table is named after its file: the seeds' examples have only steps. */
function withName(document: TomlDocument): TomlDocument {
  if (document.value.workflow !== undefined) return document;
  const name = /([^/\\]+?)(?:\.toml.*)?$/.exec(document.file)?.[1] ?? document.file;
  return { ...document, value: { ...document.value, workflow: { name } } };
}

function nameIn({ value }: TomlDocument): (path: TomlPath) => string {
  const steps: readonly unknown[] = Array.isArray(value.steps) ? value.steps : [];
  return (path) => {
    const [list, index, ...rest] = path;
    if (list !== 'steps' || typeof index !== 'number') return `'${dotted(path)}'`;
    const step = nameOfStep(steps[index]) ?? `step ${index + 1}`;
    return rest.length === 0 ? step : `'${dotted(rest)}' of ${step}`;
  };
}

function nameOfStep(step: unknown): string | undefined {
  const id = typeof step === 'object' && step !== null && 'id' in step ? step.id : undefined;
  return typeof id === 'string' && id !== '' ? `step '${id}'` : undefined;
}

import * as z from 'zod/mini';
import { AgentName } from './ids.js';
import type { Issue } from './issue.js';
import { DEFAULT_SLA_MINUTES } from './limits.js';
import type { Shape } from './shape.js';

const MAX_SLA_MINUTES = 365 * 24 * 60;

const Text = z.string().check(z.minLength(1, 'must not be empty'));
const Count = z.int('must be a whole number from 1').check(z.gte(1, 'must be a whole number from 1'));
// More than a year is a typing error, and much more is beyond what a date can hold.
const Minutes = z
  .number(`must be a number of minutes above 0, up to ${MAX_SLA_MINUTES}`)
  .check(
    z.gt(0, `must be a number of minutes above 0, up to ${MAX_SLA_MINUTES}`),
    z.lte(MAX_SLA_MINUTES, `must be a number of minutes above 0, up to ${MAX_SLA_MINUTES}`),
  );

const INSIDE =
  'must name a Markdown file of the repository such as "docs/adr/ADR-{{issue_number}}.md", outside .git and .agentx';
const MarkdownFile = z.string().check(
  z.refine(
    (path) =>
      /\.(?:md|mdx|markdown|txt)$/i.test(path) &&
      !/^(?:[/\\]|[a-z]:)|(?:^|[/\\])(?:\.\.|\.git|\.agentx)(?:[/\\]|$)/i.test(path),
    {
      message: INSIDE,
    },
  ),
);

/** One step of a workflow, with defaults filled in. Field names are those of the file. */
export const WorkflowStep = z.strictObject({
  id: Text,
  title: Text,
  agent: AgentName,
  needs: z._default(z.array(Text), []),
  optional: z._default(z.boolean(), false),
  condition: z.exactOptional(Text),
  iterate: z._default(z.boolean(), false),
  max_iterations: z._default(Count, 10),
  completion_criteria: z.exactOptional(Text),
  status_on_start: z.exactOptional(Text),
  status_on_complete: z.exactOptional(Text),
  output: z.exactOptional(Text),
  template: z.exactOptional(Text),
  /** The artifact to which AgentX adds the clarifications of this step's agent. */
  writes_answers: z.exactOptional(MarkdownFile),
  can_clarify: z._default(z.array(AgentName), []),
  /** By default, five rounds when blocking and six when not. */
  clarify_max_rounds: z.exactOptional(Count),
  clarify_sla_minutes: z._default(Minutes, DEFAULT_SLA_MINUTES),
  clarify_blocking_allowed: z._default(z.boolean(), true),
});
export type WorkflowStep = Shape<typeof WorkflowStep>;

export const Workflow = z.strictObject({
  workflow: z.strictObject({ name: Text, description: z._default(z.string(), ''), type: z.exactOptional(Text) }),
  steps: z.array(WorkflowStep).check(z.minLength(1, 'must have at least one [[steps]] table')),
});
export type Workflow = Shape<typeof Workflow>;

/** The first step of a run that is to ask first: its questions are answered before any other step begins. */
export const CLARIFY_FIRST = 'clarify-first';

/** Ids of the steps that must be done before a step can start, directly or not. */
export function upstreamOf(workflow: Pick<Workflow, 'steps'>, stepId: string): ReadonlySet<string> {
  const needsOf = new Map(workflow.steps.map((step) => [step.id, step.needs]));
  const upstream = new Set<string>();
  const queue = [...(needsOf.get(stepId) ?? [])];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (upstream.has(id)) continue;
    upstream.add(id);
    queue.push(...(needsOf.get(id) ?? []));
  }
  return upstream;
}

/** Whether the later step needs the earlier one, directly or not. */
export function isUpstream(workflow: Pick<Workflow, 'steps'>, earlierStep: string, laterStep: string): boolean {
  return upstreamOf(workflow, laterStep).has(earlierStep);
}

/** Whether two different steps may run at the same time, because neither needs the other. Both are ids of steps. */
export function areParallel(workflow: Pick<Workflow, 'steps'>, left: string, right: string): boolean {
  const isStep = (id: string): boolean => workflow.steps.some((step) => step.id === id);
  if (left === right || !isStep(left) || !isStep(right)) return false;
  return !isUpstream(workflow, left, right) && !isUpstream(workflow, right, left);
}

/** Fills `{{issue_number}}`, `{{title}}` and `{{slug}}` of a step's `title` or `output`. Other text stays. */
export function fillTemplate(text: string, issue: Pick<Issue, 'number' | 'title'>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name) => {
    if (name === 'issue_number') return String(issue.number);
    if (name === 'title') return issue.title;
    return name === 'slug' ? slugOf(issue) : placeholder;
  });
}

const MAX_SLUG_CHARACTERS = 60;

/** Safe in a file name whatever the title is; a title without a Latin letter or digit gives `issue-42`. */
function slugOf({ number, title }: Pick<Issue, 'number' | 'title'>): string {
  const words = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, MAX_SLUG_CHARACTERS).replace(/^-|-$/g, '') || `issue-${number}`;
}

import { section } from '../hub/brief.js';
import type { Brief } from '../protocol/brief.js';
import { evidenceLines, type PlanningRequest } from '../protocol/needs-clarification.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import { type Place, type RunContext, readIssue } from './context.js';
import { workBrief } from './work-brief.js';
import { answersIn } from './work-prompt.js';

export interface Inquiry {
  /** The turn that asked. */
  readonly place: Place;
  readonly from: string;
  readonly request: PlanningRequest;
  /** The investigator's own part in the step. */
  readonly step: WorkflowStep;
}

/** What the asker knows, and what it would ask a human. */
export async function investigationBrief(
  context: RunContext<'store' | 'artifacts' | 'roles' | 'recall' | 'settings'>,
  inquiry: Inquiry,
  turn: number,
): Promise<Brief> {
  const { place, from, request, step } = inquiry;
  const issue = await readIssue(context);
  const { role: _, ...askerBrief } = await workBrief(context, place, { issue, clarifications: [] });
  const role = await context.ports.roles.of(step.agent);
  const { blocker_type, question, options, evidence } = request;
  const brief = {
    ...askerBrief,
    agent: step.agent,
    ...(role === undefined ? {} : { role }),
    step: { id: step.id, title: step.title, can_clarify: [], turn },
    refused: [],
    request: { from, blocker_type, question, options, evidence },
  };
  return { ...brief, prompt: investigationPrompt(brief, inquiry) };
}

const HOW_TO_REPLY =
  'One JSON object, or plain text for "text" alone. "text": where you looked and what you found, or that it is not there; ' +
  'name only files that exist. "answer": only where what you found decides the question: then no human is asked, and the ' +
  'work goes on with it. Do not guess an answer, and change nothing.';

function investigationPrompt(brief: Omit<Brief, 'prompt'>, { from, request }: Inquiry): string {
  const { agent, role = '', issue, artifacts } = brief;
  const options = request.options.map(({ id, label }) => `${id}) ${label}`);
  return [
    role,
    `You are the ${agent}. The ${from} cannot decide a question about issue #${issue.number} and would ask a human. ` +
      'Find out first whether the code, its history or the documents decide it.',
    section(`Issue #${issue.number}: ${issue.title}`, issue.body),
    section('The question', [request.question, ...options].join('\n')),
    section('What was tried', evidenceLines(request.evidence).join('\n')),
    ...answersIn(brief),
    ...artifacts.map(({ path, agent: author, content }) => section(`${path} (${author ?? from})`, content)),
    section('How to reply', HOW_TO_REPLY),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

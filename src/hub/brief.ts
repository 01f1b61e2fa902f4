import { autonomyBrief } from '../protocol/autonomy.js';
import type { Artifact, Brief } from '../protocol/brief.js';
import { type ClarificationRecord, lastQuestion } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { fillTemplate, upstreamOf, type Workflow, type WorkflowStep } from '../protocol/workflow.js';
import { answersFor } from './ask-humans.js';
import { clarificationsFor, spoken, toldClarification } from './brief-clarifications.js';
import type { NearDecision } from './decided-before.js';
import { guideOf, type IssueView, requireIssue } from './issue.js';
import type { BriefPorts } from './ports.js';
import { relatedDecisions } from './related-decisions.js';
import { whomItMayAsk } from './scope.js';
import { chainIn } from './wait-graph.js';

/** Everything the target needs to answer the present round of a clarification. */
export async function answerBrief(
  ports: BriefPorts,
  record: ClarificationRecord,
  { refused = [], near = [] }: { readonly refused?: Brief['refused']; readonly near?: readonly NearDecision[] } = {},
): Promise<Brief> {
  const { issueNumber } = parseClarificationId(record.id);
  const issue = await requireIssue(ports, issueNumber);
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const otherRecords = clarifications.filter(({ id }) => id !== record.id);
  const chain = chainIn(clarifications, record);
  const { artifacts, canClarify } = await whatGuides(ports, record, issue);
  const role = await ports.roles.of(record.to);
  const { id, from, topic, round, maxRounds, thread } = record;
  const { body: question } = lastQuestion(record);
  const toldClarifications = clarificationsFor(record.to, otherRecords);
  const toldIds = new Set(toldClarifications.map((one) => one.id));
  const brief = {
    kind: 'answer' as const,
    agent: record.to,
    ...(role === undefined ? {} : { role }),
    issue,
    clarification: {
      id,
      from,
      chain,
      topic,
      question,
      round,
      maxRounds,
      thread,
      // Asking an agent that waits for this answer would close a circle.
      can_clarify: canClarify.filter((name) => !chain.includes(name)),
    },
    artifacts,
    clarifications: toldClarifications,
    answers: record.questions === undefined ? [] : await answersFor(ports, record),
    refused,
    autonomy: autonomyBrief(ports.settings),
    ...(near.length === 0
      ? {}
      : await relatedDecisions(ports, {
          record,
          question,
          near,
          told: otherRecords.filter(({ id }) => toldIds.has(id)),
        })),
  };
  return { ...brief, prompt: promptOf(brief) };
}

/** What the workflow adds to a brief. */
interface Guidance {
  readonly artifacts: readonly Artifact[];
  readonly canClarify: readonly string[];
}

/** An artifact or a workflow that cannot be read must not keep the question from its target. */
async function whatGuides(
  ports: Pick<BriefPorts, 'store' | 'log' | 'workflows' | 'artifacts'>,
  record: ClarificationRecord,
  issue: IssueView,
): Promise<Guidance> {
  try {
    const { located, running } = await guideOf(ports, issue);
    const { workflow } = located;
    const authors = new Map(
      upstreamSteps(workflow, record).flatMap(({ output, agent }) =>
        output === undefined ? [] : [[fillTemplate(output, issue), agent]],
      ),
    );
    const artifacts = authors.size === 0 ? [] : await ports.artifacts.read([...authors.keys()], issue.number);
    return {
      artifacts: artifacts.map((artifact) => withAuthor(artifact, authors.get(artifact.path))),
      canClarify: whomItMayAsk(located, { from: record.to, running }),
    };
  } catch (error) {
    ports.log.warn('a brief goes without artifacts', { clarificationId: record.id, error: messageOf(error) });
    return { artifacts: [], canClarify: [] };
  }
}

/** What the target wrote itself, and what the requester works from. */
function upstreamSteps(workflow: Workflow, { from, to }: ClarificationRecord): readonly WorkflowStep[] {
  const neededSteps = workflow.steps
    .filter(({ agent }) => agent === from)
    .flatMap(({ id }) => [...upstreamOf(workflow, id)]);
  return workflow.steps.filter((step) => step.agent === to || neededSteps.includes(step.id));
}

function withAuthor(artifact: Artifact, agent: string | undefined): Artifact {
  return artifact.agent !== undefined || agent === undefined ? artifact : { ...artifact, agent };
}

const IF_DECIDED_BEFORE =
  'If one of these decides the question, give that answer and name its id. If the question is another one, they bind you to nothing.';

type AnswerBrief = Omit<Brief, 'prompt'> & { readonly clarification: NonNullable<Brief['clarification']> };

/** The whole brief as one text, for agents that read nothing else. */
function promptOf(brief: AnswerBrief): string {
  const { agent, role = '', issue, clarification, artifacts, clarifications, answers, refused, memory = '' } = brief;
  const { id, from, chain = [], topic, question, round, maxRounds, thread } = clarification;
  const behalf = chain.length > 1 ? ` on behalf of the ${chain.slice(0, -1).toReversed().join(', of the ')}` : '';
  const earlier = thread.slice(
    0,
    thread.findLastIndex(({ type }) => type === 'question'),
  );
  return [
    role,
    `You are the ${agent}. The ${from} asks you${behalf} for a clarification on issue #${issue.number}.`,
    'Answer specifically and briefly, in one or two paragraphs of at most ' +
      `${MAX_ANSWER_CHARACTERS} characters. State the decision first; say so if you do not know.`,
    section(`Issue #${issue.number}: ${issue.title}`, issue.body),
    section(`Topic: ${topic} (${id}, round ${round} of ${maxRounds})`, question),
    section('What was said before in this clarification', earlier.map(spoken).join('\n\n')),
    section('Answers from humans', answers.map(answered).join('\n')),
    section('Your other clarifications on this issue', clarifications.map(toldClarification).join('\n')),
    memory === '' ? '' : `${memory}\n\n${IF_DECIDED_BEFORE}`,
    section('What did not work in your last turn', refused.map(({ message }) => `- ${message}`).join('\n')),
    section('What you may decide', brief.autonomy?.text ?? ''),
    ...artifacts.map(({ path, agent, content }) => section(agent === undefined ? path : `${path} (${agent})`, content)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A part of a prompt under its heading; nothing if the part is empty. */
export function section(title: string, body: string): string {
  return body.trim() === '' ? '' : `## ${title}\n\n${body.trim()}`;
}

function answered({ text, answer, outcome }: Brief['answers'][number]): string {
  return `- ${text} -> ${answer === '' ? `no answer (${outcome})` : answer}`;
}

import { restsOn } from '../memory/artifact-sections.js';
import type { Artifact, Brief } from '../protocol/brief.js';
import type { ClarificationRecord, RestsOn } from '../protocol/clarification.js';
import { messageOf } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { fillTemplate, upstreamOf, type Workflow, type WorkflowStep } from '../protocol/workflow.js';
import { answersFor } from './ask-humans.js';
import { clarificationsFor, spoken, toldClarification } from './brief-clarifications.js';
import { chainIn } from './chain.js';
import { guideOf, type IssueView, requireIssue } from './issue.js';
import type { RoutePorts } from './ports.js';
import { relatedDecisions } from './related-decisions.js';
import { whomItMayAsk } from './scope.js';

/** Everything the target needs to answer the present round of a clarification. */
export async function answerBrief(
  ports: RoutePorts,
  record: ClarificationRecord,
  refused: Brief['refused'] = [],
): Promise<Brief> {
  const { issueNumber } = parseClarificationId(record.id);
  const issue = await requireIssue(ports, issueNumber);
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const others = clarifications.filter(({ id }) => id !== record.id);
  const chain = chainIn(clarifications, record);
  const { artifacts, canClarify } = await whatGuides(ports, record, issue);
  const role = await ports.roles.of(record.to);
  const { id, from, topic, round, maxRounds, thread } = record;
  const question = lastQuestion(record);
  const told = clarificationsFor(record.to, others);
  const toldIds = new Set(told.map((one) => one.id));
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
    clarifications: told,
    answers: record.questions === undefined ? [] : await answersFor(ports, record),
    refused,
    ...(await relatedDecisions(ports, { record, question, told: others.filter(({ id }) => toldIds.has(id)) })),
  };
  return { ...brief, prompt: promptOf(brief) };
}

/** The sections of artifacts that an answer rests on, among those that its brief held. */
export function sectionsBehind(
  record: ClarificationRecord,
  { answer, artifacts }: { readonly answer: string; readonly artifacts: readonly Artifact[] },
): readonly RestsOn[] {
  return artifacts.length === 0 ? [] : restsOn(artifacts, `${record.topic} ${lastQuestion(record)} ${answer}`);
}

/** What the workflow adds to a brief. */
interface Guidance {
  readonly artifacts: readonly Artifact[];
  readonly canClarify: readonly string[];
}

/** An artifact or a workflow that cannot be read must not keep the question from its target. */
async function whatGuides(ports: RoutePorts, record: ClarificationRecord, issue: IssueView): Promise<Guidance> {
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
  const needed = workflow.steps
    .filter(({ agent }) => agent === from)
    .flatMap(({ id }) => [...upstreamOf(workflow, id)]);
  return workflow.steps.filter((step) => step.agent === to || needed.includes(step.id));
}

function withAuthor(artifact: Artifact, agent: string | undefined): Artifact {
  return artifact.agent !== undefined || agent === undefined ? artifact : { ...artifact, agent };
}

function lastQuestion(record: ClarificationRecord): string {
  return record.thread.findLast(({ type }) => type === 'question')?.body ?? record.topic;
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

import { type Autonomy, autonomyBrief, levelInWords } from '../protocol/autonomy.js';
import { questionIdFor } from '../protocol/ids.js';
import type { TaskConfig } from '../protocol/orchestrator.js';
import { isSameCause, notifiedOrigin } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import type { Reply } from '../protocol/reply.js';
import { fitInto } from '../protocol/shorten.js';
import { meansTheSame } from '../protocol/similarity.js';
import { askHumans } from './ask.js';
import { keepAssumption } from './assumptions.js';
import { isDependencyManifest } from './dependency-manifests.js';
import type { AskHumansPorts } from './ports.js';

export type Proposal = NonNullable<Reply['proposes']>[number];

export interface ProposeRequest {
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  readonly kind: Proposal['kind'];
  readonly summary: string;
}

/** `approved` and `rejected`: a human has decided the same proposal of this run before and is not asked again. */
export interface ProposalDecision {
  readonly decision: 'automated' | 'notified' | 'held' | 'approved' | 'rejected';
  /** `held` waits for it. */
  readonly question?: Question;
}

const KEYS: Readonly<Record<Proposal['kind'], keyof Autonomy>> = {
  scope: 'scopeChanges',
  architecture: 'architectureDecisions',
  dependency: 'dependencyModifications',
};
const CHANGES: Readonly<Record<Proposal['kind'], string>> = {
  scope: 'a change of scope',
  architecture: 'an architecture decision',
  dependency: 'a change of dependencies',
};

/** `config.json` in the folder of the task, for agents that read files. Written only if it changed. */
export async function writeTaskConfig(
  ports: Pick<AskHumansPorts, 'store' | 'settings'>,
  issueNumber: number,
): Promise<void> {
  const { text, ...hilConfig } = autonomyBrief(ports.settings);
  const config: TaskConfig = { taskId: String(issueNumber), hilConfig, text };
  const storedConfig = await ports.store.tasks.readConfig(issueNumber);
  if (JSON.stringify(storedConfig) !== JSON.stringify(config)) await ports.store.tasks.writeConfig(issueNumber, config);
}

/** The proposals of a reply. A dependency manifest among its artifacts is one, declared or not. */
export function proposalsOf({ proposes = [], artifacts = [] }: Reply): readonly Proposal[] {
  const manifests = artifacts.map(({ path }) => path).filter(isDependencyManifest);
  if (manifests.length === 0 || proposes.some(({ kind }) => kind === 'dependency')) return proposes;
  return [...proposes, { kind: 'dependency', summary: `It changes ${manifests.join(', ')}` }];
}

/**
 * Goes ahead, goes ahead and notifies, or waits for a human, depending on the level of this kind of change. A human's no
 * holds whatever the level is now.
 */
export async function propose(ports: AskHumansPorts, request: ProposeRequest): Promise<ProposalDecision> {
  const level = ports.settings.autonomy[KEYS[request.kind]];
  const heldQuestion = await proposedBefore(ports, request, true);
  if (level === 'requires_approval') {
    const question = heldQuestion ?? (await holdForApproval(ports, request));
    return { decision: decisionIn(question), question };
  }
  if (heldQuestion !== undefined && isChosen(heldQuestion, 'reject')) {
    return { decision: 'rejected', question: heldQuestion };
  }
  if (level === 'automated') return { decision: 'automated' };
  const question = (await proposedBefore(ports, request, false)) ?? (await notify(ports, request));
  return { decision: 'notified', question };
}

async function notify(ports: AskHumansPorts, request: ProposeRequest): Promise<Question> {
  const { origin, issueNumber, agent, kind, summary } = request;
  const key = KEYS[kind];
  const { id } = await keepAssumption(ports, {
    origin: notifiedOrigin(origin),
    issueNumber,
    agent,
    decision: {
      decision: cut(summary),
      blocker_type: 'none',
      user_response: 'inferred_from_autonomy',
      reasoning: levelInWords(key, 'notify_and_proceed'),
      confidence: 'medium',
      risk_if_wrong: `unknown - it is ${CHANGES[kind]}`,
    },
  });
  const { question } = await askHumans(ports, {
    ...approval(request),
    blocking: false,
    parts: [
      {
        id: 'q1',
        text: `${cut(`${agent} goes ahead with ${CHANGES[kind]}: ${summary}`)}\nTo object: agentx assumptions reject ${id}`,
        createdAt: ports.clock.now(),
        options: [{ id: 'seen', label: 'Seen' }],
      },
    ],
  });
  return question;
}

async function holdForApproval(ports: AskHumansPorts, request: ProposeRequest): Promise<Question> {
  const { agent, kind, summary } = request;
  const { question } = await askHumans(ports, {
    ...approval(request),
    consequence: 'irreversible',
    parts: [
      {
        id: 'q1',
        text: `${cut(`${agent} proposes ${CHANGES[kind]}: ${summary}`)}\n${HOLDS}`,
        createdAt: ports.clock.now(),
        multiSelect: false,
        allowText: true,
        mustChoose: true,
        options: [
          { id: 'approve', label: 'Approve' },
          { id: 'reject', label: 'Reject' },
        ],
      },
    ],
  });
  return question;
}

/** Agents say the same again, or write the same file anew, when they come back with the answer. */
const HOLDS = 'Your decision holds for this whole run.';

function approval({ origin, issueNumber, agent, kind, summary }: ProposeRequest) {
  return {
    origin,
    issueNumber,
    agent,
    kind: 'approval',
    source: 'execute',
    sourceId: String(issueNumber),
    details: { proposal: { kind, summary: cut(summary) } },
  } as const;
}

/** Agents repeat their proposals when they come back with the answer. A question that was superseded decided nothing. */
async function proposedBefore(
  ports: Pick<AskHumansPorts, 'store'>,
  { origin, issueNumber, kind, summary }: ProposeRequest,
  isHeld: boolean,
): Promise<Question | undefined> {
  const { items } = await ports.store.questions.list({ issue: issueNumber });
  const own = questionIdFor(origin);
  return items.findLast(
    (question) =>
      question.id === own ||
      (question.kind === 'approval' &&
        question.blocking === isHeld &&
        question.outcome !== 'superseded' &&
        question.proposal?.kind === kind &&
        isSameCause(question.origin, origin) &&
        (question.proposal.summary === cut(summary) || meansTheSame(question.proposal.summary, summary))),
  );
}

/** Only an explicit yes is one. */
function decisionIn(question: Question): ProposalDecision['decision'] {
  if (question.status === 'open') return 'held';
  return isChosen(question, 'approve') ? 'approved' : 'rejected';
}

function isChosen({ outcome, responses = [] }: Question, option: 'approve' | 'reject'): boolean {
  return outcome === 'answered' && responses.some(({ optionIds = [] }) => optionIds.includes(option));
}

const MAX_CHARACTERS = 1800;

const cut = (text: string): string => fitInto(text, MAX_CHARACTERS);

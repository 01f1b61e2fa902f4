import { readRun } from '../hub/issue.js';
import type { BasePorts } from '../hub/ports.js';
import { writeNeedsClarification } from '../protocol/needs-clarification.js';
import type { Interaction, OrchestratorState } from '../protocol/orchestrator.js';
import { isOfRun } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import { decisionOf } from '../protocol/question-decision.js';
import { toEpochMs } from '../protocol/timestamp.js';

/*
 * A session is a run that plans. It may ask once, and the project has one open request at a time: both are claimed in
 * one update of the sessions' state, before the question is written. A claim whose question never came is given back.
 */

const MS_PER_MINUTE = 60_000;
/** Between a claim and its question lies one write. */
const CLAIM_MS = 60_000;

export interface Claim {
  readonly session: string;
  readonly questionId: string;
}

/** The reasons why it may not ask now; none means that it alone has the right to. */
export async function claimSession(
  ports: Pick<BasePorts, 'store' | 'clock'>,
  claim: Claim,
  openQuestions: readonly Question[],
): Promise<readonly string[]> {
  const at = ports.clock.now();
  return ports.store.orchestrator.update((state) => {
    const reasons = quotaProblems(state, claim, openQuestions);
    if (reasons.length > 0 || state.sessions[claim.session]?.question_id === claim.questionId) {
      return { next: state, result: reasons };
    }
    const session = {
      ...state.sessions[claim.session],
      clarification_pending: true,
      clarification_requested_at: at,
      phase: 'awaiting_clarification',
      question_id: claim.questionId,
    };
    return { next: withSession(state, claim.session, session), result: [] };
  });
}

/** Pure: one open request for each project, one request for each session. */
export function quotaProblems(
  { sessions }: OrchestratorState,
  { session, questionId }: Claim,
  openQuestions: readonly Question[],
): readonly string[] {
  const otherRequests = openQuestions
    .filter(({ id, kind }) => kind === 'pm_clarification' && id !== questionId)
    .map(({ id }) => id);
  const claims = Object.values(sessions)
    .filter(({ clarification_pending }) => clarification_pending)
    .flatMap(({ question_id }) => (question_id === undefined || question_id === questionId ? [] : [question_id]));
  const [otherRequest] = [...otherRequests, ...claims];
  const ownSession = sessions[session];
  const hasAsked = ownSession !== undefined && (ownSession.clarification_requested_at ?? null) !== null;
  return [
    ...(otherRequest === undefined ? [] : [`another request of the project is open (${otherRequest})`]),
    ...(hasAsked && ownSession.question_id !== questionId ? [`this session has asked once already (${session})`] : []),
  ];
}

/** Writes the state and the log of a planning request; called again, it writes nothing. */
export async function completeSession(ports: Pick<BasePorts, 'store' | 'log'>, question: Question): Promise<void> {
  const { kind, session, id, status } = question;
  if (kind !== 'pm_clarification') return;
  await ports.store.interactions.append(interactionOf(question, 'pending'));
  if (status === 'resolved') {
    await ports.store.interactions.append(
      interactionOf(question, question.outcome === 'fallback_applied' ? 'timeout' : 'resolved'),
    );
  }
  if (session === undefined) return;
  // The answer is not the plan yet: the run says when the plan is there. Without a run nothing would say so.
  const isPlanning = (await readRun(ports, question.issueNumber))?.id === session;
  const afterwards = isPlanning ? 'planning' : 'planning_complete';
  await ports.store.orchestrator.update((state) => {
    const knownSession = state.sessions[session];
    const isPending = status === 'open';
    const isKnown = knownSession?.question_id === id;
    // A session that does not wait any more knows of an end that came after the question was read.
    if (isKnown && (isPending || !knownSession.clarification_pending)) return { next: state, result: undefined };
    const next = {
      ...knownSession,
      clarification_pending: isPending,
      clarification_requested_at: question.createdAt,
      phase: isPending ? 'awaiting_clarification' : afterwards,
      question_id: id,
    };
    return { next: withSession(state, session, next), result: undefined };
  });
}

/** The step that asked has done its part, or the work has begun: the plan is there. */
export async function completePlanning(ports: Pick<BasePorts, 'store'>, runId: string, step?: string): Promise<void> {
  const isDue = (session: OrchestratorState['sessions'][string] | undefined) =>
    session !== undefined && !session.clarification_pending && session.phase === 'planning';
  const knownSession = (await ports.store.orchestrator.read()).sessions[runId];
  if (knownSession?.question_id === undefined || !isDue(knownSession)) return;
  const question = await ports.store.questions.read(knownSession.question_id);
  if (step !== undefined && !isOfRun(question?.origin, runId, step)) return;
  await ports.store.orchestrator.update((state) => {
    const session = state.sessions[runId];
    if (session === undefined || !isDue(session)) return { next: state, result: undefined };
    return { next: withSession(state, runId, { ...session, phase: 'planning_complete' }), result: undefined };
  });
}

/** A claim whose process died must not keep other sessions from asking. */
export async function releaseLostClaims(ports: Pick<BasePorts, 'store' | 'clock'>): Promise<void> {
  const now = toEpochMs(ports.clock.now());
  const { sessions } = await ports.store.orchestrator.read();
  for (const [name, session] of Object.entries(sessions)) {
    const { clarification_pending, clarification_requested_at: since, question_id } = session;
    if (!clarification_pending || question_id === undefined || !since || now - toEpochMs(since) < CLAIM_MS) continue;
    if ((await ports.store.questions.read(question_id)) !== undefined) continue;
    await releaseClaim(ports, { session: name, questionId: question_id });
  }
}

/** The session may ask again: its question was not written. */
export async function releaseClaim({ store }: Pick<BasePorts, 'store'>, { session, questionId }: Claim): Promise<void> {
  await store.orchestrator.update((state) => {
    const { question_id, ...rest } = state.sessions[session] ?? {};
    if (question_id !== questionId) return { next: state, result: undefined };
    const free = { ...rest, clarification_pending: false, clarification_requested_at: null, phase: 'planning' };
    return { next: withSession(state, session, free), result: undefined };
  });
}

function withSession(
  state: OrchestratorState,
  name: string,
  session: OrchestratorState['sessions'][string],
): OrchestratorState {
  return { ...state, sessions: { ...state.sessions, [name]: session } };
}

function interactionOf(question: Question, status: Interaction['status']): Interaction {
  const { id, session, createdAt, resolvedAt = null, outcome } = question;
  const isEnd = status !== 'pending';
  const decision = decisionOf(question) || (outcome ?? '');
  return {
    request_type: 'pm_clarification',
    status,
    content: contentOf(question),
    user_response: isEnd ? decision : null,
    resolved_at: isEnd ? resolvedAt : null,
    id: `${id}/${isEnd ? 'end' : 'pending'}`,
    ...(session === undefined ? {} : { session_id: session }),
    question_id: id,
    logged_at: isEnd ? (resolvedAt ?? createdAt) : createdAt,
  };
}

/** The whole request, in the form of 002. */
function contentOf({
  questions,
  blocker_type = 'none',
  evidence = {},
  fallback,
  consequence,
  createdAt,
  expiresAt,
}: Question): string {
  const [part] = questions;
  const minutes = expiresAt === undefined ? 0 : (toEpochMs(expiresAt) - toEpochMs(createdAt)) / MS_PER_MINUTE;
  return writeNeedsClarification(
    {
      blocker_type,
      evidence,
      question: part?.text ?? '',
      options: (part?.options ?? []).map(({ id, label }) => ({ id, label })),
      ...(consequence === 'irreversible' && { consequence }),
      ...(fallback === undefined
        ? {}
        : {
            fallback: {
              option: fallback.optionId ?? '',
              reasoning: fallback.reasoning ?? '',
              ...(fallback.risk === undefined ? {} : { risk: fallback.risk }),
            },
          }),
    },
    minutes,
  );
}

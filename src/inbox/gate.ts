import { beginningOf } from '../protocol/limits.js';
import { BLOCKERS, blockerOf, type PlanningRequest, problemsOf } from '../protocol/needs-clarification.js';
import type { Run } from '../protocol/run.js';
import { evidenceProblems, isPlaceholder } from './evidence.js';
import type { AskHumansPorts } from './ports.js';
import { questionsIn, routineIn } from './routine.js';
import { type Claim, claimSession, quotaProblems } from './session.js';

/*
 * The four conditions of 002 under which a planning agent may ask a human. They are a blocker of one of three kinds,
 * evidence that the agent tried everything else, the quota, and the planning phase. The quota is one open request for
 * each project, and one for each session. Each is checked against the real state, and a refusal names every one that
 * failed.
 */

/** The planning agent has to pass the gate, in whatever form it asks. */
export const GATED_AGENT = 'project-manager';

export interface GateRequest extends Claim {
  readonly issueNumber: number;
  readonly agent: string;
  readonly request: PlanningRequest;
  /** More than one is a conversation, not a request. */
  readonly questions: number;
  readonly phase?: Run['phase'];
}

export interface FailedCondition {
  readonly condition: 'request' | 'blocker_type' | 'evidence' | 'quota' | 'phase';
  readonly reason: string;
}

/**
 * The conditions that failed. If none did, the quota is claimed: no other request passes until the question has ended.
 */
export async function passGate(
  ports: Pick<AskHumansPorts, 'store' | 'clock' | 'paths'>,
  request: GateRequest,
): Promise<readonly FailedCondition[]> {
  const { items: openQuestions } = await ports.store.questions.list({ status: 'open' });
  const conditions = await failedConditions(ports, request, { isComplex: await isComplex(ports, request) });
  const quota =
    conditions.length > 0
      ? quotaProblems(await ports.store.orchestrator.read(), request, openQuestions)
      : await claimSession(ports, request, openQuestions);
  return [...conditions, ...quota.map((reason): FailedCondition => ({ condition: 'quota', reason }))];
}

/**
 * Whether an investigator's findings are all that is missing: a request that would be refused even with them is not
 * worth the turn. Claims nothing.
 */
export async function lacksFindings(
  ports: Pick<AskHumansPorts, 'store' | 'paths'>,
  gateRequest: GateRequest,
): Promise<boolean> {
  const { investigator_findings: findings = '', ...evidence } = gateRequest.request.evidence;
  if (!isPlaceholder(findings) || !(await isComplex(ports, gateRequest))) return false;
  const request = { ...gateRequest.request, evidence };
  if ((await failedConditions(ports, { ...gateRequest, request }, { isComplex: false })).length > 0) return false;
  const { items: openQuestions } = await ports.store.questions.list({ status: 'open' });
  return quotaProblems(await ports.store.orchestrator.read(), gateRequest, openQuestions).length === 0;
}

async function isComplex({ store }: Pick<AskHumansPorts, 'store'>, { issueNumber }: GateRequest): Promise<boolean> {
  const issue = await store.issues.read(issueNumber);
  return issue?.labels.some((label) => /^(?:complexity:)?complex$/i.test(label)) === true;
}

async function failedConditions(
  ports: Pick<AskHumansPorts, 'store' | 'paths'>,
  gateRequest: GateRequest,
  needs: { readonly isComplex: boolean },
): Promise<FailedCondition[]> {
  const { request, questions, issueNumber } = gateRequest;
  const paths = {
    exists: (path: string) => ports.paths.exists(path, issueNumber),
    isNameOfFile: (name: string) => ports.paths.isNameOfFile(name, issueNumber),
  };
  const evidence = await evidenceProblems(paths, request.evidence, needs);
  const phase = gateRequest.phase ?? (await ports.store.runs.read(issueNumber))?.phase ?? 'planning';
  const count = questions - 1 + Math.max(1, questionsIn(request.question));
  const routine = routineIn(request.question);
  return [
    ...problemsOf(request).map((reason) => ({ condition: 'request' as const, reason })),
    ...(count > 1 ? [{ condition: 'request' as const, reason: `it asks ${count} questions, not one` }] : []),
    ...(blockerOf(request) === undefined
      ? [{ condition: 'blocker_type' as const, reason: blockerProblem(request.blocker_type) }]
      : []),
    ...(routine === undefined
      ? []
      : [{ condition: 'blocker_type' as const, reason: `it asks about ${routine}, which the planning agent decides` }]),
    ...evidence.map((reason) => ({ condition: 'evidence' as const, reason })),
    ...(phase === 'planning'
      ? []
      : [{ condition: 'phase' as const, reason: 'planning is over: it decides and records an assumption' }]),
  ];
}

function blockerProblem(blocker: string): string {
  const reason = blocker === '' ? 'it names no blocker' : `'${beginningOf(blocker, 80)}' is no blocker`;
  return `${reason} (allowed: ${Object.keys(BLOCKERS).join(', ')})`;
}

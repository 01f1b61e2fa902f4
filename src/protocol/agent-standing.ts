import * as z from 'zod/mini';
import {
  AgentIssueStatus,
  AgentStatus,
  AgentStatusEntry,
  type AgentStatusFile,
  statusForIssue,
} from './agent-status.js';
import { AgentName, HUMAN, QuestionId } from './ids.js';
import type { QuestionSummary } from './question-summary.js';
import type { RunStanding } from './run-standing.js';
import type { Shape } from './shape.js';

/*
 * What every agent really does, beyond the status file. An agent whose run was interrupted does nothing. An agent that
 * needs a person's answer waits. If its issue was closed meanwhile, the agent is idle. If its run waits for nothing any
 * more, the agent is paused until a command goes on.
 */

const standing = {
  status: z.enum([...AgentStatus.options, 'interrupted', 'paused']),
  /** The question that a person has to answer first. */
  questionId: z.exactOptional(QuestionId),
  /** The command that goes on. */
  goOn: z.exactOptional(z.string()),
};

export const AgentStanding = z.extend(AgentIssueStatus, standing);
export type AgentStanding = Shape<typeof AgentStanding>;

const AgentStandingEntry = z.extend(AgentStatusEntry, {
  ...standing,
  issues: z.exactOptional(z.record(z.string(), AgentStanding)),
});
export type AgentStandingEntry = Shape<typeof AgentStandingEntry>;

export const AgentStandings = z.record(AgentName, AgentStandingEntry);
export type AgentStandings = Shape<typeof AgentStandings>;

export interface Surroundings {
  /** Runs that have not ended. */
  readonly runs: readonly RunStanding[];
  readonly openQuestions: readonly Pick<QuestionSummary, 'id' | 'issueNumber' | 'blocking' | 'agent'>[];
  /** Clarifications that a process was to have answered, but none does. */
  readonly unattended: ReadonlySet<string>;
  /** Closed issues whose run no process carries on. */
  readonly left: ReadonlySet<number>;
}

export function agentStandings(file: AgentStatusFile, surroundings: Surroundings): AgentStandings {
  return Object.fromEntries(
    Object.entries(file).map(([agent, entry]) => {
      const change = (issue: number | null) =>
        issue === null ? {} : changeOf(agent, issue, statusForIssue(entry, issue), surroundings);
      const issues = Object.entries(entry.issues ?? {}).map(([key, onIssue]) => [
        key,
        { ...onIssue, ...change(Number(key)) },
      ]);
      return [agent, { ...entry, ...change(entry.issue), ...(entry.issues && { issues: Object.fromEntries(issues) }) }];
    }),
  );
}

const BUSY: readonly string[] = ['working', 'clarifying', 'blocked-clarification'];

/** The issues that some agent works on according to the file: only there can anything differ. */
export function busyIssues(file: AgentStatusFile): ReadonlySet<number> {
  const issueNumbers = Object.values(file).flatMap((entry) => [
    ...(entry.issue !== null && BUSY.includes(entry.status) ? [entry.issue] : []),
    ...Object.entries(entry.issues ?? {}).flatMap(([key, { status }]) => (BUSY.includes(status) ? [Number(key)] : [])),
  ]);
  return new Set(issueNumbers);
}

/** The clarifications that agents answer according to the file, and since when. */
export function clarifyingIn(file: AgentStatusFile): readonly { readonly id: string; readonly since: string }[] {
  return Object.values(file).flatMap((entry) =>
    [entry, ...Object.values(entry.issues ?? {})].flatMap(({ status, clarificationId: id, ...entryFields }) => {
      const since = 'since' in entryFields ? entryFields.since : undefined;
      return status === 'clarifying' && id ? [{ id, since: since ?? entry.lastActivity }] : [];
    }),
  );
}

/** The difference from what the file says of an agent on an issue. */
function changeOf(
  agent: string,
  issue: number,
  { status, waitingOn, clarificationId }: AgentIssueStatus,
  { runs, openQuestions, unattended, left }: Surroundings,
): Partial<AgentStanding> {
  if (BUSY.includes(status) && left.has(issue)) return { status: 'idle' };
  if (!BUSY.includes(status) || (status === 'blocked-clarification' && waitingOn === HUMAN)) return {};
  const run = runs.find(({ issueNumber }) => issueNumber === issue);
  const blockingQuestions = openQuestions.filter((one) => one.blocking && one.issueNumber === issue);
  const ownQuestionId = blockingQuestions.find((one) => one.agent === agent)?.id;
  const goOn = run?.goOn === undefined ? {} : { goOn: run.goOn };
  if (run?.status === 'interrupted' && ownQuestionId === undefined) return { status: 'interrupted', ...goOn };
  // While people are asked, the answering agent may wait for them at some depth.
  const isLeft = status === 'clarifying' && unattended.has(clarificationId ?? '') && blockingQuestions.length === 0;
  if (run === undefined && isLeft) {
    return { status: 'interrupted', goOn: `agentx clarify route ${clarificationId}` };
  }
  // While a run is paused no agent in it works: every one that has not ended waits for the same people.
  const openQuestionIds = run?.status === 'paused' ? run.waitingOn.filter((id) => !run.ended.includes(id)) : [];
  const questionId = ownQuestionId ?? (status === 'working' ? openQuestionIds[0] : undefined);
  if (questionId !== undefined) return { status: 'blocked-clarification', waitingOn: HUMAN, questionId };
  return run?.status === 'paused' && openQuestionIds.length === 0 ? { status: 'paused', ...goOn } : {};
}

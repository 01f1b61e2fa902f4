import { AgentXError } from './errors.js';
import { parseClarificationId, parseIssueNumber } from './ids.js';

/**
 * What a process may do alone: carry on the run of an issue, have a clarification's target answer, or ask a question
 * unless it was asked before. Also: tell people the news, and add clarifications to an artifact of an issue.
 */
export type ClaimOn =
  | { readonly run: number }
  | { readonly route: string }
  | { readonly asking: number }
  | { readonly notify: 'people' }
  | { readonly writing: number };

/** The name of a server that carries on runs, in its claims. */
export const SERVER = 'agentx serve';

export interface ClaimHolder {
  /** The name of the process. */
  readonly by?: string;
  readonly pid?: number;
  readonly host?: string;
  readonly since?: string;
  /** For a process on another machine: the end of its lease, unless it renews the lease before. */
  readonly freeAt?: string;
}

/** INVALID_INPUT for an impossible issue or clarification. */
export function parseClaimOn(on: ClaimOn): ClaimOn {
  if ('route' in on) parseClarificationId(on.route);
  else if (!('notify' in on)) parseIssueNumber(issueOf(on));
  return on;
}

/** Refuses a process that wants the claim of another process, or writes with a claim that it has lost. */
export function claimRefused(on: ClaimOn, { by, pid, host, since, freeAt }: ClaimHolder = {}): AgentXError {
  const where = `process ${pid}${host === undefined ? '' : ` on ${host}`}`;
  const who = pid === undefined ? 'somebody else' : by === SERVER ? `${by}, ${where},` : where;
  const when = since === undefined ? '' : ` since ${since}`;
  const lease =
    freeAt === undefined ? '' : ` That process cannot be seen from here: if it is gone, try again after ${freeAt}.`;
  const details = {
    ...('route' in on ? { clarificationId: on.route } : 'notify' in on ? {} : { issueNumber: issueOf(on) }),
    by: by ?? null,
    pid: pid ?? null,
    host: host ?? null,
    since: since ?? null,
    freeAt: freeAt ?? null,
  };
  return new AgentXError('CONFLICT', `${subjectOf(on)} by ${who}${when}.${lease}`, details);
}

/** Refuses a write with a claim that its holder has given back. */
export function claimReleased({ token }: { readonly token: string }): AgentXError {
  return new AgentXError('CONFLICT', 'This claim was released: what it was for is free for others.', { token });
}

function issueOf(on: Exclude<ClaimOn, { readonly route: string } | { readonly notify: 'people' }>): number {
  if ('run' in on) return on.run;
  return 'asking' in on ? on.asking : on.writing;
}

function subjectOf(on: ClaimOn): string {
  if ('run' in on) return `Issue #${on.run} is run`;
  if ('route' in on) return `The answer to ${on.route} is awaited`;
  if ('notify' in on) return 'People are told the news';
  return 'asking' in on ? `Questions of issue #${on.asking} are asked` : `Answers of issue #${on.writing} are written`;
}

import { AgentXError } from './errors.js';
import { parseClarificationId, parseIssueNumber } from './ids.js';

/**
 * What a process may do alone: carry on the run of an issue, have a clarification's target answer, or ask a question
 * unless it was asked before. Also: write down a human's decision about an escalated clarification, tell people the news,
 * add clarifications to an artifact of an issue, and move observations of an issue to the archive and back.
 */
export type ClaimOn =
  | { readonly run: number }
  | { readonly route: string }
  | { readonly deciding: string }
  | { readonly asking: number }
  | { readonly notify: 'people' }
  | { readonly writing: number }
  | { readonly archiving: number };

/** The name of a server that carries on runs, in its claims. */
export const SERVER = 'agentx serve';

export interface ClaimHolder {
  /** The name of the process. */
  readonly by?: string | undefined;
  readonly pid?: number | undefined;
  readonly host?: string | undefined;
  readonly since?: string | undefined;
  /** For a process on another machine: the end of its lease, unless it renews the lease before. */
  readonly freeAt?: string | undefined;
}

/** Carries work out under a claim, and gives the claim back however the work ends. */
export async function underClaim<R>(
  claiming: Promise<{ release(): void | Promise<void> }>,
  work: () => Promise<R>,
): Promise<R> {
  const claim = await claiming;
  try {
    return await work();
  } finally {
    await claim.release();
  }
}

/** INVALID_INPUT for an impossible issue or clarification. */
export function parseClaimOn(on: ClaimOn): ClaimOn {
  const { clarificationId, issueNumber } = aboutOf(on);
  if (clarificationId !== undefined) parseClarificationId(clarificationId);
  if (issueNumber !== undefined) parseIssueNumber(issueNumber);
  return on;
}

/** Refuses a process that wants the claim of another process, or writes with a claim that it has lost. */
export function claimRefused(on: ClaimOn, { by, pid, host, since, freeAt }: ClaimHolder = {}): AgentXError {
  const holder = `process ${pid}${host === undefined ? '' : ` on ${host}`}`;
  const who = pid === undefined ? 'somebody else' : by === SERVER ? `${by}, ${holder},` : holder;
  const when = since === undefined ? '' : ` since ${since}`;
  const lease =
    freeAt === undefined ? '' : ` That process cannot be seen from here: if it is gone, try again after ${freeAt}.`;
  const details = {
    ...aboutOf(on),
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

interface About {
  readonly clarificationId?: string;
  readonly issueNumber?: number;
}

function aboutOf(on: ClaimOn): About {
  if ('notify' in on) return {};
  if ('route' in on) return { clarificationId: on.route };
  if ('deciding' in on) return { clarificationId: on.deciding };
  if ('run' in on) return { issueNumber: on.run };
  if ('archiving' in on) return { issueNumber: on.archiving };
  return { issueNumber: 'asking' in on ? on.asking : on.writing };
}

function subjectOf(on: ClaimOn): string {
  if ('run' in on) return `Issue #${on.run} is run`;
  if ('route' in on) return `The answer to ${on.route} is awaited`;
  if ('deciding' in on) return `A decision about ${on.deciding} is written`;
  if ('notify' in on) return 'People are told the news';
  if ('archiving' in on) return `What is remembered of issue #${on.archiving} is changed`;
  return 'asking' in on ? `Questions of issue #${on.asking} are asked` : `Answers of issue #${on.writing} are written`;
}

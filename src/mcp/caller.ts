import type { Surroundings } from '../app/environment.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName, parseIssueNumber, RESERVED_NAMES } from '../protocol/ids.js';
import { originInAnswer, originInTurn, originOfWords } from '../protocol/origin.js';
import type { Client } from './client.js';

/** The agent or person on whose behalf a client calls, as far as its environment says. */
export interface Caller
  extends Pick<Surroundings, 'agent' | 'issue' | 'step' | 'clarification' | 'turn' | 'principal'> {
  readonly client: Client;
  /** Whether no person sits at the client. */
  readonly isHeadless: boolean;
}

export interface Asker {
  readonly agent: string;
  /** Whether only the name of its client is known of the agent. */
  readonly isGuest: boolean;
}

/** The agent that calls. An agent that we started may name no other, and no agent may name a human. */
export function askerOf({ agent: own, client }: Caller, namedAgent?: string): Asker {
  const name = namedAgent ?? own;
  if (name === undefined) return { agent: guestName(client.name), isGuest: true };
  const agent = parseAgentName(name);
  if (RESERVED_NAMES.includes(agent)) {
    throw new AgentXError(
      'UNAUTHORIZED',
      `A client cannot act as '${agent}'. Call with from, the agent that you are.`,
      {
        from: agent,
      },
    );
  }
  if (own === undefined || agent === parseAgentName(own)) return { agent, isGuest: false };
  throw new AgentXError('UNAUTHORIZED', `Agent '${own}' may not act in the name of '${agent}'. Leave out from.`, {
    agent: own,
    from: agent,
  });
}

/** The issue that a call is about; undefined if neither the call nor the environment names one. */
export function issueOf({ issue: own }: Caller, namedIssue?: number): number | undefined {
  return namedIssue ?? (own === undefined ? undefined : parseIssueNumber(own));
}

export function requireIssue(caller: Caller, namedIssue?: number): number {
  const issue = issueOf(caller, namedIssue);
  if (issue !== undefined) return issue;
  throw new AgentXError('INVALID_INPUT', 'Which issue? Call again with issue, a number. list_ready shows the issues.');
}

/**
 * The cause of a question: a client that was interrupted, or whose call took too long, asks again with the same words
 * and gets the same question.
 */
export function originOf({ turn, clarification }: Caller, who: readonly string[], words: readonly string[]): string {
  if (turn !== undefined) return originInTurn(turn, words);
  return clarification === undefined
    ? originOfWords([...who, ...words])
    : originInAnswer(clarification, [...who, ...words]);
}

function guestName(client = ''): string {
  const name = client
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 64);
  try {
    return RESERVED_NAMES.includes(name) ? 'mcp-client' : parseAgentName(name);
  } catch {
    return 'mcp-client';
  }
}

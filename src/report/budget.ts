import * as z from 'zod/mini';
import type { Store } from '../ports/store.js';
import { Brief } from '../protocol/brief.js';
import { type Config, contextTokensOf } from '../protocol/config.js';
import { bandOf, type ContextBudget, type ContextPart, contextOf, partOf } from '../protocol/context-budget.js';
import type { AgentXError } from '../protocol/errors.js';
import type { Session, SessionTurn } from '../protocol/session.js';

export interface BudgetRequest {
  readonly agent?: string;
  readonly issueNumber?: number;
}

export interface BudgetResult {
  /** Fullest first. */
  readonly budgets: readonly ContextBudget[];
  readonly damaged: readonly AgentXError[];
}

/** The windows of all current sessions; for an agent without one, that of its last. */
export async function contextBudget(
  ports: { readonly store: Store; readonly config: Pick<Config, 'agents'> },
  { agent, issueNumber }: BudgetRequest = {},
): Promise<BudgetResult> {
  const { items, damaged } = await ports.store.sessions.list({ issue: issueNumber });
  const matching = items.filter((session) => agent === undefined || session.agent === agent);
  const agents = [...new Set(matching.map((session) => session.agent))];
  const current = agents.flatMap((name) => {
    const sessions = matching.filter((session) => session.agent === name);
    const open = sessions.filter(({ endedAt }) => endedAt === undefined);
    return open.length > 0 ? open : sessions.slice(-1);
  });
  const budgets = current.map((session) => budgetOf(session, contextTokensOf(ports.config, session.agent)));
  return { budgets: budgets.toSorted((a, b) => b.share - a.share || (a.sessionId < b.sessionId ? -1 : 1)), damaged };
}

/** What the last brief of a session put into the window, and what the agent has said since the first. */
export function budgetOf(session: Session, contextTokens: number): ContextBudget {
  const { agent, issueNumber, id: sessionId, step, turns, endedAt } = session;
  const conversation = partOf('conversation', turns.map(saidIn));
  const parts = [...contextOfTurn(turns.at(-1)), conversation].filter(
    ({ part: name, tokens }) => tokens > 0 || name === 'memory',
  );
  const usedTokens = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const share = usedTokens / contextTokens;
  const isEnded = endedAt !== undefined;
  return { agent, issueNumber, sessionId, step, isEnded, contextTokens, usedTokens, share, band: bandOf(share), parts };
}

/** As measured when the brief was given; for a turn without a measurement, the stored parts of its brief. */
function contextOfTurn(turn: SessionTurn | undefined): readonly ContextPart[] {
  if (turn?.context !== undefined) return turn.context;
  const brief = z.safeParse(Brief, { prompt: '', ...turn?.brief });
  if (brief.success) return contextOf(brief.data, turn?.promptTokens);
  return [{ part: 'other', tokens: turn?.promptTokens ?? 0, items: 1 }];
}

function saidIn({ reply, error = '' }: SessionTurn): string {
  return reply === undefined ? error : JSON.stringify(reply);
}

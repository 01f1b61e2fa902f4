import * as z from 'zod/mini';
import type { TurnOptions } from '../../ports/runner.js';
import type { AgentCliName } from '../../protocol/config.js';
import type { CliUsage } from './agent-cli.js';
import type { Snapshot } from './changed-files.js';

/*
 * What the runner keeps of a conversation: the session by which the CLI itself goes on with it, and how the repository
 * looked before the current turn. So a process that takes the turn again knows what the turn has changed.
 */

const Count = z.int().check(z.gte(0));
const Usage = z.looseObject({
  inputTokens: Count,
  cachedTokens: Count,
  outputTokens: Count,
  cost: z.exactOptional(z.number()),
});

const CliState = z.looseObject({
  session: z.exactOptional(z.string()),
  turn: z.exactOptional(z.string()),
  isDone: z.exactOptional(z.boolean()),
  before: z.exactOptional(z.looseObject({ head: z.string(), files: z.record(z.string(), z.string()) })),
  transcript: z.exactOptional(z.string()),
  usage: z.exactOptional(Usage),
  past: z.exactOptional(Usage),
});

export interface CliState {
  readonly session?: string;
  /** The turn that is under way, or was last. */
  readonly turn?: string;
  /** Whether that turn ended with an answer. */
  readonly isDone?: boolean;
  readonly before?: Snapshot;
  /** The file in which the CLI keeps the conversation. */
  readonly transcript?: string;
  /** Of the whole conversation, and of what came before the present session. */
  readonly usage?: CliUsage;
  readonly past?: CliUsage;
}

export const formatOf = (name: AgentCliName): string => `${name}/1`;

/** Empty for a conversation that begins, or that another runner kept. */
export function stateIn(name: AgentCliName, transcript: TurnOptions['transcript']): CliState {
  if (transcript?.format !== formatOf(name)) return {};
  const parsed = z.safeParse(CliState, transcript.state);
  return parsed.success ? parsed.data : {};
}

import type { TurnOptions } from '../../ports/runner.js';
import type { AgentCliName } from '../../protocol/config.js';
import type { Usage } from '../../protocol/usage.js';
import { type AgentCli, type CliUsage, NO_USAGE } from './agent-cli.js';
import { type Snapshot, takeSnapshot } from './changed-files.js';
import { type CliState, formatOf, stateIn } from './cli-state.js';

/** What is kept of a conversation with a CLI while a turn of it goes on: every write is durable before the next one. */
export class Conversation {
  #state: CliState;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: AgentCliName,
    private readonly turn: Pick<TurnOptions, 'turn' | 'transcript' | 'keep'>,
  ) {
    this.#state = stateIn(name, turn.transcript);
  }

  get state(): CliState {
    return this.#state;
  }

  /**
   * How the repository looked before the turn. For a turn that is taken again, or that follows one that failed, it is
   * how it looked before that one: what was changed then belongs to this turn.
   */
  async snapshot(cwd: string): Promise<Snapshot | undefined> {
    const { before, isDone = false, turn } = this.#state;
    const isOfThisTurn = before !== undefined && (!isDone || turn === this.turn.turn);
    const snapshot = isOfThisTurn ? before : await takeSnapshot(cwd);
    const { turn: id } = this.turn;
    await this.#keep({
      isDone: false,
      ...(snapshot === undefined ? {} : { before: snapshot }),
      ...(id === undefined ? {} : { turn: id }),
    });
    return snapshot;
  }

  async keepSession(session: string): Promise<void> {
    await this.#keep({ session, ...this.#past() });
  }

  /** As soon as the CLI reports it: if this process is killed in mid-turn, another one can go on. */
  noteSession(session: string): void {
    if (session !== this.#state.session) void this.#keep({ session, ...this.#past() });
  }

  /** What was used before a session begins. */
  #past(): Pick<CliState, 'past'> {
    const { usage } = this.#state;
    return usage === undefined ? {} : { past: usage };
  }

  /** Adds what the turn used. Figures of the whole session stand for what was noted of it before. */
  noteUsage(usage: CliUsage, totals: AgentCli['totals']): void {
    const { usage: before = NO_USAGE, past = NO_USAGE } = this.#state;
    const tokens = totals.includes('tokens') ? past : before;
    const cost = totals.includes('cost') ? past.cost : before.cost;
    const total = [cost, usage.cost].filter((part) => part !== undefined);
    void this.#keep({
      usage: {
        inputTokens: tokens.inputTokens + usage.inputTokens,
        cachedTokens: tokens.cachedTokens + usage.cachedTokens,
        outputTokens: tokens.outputTokens + usage.outputTokens,
        ...(total.length === 0 ? {} : { cost: total.reduce((sum, part) => sum + part, 0) }),
      },
    });
  }

  async end({ isDone, transcriptFile }: { readonly isDone: boolean; readonly transcriptFile: string | undefined }) {
    await this.#keep({ isDone, ...(transcriptFile === undefined ? {} : { transcript: transcriptFile }) });
  }

  #keep(news: CliState): Promise<void> {
    const state = { ...this.#state, ...news };
    this.#state = state;
    this.#writing = this.#writing.then(() =>
      this.turn.keep?.({ format: formatOf(this.name), state, ...usageOf(state) }),
    );
    // Thrown where it is waited for.
    this.#writing.catch(() => {});
    return this.#writing;
  }
}

/** A CLI tells neither how often it called the model nor how long that took. */
function usageOf({ usage }: CliState): { readonly usage?: Usage } {
  if (usage === undefined) return {};
  const { cost, inputTokens, outputTokens } = usage;
  const unpricedTokens = cost === undefined ? inputTokens + outputTokens : 0;
  return { usage: { ...usage, calls: 0, modelMs: 0, cost: cost ?? 0, unpricedTokens } };
}

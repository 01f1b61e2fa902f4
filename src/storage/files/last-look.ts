import type { ActiveClarification } from '../../ports/store.js';
import type { ChangeLog, Mark } from './change-log.js';

/** What other programs edit is found when everything is looked at again. */
const FRESH_MS = 1_000;

/** What was active at the last look at all ledgers, kept up with what our processes changed since. */
export class LastLook {
  #look: { readonly at: number; mark: Mark; readonly active: Map<number, readonly ActiveClarification[]> } | undefined;

  constructor(
    private readonly changes: ChangeLog,
    private readonly activeOf: (issueNumber: number) => readonly ActiveClarification[] | null,
  ) {}

  /** `mark` is from before the look, so that a change during it is looked at again. */
  remember(mark: Mark | undefined, found: readonly (readonly ActiveClarification[])[] | undefined): void {
    if (mark === undefined || found === undefined) {
      this.#look = undefined;
      return;
    }
    const active = new Map(found.map((records) => [records[0]?.issueNumber ?? 0, records]));
    this.#look = { at: performance.now(), mark, active };
  }

  /** Undefined if it is too long ago, or something is in doubt: then everything has to be looked at. */
  active(): Iterable<readonly ActiveClarification[]> | undefined {
    const look = this.#look;
    if (look === undefined || performance.now() - look.at > FRESH_MS) return undefined;
    const changed = this.changes.since(look.mark);
    if (changed === undefined) return undefined;
    try {
      for (const key of changed.keys) this.#lookAt(Number(key), look.active);
    } catch {
      return undefined;
    }
    look.mark = changed.mark;
    return look.active.values();
  }

  #lookAt(issueNumber: number, active: Map<number, readonly ActiveClarification[]>): void {
    const records = this.activeOf(issueNumber);
    if (records === null) active.delete(issueNumber);
    else active.set(issueNumber, records);
  }
}

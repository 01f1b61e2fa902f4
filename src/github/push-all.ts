import { AgentXError } from '../protocol/errors.js';
import type { GitHubSync, GoneIssue } from '../protocol/github.js';
import { isEmptyPlan } from './desired-state.js';
import type { SyncPorts } from './ports.js';
import { type Parcel, type PushOptions, parcelOf, pushIssue } from './push.js';
import { readable, recordsOf } from './records.js';

/*
 * Sends the changes that GitHub lacks, issue after issue, because GitHub wants requests one after the other. The disk
 * is slower than a quick GitHub. So one write notes the numbers of many issues before the first comment is posted, and
 * one write notes the results of all of them afterwards.
 */

/** How many issues share these writes. After a crash, the next sync looks at as many again. */
const TOGETHER = 25;

export interface PushAllOptions extends Pick<PushOptions, 'client' | 'requireClaim' | 'isPatient'> {
  readonly onSent: (count: number, gone?: GoneIssue) => void;
}

/** Sends every issue with a record that changed since the last look, and every issue that was left then. */
export async function pushAll(ports: SyncPorts, { onSent, ...options }: PushAllOptions): Promise<void> {
  const { mirror, clock } = ports;
  const at = clock.now();
  const changes = await mirror.changes();
  const state = await mirror.sync.read();
  const { unsent: unsentBefore = [], sending = [] } = state ?? {};
  const numbers = await numbersToLookAt(ports, [...unsentBefore, ...sending], changes.changed);
  const find = await finder(ports, new Set(sending));
  const outbox = new Outbox(ports, state);
  for (let start = 0; start < numbers.length; start += TOGETHER) {
    const parcels: Parcel[] = [];
    for (const number of numbers.slice(start, start + TOGETHER)) {
      const parcel = await find(number);
      if (parcel !== undefined) parcels.push(parcel);
    }
    await outbox.noteSending(parcels);
    for (const [index, parcel] of parcels.entries()) {
      const { count, failure, gone, ...rest } = await pushIssue(ports, parcel, { ...options, ...outbox.options });
      onSent(count, gone);
      outbox.noteEnd(parcel.records.issue.number, rest);
      if (failure === undefined) continue;
      // Nothing is noted for the issues that were not reached: the next sync looks at the same changes again.
      for (const { records, isInDoubt } of parcels.slice(index + 1)) {
        outbox.noteEnd(records.issue.number, { isLeft: false, isInDoubt });
      }
      await outbox.end(failure, unsentBefore);
      throw failure;
    }
    await outbox.written();
  }
  await outbox.end();
  await changes.keep();
  mirror.noteChecked(at);
}

/** The notes about issues, before and after they are sent. */
class Outbox {
  readonly options = {
    later: (write: () => Promise<void>) => {
      this.#writes.push(write);
    },
    onLogin: (login: string) => {
      if (login !== '') this.#login = login;
    },
  };
  readonly #writes: (() => Promise<void>)[] = [];
  #login: string | undefined;
  readonly #left = new Set<number>();
  readonly #inDoubt: Set<number>;

  constructor(
    private readonly ports: Pick<SyncPorts, 'mirror' | 'repo'>,
    state: GitHubSync | undefined,
  ) {
    this.#login = state?.login;
    this.#inDoubt = new Set(state?.sending);
  }

  async noteSending(parcels: readonly Parcel[]): Promise<void> {
    const posting = parcels
      .filter(({ plan }) => plan.posts.length + plan.addLabels.length > 0)
      .map(({ records }) => records.issue.number);
    if (posting.every((number) => this.#inDoubt.has(number))) return;
    for (const number of posting) this.#inDoubt.add(number);
    await this.#note({ sending: this.#inDoubt });
  }

  noteEnd(number: number, { isLeft, isInDoubt }: { readonly isLeft: boolean; readonly isInDoubt: boolean }): void {
    if (isLeft) this.#left.add(number);
    if (!isInDoubt) this.#inDoubt.delete(number);
  }

  async written(): Promise<void> {
    await Promise.all(this.#writes.splice(0).map((write) => write()));
  }

  async end(failure?: unknown, unsent: readonly number[] = []): Promise<void> {
    await this.written();
    // Another process sends now: its notes are not ours to change.
    if (failure instanceof AgentXError && failure.code === 'LOCK_LOST') return;
    await this.#note({ unsent: new Set([...unsent, ...this.#left]), sending: this.#inDoubt });
  }

  async #note(change: { readonly unsent?: Iterable<number>; readonly sending: Iterable<number> }): Promise<void> {
    const { mirror, repo } = this.ports;
    const next = (current: GitHubSync = { repo, unsent: [] }): GitHubSync => {
      const { sending: _, ...rest } = current;
      const sendingNumbers = inOrder(change.sending);
      return {
        ...rest,
        repo,
        unsent: change.unsent === undefined ? rest.unsent : inOrder(change.unsent),
        ...(sendingNumbers.length > 0 && { sending: sendingNumbers }),
        ...(this.#login !== undefined && { login: this.#login }),
      };
    };
    const current = await mirror.sync.read();
    if (isSame(current, next(current))) return;
    await mirror.sync.update((state) => ({ next: next(state), result: undefined }));
  }
}

const inOrder = (numbers: Iterable<number>): number[] => [...new Set(numbers)].toSorted((left, right) => left - right);

function isSame(left: GitHubSync | undefined, right: GitHubSync): boolean {
  const contentOf = ({ repo, unsent, sending = [], login }: GitHubSync) =>
    JSON.stringify([repo, unsent, sending, login]);
  return left !== undefined && contentOf(left) === contentOf(right);
}

async function numbersToLookAt(
  ports: SyncPorts,
  unsentBefore: readonly number[],
  changedRecords: readonly { readonly kind: string; readonly id: string }[],
): Promise<readonly number[]> {
  // A clarification that waits becomes stale without a change of its file.
  const waitingIssues = (await ports.store.ledgers.list({ active: true })).items.map(({ issueNumber }) => issueNumber);
  return inOrder([...unsentBefore, ...(await issuesOf(ports, changedRecords)), ...waitingIssues]);
}

async function issuesOf(
  { store }: SyncPorts,
  changedRecords: readonly { readonly kind: string; readonly id: string }[],
): Promise<readonly number[]> {
  const numbers = new Set<number>();
  for (const { kind, id } of changedRecords) {
    const number = kind === 'questions' ? (await readable(() => store.questions.read(id)))?.issueNumber : Number(id);
    // Issue 0 stands for no issue.
    if (number !== undefined && number > 0) numbers.add(number);
  }
  return [...numbers];
}

/** Finds nothing for an issue that is not on GitHub, has nothing to send, or is damaged (reported by its readers). */
async function finder(ports: SyncPorts, inDoubt: ReadonlySet<number>) {
  // One listing for all issues: of thousands, most have no question.
  const withQuestions = new Set((await ports.store.questions.summaries()).items.map(({ issueNumber }) => issueNumber));
  return async (number: number): Promise<Parcel | undefined> => {
    const issue = await readable(() => ports.store.issues.read(number));
    if (issue?.github === undefined) return undefined;
    const records = await readable(() => recordsOf(ports, issue, withQuestions.has(number)));
    if (records === undefined) return undefined;
    const parcel = parcelOf(records, ports.audience, inDoubt.has(number));
    const { plan, isInDoubt } = parcel;
    return isEmptyPlan(plan) && plan.refused.length === 0 && !isInDoubt ? undefined : parcel;
  };
}

import type { Deliveries, GitHubMirror, GitHubSync, IssueDrafts } from '../protocol/github.js';
import type { ChangedDocument } from './changes.js';
import type { Update } from './store.js';

/** What a mirror of the records elsewhere must remember. An operation that resolves is durable. */
export interface MirrorStore {
  readonly sync: MirrorDocument<GitHubSync>;
  readonly drafts: MirrorDocument<IssueDrafts>;
  readonly deliveries: MirrorDocument<Deliveries>;
  /** Of one issue. */
  issue(issueNumber: number): MirrorDocument<GitHubMirror>;
  /** The right to sync, of one process at a time; LOCK_TIMEOUT if another has it for longer than that. */
  claim(options: { readonly waitMs: number; readonly signal?: AbortSignal | undefined }): Promise<SyncClaim>;
  /** Which records changed since `keep` was last called, by any program; all of them the first time. */
  changes(): Promise<ChangesSince>;
  /** Notes that GitHub was asked, without writing a document. */
  noteChecked(at: string): void;
  checkedAt(): string | undefined;
}

interface SyncClaim {
  /** Whether no other process took it over because this one stood still for long. */
  isMine(): boolean;
  release(): void;
}

export interface MirrorDocument<T> {
  read(): Promise<T | undefined>;
  update<R>(update: Update<T, R, T | undefined>): Promise<R>;
}

export interface ChangesSince {
  readonly changed: readonly ChangedDocument[];
  keep(): Promise<void>;
}

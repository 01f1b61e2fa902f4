import type { Session } from '../protocol/session.js';
import type { Listing, Update } from './store.js';

/** What agents were told and said, one document per session. */
export interface SessionStore {
  read(id: string): Promise<Session | undefined>;
  update<R>(id: string, update: Update<Session, R, Session | undefined>): Promise<R>;
  /** Oldest first; those of one issue where it is named. */
  list(issueNumber?: number): Promise<Listing<Session>>;
}

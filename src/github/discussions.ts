import { fnv1a64 } from '../protocol/derived-id.js';
import { emptyMirror, type GitHubMirror, type Note, type PostedComment, type UnsentItem } from '../protocol/github.js';
import type { GitHubClient } from './client.js';
import { named, readName } from './comment-name.js';
import { DELETED } from './desired-state.js';
import {
  createDiscussion,
  type Discussion,
  type Forum,
  findDiscussion,
  openForum,
  updateDiscussion,
} from './discussion-api.js';
import { GitHubFailure, isWaiting, troubleAfter } from './failure.js';
import type { SyncPorts } from './ports.js';

/*
 * Posts texts as discussions of their own. They belong to no issue, which is issue 0 here. Like a comment, each text
 * begins with a name. AgentX notes the name before it sends the text, and looks for it if the result is unknown.
 */

const NO_ISSUE = 0;

export async function keepForDiscussion({ mirror }: Pick<SyncPorts, 'mirror'>, note: Note): Promise<void> {
  await mirror.issue(NO_ISSUE).update((current = emptyMirror(NO_ISSUE)) => {
    // A person who posts the text again wants another try now.
    const { trouble: _, ...rest } = current;
    const earlierNote = current.notes.find(({ name }) => name === note.name);
    const others = current.notes.filter(({ name }) => name !== note.name);
    return { next: { ...rest, notes: [...others, { ...note, at: earlierNote?.at ?? note.at }] }, result: undefined };
  });
}

interface Sending {
  readonly client: GitHubClient;
  readonly requireClaim: () => void;
  /** Leaves what failed a while ago for later. */
  readonly isPatient: boolean;
}

/** Returns how many were sent. Throws a failure that concerns everything; other failures are kept for a later try. */
export async function pushDiscussions(ports: SyncPorts, sending: Sending): Promise<number> {
  const mirror = await ports.mirror.issue(NO_ISSUE).read();
  const waitingNotes = mirror === undefined ? [] : unsentNotes(mirror);
  const { trouble } = mirror ?? {};
  const now = ports.clock.now();
  if (waitingNotes.length === 0 || (sending.isPatient && isWaiting(trouble, now))) return 0;
  let forum: Forum | undefined;
  try {
    for (const { note, posted } of waitingNotes) {
      sending.requireClaim();
      forum ??= await openForum(sending.client, ports.discussionCategory);
      await keep(ports, await sendOne(ports, sending.client, { note, posted, forum }));
    }
    if (trouble !== undefined) await change(ports, ({ trouble: _, ...rest }) => rest);
    return waitingNotes.length;
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.scope === 'everything') throw error;
    await change(ports, (current) => ({ ...current, trouble: troubleAfter(current.trouble, error, now) }));
    return 0;
  }
}

interface Parcel {
  readonly note: Note;
  readonly posted: PostedComment | undefined;
  readonly forum: Forum;
}

async function sendOne(ports: SyncPorts, client: GitHubClient, parcel: Parcel): Promise<PostedComment> {
  const { note, posted, forum } = parcel;
  const body = named(note.name, note.body);
  const existingComment = posted !== undefined && posted.node === undefined ? await find(ports, client, note) : posted;
  if (existingComment?.node !== undefined) {
    if (existingComment.hash === fnv1a64(body)) return existingComment;
    try {
      return postedAs(note, body, await updateDiscussion(client, existingComment.node, body));
    } catch (error) {
      if (!(error instanceof GitHubFailure) || error.status !== 404) throw error;
      return { ...existingComment, refused: DELETED };
    }
  }
  await keep(ports, { name: note.name });
  return postedAs(note, body, await createDiscussion(client, forum, { title: note.title ?? note.name, body }));
}

/** The author is compared, because another person may have copied the text. */
async function find({ mirror }: SyncPorts, client: GitHubClient, note: Note): Promise<PostedComment | undefined> {
  const login = (await mirror.sync.read())?.login;
  const match = await findDiscussion(client, note.at, ({ body, login: author }) => {
    return readName(body)?.name === note.name && author === (login ?? author);
  });
  return match === undefined ? undefined : postedAs(note, match.body, match);
}

function postedAs({ name }: Note, body: string, { node, url, created }: Discussion): PostedComment {
  return { name, node, url, at: created, hash: fnv1a64(body) };
}

function keep(ports: Pick<SyncPorts, 'mirror'>, comment: PostedComment): Promise<void> {
  return change(ports, (current) => ({
    ...current,
    posted: [...current.posted.filter(({ name }) => name !== comment.name), comment],
  }));
}

function change({ mirror }: Pick<SyncPorts, 'mirror'>, update: (mirror: GitHubMirror) => GitHubMirror): Promise<void> {
  return mirror
    .issue(NO_ISSUE)
    .update((current = emptyMirror(NO_ISSUE)) => ({ next: update(current), result: undefined }));
}

function unsentNotes({ notes, posted }: GitHubMirror) {
  return notes.flatMap((note) => {
    const one = posted.find(({ name }) => name === note.name);
    const isDone = one?.node !== undefined && one.hash === fnv1a64(named(note.name, note.body));
    return isDone || one?.refused === DELETED ? [] : [{ note, posted: one }];
  });
}

export async function unsentDiscussions({ mirror }: Pick<SyncPorts, 'mirror'>): Promise<readonly UnsentItem[]> {
  const notebook = await mirror.issue(NO_ISSUE).read();
  const why = notebook?.trouble?.message;
  return notebook === undefined
    ? []
    : unsentNotes(notebook).map(({ note }) => ({
        what: `the discussion '${note.title ?? note.name}'`,
        ...(why !== undefined && { why }),
      }));
}

/** Where a discussion is, once GitHub has it. */
export async function discussionUrl({ mirror }: Pick<SyncPorts, 'mirror'>, name: string): Promise<string | undefined> {
  return (await mirror.issue(NO_ISSUE).read())?.posted.find((one) => one.name === name)?.url;
}

import { AgentXError } from '../protocol/errors.js';
import type { IssueDraft } from '../protocol/github.js';
import type { Issue } from '../protocol/issue.js';
import { defused } from '../render/github-text.js';
import type { GitHubClient } from './client.js';
import { namedIssue } from './comment-name.js';
import { GitHubFailure, isWaiting, troubleAfter } from './failure.js';
import type { SyncPorts } from './ports.js';
import { putIssue } from './pull.js';

/*
 * An issue gets its number from GitHub. Until then it is a draft, which is stored before it is sent. Its description
 * holds a name, by which a sync recognises an issue that a process created before it died.
 */

interface DraftOptions {
  readonly client: GitHubClient;
  readonly requireClaim: () => void;
}

/**
 * Undefined if GitHub refuses the text of the draft; the reason is noted in the draft. Any other refusal is thrown: it
 * may pass, and the draft can be sent again.
 */
export async function sendDraft(
  ports: SyncPorts,
  draft: IssueDraft,
  { client, requireClaim }: DraftOptions,
): Promise<Issue | undefined> {
  await changeDraft(ports, draft.id, (current) => ({ ...current, isSent: true }));
  requireClaim();
  try {
    const isByAgent = draft.isByAgent === true;
    const remote = await client.createIssue({
      title: isByAgent ? defused(draft.title) : draft.title,
      body: namedIssue(draft.id, isByAgent ? defused(draft.body) : draft.body),
      labels: draft.labels,
    });
    return (await putIssue(ports, remote, draft)).issue;
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.scope === 'everything') throw error;
    if (error.scope === 'text') {
      ports.log.warn('GitHub refuses an issue', { draft: draft.id, why: error.message });
      await changeDraft(ports, draft.id, ({ trouble: _, ...rest }) => ({
        ...rest,
        isSent: false,
        refused: error.message,
      }));
      return undefined;
    }
    const trouble = troubleAfter(draft.trouble, error, ports.clock.now());
    await changeDraft(ports, draft.id, ({ refused: _, ...rest }) => ({ ...rest, isSent: false, trouble }));
    throw error;
  }
}

/** Returns how many were sent. A draft that GitHub does not take now holds up no other draft. */
export async function sendDrafts(
  ports: SyncPorts,
  { isPatient, ...options }: DraftOptions & { readonly isPatient: boolean },
): Promise<number> {
  let sentCount = 0;
  for (const draft of (await ports.mirror.drafts.read())?.drafts ?? []) {
    if (draft.refused !== undefined || (isPatient && isWaiting(draft.trouble, ports.clock.now()))) continue;
    try {
      if ((await sendDraft(ports, draft, options)) !== undefined) sentCount += 1;
    } catch (error) {
      if (!(error instanceof GitHubFailure) || error.scope === 'everything') throw error;
    }
  }
  return sentCount;
}

export async function keepDraft({ mirror }: Pick<SyncPorts, 'mirror'>, draft: IssueDraft): Promise<IssueDraft> {
  return mirror.drafts.update((current) => {
    const drafts = current?.drafts ?? [];
    const sameDraft = drafts.find(({ id }) => id === draft.id);
    return sameDraft === undefined
      ? { next: { ...current, drafts: [...drafts, draft] }, result: draft }
      : { next: { ...current, drafts }, result: sameDraft };
  });
}

export async function dropDraft({ mirror }: Pick<SyncPorts, 'mirror'>, id: string): Promise<void> {
  await mirror.drafts.update((current) => ({
    next: { ...current, drafts: (current?.drafts ?? []).filter((draft) => draft.id !== id) },
    result: undefined,
  }));
}

async function changeDraft(
  { mirror }: SyncPorts,
  id: string,
  change: (draft: IssueDraft) => IssueDraft,
): Promise<void> {
  await mirror.drafts.update((current) => ({
    next: { ...current, drafts: (current?.drafts ?? []).map((draft) => (draft.id === id ? change(draft) : draft)) },
    result: undefined,
  }));
}

/** GitHub is away for a while, or may have got the draft: the next sync finds out. */
const PASSING: readonly string[] = ['STORE_ERROR', 'LOCK_TIMEOUT', 'LOCK_LOST', 'CONFLICT'];

/**
 * Says that nothing is lost. An error that a person can put right, such as a wrong token, leaves no draft of that
 * person, who will repeat the command. An agent will not, so its draft stays; its cause identifies it.
 */
export async function keptForLater(
  ports: Pick<SyncPorts, 'mirror'>,
  error: unknown,
  { id, origin }: IssueDraft,
): Promise<unknown> {
  if (!(error instanceof AgentXError) || error.details.isFinal === true) return error;
  if (!PASSING.includes(error.code) && origin === undefined) {
    await dropDraft(ports, id);
    return error;
  }
  const message = `${error.message} The issue is kept here and is created at the next sync: agentx sync`;
  return new AgentXError(error.code, message, { ...error.details, draft: id, why: error.message }, { cause: error });
}

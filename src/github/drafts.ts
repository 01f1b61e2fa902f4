import { AgentXError } from '../protocol/errors.js';
import type { IssueDraft } from '../protocol/github.js';
import type { Issue } from '../protocol/issue.js';
import { defused } from '../render/github-text.js';
import type { GitHubClient } from './client.js';
import { namedIssue } from './comment-name.js';
import { GitHubFailure } from './failure.js';
import type { SyncPorts } from './ports.js';
import { putIssue } from './pull.js';

/*
 * An issue gets its number from GitHub. Until then it is a draft, which is stored before it is sent. Its description
 * holds a name, by which a sync recognises an issue that a process created before it died.
 */

/** Undefined if GitHub refuses the draft; the reason is noted in the draft. */
export async function sendDraft(
  ports: SyncPorts,
  draft: IssueDraft,
  { client, requireClaim }: { readonly client: GitHubClient; readonly requireClaim: () => void },
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
    await changeDraft(ports, draft.id, (current) => ({ ...current, isSent: false, refused: error.message }));
    return undefined;
  }
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

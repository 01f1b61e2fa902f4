import { AgentXError } from '../protocol/errors.js';
import type { Delivery, GitHubSync, GoneIssue, SyncReport, Trouble, UnsentItem } from '../protocol/github.js';
import type { Issue } from '../protocol/issue.js';
import { pushDiscussions, unsentDiscussions } from './discussions.js';
import { sendDrafts } from './drafts.js';
import { GitHubFailure, isWaiting, troubleOf } from './failure.js';
import type { SyncPorts } from './ports.js';
import { forgetComment, pull, receiveComments } from './pull.js';
import { unsentIn } from './push.js';
import { pushAll } from './push-all.js';
import { readable, recordsOf } from './records.js';

/*
 * One exchange with GitHub: first the deliveries of webhooks, then the changes on GitHub, then issues that have no
 * number yet, then the changes that GitHub lacks. One process syncs at a time. A sync ends early when GitHub cannot be
 * reached; the next sync finds the remaining differences.
 */

export interface SyncOptions {
  /** How long to wait for another process that syncs. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Skips issues that failed a moment ago, for callers that sync again and again. */
  readonly isPatient?: boolean;
}

/** How long patient callers wait after a failure. */
const PAUSE_MS = 15_000;

export async function sync(ports: SyncPorts, options: SyncOptions): Promise<SyncReport> {
  const { repo, mirror, clock } = ports;
  const claim = await mirror.claim(options);
  const requireClaim = () => {
    options.signal?.throwIfAborted();
    if (claim.isMine()) return;
    throw new AgentXError('LOCK_LOST', 'Another process exchanges changes with GitHub by now.', { repo });
  };
  const work = { received: 0, sent: 0, answered: [] as string[], gone: [] as GoneIssue[] };
  try {
    const state = await mirror.sync.read();
    if (state?.trouble !== undefined && isTooEarly(state.trouble, clock.now(), options)) {
      return { repo, ...work, unsent: await unsent(ports), trouble: state.trouble };
    }
    await requireSameRepository(ports, state);
    const client = await ports.client();
    work.answered.push(...(await takeDeliveries(ports)));
    const pullResult = await pull(ports, client);
    work.received = pullResult.received;
    work.answered.push(...pullResult.answered);
    const sending = { client, requireClaim, isPatient: options.isPatient ?? false };
    work.sent += await sendDrafts(ports, sending);
    await pushAll(ports, {
      ...sending,
      onSent: (count, goneIssue) => {
        work.sent += count;
        if (goneIssue !== undefined) work.gone.push(goneIssue);
      },
    });
    work.sent += await pushDiscussions(ports, sending);
    await keepTrouble(ports, undefined);
    return { repo, ...work, unsent: await unsent(ports) };
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code === 'LOCK_LOST') throw error;
    const trouble = troubleOf(error, clock.now());
    ports.log.warn('the exchange with GitHub ended early', { error: error.message });
    await keepTrouble(ports, trouble);
    return { repo, ...work, unsent: await unsent(ports), trouble };
  } finally {
    claim.release();
  }
}

function isTooEarly(trouble: Trouble, now: string, { isPatient = false }: SyncOptions): boolean {
  const sinceMs = Date.parse(now) - Date.parse(trouble.at);
  return isWaiting(trouble, now) || (isPatient && sinceMs >= 0 && sinceMs < PAUSE_MS);
}

async function keepTrouble({ mirror, repo }: SyncPorts, trouble: Trouble | undefined): Promise<void> {
  if (trouble === undefined && (await mirror.sync.read())?.trouble === undefined) return;
  await mirror.sync.update((current) => {
    const { trouble: _, ...rest } = current ?? { repo, unsent: [] };
    return { next: trouble === undefined ? rest : { ...rest, trouble }, result: undefined };
  });
}

/** A new name of the same repository is fine. The copy must not be mixed with that of another repository. */
async function requireSameRepository({ repo, client, mirror }: SyncPorts, state: GitHubSync | undefined) {
  if (state === undefined || state.repo.toLowerCase() === repo.toLowerCase()) return;
  try {
    await (await client(state.repo)).repository();
  } catch (error) {
    if (!(error instanceof GitHubFailure)) throw error;
    const { newName } = error.details;
    if (typeof newName === 'string' && newName.toLowerCase() === repo.toLowerCase()) {
      await mirror.sync.update((current) => ({ next: { ...(current ?? state), repo }, result: undefined }));
      return;
    }
    if (error.scope === 'everything' && newName === undefined) throw error;
  }
  const problem = `The copy in .agentx/issues is of ${state.repo}, but config.toml says ${repo}.`;
  const todo = 'Another repository needs a .agentx folder of its own: move .agentx/issues and .agentx/state away.';
  throw new AgentXError('CONFIG_ERROR', `${problem} ${todo}`, { repo, copyOf: state.repo });
}

/** Handles the deliveries of webhooks that no process has handled yet. */
async function takeDeliveries(ports: SyncPorts): Promise<readonly string[]> {
  const { deliveries } = ports.mirror;
  const waitingDeliveries = ((await deliveries.read())?.deliveries ?? []).filter(({ isDone }) => !isDone);
  const answeredIds: string[] = [];
  for (const { id, comment, deleted, issueNumber } of waitingDeliveries) {
    if (comment !== undefined) answeredIds.push(...(await receiveComments(ports, [comment])));
    if (deleted !== undefined && issueNumber !== undefined) await forgetComment(ports, issueNumber, deleted);
    await deliveries.update((current) => ({
      next: {
        ...current,
        deliveries: (current?.deliveries ?? []).map((one) => (one.id === id ? withoutComment(one) : one)),
      },
      result: undefined,
    }));
  }
  return answeredIds;
}

const withoutComment = ({ comment: _, ...delivery }: Delivery): Delivery => ({ ...delivery, isDone: true });

/** All changes that GitHub has not got yet. */
export async function unsent(ports: Omit<SyncPorts, 'client' | 'decisions'>): Promise<readonly UnsentItem[]> {
  const { mirror, store } = ports;
  const drafts = ((await mirror.drafts.read())?.drafts ?? []).map(({ title, refused, trouble }) => {
    const why = refused ?? trouble?.message;
    return { what: `the issue '${title}'`, ...(why !== undefined && { why }) };
  });
  const waitingIssues = (await mirror.sync.read())?.unsent ?? [];
  const items: UnsentItem[] = [...drafts, ...(await unsentDiscussions(ports))];
  for (const number of waitingIssues) {
    const issue: Issue | undefined = await readable(() => store.issues.read(number));
    if (issue !== undefined) items.push(...(await unsentOf(ports, issue)));
  }
  return items;
}

/** The same for one issue, whether or not a sync has seen it. */
export async function unsentOf(
  ports: Omit<SyncPorts, 'client' | 'decisions'>,
  issue: Issue,
): Promise<readonly UnsentItem[]> {
  if (issue.github === undefined) return [];
  return unsentIn(await recordsOf(ports, issue), ports.audience);
}

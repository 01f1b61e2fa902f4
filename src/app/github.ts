import { type GitHubClient, openClient } from '../github/client.js';
import { commentName } from '../github/comment-name.js';
import { openForum } from '../github/discussion-api.js';
import { discussionUrl, keepForDiscussion } from '../github/discussions.js';
import { dropDraft, keepDraft, keptForLater, sendDraft } from '../github/drafts.js';
import type { Decisions, SyncPorts } from '../github/ports.js';
import { type SyncOptions, sync, unsent, unsentOf } from '../github/sync.js';
import { takeDelivery, type WebhookRequest } from '../github/webhook.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { MirrorStore } from '../ports/mirror.js';
import type { Store } from '../ports/store.js';
import { underClaim } from '../protocol/claim.js';
import { agentNamesOf } from '../protocol/config.js';
import { fnv1a64 } from '../protocol/derived-id.js';
import { AgentXError } from '../protocol/errors.js';
import {
  ACTIVE_LABEL,
  emptyMirror,
  type IssueDraft,
  STALE_LABEL,
  type SyncReport,
  type UnsentItem,
} from '../protocol/github.js';
import { RESERVED_NAMES } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import { shorten } from '../protocol/shorten.js';
import { openMirrorFiles } from '../storage/files/mirror.js';
import { loadConfig } from './config.js';
import { gitHubToken, gitHubUrl } from './github-token.js';

export interface GitHubOptions {
  /** The `.agentx` folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The copy itself: what is written to it is not sent because of that. */
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a command waits for another process that exchanges changes. */
const WAIT_MS = 30_000;

/** A project whose issues are GitHub's. */
export class GitHubMode {
  readonly #mirror: MirrorStore;
  readonly #clients = new Map<string, Promise<GitHubClient>>();

  constructor(private readonly options: GitHubOptions) {
    this.#mirror = openMirrorFiles({ root: options.root });
  }

  sync(decisions: Decisions, options: Partial<SyncOptions> = {}): Promise<SyncReport> {
    return sync({ ...this.#ports(options.signal), decisions }, { waitMs: WAIT_MS, ...options });
  }

  /** GitHub gives the number. If it cannot be reached, a draft is kept, and the error says so. */
  readonly create = async (draft: Omit<Issue, 'number'>): Promise<Issue> => {
    const { env, clock } = this.options;
    const ports = { ...this.#ports(), decisions: NO_DECISIONS };
    const { title, body, labels, origin } = draft;
    const keptDraft = await keepDraft(ports, {
      id: origin === undefined ? crypto.randomUUID() : fnv1a64(`${ports.repo} ${origin}`),
      at: clock.now(),
      title,
      body,
      labels: [...labels],
      ...(origin !== undefined && { origin }),
      ...((origin !== undefined || env.AGENTX_AGENT) && { isByAgent: true }),
    });
    try {
      return await this.#send(ports, keptDraft.id);
    } catch (error) {
      throw await keptForLater(ports, error, keptDraft);
    }
  };

  async #send(ports: SyncPorts, id: string): Promise<Issue> {
    return underClaim(ports.mirror.claim({ waitMs: WAIT_MS }), async () => {
      const draft = (await ports.mirror.drafts.read())?.drafts.find((one) => one.id === id);
      if (draft === undefined) return await this.#created(ports, id);
      if (draft.isSent === true) {
        const problem = 'It is not known yet whether GitHub got this issue when it was sent before.';
        throw new AgentXError('CONFLICT', problem, { draft: id });
      }
      const issue = await sendDraft(ports, draft, { client: await ports.client(), requireClaim: () => {} });
      if (issue !== undefined) return issue;
      const refusal = (await ports.mirror.drafts.read())?.drafts.find((one) => one.id === id)?.refused;
      await dropDraft(ports, id);
      throw new AgentXError('INVALID_INPUT', refusal ?? 'GitHub refuses this issue.', { isFinal: true });
    });
  }

  /** Another process was quicker. */
  async #created({ store, mirror }: SyncPorts, id: string): Promise<Issue> {
    const { number } = (await mirror.drafts.read())?.sent?.find((one) => one.id === id) ?? {};
    const issue = number === undefined ? undefined : await store.issues.read(number);
    if (issue !== undefined) return issue;
    const problem = 'Another process has just created this issue, or given up its draft. See: agentx issue list';
    throw new AgentXError('CONFLICT', problem, { isFinal: true });
  }

  async drafts(): Promise<readonly IssueDraft[]> {
    return (await this.#mirror.drafts.read())?.drafts ?? [];
  }

  /** NOT_FOUND unless the beginning of an id names one. */
  async discard(typedId: string): Promise<IssueDraft> {
    await this.#draftNamed(typedId);
    return underClaim(this.#mirror.claim({ waitMs: WAIT_MS }), async () => {
      // A sync may have sent it meanwhile.
      const draft = await this.#draftNamed(typedId);
      await dropDraft({ mirror: this.#mirror }, draft.id);
      return draft;
    });
  }

  async #draftNamed(typedId: string): Promise<IssueDraft> {
    const drafts = await this.drafts();
    const [draft, ...others] = drafts.filter(({ id }) => typedId !== '' && id.startsWith(typedId.toLowerCase()));
    if (draft !== undefined && others.length === 0) return draft;
    const problem = draft === undefined ? 'There is no draft' : 'Several drafts begin with';
    throw new AgentXError('NOT_FOUND', `${problem} '${shorten(typedId, 40)}'. See: agentx issue list`, {
      draft: typedId,
    });
  }

  async unsent(): Promise<readonly UnsentItem[]> {
    return unsent(this.#ports());
  }

  async unsentOf(issue: Issue): Promise<readonly UnsentItem[]> {
    return unsentOf(this.#ports(), issue);
  }

  /** Text for the conversation of an issue, once: the same name again replaces it. */
  async post(issueNumber: number, kind: 'digest', id: string, body: string): Promise<void> {
    const name = commentName(kind, id);
    const at = this.options.clock.now();
    await this.#mirror.issue(issueNumber).update((current = emptyMirror(issueNumber)) => {
      const earlierNote = current.notes.find((note) => note.name === name);
      const others = current.notes.filter((note) => note.name !== name);
      return { next: { ...current, notes: [...others, { name, body, at: earlierNote?.at ?? at }] }, result: undefined };
    });
    // The next sync is to look at this issue, though none of its records changed.
    const { repo } = this.#settings();
    await this.#mirror.sync.update((current) => {
      const numbers = current?.unsent ?? [];
      const all = numbers.includes(issueNumber) ? numbers : [...numbers, issueNumber];
      return { next: { ...(current ?? { repo }), repo, unsent: all }, result: undefined };
    });
  }

  /**
   * The same as a discussion of its own. INVALID_STATE or CONFIG_ERROR if the repository has no place for it; if GitHub
   * cannot be asked, it is kept all the same.
   */
  async discuss(id: string, text: { readonly title: string; readonly body: string }): Promise<void> {
    const ports = this.#ports();
    try {
      await openForum(await ports.client(), ports.discussionCategory);
    } catch (error) {
      if (!(error instanceof AgentXError) || error.code !== 'STORE_ERROR') throw error;
    }
    await keepForDiscussion(ports, { name: commentName('digest', id), ...text, at: ports.clock.now() });
  }

  /** Undefined while GitHub has not got it. */
  discussionUrl(id: string): Promise<string | undefined> {
    return discussionUrl(this.#ports(), commentName('digest', id));
  }

  takeDelivery(request: WebhookRequest): Promise<'new' | 'known' | 'ignored'> {
    const secret = this.options.env.AGENTX_GITHUB_WEBHOOK_SECRET;
    if (!secret) {
      const problem = 'This server takes no webhooks: AGENTX_GITHUB_WEBHOOK_SECRET is not set.';
      throw new AgentXError('NOT_FOUND', problem, {});
    }
    return takeDelivery(this.#ports(), secret, request);
  }

  #settings() {
    const { github, agents } = loadConfig(this.options.root);
    const { repo = '', mention, discussion_category: discussionCategory } = github;
    return { repo, mention, discussionCategory, agents: agentNamesOf({ agents }) };
  }

  #ports(signal?: AbortSignal): Omit<SyncPorts, 'decisions'> {
    const { store, clock, log } = this.options;
    const { repo, mention, discussionCategory, agents } = this.#settings();
    const isAgent = (author: string | undefined) =>
      author === undefined || agents.includes(author) || RESERVED_NAMES.includes(author);
    return {
      store,
      clock,
      log,
      repo,
      mirror: this.#mirror,
      audience: { mention, isAgent },
      discussionCategory,
      client: (name = repo) => this.#client(name, signal),
    };
  }

  #client(repo: string, signal: AbortSignal | undefined): Promise<GitHubClient> {
    const { env, clock } = this.options;
    if (signal !== undefined) return clientFor({ repo, env, clock, signal });
    const client = this.#clients.get(repo) ?? clientFor({ repo, env, clock });
    this.#clients.set(repo, client);
    client.catch(() => this.#clients.delete(repo));
    return client;
  }
}

const NO_DECISIONS: Decisions = {
  answer: async () => {},
  end: async () => {},
  closed: async () => {},
};

export interface ClientRequest {
  readonly repo: string;
  readonly env: GitHubOptions['env'];
  readonly clock?: Pick<Clock, 'now'>;
  readonly signal?: AbortSignal;
}

async function clientFor({ repo, env, clock = REAL_TIME, signal }: ClientRequest): Promise<GitHubClient> {
  const url = gitHubUrl(env);
  const token = await gitHubToken(env);
  return openClient({ url, repo, token, now: () => clock.now(), ...(signal !== undefined && { signal }) });
}

const REAL_TIME = { now: () => new Date().toISOString() };

const LABELS = [
  { name: ACTIVE_LABEL, color: 'fbca04', description: 'Agents are clarifying something here' },
  { name: STALE_LABEL, color: 'd93f0b', description: 'A clarification waits longer than it should' },
] as const;

/** What the token may do in the repository; the labels are made. NOT_FOUND, UNAUTHORIZED or INVALID_STATE if it cannot work. */
export async function prepareRepository(
  request: ClientRequest,
): Promise<{ readonly name: string; readonly made: readonly string[] }> {
  const client = await clientFor(request);
  const { name, hasIssues, isArchived, mayWrite } = await client.repository();
  const obstacle = isArchived
    ? 'is archived: nothing can be written there'
    : hasIssues
      ? undefined
      : 'has no issues: switch them on in its settings';
  if (obstacle !== undefined)
    throw new AgentXError('INVALID_STATE', `The repository ${name} ${obstacle}.`, { repo: name });
  if (mayWrite === false) {
    const problem = `The token may only read ${name}. It needs write access to issues (a classic token: the scope repo).`;
    throw new AgentXError('UNAUTHORIZED', problem, { repo: name });
  }
  const madeLabels: string[] = [];
  for (const label of LABELS) if (await client.makeLabel(label)) madeLabels.push(label.name);
  return { name, made: madeLabels };
}

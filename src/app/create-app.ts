import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EditorModels } from '../agents/model/editor-models.js';
import { gitHubIssues } from '../github/issues.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { MemoryNotice } from '../ports/observations.js';
import type { RunnerFunction } from '../ports/runner.js';
import type { Store } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import type { Mode } from '../protocol/storage-mode.js';
import { layoutOf } from '../storage/files/layout.js';
import { openFileStore } from '../storage/files/store.js';
import { type App, OpenedApp } from './app.js';
import { checkedRequest } from './checked-request.js';
import type { OuterSettings } from './config.js';
import type { DemoRequest } from './demo-repository.js';
import { createEventBus } from './event-bus.js';
import type { GitHubMode, GitHubOptions } from './github.js';
import { createLog, logLevelOf } from './log.js';
import { modeOf, readConfigText } from './storage-mode.js';

export interface AppOptions {
  /** The `.agentx` folder. */
  readonly root: string;
  /** Where records are kept, instead of the files below `root`. The caller closes it. */
  readonly store?: Store;
  readonly clock?: Clock;
  /** Agents that are functions of this program, by name. They come before those of config.toml and need no trust. */
  readonly runners?: Readonly<Record<string, RunnerFunction>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The models of the editor that embeds AgentX, for agents with the runner `editor`. */
  readonly editor?: EditorModels;
  /** For what config.toml leaves open. */
  readonly outer?: OuterSettings;
  /**
   * For a doctor, which reports what every other command refuses: settings that keep records elsewhere than in files.
   */
  readonly anyStore?: boolean;
}

/** CONFIG_ERROR if the settings keep records where this version cannot. The only place that names concrete adapters. */
export function createApp(options: AppOptions): App {
  const { anyStore = false, ...appOptions } = checkedRequest(options);
  const env = appOptions.env ?? process.env;
  const own = appOptions.store ?? undefined;
  const root = resolve(requireRoot(options.root));
  let text: string | undefined;
  const settingsText = () => {
    text ??= readConfigText(root);
    return text;
  };
  const modeOfFiles = anyStore ? modeIfReadable : modeOf;
  const mode = own === undefined ? modeOfFiles(root, settingsText) : 'local';
  const log = createLog({ folder: join(layoutOf(root).state, 'logs'), level: logLevelOf(env.AGENTX_LOG) });
  const records =
    own ??
    openFileStore({
      root,
      agent: env.AGENTX_AGENT || 'agentx',
      onContention: (contention) =>
        log[contention.step === 'refused' ? 'warn' : 'info']('lock contention', { ...contention }),
      onMemoryNotice: (notice) => noteMemory(log, notice),
    });
  const clock = appOptions.clock ?? records.clock ?? systemClock;
  const github = mode === 'github' ? lazyGitHub({ root, env, store: records, clock, log }) : undefined;
  const store =
    github === undefined
      ? records
      : { ...records, issues: gitHubIssues(records.issues, async (draft) => (await github()).create(draft)) };
  const bus = createEventBus({ onError: (error) => log.error('A listener failed.', { error }) });
  const close = async () => {
    await log.flush();
    if (own === undefined) await records.close();
  };
  const base = { store, clock, bus, log };
  return new OpenedApp({
    root,
    env,
    runners: appOptions.runners ?? {},
    editor: appOptions.editor ?? undefined,
    outer: appOptions.outer ?? undefined,
    settingsText,
    base,
    github,
    close,
  });
}

/** A doctor reports what is wrong with it. */
function modeIfReadable(root: string, settingsText: () => string): Mode {
  try {
    return modeOf(root, settingsText);
  } catch {
    return 'local';
  }
}

/** Most commands do not speak to GitHub: what does is loaded when it is needed. */
function lazyGitHub(options: GitHubOptions): () => Promise<GitHubMode> {
  let githubMode: Promise<GitHubMode> | undefined;
  return () => {
    githubMode ??= import('./github.js').then(({ GitHubMode }) => new GitHubMode(options));
    return githubMode;
  };
}

function noteMemory(log: Log, notice: MemoryNotice): void {
  if (notice.kind === 'skipped') {
    log.warn(`Memory file skipped: ${notice.error.message}`, { ...notice.error.details });
    return;
  }
  const { cause, durationMs, observations } = notice;
  const took = Math.round(durationMs);
  log.warn(`Memory manifest rebuilt from issue files (took ${took}ms)`, { cause, durationMs: took, observations });
}

const systemClock: Clock = {
  now: () => new Date().toISOString(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
};

/** For a repository of its own, in which scripted agents show what happens when they ask. */
export async function createDemoApp(options: DemoRequest): Promise<App> {
  const { makeDemoRepository } = await import('./demo-repository.js');
  return createApp({ root: makeDemoRepository(options) });
}

/** An empty path would mean the current folder. */
function requireRoot(root: unknown): string {
  if (typeof root === 'string' && root !== '') return root;
  throw new AgentXError('INVALID_INPUT', "An app needs a 'root': the path of its .agentx folder.");
}

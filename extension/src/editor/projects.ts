import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../../../src/app/app.js';
import { loadConfig } from '../../../src/app/config.js';
import { createApp } from '../../../src/app/create-app.js';
import { FOLDER, findRoot } from '../../../src/app/find-root.js';
import { AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { workBeside } from '../background/beside.js';
import { foldersOnDisk } from '../rows/folders.js';
import { noticeText } from '../rows/notice-text.js';
import type { Models } from './models.js';

/** A folder of the workspace that has a `.agentx` folder. */
export interface Project {
  readonly name: string;
  readonly folder: vscode.WorkspaceFolder;
  /** The `.agentx` folder. */
  readonly root: string;
  readonly app: App;
}

/** What any process may have changed in a project. */
export interface ProjectChange {
  readonly project: Project;
  readonly change: Parameters<Parameters<App['watch']>[0]>[0];
}

interface Opened extends Project {
  /** Ends what it does by itself. */
  readonly rest: () => Promise<void>;
  /** The settings that it was opened with. */
  readonly settings: string;
  /** What is being carried out with it. */
  readonly underWay: Set<Promise<unknown>>;
}

const SOON_MS = 100;

/** The projects of this window. They come and go with the folders of the workspace and their `.agentx` folders. */
export class Projects implements vscode.Disposable {
  readonly #opened = new Map<string, Opened>();
  /** By folder: why it cannot be opened. */
  readonly #broken = new Map<string, AgentXError>();
  readonly #changed = new vscode.EventEmitter<ProjectChange | undefined>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  readonly #ending = new Set<Promise<void>>();
  readonly #reported = new Map<string, string>();
  #watchers: vscode.Disposable[] = [];
  #soon: NodeJS.Timeout | undefined;
  #current: string | undefined;

  /** Something of one project may have changed, by any process; undefined if projects came or went. */
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly models: Models,
    private readonly output: vscode.LogOutputChannel,
  ) {
    this.#disposables.push(
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.look()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('agentx.memory')) this.#reopenAll();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#reopenAll()),
    );
    this.look();
  }

  get all(): readonly Project[] {
    return [...this.#opened.values()];
  }

  get broken(): readonly AgentXError[] {
    return [...this.#broken.values()];
  }

  /** Whether its settings keep it from being opened. */
  isBroken(root: string): boolean {
    return this.#broken.has(root);
  }

  find(root: string | undefined): Project | undefined {
    return root === undefined ? undefined : this.#opened.get(root);
  }

  /** The project to use if none is named: the chosen one, that of the active editor, or the first. */
  get current(): Project | undefined {
    const chosenProject = this.find(this.#current);
    if (chosenProject !== undefined) return chosenProject;
    const active = vscode.window.activeTextEditor?.document.uri;
    const folder = active === undefined ? undefined : vscode.workspace.getWorkspaceFolder(active);
    return this.all.find((project) => project.folder === folder) ?? this.all[0];
  }

  choose(project: Project): void {
    this.#current = project.root;
    this.#changed.fire(undefined);
  }

  /** NOT_FOUND with what to do if there is none. */
  require(root?: string): Project {
    const project = root === undefined ? this.current : this.find(root);
    if (project !== undefined) return project;
    const [problem] = this.broken;
    if (problem !== undefined) throw problem;
    if (root !== undefined)
      throw new AgentXError('NOT_FOUND', `${root} is not open in this window any more.`, { root });
    throw new AgentXError(
      'NOT_FOUND',
      'No folder of this workspace has a .agentx folder. Make one with: AgentX: Initialise',
    );
  }

  /** Before a command: what another program wrote a moment ago holds, whether or not the editor has noticed it. */
  sync(): void {
    for (const [root, { settings }] of this.#opened)
      if (!isFolder(root) || settingsIn(root) !== settings) this.#stale.add(root);
    if (this.#stale.size > 0 || this.#broken.size > 0 || this.#opened.size === 0) this.#renew();
  }

  /** What is wrong with a project, also with one that cannot be opened. */
  async examine(root: string | undefined, options: { readonly repair?: boolean } = {}) {
    const project = root === undefined ? this.current : this.find(root);
    const [brokenRoot] = root === undefined ? this.#broken.keys() : [root];
    if (project !== undefined || brokenRoot === undefined || !this.#broken.has(brokenRoot)) {
      return (project ?? this.require(root)).app.doctor(options);
    }
    const app = createApp({ root: brokenRoot, anyStore: true });
    try {
      return await app.doctor(options);
    } finally {
      await app.close();
    }
  }

  /** Opens what has come and closes what has gone. */
  look(): void {
    const folders = foldersOnDisk(vscode.workspace.workspaceFolders);
    const roots = new Map(folders.map((folder) => [join(folder.uri.fsPath, FOLDER), folder]));
    for (const [root, project] of this.#opened)
      if (roots.get(root) !== project.folder || !isFolder(root)) this.#close(project);
    for (const root of this.#broken.keys()) this.#broken.delete(root);
    for (const [root, folder] of roots) if (isFolder(root) && !this.#opened.has(root)) this.#open(root, folder);
    this.#watch(folders);
    const state = this.#opened.size > 0 ? 'open' : this.#broken.size > 0 ? 'broken' : 'none';
    void vscode.commands.executeCommand('setContext', 'agentx.state', state);
    this.#changed.fire(undefined);
  }

  #open(root: string, folder: vscode.WorkspaceFolder): void {
    try {
      const memory = vscode.workspace.getConfiguration('agentx.memory', folder.uri);
      const app = createApp({
        root,
        editor: this.models.find,
        outer: { memory: { enabled: memory.get('enabled', true), max_tokens: memory.get('maxTokens', 20_000) } },
      });
      const project = { name: folder.name, folder, root, app };
      const unwatch = app.watch((change) => this.#changed.fire({ project, change }));
      // A channel may be a program that the settings name, and the repository on GitHub is one that they name.
      const endWork = vscode.workspace.isTrusted ? workBeside(app) : undefined;
      const rest = async () => {
        unwatch();
        await endWork?.();
      };
      this.#opened.set(root, { ...project, rest, settings: settingsIn(root), underWay: new Set() });
      app.config().then(
        () => this.#reported.delete(root),
        (error: unknown) => this.#report(root, error),
      );
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      this.#broken.set(root, error);
      this.#report(root, error);
    }
  }

  /** What the person has to know and can do something about; the rest of the extension goes on. */
  #report(root: string, error: unknown): void {
    // Once, until it is mended.
    if (this.#reported.get(root) === messageOf(error)) return;
    this.#reported.set(root, messageOf(error));
    this.output.error(messageOf(error));
    void vscode.window.showErrorMessage(`AgentX: ${noticeText(messageOf(error))}`);
  }

  /** Carries out what must not be broken off when the settings change meanwhile: its projects stay as they are. */
  async during<T>(work: () => Promise<T>, projects: readonly Project[] = this.all): Promise<T> {
    const heldProjects = [...this.#opened.values()].filter((project) => projects.includes(project));
    const working = work();
    for (const { underWay } of heldProjects) underWay.add(working);
    try {
      return await working;
    } finally {
      for (const { underWay } of heldProjects) underWay.delete(working);
    }
  }

  #close(project: Opened, { waits = false } = {}): void {
    this.#opened.delete(project.root);
    const end = async () => {
      await project.rest();
      if (waits) await Promise.allSettled(project.underWay);
      await project.app.close();
    };
    const ending = end().catch((error: unknown) => this.output.error(messageOf(error)));
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }

  #reopenAll(): void {
    for (const project of [...this.#opened.values()]) this.#close(project, { waits: true });
    this.look();
  }

  /** `.agentx` folders that come and go, and settings that change. */
  #watch(folders: readonly vscode.WorkspaceFolder[]): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = folders.flatMap((folder) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, FOLDER));
      const settings = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(folder, `${FOLDER}/config.toml`),
      );
      const root = join(folder.uri.fsPath, FOLDER);
      return [
        watcher,
        settings,
        watcher.onDidCreate(() => this.#lookSoon()),
        watcher.onDidDelete(() => this.#lookSoon()),
        settings.onDidCreate(() => this.#lookSoon(root)),
        settings.onDidChange(() => this.#lookSoon(root)),
        settings.onDidDelete(() => this.#lookSoon(root)),
      ];
    });
  }

  readonly #stale = new Set<string>();

  #lookSoon(changedRoot?: string): void {
    if (changedRoot !== undefined) this.#stale.add(changedRoot);
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => {
      // Saving the same settings again changes nothing.
      for (const root of this.#stale)
        if (settingsIn(root) === this.#opened.get(root)?.settings) this.#stale.delete(root);
      this.#renew();
    }, SOON_MS);
  }

  #renew(): void {
    for (const root of this.#stale) {
      const project = this.#opened.get(root);
      if (project !== undefined) this.#close(project, { waits: isFolder(root) });
    }
    this.#stale.clear();
    this.look();
  }

  /** When this resolves, what agents were doing here has stopped and is kept. */
  async close(): Promise<void> {
    this.dispose();
    for (const project of [...this.#opened.values()]) this.#close(project);
    await Promise.all(this.#ending);
  }

  dispose(): void {
    clearTimeout(this.#soon);
    for (const disposable of [...this.#disposables, ...this.#watchers]) disposable.dispose();
    this.#watchers = [];
  }
}

/** The settings in force, or why there are none. */
function settingsIn(root: string): string {
  try {
    return JSON.stringify(loadConfig(root));
  } catch (error) {
    return messageOf(error);
  }
}

function isFolder(root: string): boolean {
  try {
    const repository = dirname(root);
    return findRoot({ cwd: repository, root: repository, env: {} }) === root;
  } catch {
    return false;
  }
}

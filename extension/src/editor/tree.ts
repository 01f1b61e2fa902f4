import * as vscode from 'vscode';
import type { App } from '../../../src/app/app.js';
import { AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { changedRows } from '../rows/changed-rows.js';
import { childrenNow, inChunks } from '../rows/chunks.js';
import { labelOf, tickingRows } from '../rows/countdown.js';
import { type Differing, damagedRows, type Row } from '../rows/row.js';
import type { Project, ProjectChange, Projects } from './projects.js';

/** A row of one of several projects; the project itself if several are open. */
interface Node {
  readonly row: Row;
  readonly project: Project;
}

const TICK_MS = 1000;
/** The row of a project, if several are open. */
const PROJECT = 'project';

export interface TreeOptions {
  readonly id: string;
  readonly rows: (app: App, differing: Differing) => Promise<readonly Row[]>;
  /** The kinds of documents that its rows are made of. */
  readonly kinds: readonly ProjectChange['change']['kind'][];
  /** Called with the rows of each project, by root, whenever they change. */
  readonly shown?: (rows: ReadonlyMap<string, readonly Row[]>) => void;
  /** Whether its rows are wanted even while the tree is not visible, for a badge. */
  readonly isAlwaysRead?: boolean;
  readonly counts?: boolean;
}

/**
 * A tree of rows. It reads its rows when something may have changed, one reading at a time. It draws only the rows that
 * differ, so that the selection stays and nothing flickers.
 */
export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #drawn = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly onDidChangeTreeData = this.#drawn.event;
  readonly view: vscode.TreeView<Node>;
  readonly #rows = new Map<string, readonly Row[]>();
  readonly #nodes = new Map<string, Node>();
  readonly #disposables: vscode.Disposable[];
  readonly #clock: NodeJS.Timeout;
  /** By project: what may differ since its rows were read; a project that is not here is read anew. */
  readonly #differing = new Map<string, Set<string>>();
  #reading: Promise<void> | undefined;
  #isStale = true;
  #isRead = false;
  #tick = 0;

  constructor(
    private readonly projects: Projects,
    private readonly options: TreeOptions,
  ) {
    this.view = vscode.window.createTreeView(options.id, { treeDataProvider: this, showCollapseAll: true });
    this.#disposables = [
      this.view,
      this.#drawn,
      projects.onDidChange((change) => {
        if (this.#concerns(change)) void this.#refresh();
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible && this.#isStale) void this.#refresh();
      }),
    ];
    this.#clock = setInterval(() => this.#countDown(), TICK_MS);
    void this.#refresh();
  }

  /** When this resolves, the tree shows what was there when it was called. */
  async refresh(): Promise<void> {
    this.#differing.clear();
    await this.#refresh();
  }

  /** Notes what may differ; false if no row is made of it. */
  #concerns(change: ProjectChange | undefined): boolean {
    if (change === undefined || change.change.kind === 'everything') {
      this.#differing.clear();
      return true;
    }
    const { project, change: document } = change;
    if (!this.options.kinds.includes(document.kind)) return false;
    this.#differing.get(project.root)?.add(`${document.kind}/${document.id}`);
    return true;
  }

  async #refresh(): Promise<void> {
    this.#isStale = true;
    if (this.options.isAlwaysRead !== true && !this.view.visible) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const readings = await Promise.all(
        this.projects.all.map(async (project) => [project, await this.#rowsOf(project)] as const),
      );
      this.#show(readings);
    }
  }

  async #rowsOf({ app, root }: Project): Promise<readonly Row[]> {
    const differingIds = this.#differing.get(root) ?? 'everything';
    this.#differing.set(root, new Set());
    try {
      return await this.options.rows(app, differingIds);
    } catch (error) {
      this.#differing.delete(root);
      // A tree that cannot be read says so and goes on: the next change is another chance.
      return damagedRows(root, [
        error instanceof AgentXError ? error : new AgentXError('STORE_ERROR', messageOf(error)),
      ]);
    }
  }

  #show(read: readonly (readonly [Project, readonly Row[]])[]): void {
    const changes = read.map(([project, rows]) => ({
      project,
      change: changedRows(this.#rows.get(project.root) ?? [], rows),
    }));
    const isSame = read.length === this.#rows.size && read.every(([{ root }]) => this.#rows.has(root));
    const isWhole = !this.#isRead || !isSame || changes.some(({ change }) => change === 'all');
    this.#rows.clear();
    for (const [{ root }, rows] of read) this.#rows.set(root, rows);
    this.#isRead = true;
    const nodes = changes.flatMap(({ project, change }) =>
      change === 'all' ? [] : change.map((row) => this.#nodeOf(project, row)),
    );
    if (!isWhole && nodes.length === 0) return;
    this.options.shown?.(new Map(this.#rows));
    if (this.options.counts === true) this.#count(read.flatMap(([, rows]) => rows));
    if (isWhole) this.#nodes.clear();
    this.#drawn.fire(isWhole ? undefined : nodes);
  }

  #count(rows: readonly Row[]): void {
    const value = rows.filter(({ kind }) => kind === 'agentx.question').length;
    const tooltip = `${value} ${value === 1 ? 'question waits' : 'questions wait'} for you`;
    this.view.badge = value === 0 ? undefined : { value, tooltip };
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined && !this.#isRead) {
      this.#isStale = true;
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    if (node !== undefined) return this.#nodesBelow(node);
    const projects = this.projects.all.filter(({ root }) => this.#rows.has(root));
    const [only, ...others] = projects;
    if (only === undefined) return [];
    if (others.length === 0) return this.#nodesOf(only, this.#rows.get(only.root));
    return projects.flatMap((project) => {
      const children = this.#rows.get(project.root) ?? [];
      if (children.length === 0) return [];
      const row = { id: PROJECT, label: project.name, icon: 'root-folder', isOpen: true, children };
      return [this.#nodeOf(project, row)];
    });
  }

  getTreeItem({ row, project }: Node): vscode.TreeItem {
    const state =
      row.children === undefined || row.children.length === 0 ? 'None' : row.isOpen ? 'Expanded' : 'Collapsed';
    const item = new vscode.TreeItem(labelOf(row, project.app.clock.now()), vscode.TreeItemCollapsibleState[state]);
    item.id = `${project.root}/${row.id}`;
    if (row.description !== undefined) item.description = row.description;
    item.tooltip = row.tooltip ?? row.label;
    if (row.icon !== undefined) {
      item.iconPath = new vscode.ThemeIcon(
        row.icon,
        row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
      );
    }
    if (row.kind !== undefined) item.contextValue = row.kind;
    if (row.badge !== undefined)
      item.resourceUri = vscode.Uri.from({ scheme: BADGES, path: `/${row.badge}/${row.id}` });
    if (row.command !== undefined) {
      item.command = { command: row.command.name, title: row.label, arguments: [row.command.argument] };
    }
    return item;
  }

  #nodesBelow({ project, row }: Node): Node[] {
    const rows = this.#rows.get(project.root) ?? [];
    return row.id === PROJECT
      ? this.#nodesOf(project, rows)
      : this.#nodesOf(project, childrenNow(rows, row), `${row.id}/`);
  }

  #nodesOf(project: Project, rows: readonly Row[] = [], parent = ''): Node[] {
    return inChunks(rows, parent).map((row) => this.#nodeOf(project, row));
  }

  /** The same row is the same object: the editor knows rows by their objects. */
  #nodeOf(project: Project, row: Row): Node {
    const key = `${project.root}/${row.id}`;
    const existingNode = this.#nodes.get(key);
    if (existingNode !== undefined) {
      Object.assign(existingNode, { row, project });
      return existingNode;
    }
    const node = { row, project };
    this.#nodes.set(key, node);
    return node;
  }

  #countDown(): void {
    this.#tick += 1;
    if (!this.view.visible) return;
    const nodes = this.projects.all.flatMap((project) =>
      tickingRows(this.#rows.get(project.root) ?? [], project.app.clock.now(), this.#tick).map((row) =>
        this.#nodeOf(project, row),
      ),
    );
    if (nodes.length > 0) this.#drawn.fire(nodes);
  }

  dispose(): void {
    clearInterval(this.#clock);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

const BADGES = 'agentx-badge';

/** The letters behind labels. */
export const badges: vscode.FileDecorationProvider = {
  provideFileDecoration({ scheme, path }) {
    if (scheme !== BADGES) return undefined;
    const [, badge = ''] = path.split('/');
    return { badge, tooltip: 'Blocked', color: new vscode.ThemeColor('list.warningForeground') };
  },
};

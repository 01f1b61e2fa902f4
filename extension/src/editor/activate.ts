import * as vscode from 'vscode';
import type { App } from '../../../src/app/app.js';
import { agentRows } from '../rows/agents.js';
import { assumptionRows } from '../rows/assumptions.js';
import { ClarificationRows } from '../rows/clarifications.js';
import { inboxRows } from '../rows/inbox.js';
import { readyRows } from '../rows/ready.js';
import type { Differing, Row } from '../rows/row.js';
import { Attention, statusBar } from './attention.js';
import { registerCommands } from './commands.js';
import { registerMcp } from './mcp.js';
import { Models } from './models.js';
import { Pages } from './pages.js';
import { registerParticipant } from './participant.js';
import { Projects } from './projects.js';
import { artifactLinks, Documents } from './show.js';
import { scheduleSweeps } from './sweeps.js';
import { badges, Tree } from './tree.js';

let projects: Projects | undefined;
let pages: Pages | undefined;

/** What tests of the extension may look at. */
export interface Extension {
  readonly trees: Readonly<Record<string, Tree>>;
  readonly waiting: vscode.StatusBarItem;
}

export function activate(context: vscode.ExtensionContext): Extension {
  const output = vscode.window.createOutputChannel('AgentX');
  const log = vscode.window.createOutputChannel('AgentX Log', { log: true });
  const models = new Models();
  const openProjects = new Projects(models, log);
  projects = openProjects;
  const { item, show } = statusBar();
  const attention = new Attention(openProjects, log);
  const waiting = (inboxes: ReadonlyMap<string, readonly Row[]>) => {
    const rows = [...inboxes.values()].flat();
    if (inboxes.size > 0) show(rows.filter(({ kind }) => kind === 'agentx.question').length);
    else item.hide();
    attention.see(inboxes);
  };
  const trees = {
    'agentx.inbox': new Tree(openProjects, {
      id: 'agentx.inbox',
      rows: inboxRows,
      kinds: ['questions'],
      shown: waiting,
      isAlwaysRead: true,
      counts: true,
    }),
    'agentx.agents': new Tree(openProjects, {
      id: 'agentx.agents',
      rows: agentRows,
      kinds: ['agents', 'runs', 'questions', 'clarifications'],
    }),
    'agentx.ready': new Tree(openProjects, {
      id: 'agentx.ready',
      rows: readyRows,
      kinds: ['issues', 'runs', 'questions', 'clarifications'],
    }),
    'agentx.clarifications': new Tree(openProjects, {
      id: 'agentx.clarifications',
      rows: clarificationRows(),
      kinds: ['clarifications'],
    }),
    'agentx.assumptions': new Tree(openProjects, {
      id: 'agentx.assumptions',
      rows: assumptionRows,
      kinds: ['assumptions'],
    }),
  };
  const refresh = async () => {
    await Promise.all(Object.values(trees).map((tree) => tree.refresh()));
  };
  const servedPages = new Pages(openProjects, log);
  pages = servedPages;
  const parts = { projects: openProjects, pages: servedPages, output, log, refresh };
  artifactLinks.projects = openProjects;
  context.subscriptions.push(
    output,
    log,
    servedPages,
    openProjects,
    item,
    ...Object.values(trees),
    new Documents(openProjects),
    vscode.languages.registerDocumentLinkProvider({ scheme: 'agentx' }, artifactLinks),
    vscode.window.registerFileDecorationProvider(badges),
    ...registerCommands(parts),
    registerParticipant(
      { projects: openProjects, models, attention, output: log },
      vscode.Uri.joinPath(context.extensionUri, 'media', 'agentx.svg'),
    ),
    registerMcp(openProjects, context),
    attention,
    scheduleSweeps(parts),
  );
  return { trees, waiting: item };
}

/** Every project remembers its own. */
function clarificationRows(): (app: App, differing: Differing) => Promise<readonly Row[]> {
  const byApp = new WeakMap<App, ClarificationRows>();
  return (app, differing) => {
    const existingRows = byApp.get(app);
    const rows = existingRows ?? new ClarificationRows();
    byApp.set(app, rows);
    return rows.read(app, existingRows === undefined ? 'everything' : differing);
  };
}

/** Runs of this window pause, as Ctrl-C pauses them. */
export async function deactivate(): Promise<void> {
  await pages?.close();
  await projects?.close();
}

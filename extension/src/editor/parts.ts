import * as vscode from 'vscode';
import { AgentXError } from '../../../src/protocol/errors.js';
import { UNPAINTED } from '../../../src/render/conversation.js';
import type { View } from '../../../src/render/thread.js';
import type { Target } from '../rows/row.js';
import type { Pages } from './pages.js';
import type { Project, Projects } from './projects.js';

/** What commands work with. */
export interface Parts {
  readonly projects: Projects;
  readonly pages: Pages;
  /** What commands tell people. */
  readonly output: vscode.OutputChannel;
  /** Failures of our own. */
  readonly log: vscode.LogOutputChannel;
  /** Reads all trees anew. */
  readonly refresh: () => Promise<void>;
}

export function projectFor({ projects }: Parts, target: Target | undefined): Project {
  return projects.require(target?.root);
}

/** UNAUTHORIZED in a workspace that the person has not trusted. */
export function requireTrust(what: string): void {
  if (vscode.workspace.isTrusted) return;
  throw new AgentXError(
    'UNAUTHORIZED',
    `This workspace is not trusted, so AgentX does not ${what}. Trust it with the command: Workspaces: Manage Workspace Trust.`,
  );
}

export function viewFor({ app }: Pick<Project, 'app'>): View {
  return { width: 100, paint: UNPAINTED, now: app.clock.now(), isRelative: true };
}

import * as vscode from 'vscode';
import type { Target } from '../rows/row.js';
import { type Parts, projectFor, requireTrust } from './parts.js';
import type { Project } from './projects.js';

/** The page of the project in the browser: of a server that runs already, else of one that this window starts. */
export async function openPage(parts: Parts, target: Target | undefined): Promise<void> {
  const { pages } = parts;
  const project = projectFor(parts, target);
  const link = vscode.Uri.parse((await pages.runningLink(project)) ?? (await startedLink(parts, project)));
  // On a remote machine, the editor makes a tunnel, whose other end may have another name and port.
  const { authority } = await vscode.env.asExternalUri(link);
  pages.allowHost(project, authority);
  await vscode.env.openExternal(link);
}

/** A server sweeps, and tells channels, which may be programs. */
function startedLink({ pages }: Parts, project: Project): Promise<string> {
  requireTrust('start a server');
  return pages.serve(project);
}

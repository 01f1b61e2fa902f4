import * as vscode from 'vscode';
import { surroundings } from '../../../src/app/environment.js';
import type { RunningServer } from '../../../src/server/serve.js';
import type { Target } from '../rows/row.js';
import { type Parts, projectFor } from './parts.js';
import type { Project } from './projects.js';

const servers = new Map<string, RunningServer>();

/** The page of the project in the browser: of a server that runs already, else of one that this window starts. */
export async function openPage(parts: Parts, target: Target | undefined): Promise<void> {
  const project = projectFor(parts, target);
  const link = vscode.Uri.parse(await linkTo(project));
  // On a machine that is reached from afar, the editor makes a tunnel, whose other end may have another name and port.
  const { authority } = await vscode.env.asExternalUri(link);
  servers.get(project.root)?.allowHost(authority);
  await vscode.env.openExternal(link);
}

async function linkTo({ app, root }: Project): Promise<string> {
  const running = app.pageUrl();
  if (running !== undefined) return `${running}/#token=${await app.serverToken()}`;
  const { serve } = await import('../../../src/server/serve.js');
  const { principal } = surroundings();
  // Any free port: the fixed one is for servers that people start themselves. It starts no agents.
  const server = await serve({ app, host: '127.0.0.1', port: 0, principal, carriesRunsOn: false });
  servers.set(root, server);
  return server.link;
}

export async function closePages(): Promise<void> {
  await Promise.allSettled([...servers.values()].map((server) => server.close()));
  servers.clear();
}

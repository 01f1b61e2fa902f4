import * as vscode from 'vscode';
import { surroundings } from '../../../src/app/environment.js';
import type { Target } from '../rows/row.js';
import { type Parts, projectFor } from './parts.js';

const closers = new Map<string, () => Promise<void>>();

/** The page of the project in the browser: of a server that runs already, else of one that this window starts. */
export async function openPage(parts: Parts, target: Target | undefined): Promise<void> {
  const { app, root } = projectFor(parts, target);
  const running = app.pageUrl();
  if (running !== undefined) {
    await openExternally(`${running}/#token=${await app.serverToken()}`);
    return;
  }
  const { serve } = await import('../../../src/server/serve.js');
  const { principal } = surroundings();
  // Any free port: the fixed one is for servers that people start themselves. It starts no agents.
  const server = await serve({ app, host: '127.0.0.1', port: 0, principal, carriesRunsOn: false });
  closers.set(root, server.close);
  await openExternally(server.link);
}

async function openExternally(link: string): Promise<void> {
  // On a machine that is reached from afar, the editor leads the way to the port.
  const reachable = await vscode.env.asExternalUri(vscode.Uri.parse(link));
  await vscode.env.openExternal(reachable);
}

export async function closePages(): Promise<void> {
  await Promise.allSettled([...closers.values()].map((close) => close()));
  closers.clear();
}

import { join } from 'node:path';
import * as vscode from 'vscode';
import { noticeText } from '../rows/notice-text.js';
import type { Projects } from './projects.js';

/** Gives the editor's own agents the tools of `agentx mcp`, from the program that comes with the extension. */
export function registerMcp(
  projects: Projects,
  { extensionPath, extension }: vscode.ExtensionContext,
): vscode.Disposable {
  const changeEmitter = new vscode.EventEmitter<void>();
  const version: unknown = extension.packageJSON.version;
  const provider = vscode.lm.registerMcpServerDefinitionProvider('agentx.mcp', {
    onDidChangeMcpServerDefinitions: changeEmitter.event,
    provideMcpServerDefinitions: () => {
      // The server acts on the settings of the repository: not before the person trusts it.
      if (!vscode.workspace.isTrusted) return [];
      return projects.all.map(({ name, root, folder }) => {
        const label = projects.all.length > 1 ? `AgentX (${noticeText(name)})` : 'AgentX';
        const program = join(extensionPath, 'dist', 'agentx.cjs');
        // With this variable, the editor's own program is Node.
        const env = { ELECTRON_RUN_AS_NODE: '1', AGENTX_ROOT: root };
        const server = new vscode.McpStdioServerDefinition(
          label,
          process.execPath,
          [program, 'mcp'],
          env,
          String(version),
        );
        server.cwd = folder.uri;
        return server;
      });
    },
  });
  let rootsBefore = '';
  const watching = projects.onDidChange(() => {
    const now = JSON.stringify([vscode.workspace.isTrusted, projects.all.map(({ root }) => root)]);
    if (now !== rootsBefore) changeEmitter.fire();
    rootsBefore = now;
  });
  return vscode.Disposable.from(provider, changeEmitter, watching);
}

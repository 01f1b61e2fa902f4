'use strict';
const { readFileSync, watch } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');

/** The rows are the lines of a file, which is read whole when it changes. */
exports.activate = (context) => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const changed = new vscode.EventEmitter();
  const provider = {
    onDidChangeTreeData: changed.event,
    getChildren: () => readFileSync(join(folder, 'bare/rows.txt'), 'utf8').trimEnd().split('\n'),
    getTreeItem: (row) => new vscode.TreeItem(row),
  };
  const watcher = watch(join(folder, 'bare'), () => changed.fire());
  context.subscriptions.push(vscode.window.createTreeView('bare.rows', { treeDataProvider: provider }), watcher);
};

import * as vscode from 'vscode';
import { messageOf } from '../../../src/protocol/errors.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { TaskScheduler } from '../background/task-scheduler.js';
import type { Parts } from './parts.js';

const MINUTE_MS = 60_000;

/** Looks for stale, stuck and deadlocked clarifications from time to time, if the settings say so. */
export function scheduleSweeps({ projects, output, log }: Parts): vscode.Disposable {
  const scheduler = new TaskScheduler();
  const failed = (error: unknown) => log.error(messageOf(error));
  const work = async () => {
    for (const { app } of projects.all) {
      const announce = (line: string) => output.appendLine(plainLine(line));
      // A target that is asked again is a program of the repository.
      const retry = vscode.workspace.isTrusted && (await app.programs()).isApproved;
      const { warnings } = await app.runCheck({ retry, announce });
      for (const warning of warnings) log.warn(plainLine(warning.message));
    }
  };
  const arrange = () => {
    const settings = vscode.workspace.getConfiguration('agentx.scheduler');
    if (!settings.get('enabled', false) || !vscode.workspace.isTrusted) scheduler.cancel('sweep');
    else scheduler.schedule('sweep', { everyMs: settings.get('minutes', 5) * MINUTE_MS, work, failed });
  };
  arrange();
  return vscode.Disposable.from(
    scheduler,
    vscode.workspace.onDidGrantWorkspaceTrust(arrange),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('agentx.scheduler')) arrange();
    }),
  );
}

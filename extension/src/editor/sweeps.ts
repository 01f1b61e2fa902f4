import * as vscode from 'vscode';
import { messageOf } from '../../../src/protocol/errors.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { sweepIntervalMs } from '../background/sweep-interval.js';
import { TaskScheduler } from '../background/task-scheduler.js';
import type { Parts } from './parts.js';
import type { Project } from './projects.js';

/** Looks for stale, stuck and deadlocked clarifications from time to time, if the settings say so. */
export function scheduleSweeps({ projects, output, log }: Parts): vscode.Disposable {
  const scheduler = new TaskScheduler();
  const failed = (error: unknown) => log.error(plainLine(messageOf(error)));
  const sweep = async ({ app }: Project) => {
    const announce = (line: string) => output.appendLine(plainLine(line));
    // A target that is asked again is a program of the repository.
    const retry = vscode.workspace.isTrusted && (await app.programs()).isApproved;
    const { warnings } = await app.runCheck({ retry, announce });
    for (const warning of warnings) log.warn(plainLine(warning.message));
  };
  // A project that cannot be swept holds up no other.
  const work = async () => {
    for (const project of projects.all) await projects.during(() => sweep(project), [project]).catch(failed);
  };
  const arrange = () => {
    const settings = vscode.workspace.getConfiguration('agentx.scheduler');
    if (!settings.get('enabled', false) || !vscode.workspace.isTrusted) scheduler.cancel('sweep');
    else scheduler.schedule('sweep', { everyMs: sweepIntervalMs(settings.get('minutes')), work, failed });
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

import * as vscode from 'vscode';
import { surroundings } from '../../../src/app/environment.js';
import { Story } from '../../../src/app/story.js';
import { AgentXError } from '../../../src/protocol/errors.js';
import { UNPAINTED } from '../../../src/render/conversation.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { renderSummary } from '../../../src/render/run.js';
import { noticeText } from '../rows/notice-text.js';
import type { Target } from '../rows/row.js';
import { approvesPrograms } from './approve.js';
import { type Parts, projectFor, requireTrust } from './parts.js';
import type { Project } from './projects.js';

/** Carries out an issue and tells its story in the output; it needs no chat. Cancelling it pauses it. */
export async function runIssue(parts: Parts, target: Target | undefined): Promise<string | undefined> {
  requireTrust('start agents');
  const project = projectFor(parts, target);
  const issueNumber = target?.issueNumber ?? (await chooseIssue(project));
  if (issueNumber === undefined || !(await approvesPrograms(project))) return undefined;
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true };
  return vscode.window.withProgress({ ...options, title: `AgentX: #${issueNumber}` }, (progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    return carryOut(parts, project, { issueNumber, progress, stopping: controller });
  });
}

interface Work {
  readonly issueNumber: number;
  readonly progress: vscode.Progress<{ readonly message?: string }>;
  readonly stopping: AbortController;
}

async function carryOut(
  { output }: Parts,
  { app }: Project,
  { issueNumber, progress, stopping }: Work,
): Promise<string> {
  const { principal } = surroundings();
  const view = {
    paint: UNPAINTED,
    width: 100,
    you: principal,
    channel: 'vscode',
    isLive: false,
    asksInPlace: false,
  } as const;
  const story = new Story({
    app,
    view,
    print: (text) => {
      output.appendLine(text);
      progress.report({ message: noticeText(text).slice(0, 80) });
    },
    asked: () => progress.report({ message: 'waits for you: see the inbox' }),
  });
  output.show(true);
  try {
    const result = await app.run({
      issueNumber,
      wait: true,
      signal: stopping.signal,
      by: 'the editor',
      behindServer: ({ message }) => progress.report({ message: noticeText(message) }),
    });
    await story.close();
    output.appendLine(`\n${renderSummary(result, view)}`);
    if (result.reason !== undefined) output.appendLine(plainLine(result.reason));
    if (result.status === 'paused') output.appendLine(`Paused. AgentX: Run Issue goes on with #${issueNumber}.`);
    output.appendLine('');
    return result.status;
  } finally {
    await story.close();
  }
}

async function chooseIssue({ app }: Project): Promise<number | undefined> {
  const { ready, blocked } = await app.readySummaries();
  const items = [
    ...ready.map(({ number, title, run }) => ({
      label: `#${number} ${noticeText(title)}`,
      description: run === undefined ? '' : `${run.status}, goes on where it was`,
      number,
    })),
    ...blocked.map(({ issue, reason }) => ({
      label: `$(circle-slash) #${issue.number} ${noticeText(issue.title)}`,
      description: noticeText(reason),
      number: issue.number,
    })),
  ];
  if (items.length === 0)
    throw new AgentXError('NOT_FOUND', 'There is no open issue. Create one with: AgentX: Create Issue');
  const choice = await vscode.window.showQuickPick(items, { title: 'AgentX: Run Issue', matchOnDescription: true });
  return choice?.number;
}

import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { messageOf } from '../../../src/protocol/errors.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { Announcements } from '../background/announcements.js';
import { noticeText } from '../rows/notice-text.js';
import type { Parts } from './parts.js';
import type { Project } from './projects.js';

/** How many questions wait for the person, at the lower edge of the window. */
export function statusBar(): { readonly item: vscode.StatusBarItem; readonly show: (count: number) => void } {
  const item = vscode.window.createStatusBarItem('agentx.waiting', vscode.StatusBarAlignment.Left, 10);
  item.name = 'AgentX';
  item.command = 'agentx.inbox.focus';
  const show = (count: number) => {
    item.text =
      count === 0 ? '$(comment-discussion) AgentX' : `$(question) ${count} ${count === 1 ? 'waits' : 'wait'} for you`;
    item.tooltip = count === 0 ? 'Nothing waits for you' : 'Questions of agents that wait for you';
    item.backgroundColor = count === 0 ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    item.show();
  };
  return { item, show };
}

/**
 * One notification for each question, in the window that has the focus. What another window has shown, and what was
 * answered meanwhile, is not shown.
 */
export function notifyOnce({ projects, log }: Parts): vscode.Disposable {
  const announcements = new Map<string, Announcements>();
  let looking: Promise<void> = Promise.resolve();
  const look = () => {
    looking = looking
      .then(() => Promise.all(projects.all.map(lookAt)))
      .then(
        () => {},
        (error: unknown) => log.error(messageOf(error)),
      );
  };
  const lookAt = async (project: Project): Promise<void> => {
    const { app, root } = project;
    const { items } = await app.questionSummaries();
    const known = announcements.get(root);
    if (known === undefined) {
      announcements.set(root, new Announcements(items.map(({ id }) => id)));
      return;
    }
    if (!vscode.workspace.getConfiguration('agentx').get('notifications', true)) {
      known.forget(items.map(({ id }) => id));
      return;
    }
    for (const id of known.due(items, { isFocused: vscode.window.state.focused })) {
      const mark = markOf(id);
      // Another window may have told it at this moment.
      if (!(await app.spend(mark))) continue;
      const question = items.find((item) => item.id === id);
      if (question !== undefined) void tell(project, question);
    }
  };
  look();
  return vscode.Disposable.from(
    projects.onDidChange((change) => {
      if (change === undefined || ['questions', 'everything'].includes(change.change.kind)) look();
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) look();
    }),
  );
}

/** The name of what is told once, for all windows of this machine. */
function markOf(questionId: string): string {
  return createHash('sha256').update(`told in the editor: ${questionId}`).digest('hex').slice(0, 32);
}

interface Told {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly issueNumber: number;
}

async function tell({ app, root }: Project, { id, agent, title, issueNumber }: Told): Promise<void> {
  const answer = 'Answer';
  const text = `${agentTitle(agent)} asks about #${issueNumber}: ${noticeText(title)}`;
  if ((await vscode.window.showInformationMessage(text, answer)) !== answer) return;
  const question = await app.question(id);
  if (question === undefined) return;
  await vscode.commands.executeCommand('agentx.answerQuestion', { root, id });
}

import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { messageOf } from '../../../src/protocol/errors.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { Announcements } from '../background/announcements.js';
import { noticeText } from '../rows/notice-text.js';
import type { Row } from '../rows/row.js';
import type { Project, Projects } from './projects.js';

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

type Rows = ReadonlyMap<string, readonly Row[]>;

/**
 * One notification for each question, in the window that has the focus. It leaves out questions that another window has
 * shown, that the chat or the editor's own agent asks in place, and that were answered meanwhile.
 */
export class Attention implements vscode.Disposable {
  readonly #announcements = new Map<string, Announcements>();
  readonly #focus: vscode.Disposable;
  #rows: Rows = new Map();

  constructor(
    private readonly projects: Projects,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#focus = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) this.#look();
    });
  }

  /** The rows of the inbox of each project, by root, whenever they change. */
  readonly see = (rows: Rows): void => {
    this.#rows = rows;
    this.#look();
  };

  /** A chat of this window begins to carry out an issue. Call the result with the questions that it ended with. */
  carriesInChat({ root, app }: Project, issueNumber: number): (questionIds: readonly string[]) => void {
    const end = this.#announcements.get(root)?.carriesInChat(issueNumber);
    return (questionIds) => {
      end?.(questionIds);
      // In a window without the focus the person has not read them yet.
      if (vscode.window.state.focused) for (const id of questionIds) app.spend(markOf(id)).catch(this.#failed);
    };
  }

  #look(): void {
    for (const [root, rows] of this.#rows) {
      const open = rows.flatMap(askedIn);
      const announcement = this.#announcements.get(root);
      const project = this.projects.find(root);
      if (announcement === undefined) {
        this.#announcements.set(root, new Announcements(open.map(({ id }) => id)));
      } else if (!vscode.workspace.getConfiguration('agentx').get('notifications', true)) {
        announcement.forget(open.map(({ id }) => id));
      } else if (project !== undefined) {
        for (const { id, label } of announcement.due(open, { isFocused: vscode.window.state.focused }))
          tell(project, id, label).catch(this.#failed);
      }
    }
  }

  readonly #failed = (error: unknown): void => this.log.error(messageOf(error));

  dispose(): void {
    this.#focus.dispose();
  }
}

function askedIn({ label, command }: Row) {
  const { id, issueNumber } = command?.argument ?? {};
  return id === undefined || issueNumber === undefined ? [] : [{ id, issueNumber, label }];
}

/** The mark by which all windows of this machine announce a question once. */
function markOf(questionId: string): string {
  return createHash('sha256').update(`told in the editor: ${questionId}`).digest('hex').slice(0, 32);
}

async function tell({ app, root }: Project, id: string, title: string): Promise<void> {
  const question = await app.question(id);
  if (question?.status !== 'open' || question.askedBy.agent === ownAgent()) return;
  // Another window may announce it at this moment.
  if (!(await app.spend(markOf(id)))) return;
  const answer = 'Answer';
  const { issueNumber, askedBy } = question;
  const about = issueNumber === 0 ? '' : ` about #${issueNumber}`;
  const text = `${agentTitle(askedBy.agent)} asks${about}: ${noticeText(title)}`;
  if ((await vscode.window.showInformationMessage(text, answer)) !== answer) return;
  await vscode.commands.executeCommand('agentx.answerQuestion', { root, id });
}

/** As an MCP client, the editor has this name, and shows the questions of its agent itself. */
function ownAgent(): string {
  return vscode.env.appName.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

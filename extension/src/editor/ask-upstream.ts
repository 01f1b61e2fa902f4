import * as vscode from 'vscode';
import { AgentXError } from '../../../src/protocol/errors.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { quotedQuestion } from '../chat/quoted-question.js';
import { noticeText } from '../rows/notice-text.js';
import { approvesPrograms } from './approve.js';
import { type Parts, requireTrust } from './parts.js';
import type { Project } from './projects.js';

/** Opens a clarification with the author of a file about the text that is selected in it. */
export async function askUpstream(parts: Parts): Promise<string | undefined> {
  requireTrust('start agents');
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    throw new AgentXError('INVALID_INPUT', 'Select the text in a file that an agent wrote, and try again.');
  }
  // What is selected now is meant, whatever the person looks at while they write.
  const selectedText = editor.document.getText(editor.selection);
  const line = editor.selection.start.line + 1;
  const folder = vscode.workspace.getWorkspaceFolder(editor.document.uri);
  const project = parts.projects.all.find((one) => one.folder === folder) ?? parts.projects.require();
  const source = await sourceOf(project, editor.document.uri.fsPath);
  if (source === undefined) return undefined;
  const { path } = source;
  const from = await asker(project, source);
  if (from === undefined) return undefined;
  const title = `AgentX: Ask ${agentTitle(source.agent)}`;
  const typedQuestion = await vscode.window.showInputBox({
    title,
    prompt: `About ${path}, line ${line}. What is not clear?`,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'A question is needed.' : undefined),
  });
  if (typedQuestion === undefined) return undefined;
  const { topic, question } = quotedQuestion({ path, line, selected: selectedText, question: typedQuestion });
  if (!(await approvesPrograms(project))) return undefined;
  const { app } = project;
  const { clarificationId: id } = await app.openAsk({
    issueNumber: source.issueNumber,
    from,
    to: source.agent,
    topic,
    question,
    blocking: false,
  });
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true };
  await vscode.window.withProgress(
    { ...options, title: `AgentX: ${id}, ${agentTitle(source.agent)} is asked` },
    (_progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      return app.route(id, controller.signal).catch((error: unknown) => {
        if (!controller.signal.aborted) throw error;
      });
    },
  );
  await vscode.commands.executeCommand('agentx.showThread', { root: project.root, id });
  return id;
}

interface Source {
  readonly issueNumber: number;
  readonly path: string;
  readonly agent: string;
  readonly askers: readonly string[];
}

async function sourceOf({ app }: Project, file: string): Promise<Source | undefined> {
  const { items } = await app.runs();
  const artifactsByRun = await Promise.all(
    items.map(async ({ issueNumber }) =>
      (await app.artifacts(issueNumber)).filter((one) => one.file === file).map((one) => ({ ...one, issueNumber })),
    ),
  );
  const sources = artifactsByRun.flat();
  const [only, ...others] = sources;
  if (only === undefined) {
    throw new AgentXError(
      'NOT_FOUND',
      `No agent wrote ${vscode.workspace.asRelativePath(file)}. Ask about a file that is listed by: AgentX: Open Artifact`,
      {
        file,
      },
    );
  }
  if (others.length === 0) return only;
  const choice = await vscode.window.showQuickPick(
    sources.map((source) => ({ label: `#${source.issueNumber}`, description: agentTitle(source.agent), source })),
    { title: 'AgentX: Which issue is it about?' },
  );
  return choice?.source;
}

/** In whose name: an agent whose step may ask the author. */
async function asker({ app }: Project, { agent, askers, issueNumber }: Source): Promise<string | undefined> {
  if (askers.length === 0) {
    throw new AgentXError(
      'SCOPE_VIOLATION',
      `No step of the workflow of #${issueNumber} may ask '${agent}': add it to can_clarify of a step in .agentx/workflows.`,
      { agent, issueNumber },
    );
  }
  const statuses = await app.statuses();
  const [only, ...others] = askers;
  if (others.length === 0) return only;
  const choice = await vscode.window.showQuickPick(
    askers.map((name) => ({
      label: agentTitle(name),
      description: noticeText(statuses[name]?.status ?? 'idle'),
      name,
    })),
    { title: `AgentX: In whose name is ${agentTitle(agent)} asked?` },
  );
  return choice?.name;
}

import { join } from 'node:path';
import * as vscode from 'vscode';
import { surroundings } from '../../../src/app/environment.js';
import { findAgents, proposalOf } from '../../../src/app/found-agents.js';
import { approveWritten, initFolder } from '../../../src/app/init.js';
import { AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { renderDiagnosis } from '../../../src/render/doctor.js';
import { renderInit } from '../../../src/render/init.js';
import { runRequest } from '../chat/named-project.js';
import { folderChoices, foldersOnDisk } from '../rows/folders.js';
import { noticeText } from '../rows/notice-text.js';
import type { Target } from '../rows/row.js';
import { answerQuestion } from './answer-question.js';
import { approvesPrograms } from './approve.js';
import { askUpstream } from './ask-upstream.js';
import { compactMemory, contextBudget, getObservation, memoryStats, searchMemory } from './memory-commands.js';
import { openPage } from './open-page.js';
import { type Parts, projectFor, requireTrust } from './parts.js';
import { runIssue } from './run-issue.js';
import { showIssue, showThread } from './show.js';

type Command = (parts: Parts, target: Target | undefined) => Promise<unknown>;

/** By the name in package.json. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'agentx.init': init,
  'agentx.createIssue': createIssue,
  'agentx.run': runIssue,
  'agentx.runInChat': runInChat,
  'agentx.showThread': showThread,
  'agentx.showIssue': showIssue,
  'agentx.openArtifact': openArtifact,
  'agentx.answerQuestion': answerQuestion,
  'agentx.askUpstream': askUpstream,
  'agentx.openPage': openPage,
  'agentx.doctor': doctor,
  'agentx.trust': trust,
  'agentx.selectProject': selectProject,
  'agentx.refresh': async ({ projects, refresh }) => {
    projects.look();
    await refresh();
  },
  'agentx.searchMemory': searchMemory,
  'agentx.getObservation': getObservation,
  'agentx.memoryStats': memoryStats,
  'agentx.compactMemory': compactMemory,
  'agentx.contextBudget': contextBudget,
};

/** The person sees every error; our own failures also go to the log. */
export function registerCommands(parts: Parts): readonly vscode.Disposable[] {
  return Object.entries(COMMANDS).map(([name, command]) =>
    vscode.commands.registerCommand(name, async (argument?: unknown) => {
      try {
        parts.projects.sync();
        return await parts.projects.during(() => command(parts, targetOf(argument)));
      } catch (error) {
        if (!(error instanceof AgentXError)) parts.log.error(error instanceof Error ? error : String(error));
        void vscode.window.showErrorMessage(`AgentX: ${noticeText(messageOf(error))}`);
        return undefined;
      }
    }),
  );
}

/** A row of a tree, what its command names, or nothing. */
function targetOf(argument: unknown): Target | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  if ('row' in argument) return targetOf(Object(argument.row).command?.argument);
  return 'root' in argument && typeof argument.root === 'string' ? { ...argument, root: argument.root } : undefined;
}

async function init({ projects, output }: Parts): Promise<void> {
  requireTrust('write a .agentx folder');
  const folders = foldersOnDisk(vscode.workspace.workspaceFolders);
  if (folders.length === 0) throw new AgentXError('NOT_FOUND', 'No folder is open here. Open one first.');
  const [only, ...others] = folders;
  const folder = others.length === 0 ? only : await chooseFolder(folders);
  if (folder === undefined) return;
  const repository = folder.uri.fsPath;
  const { env } = surroundings();
  const proposal = proposalOf(await findAgents({ cwd: repository, env }));
  const result = initFolder({ repository, proposal });
  if (proposal !== undefined && result.created.includes('.agentx/config.toml')) await approveWritten(result.root, env);
  output.appendLine(renderInit(result));
  projects.look();
  const open = 'Open config.toml';
  const message =
    result.created.length === 0
      ? 'Nothing to do: all files are there already.'
      : 'The .agentx folder is there. Say in its config.toml who does the work.';
  void vscode.window.showInformationMessage(`AgentX: ${message}`, open).then(async (choice) => {
    if (choice === open) await vscode.window.showTextDocument(vscode.Uri.file(join(result.root, 'config.toml')));
  });
}

/** The editor's own list would offer virtual folders, too. */
async function chooseFolder(folders: readonly vscode.WorkspaceFolder[]): Promise<vscode.WorkspaceFolder | undefined> {
  const choice = await vscode.window.showQuickPick(folderChoices(folders), { title: 'AgentX: Initialise' });
  return choice?.folder;
}

const TYPES = ['story', 'feature', 'bug', 'epic'];

async function createIssue(parts: Parts, target: Target | undefined): Promise<number | undefined> {
  const { app } = projectFor(parts, target);
  const title = await vscode.window.showInputBox({
    title: 'AgentX: Create Issue',
    prompt: 'What is to be done, in one line',
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'A title is needed.' : undefined),
  });
  if (title === undefined) return undefined;
  const type = await vscode.window.showQuickPick(TYPES, { title: 'AgentX: Create Issue', placeHolder: 'Its type' });
  if (type === undefined) return undefined;
  const body = await vscode.window.showInputBox({
    title: 'AgentX: Create Issue',
    prompt: 'More about it; may be left empty',
    ignoreFocusOut: true,
  });
  if (body === undefined) return undefined;
  const { number } = await app.createIssue({ title, body, labels: [`type:${type}`] });
  const run = 'Run It';
  void vscode.window.showInformationMessage(`AgentX: Issue #${number} is created.`, run).then(async (choice) => {
    if (choice === run) await vscode.commands.executeCommand('agentx.run', { root: app.root, issueNumber: number });
  });
  return number;
}

async function runInChat(parts: Parts, target: Target | undefined): Promise<void> {
  // The conversation may be about another project.
  const query = runRequest(target?.issueNumber, projectFor(parts, target), parts.projects.all);
  await vscode.commands.executeCommand('workbench.action.chat.open', { query });
}

async function openArtifact(parts: Parts, target: Target | undefined): Promise<void> {
  const { app } = projectFor(parts, target);
  const { items } =
    target?.issueNumber === undefined ? await app.runs() : { items: [{ issueNumber: target.issueNumber }] };
  const all = await Promise.all(
    items.map(async ({ issueNumber }) =>
      (await app.artifacts(issueNumber)).map(({ path, agent, file }) => ({
        label: noticeText(path),
        description: `#${issueNumber} ${noticeText(agent)}`,
        file,
      })),
    ),
  );
  const artifacts = all.flat();
  if (artifacts.length === 0) throw new AgentXError('NOT_FOUND', 'No agent has written a file here yet.');
  const [only, ...others] = artifacts;
  const choice =
    others.length === 0 ? only : await vscode.window.showQuickPick(artifacts, { title: 'AgentX: Open Artifact' });
  if (choice !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(choice.file));
}

async function doctor(parts: Parts, target: Target | undefined): Promise<void> {
  const diagnosis = await parts.projects.examine(target?.root);
  parts.output.appendLine(renderDiagnosis(diagnosis));
  parts.output.show(true);
  const count = diagnosis.problems.length;
  if (count === 0) return;
  const repair = 'Repair';
  const warning = `AgentX: ${count} ${count === 1 ? 'problem' : 'problems'}. Repairing moves damaged files aside and loses nothing.`;
  if ((await vscode.window.showWarningMessage(warning, repair)) !== repair) return;
  parts.output.appendLine(renderDiagnosis(await parts.projects.examine(target?.root, { repair: true })));
  parts.output.show(true);
  await parts.refresh();
}

async function trust(parts: Parts, target: Target | undefined): Promise<void> {
  requireTrust('approve programs');
  const project = projectFor(parts, target);
  const { programs, isApproved } = await project.app.programs();
  if (programs.length === 0) {
    void vscode.window.showInformationMessage('AgentX: Nothing to approve: config.toml names no programs.');
  } else if (isApproved || (await approvesPrograms(project))) {
    void vscode.window.showInformationMessage('AgentX: The programs of this project are approved.');
  } else {
    void vscode.window.showInformationMessage('AgentX: Not approved: agents with these programs are refused.');
  }
}

async function selectProject({ projects }: Parts): Promise<void> {
  const items = projects.all.map((project) => ({ label: project.name, description: project.root, project }));
  const choice = await vscode.window.showQuickPick(items, { title: 'AgentX: Select Project' });
  if (choice !== undefined) projects.choose(choice.project);
}

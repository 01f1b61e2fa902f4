import * as vscode from 'vscode';
import type { App } from '../../../src/app/app.js';
import { isActive } from '../../../src/protocol/clarification.js';
import { AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { parseClarificationId } from '../../../src/protocol/ids.js';
import { renderAnsweredBefore } from '../../../src/render/answered-before.js';
import { renderIssue } from '../../../src/render/issue.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { renderQuestion } from '../../../src/render/question.js';
import { renderThread } from '../../../src/render/thread.js';
import { artifactLine, artifactPlaces } from '../rows/artifact-places.js';
import { noticeText } from '../rows/notice-text.js';
import type { Target } from '../rows/row.js';
import { type Parts, projectFor, viewFor } from './parts.js';
import type { Project, Projects } from './projects.js';

const SCHEME = 'agentx';

/** Threads and issues as documents that can be read, searched and kept open; they follow what happens. */
export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #disposables: vscode.Disposable[];

  constructor(private readonly projects: Projects) {
    this.#disposables = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      projects.onDidChange(() => {
        for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) this.#changed.fire(uri);
      }),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const project = this.projects.find(uri.query);
    if (project === undefined) return 'The folder is not open in this window any more.\n';
    try {
      const [, kind = '', name = ''] = uri.path.split('/');
      const text = await TEXTS[kind]?.(project, name.replace(/\.txt$/, ''));
      return `${text ?? ''}\n`;
    } catch (error) {
      return `${plainLine(messageOf(error))}\n`;
    }
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

const TEXTS: Readonly<Record<string, (project: Project, name: string) => Promise<string>>> = {
  threads: threadText,
  questions: questionText,
  issues: (project, name) => issueText(project, Number.parseInt(name.slice(1), 10)),
};

async function threadText(project: Project, id: string): Promise<string> {
  const { app } = project;
  const record = await app.showClarification(id);
  const artifacts = await app.artifacts(parseClarificationId(id).issueNumber);
  const artifactLines = artifacts.map(artifactLine);
  return [
    renderThread(record, { ...viewFor(project), isRelative: false }),
    ...(artifactLines.length === 0 ? [] : ['', '  Artifacts:', ...artifactLines]),
  ].join('\n');
}

async function questionText(project: Project, id: string): Promise<string> {
  const { app } = project;
  const view = { ...viewFor(project), isRelative: false };
  const question = await app.showQuestion(id);
  const earlierAnswers = question.status === 'open' ? await app.answeredBefore(question) : [];
  return [
    renderQuestion(question, view),
    ...(earlierAnswers.length === 0 ? [] : [renderAnsweredBefore(earlierAnswers, view)]),
  ].join('\n');
}

async function issueText(project: Project, number: number): Promise<string> {
  const issue = await project.app.issue(number);
  if (issue === undefined) throw new AgentXError('NOT_FOUND', `There is no issue #${number}.`, { issueNumber: number });
  return renderIssue(issue, {
    width: Number.POSITIVE_INFINITY,
    timing: { now: project.app.clock.now(), isRelative: false },
  });
}

/** Paths in a thread become links to the files of the repository. */
export const artifactLinks: vscode.DocumentLinkProvider & { projects?: Projects } = {
  async provideDocumentLinks(document) {
    const project = this.projects?.find(document.uri.query);
    const [, kind, name = ''] = document.uri.path.split('/');
    if (project === undefined || kind !== 'threads') return [];
    const artifacts = await project.app.artifacts(parseClarificationId(name.replace(/\.txt$/, '')).issueNumber);
    const text = document.getText();
    return artifactPlaces(text, artifacts).map(({ from, to, file }) => {
      const range = new vscode.Range(document.positionAt(from), document.positionAt(to));
      return new vscode.DocumentLink(range, vscode.Uri.file(file));
    });
  },
};

export async function showThread(parts: Parts, target: Target | undefined): Promise<void> {
  const { app } = projectFor(parts, target);
  const id = target?.id ?? (await chooseThread(app));
  if (id === undefined) return;
  await open(app, `/threads/${await app.findId('clarification', id)}.txt`);
}

/** The whole question beside the box in which it is answered, which has room for a line. */
export async function showQuestion({ root }: Project, id: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/questions/${id}.txt`, query: root });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
}

export async function showIssue(parts: Parts, target: Target | undefined): Promise<void> {
  const { app } = projectFor(parts, target);
  if (target?.issueNumber !== undefined) await open(app, `/issues/#${target.issueNumber}.txt`);
}

async function open({ root }: App, path: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, path, query: root }));
  await vscode.window.showTextDocument(document, { preview: true });
}

async function chooseThread(app: App): Promise<string | undefined> {
  const { items } = await app.clarifications('all');
  if (items.length === 0) throw new AgentXError('NOT_FOUND', 'No agent has asked anything yet.');
  const sortedRecords = items.toSorted((left, right) => Number(isActive(right)) - Number(isActive(left)));
  const choice = await vscode.window.showQuickPick(
    sortedRecords.map(({ id, topic, from, to, status }) => ({
      label: id,
      description: noticeText(topic),
      detail: `${noticeText(from)} -> ${noticeText(to)}, ${status}`,
    })),
    { title: 'AgentX: Show Thread', matchOnDescription: true, matchOnDetail: true },
  );
  return choice?.label;
}

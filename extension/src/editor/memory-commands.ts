import * as vscode from 'vscode';
import { renderBudgets } from '../../../src/render/budget.js';
import { renderObservation, renderObservations } from '../../../src/render/memory.js';
import { renderCompaction, renderMemoryStats } from '../../../src/render/memory-stats.js';
import { plainLine } from '../../../src/render/plain-text.js';
import type { Target } from '../rows/row.js';
import { type Parts, projectFor, viewFor } from './parts.js';

const MAX_RESULTS = 20;

export async function searchMemory(parts: Parts, target: Target | undefined): Promise<void> {
  const project = projectFor(parts, target);
  const query = await vscode.window.showInputBox({
    title: 'AgentX: Search Memory',
    prompt: 'What to look for; empty lists the newest',
  });
  if (query === undefined) return;
  const memory = await project.app.memory();
  const { items, total, didYouMean } = await memory.search({ query, limit: MAX_RESULTS });
  const about = query.trim() === '' ? '' : ` about "${plainLine(query)}"`;
  say(parts, items.length > 0 ? renderObservations(items, viewFor(project)) : `Nothing is remembered${about}.`, [
    ...(total > items.length ? [`${total - items.length} more; search with more words.`] : []),
    ...(didYouMean === undefined ? [] : [`Did you mean: ${plainLine(didYouMean)}`]),
  ]);
}

export async function getObservation(parts: Parts, target: Target | undefined): Promise<void> {
  const project = projectFor(parts, target);
  const typedQuery = await vscode.window.showInputBox({
    title: 'AgentX: Get Observation',
    prompt: 'Its id, or the beginning of it',
    validateInput: (text) => (text.trim() === '' ? 'An id is needed.' : undefined),
  });
  if (typedQuery === undefined) return;
  const memory = await project.app.memory();
  const observation = await memory.show(await project.app.findId('observation', typedQuery.trim()));
  say(parts, renderObservation(observation, viewFor(project)));
}

export async function memoryStats(parts: Parts, target: Target | undefined): Promise<void> {
  const { app } = projectFor(parts, target);
  const stats = await (await app.memory()).stats();
  say(parts, renderMemoryStats(stats, viewFor({ app })), stats.alerts);
}

export async function compactMemory(parts: Parts, target: Target | undefined): Promise<void> {
  const { app } = projectFor(parts, target);
  const memory = await app.memory();
  const counts = new Map<number, number>();
  for (const { issueNumber } of (await memory.list({})).items) {
    counts.set(issueNumber, (counts.get(issueNumber) ?? 0) + 1);
  }
  if (counts.size === 0) {
    void vscode.window.showInformationMessage('AgentX: Nothing is remembered yet.');
    return;
  }
  const items = [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([issueNumber, count]) => ({ label: `#${issueNumber}`, description: `${count} observations`, issueNumber }));
  const choice = await vscode.window.showQuickPick(items, {
    title: 'AgentX: Compact Memory',
    placeHolder: 'The issue whose observations are merged',
  });
  if (choice === undefined) return;
  const text = renderCompaction(await memory.compact(choice.issueNumber));
  parts.output.appendLine(text);
  void vscode.window.showInformationMessage(`AgentX: ${text}`);
}

export async function contextBudget(parts: Parts, target: Target | undefined): Promise<void> {
  const { app } = projectFor(parts, target);
  const { budgets } = await app.contextBudget();
  say(parts, budgets.length === 0 ? 'No agent has had a session yet.' : renderBudgets(budgets, { width: 100 }));
}

function say({ output }: Parts, text: string, notes: readonly string[] = []): void {
  output.appendLine(text);
  for (const note of notes) output.appendLine(note);
  output.appendLine('');
  output.show(true);
}

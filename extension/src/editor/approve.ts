import * as vscode from 'vscode';
import { plainLine } from '../../../src/render/plain-text.js';
import { noticeText } from '../rows/notice-text.js';
import type { Project } from './projects.js';

const APPROVE = 'Approve';

/** Asks the person about the programs that config.toml would start, unless they are approved. False if they say no. */
export async function approvesPrograms({ app, name }: Project): Promise<boolean> {
  const { programs, isApproved } = await app.programs();
  if (isApproved) return true;
  // Not cut: the person who approves must see all of it.
  const detail = programs.map(({ agent, shown }) => `${plainLine(agent)}: ${plainLine(shown)}`).join('\n');
  const count = programs.length === 1 ? 'this program' : `these ${programs.length} programs`;
  const answer = await vscode.window.showWarningMessage(
    `May agents of ${noticeText(name)} run ${count}?`,
    {
      modal: true,
      detail: `${detail}\n\nThey are named in .agentx/config.toml. A changed program needs a new approval.`,
    },
    APPROVE,
  );
  if (answer !== APPROVE) return false;
  await app.approvePrograms();
  return true;
}

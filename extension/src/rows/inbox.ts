import type { App } from '../../../src/app/app.js';
import { issueLabel } from '../../../src/protocol/issue-label.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { damagedRows, type Row } from './row.js';

const ICONS: Readonly<Record<string, string>> = {
  escalation: 'megaphone',
  approval: 'verified',
  agent_failed: 'error',
  late_answer: 'history',
};

/** What waits for the person, oldest first. */
export async function inboxRows(app: Pick<App, 'questionSummaries' | 'root'>): Promise<readonly Row[]> {
  const { items, damaged } = await app.questionSummaries();
  const rows = items.map(({ id, issueNumber, agent, title, kind, consequence, expiresAt }): Row => {
    const waits = expiresAt === undefined && consequence === 'irreversible' ? ', irreversible' : '';
    const what = plainLine(title);
    return {
      id: `question/${id}`,
      label: what,
      description: `${issueLabel(issueNumber)} ${agentTitle(agent)}${waits}`,
      tooltip: `${what}\n${agentTitle(agent)} asks, ${id}, ${issueLabel(issueNumber)}`,
      icon: ICONS[kind] ?? 'question',
      kind: 'agentx.question',
      command: { name: 'agentx.answerQuestion', argument: { root: app.root, id, issueNumber } },
      ...(expiresAt === undefined ? {} : { deadline: expiresAt }),
    };
  });
  return [...damagedRows(app.root, damaged), ...rows];
}

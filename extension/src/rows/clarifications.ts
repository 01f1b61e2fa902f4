import type { App } from '../../../src/app/app.js';
import { type ClarificationRecord, isActive, type ThreadEntry } from '../../../src/protocol/clarification.js';
import { parseClarificationId } from '../../../src/protocol/ids.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { plainLine, plainText } from '../../../src/render/plain-text.js';
import { damagedRows, type Row } from './row.js';

const ICONS: Readonly<Record<ClarificationRecord['status'], readonly [icon: string, color?: string]>> = {
  pending: ['watch', 'charts.yellow'],
  answered: ['comment', 'charts.blue'],
  resolved: ['pass', 'charts.green'],
  stale: ['history', 'charts.orange'],
  escalated: ['megaphone', 'charts.red'],
  abandoned: ['circle-slash', 'disabledForeground'],
};

/** By issue, those with open ones first and unfolded; below each clarification its thread. */
export async function clarificationRows(app: Pick<App, 'root' | 'clarifications'>): Promise<readonly Row[]> {
  const { items, damaged } = await app.clarifications('all');
  const byIssue = new Map<number, ClarificationRecord[]>();
  for (const record of items) {
    const { issueNumber } = parseClarificationId(record.id);
    byIssue.set(issueNumber, [...(byIssue.get(issueNumber) ?? []), record]);
  }
  const groups = [...byIssue].map(([issueNumber, records]) => ({ issueNumber, records, open: openIn(records) }));
  groups.sort((left, right) => Number(right.open > 0) - Number(left.open > 0) || left.issueNumber - right.issueNumber);
  const rows = groups.map(({ issueNumber, records, open }): Row => {
    const counts = [`${open} open`, `${records.length - open} closed`].filter((text) => !text.startsWith('0 '));
    return {
      id: `clarifications/${issueNumber}`,
      label: issueNumber === 0 ? 'Of no issue' : `#${issueNumber}`,
      description: counts.join(', '),
      icon: 'comment-discussion',
      isOpen: open > 0,
      children: records.map((record) => recordRow(app.root, issueNumber, record)),
    };
  });
  return [...damagedRows(app.root, damaged), ...rows];
}

function openIn(records: readonly ClarificationRecord[]): number {
  return records.filter(isActive).length;
}

function recordRow(root: string, issueNumber: number, record: ClarificationRecord): Row {
  const { id, from, to, topic, status, round, maxRounds, thread } = record;
  const [icon, color] = ICONS[status];
  const who = `${agentTitle(from)} -> ${agentTitle(to)}`;
  return {
    id: `clarification/${id}`,
    label: plainLine(topic),
    description: `${id} ${who}, ${status}`,
    tooltip: `${id} ${plainLine(topic)}\n${who}, ${status}, round ${round}/${maxRounds}`,
    icon,
    ...(color === undefined ? {} : { color }),
    kind: 'agentx.clarification',
    command: { name: 'agentx.showThread', argument: { root, id, issueNumber } },
    children: thread.map((entry, index) => entryRow(`clarification/${id}/${index}`, entry)),
  };
}

const ENTRY_ICONS = { question: 'question', answer: 'reply', resolution: 'check', escalation: 'megaphone' } as const;

function entryRow(id: string, { type, from, body }: ThreadEntry): Row {
  return {
    id,
    label: agentTitle(from),
    description: plainLine(body),
    tooltip: plainText(body),
    icon: ENTRY_ICONS[type],
  };
}

import type { App } from '../../../src/app/app.js';
import { type ClarificationRecord, isActive, type ThreadEntry } from '../../../src/protocol/clarification.js';
import { AgentXError } from '../../../src/protocol/errors.js';
import { parseClarificationId } from '../../../src/protocol/ids.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { plainLine, plainText } from '../../../src/render/plain-text.js';
import { type Differing, damagedRows, type Row } from './row.js';

const ICONS: Readonly<Record<ClarificationRecord['status'], readonly [icon: string, color?: string]>> = {
  pending: ['watch', 'charts.yellow'],
  answered: ['comment', 'charts.blue'],
  resolved: ['pass', 'charts.green'],
  stale: ['history', 'charts.orange'],
  escalated: ['megaphone', 'charts.red'],
  abandoned: ['circle-slash', 'disabledForeground'],
};

type Reading = Pick<App, 'root' | 'clarifications' | 'ledger'>;

interface Group {
  readonly issueNumber: number;
  readonly isOpen: boolean;
  readonly row: Row;
}

/**
 * By issue, those with open ones first and unfolded; below each clarification its thread. Only the ledgers that may
 * differ are read again: with thousands of them, reading all takes seconds.
 */
export class ClarificationRows {
  readonly #groups = new Map<number, Group>();
  #damaged = new Map<number | undefined, readonly AgentXError[]>();

  async read(app: Reading, differing: Differing): Promise<readonly Row[]> {
    if (differing === 'everything') await this.#readAll(app);
    else await Promise.all(issuesIn(differing).map((issueNumber) => this.#readOne(app, issueNumber)));
    const groups = [...this.#groups.values()];
    groups.sort((left, right) => Number(right.isOpen) - Number(left.isOpen) || left.issueNumber - right.issueNumber);
    return [...damagedRows(app.root, [...this.#damaged.values()].flat()), ...groups.map(({ row }) => row)];
  }

  async #readAll(app: Reading): Promise<void> {
    const { items, damaged } = await app.clarifications('all');
    const byIssue = new Map<number, ClarificationRecord[]>();
    for (const record of items) {
      const { issueNumber } = parseClarificationId(record.id);
      const records = byIssue.get(issueNumber);
      if (records === undefined) byIssue.set(issueNumber, [record]);
      else records.push(record);
    }
    this.#groups.clear();
    for (const [issueNumber, records] of byIssue)
      this.#groups.set(issueNumber, groupOf(app.root, issueNumber, records));
    this.#damaged = new Map([[undefined, damaged]]);
  }

  async #readOne(app: Reading, issueNumber: number): Promise<void> {
    // A file that was damaged may be whole by now: which one it was is known only by reading all.
    if ((this.#damaged.get(undefined)?.length ?? 0) > 0) return this.#readAll(app);
    this.#damaged.delete(issueNumber);
    try {
      const { clarifications } = await app.ledger(issueNumber);
      if (clarifications.length === 0) this.#groups.delete(issueNumber);
      else this.#groups.set(issueNumber, groupOf(app.root, issueNumber, clarifications));
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      this.#damaged.set(issueNumber, [error]);
      this.#groups.delete(issueNumber);
    }
  }
}

function issuesIn(differing: ReadonlySet<string>): readonly number[] {
  return [...differing].flatMap((name) => {
    const [kind, id = ''] = name.split('/');
    return kind === 'clarifications' && /^\d+$/.test(id) ? [Number(id)] : [];
  });
}

function groupOf(root: string, issueNumber: number, records: readonly ClarificationRecord[]): Group {
  const open = openIn(records);
  const counts = [`${open} open`, `${records.length - open} closed`].filter((text) => !text.startsWith('0 '));
  const row = {
    id: `clarifications/${issueNumber}`,
    label: issueNumber === 0 ? 'Of no issue' : `#${issueNumber}`,
    description: counts.join(', '),
    icon: 'comment-discussion',
    isOpen: open > 0,
    children: records.map((record) => recordRow(root, issueNumber, record)),
  };
  return { issueNumber, isOpen: open > 0, row };
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

import type { App } from '../../../src/app/app.js';
import { priorityOf, typeOf } from '../../../src/protocol/issue.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { damagedRows, type Row } from './row.js';

type ReadyIssue = Awaited<ReturnType<App['readySummaries']>>['ready'][number];

/** What can be worked on, the most urgent first, then what is held up and why. */
export async function readyRows({ root, readySummaries }: Pick<App, 'root' | 'readySummaries'>) {
  const { ready, blocked, damaged } = await readySummaries();
  const free = ready.map((issue) => {
    const row = ROWS.get(issue) ?? freeRow(root, issue);
    ROWS.set(issue, row);
    return row;
  });
  const blockedRows = blocked.map(({ issue, reason, clarificationId, questionId }): Row => {
    const { number, title } = issue;
    const id = questionId ?? clarificationId;
    const command = questionId === undefined ? 'agentx.showThread' : 'agentx.answerQuestion';
    return {
      id: `issue/${number}`,
      label: `#${number} ${plainLine(title)}`,
      description: plainLine(reason),
      tooltip: `#${number} ${plainLine(title)}\n${plainLine(reason)}`,
      icon: 'circle-slash',
      color: 'list.warningForeground',
      kind: 'agentx.blocked',
      badge: 'B',
      command:
        id === undefined
          ? { name: 'agentx.showIssue', argument: { root, issueNumber: number } }
          : { name: command, argument: { root, id } },
    };
  });
  return [...damagedRows(root, damaged), ...free, ...blockedRows];
}

/** An issue that has not changed is the same object at every look, and so is its row: there may be thousands. */
const ROWS = new WeakMap<ReadyIssue, Row>();

function freeRow(root: string, issue: ReadyIssue): Row {
  const { number, title, run } = issue;
  const label = `#${number} ${plainLine(title)}`;
  const priority = priorityOf(issue);
  const goesOn = run === undefined ? [] : [`${run.status}, goes on where it was`];
  const facts = [...(priority === undefined ? [] : [`P${priority}`]), typeOf(issue), ...goesOn].join(', ');
  return {
    id: `issue/${number}`,
    label,
    description: facts,
    tooltip: `${label}\n${facts}`,
    icon: run === undefined ? 'issues' : 'debug-continue',
    kind: 'agentx.issue',
    command: { name: 'agentx.showIssue', argument: { root, issueNumber: number } },
  };
}

import type { App } from '../../../src/app/app.js';
import { priorityOf, typeOf } from '../../../src/protocol/issue.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { damagedRows, type Row } from './row.js';

/** What can be worked on, the most urgent first, then what is held up and why. */
export async function readyRows({ root, readySummaries }: Pick<App, 'root' | 'readySummaries'>) {
  const { ready, blocked, damaged } = await readySummaries();
  const free = ready.map((issue): Row => {
    const { number, title, run } = issue;
    const priority = priorityOf(issue);
    const goesOn = run === undefined ? [] : [`${run.status}, goes on where it was`];
    const facts = [...(priority === undefined ? [] : [`P${priority}`]), typeOf(issue), ...goesOn];
    return {
      id: `issue/${number}`,
      label: `#${number} ${plainLine(title)}`,
      description: facts.join(', '),
      tooltip: `#${number} ${plainLine(title)}\n${facts.join(', ')}`,
      icon: run === undefined ? 'issues' : 'debug-continue',
      kind: 'agentx.issue',
      command: { name: 'agentx.showIssue', argument: { root, issueNumber: number } },
    };
  });
  const held = blocked.map(({ issue, reason, clarificationId, questionId }): Row => {
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
  return [...damagedRows(root, damaged), ...free, ...held];
}

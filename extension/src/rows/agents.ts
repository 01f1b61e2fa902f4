import type { App } from '../../../src/app/app.js';
import type { AgentStanding } from '../../../src/protocol/agent-standing.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { otherIssues, whatFor } from '../../../src/render/status.js';
import { whenText } from '../../../src/render/time.js';
import { damagedRows, type Row } from './row.js';

const ICONS: Readonly<Record<AgentStanding['status'], readonly [icon: string, color?: string]>> = {
  idle: ['circle-outline', 'disabledForeground'],
  working: ['play-circle', 'charts.blue'],
  clarifying: ['comment-discussion', 'charts.purple'],
  'blocked-clarification': ['watch', 'charts.yellow'],
  done: ['pass', 'charts.green'],
  stuck: ['error', 'charts.red'],
  interrupted: ['debug-disconnect', 'charts.orange'],
  paused: ['debug-pause', 'charts.yellow'],
};

/** What every agent does, and whom it waits for. */
export async function agentRows({ root, clock, whoIsAtWhat }: Pick<App, 'root' | 'clock' | 'whoIsAtWhat'>) {
  const { agents, damaged } = await whoIsAtWhat();
  const timing = { now: clock.now(), isRelative: true };
  const rows = Object.entries(agents).map(([agent, entry]): Row => {
    const others = otherIssues(entry).map(([issue, standing]) => ({
      ...rowOf(root, `agent/${agent}/${issue}`, { label: `#${issue}`, standing, issueNumber: issue }),
    }));
    const { issue } = entry;
    const own = { label: agentTitle(agent), standing: entry, ...(issue === null ? {} : { issueNumber: issue }) };
    const row = rowOf(root, `agent/${agent}`, own);
    const tooltip = `${row.tooltip}\nlast activity ${whenText(entry.lastActivity, timing)}`;
    return { ...row, tooltip, ...(others.length > 0 ? { children: others, isOpen: true } : {}) };
  });
  return [...damagedRows(root, damaged), ...rows];
}

interface AgentRowContent {
  readonly label: string;
  readonly standing: AgentStanding;
  readonly issueNumber?: number;
}

function rowOf(root: string, id: string, { label, standing, issueNumber }: AgentRowContent): Row {
  const [icon, color] = ICONS[standing.status];
  const { questionId, clarificationId } = standing;
  const issue = issueNumber === undefined ? [] : [`#${issueNumber}`];
  // The icon tells the status, too: whom it waits for comes before what a narrow side bar cuts off.
  const status = [standing.status, ...issue].join(' ');
  const description = [whatFor(standing), status].filter((words) => words !== '').join(', ');
  const target = questionId ?? clarificationId ?? undefined;
  return {
    id,
    label,
    description,
    tooltip: `${label}: ${description}`,
    icon,
    ...(color === undefined ? {} : { color }),
    ...(target === undefined
      ? {}
      : {
          command: {
            name: questionId === undefined ? 'agentx.showThread' : 'agentx.answerQuestion',
            argument: { root, id: target },
          },
        }),
  };
}

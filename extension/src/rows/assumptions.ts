import type { App } from '../../../src/app/app.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { damagedRows, type Row } from './row.js';

const ICONS = { standing: 'lightbulb', confirmed: 'pass', rejected: 'error' } as const;

/** What agents took for granted; the assumptions that still stand come first. */
export async function assumptionRows({ root, assumptions }: Pick<App, 'root' | 'assumptions'>) {
  const { items, damaged } = await assumptions();
  const rows = items.map((assumption, index) => {
    const {
      id,
      issueNumber,
      agent = '',
      decision,
      reasoning,
      confidence,
      risk_if_wrong,
      status = 'standing',
    } = assumption;
    const place = issueNumber === undefined ? [] : [`#${issueNumber}`];
    const row: Row = {
      id: `assumption/${id ?? index}`,
      label: plainLine(decision),
      description: [id ?? '', ...place, plainLine(agent), status].filter((word) => word !== '').join(' '),
      tooltip: `${plainLine(decision)}\nWhy: ${plainLine(reasoning)}\nIf wrong: ${plainLine(risk_if_wrong)}\nConfidence: ${confidence}`,
      icon: ICONS[status],
      kind: 'agentx.assumption',
    };
    return { row, isStanding: status === 'standing' };
  });
  const standingRows = rows.filter(({ isStanding }) => isStanding);
  const decidedRows = rows.filter(({ isStanding }) => !isStanding);
  return [...damagedRows(root, damaged), ...[...standingRows, ...decidedRows].map(({ row }) => row)];
}

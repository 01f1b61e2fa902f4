import { renderBudgets } from '../../render/budget.js';
import type { CommandLine } from '../command-line.js';

/** How full every agent's window is. */
export async function budget(line: CommandLine): Promise<undefined> {
  const { out } = line;
  const { budgets, damaged } = await line.app().contextBudget();
  for (const error of damaged) out.warn(error);
  out.json({ budgets });
  if (budgets.length === 0) {
    out.print('No agent has had a session yet.');
    out.note('A session begins with a run. See what can be run: agentx ready');
    return;
  }
  out.print(renderBudgets(budgets, { width: out.width, paint: out.paint }));
}

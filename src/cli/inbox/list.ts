import { renderQuestionList } from '../../render/question.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';

/** What waits for a human, oldest first. */
export async function list(line: CommandLine, { all }: { readonly all: boolean }): Promise<undefined> {
  const { out } = line;
  const app = line.app();
  await app.completeInbox();
  const { questions } = app.store;
  const { items, damaged } = await (all ? questions.list() : questions.listOpen());
  for (const error of damaged) out.warn(error);
  out.json({ questions: items });
  if (items.length > 0) out.print(renderQuestionList(items, listViewOf(line)));
  else out.print(all ? 'Nobody has asked you anything yet.' : 'Nothing waits for you. What was: agentx inbox --all');
}

import type { App } from '../../app/app.js';
import { summaryOf } from '../../protocol/question-summary.js';
import { howToAnswer, renderQuestionList } from '../../render/question.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

/** Questions that wait for a human, oldest first. */
export async function list(line: CommandLine, { all }: { readonly all: boolean }): Promise<undefined> {
  const { out } = line;
  const app = line.app();
  await app.completeInbox(out.note, out.warn);
  if (out.isJson) {
    const { items, damaged } = await app.questions(all ? 'all' : 'open');
    for (const error of damaged) out.warn(error);
    out.json({ questions: items });
    return;
  }
  const { items, damaged } = await (all ? allSummaries(app) : app.questionSummaries());
  for (const error of damaged) out.warn(error);
  if (items.length > 0) out.print(renderQuestionList(items, listViewOf(line)));
  else out.sayNone(all ? 'Nobody has asked you anything yet.' : 'Nothing waits for you. What was: agentx inbox --all');
  const open = items.find(({ status }) => status === 'open');
  if (open === undefined) return;
  out.print(howToAnswer(open));
  notePageLink(line, items.length === 1 ? { view: 'inbox', id: open.id } : { view: 'inbox' });
}

/** The overview of all questions opens every file anyway. */
async function allSummaries(app: App) {
  const { items, damaged } = await app.questions('all');
  return { items: items.map(summaryOf), damaged };
}

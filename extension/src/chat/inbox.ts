import type { Chat, Told } from './chat.js';
import { escaped } from './markdown.js';
import { optionSuggestions, questionBlock, tellAnsweredBefore } from './question-block.js';
import { warn } from './warn.js';

const SHOWN = 10;

/** What waits for the person, oldest first. The next message answers the first. */
export async function inbox(chat: Chat): Promise<Told> {
  const { app, sink } = chat;
  await app.completeInbox();
  const { items, damaged } = await app.questionSummaries();
  warn(sink, damaged);
  if (items.length === 0) {
    sink.markdown('Nothing waits for you.');
    return { command: 'inbox', suggestions: [{ label: 'What is ready?', prompt: '', command: 'ready' }] };
  }
  sink.markdown(`**${items.length}** ${items.length === 1 ? 'question waits' : 'questions wait'} for you.`);
  const questions = await Promise.all(items.slice(0, SHOWN).map(({ id }) => app.showQuestion(id)));
  const now = app.clock.now();
  for (const [index, question] of questions.entries()) {
    sink.markdown(questionBlock(question, { now, nextAnswers: index === 0 }));
    if (index === 0) await tellAnsweredBefore(chat, question);
  }
  const left = items.slice(SHOWN);
  if (left.length > 0) {
    const titles = left
      .slice(0, SHOWN)
      .map(({ id, issueNumber, title }) => `- ${id} (#${issueNumber}) ${escaped(title)}`);
    sink.markdown([`And ${left.length} more:`, '', ...titles, ...(left.length > SHOWN ? ['- ...'] : [])].join('\n'));
  }
  const [first] = questions;
  if (first === undefined) return { command: 'inbox', suggestions: [] };
  const { id, issueNumber } = first;
  return { command: 'inbox', issueNumber, questionId: id, suggestions: optionSuggestions(first) };
}

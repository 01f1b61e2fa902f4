import { renderObservations } from '../../../src/render/memory.js';
import { type Chat, type ChatReply, viewOf } from './chat.js';
import { escaped, markdownOf } from './markdown.js';
import { afterwards } from './run.js';

const MAX_RESULTS = 10;
const WHAT_IS_READY = { label: 'What is ready?', prompt: '', command: 'ready' };

/** What was decided before, the best match first. */
export async function memory(chat: Chat, prompt: string): Promise<ChatReply> {
  const { app, sink } = chat;
  const search = await app.memory();
  const results = await search.search({ query: prompt, limit: MAX_RESULTS });
  if (results.items.length === 0) {
    sink.markdown(prompt === '' ? 'Nothing is remembered yet.' : `Nothing is remembered about *${escaped(prompt)}*.`);
  } else {
    for (const item of results.items) sink.markdown(markdownOf(renderObservations([item], viewOf(chat))));
    if (results.total > results.items.length) sink.markdown(`${results.total - results.items.length} more.`);
  }
  const [first] = results.items;
  return { command: 'memory', suggestions: first === undefined ? [WHAT_IS_READY] : afterwards(first.issueNumber) };
}

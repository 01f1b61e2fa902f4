import { renderObservations } from '../../../src/render/memory.js';
import { type Chat, type Told, viewOf } from './chat.js';
import { escaped, markdownOf } from './markdown.js';
import { afterwards } from './run.js';

const SHOWN = 10;
const WHAT_IS_READY = { label: 'What is ready?', prompt: '', command: 'ready' };

/** What was decided before, the best match first. */
export async function memory(chat: Chat, prompt: string): Promise<Told> {
  const { app, sink } = chat;
  const search = await app.memory();
  const found = await search.search({ query: prompt, limit: SHOWN });
  if (found.items.length === 0) {
    sink.markdown(prompt === '' ? 'Nothing is remembered yet.' : `Nothing is remembered about *${escaped(prompt)}*.`);
  } else {
    for (const item of found.items) sink.markdown(markdownOf(renderObservations([item], viewOf(chat))));
    if (found.total > found.items.length) sink.markdown(`${found.total - found.items.length} more.`);
  }
  const [first] = found.items;
  return { command: 'memory', suggestions: first === undefined ? [WHAT_IS_READY] : afterwards(first.issueNumber) };
}

import { shorten } from '../../../src/protocol/shorten.js';
import { renderObservations } from '../../../src/render/memory.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { type Chat, type ChatReply, type Suggestion, viewOf } from './chat.js';
import { escaped, markdownOf } from './markdown.js';
import { afterwards } from './run.js';
import { warn } from './warn.js';

const MAX_RESULTS = 10;
const MAX_LABEL = 80;
const WHAT_IS_READY = { label: 'What is ready?', prompt: '', command: 'ready' };

/** What was decided before, the best match first. */
export async function memory(chat: Chat, prompt: string): Promise<ChatReply> {
  const { app, sink } = chat;
  const search = await app.memory();
  const { items, total, didYouMean, damaged } = await search.search({ query: prompt, limit: MAX_RESULTS });
  warn(sink, damaged);
  if (items.length === 0) {
    sink.markdown(prompt === '' ? 'Nothing is remembered yet.' : `Nothing is remembered about *${escaped(prompt)}*.`);
  } else {
    for (const item of items) sink.markdown(markdownOf(renderObservations([item], viewOf(chat))));
    if (total > items.length) sink.markdown(`${total - items.length} more.`);
  }
  if (didYouMean !== undefined) sink.markdown(`Did you mean: ${escaped(plainLine(didYouMean))}`);
  const [first] = items;
  const next = first === undefined ? [WHAT_IS_READY] : afterwards(first.issueNumber);
  return { command: 'memory', suggestions: [...again(didYouMean), ...next] };
}

function again(query: string | undefined): readonly Suggestion[] {
  if (query === undefined) return [];
  return [{ label: shorten(`Search for ${plainLine(query)}`, MAX_LABEL), prompt: plainLine(query), command: 'memory' }];
}

import type { Listed } from '../state.js';
import { Text } from './text.js';

/** A thread reads like a conversation. */
export function Thread({ record }: { readonly record: Listed }) {
  return (
    <ol class="thread">
      {record.thread.map((entry) => (
        <li key={`${entry.timestamp} ${entry.type}`} class={entry.from === record.from ? 'asks' : 'answers'}>
          <p class="quiet">
            <strong>{entry.from}</strong> {entry.type === 'question' ? `asks, round ${entry.round}` : entry.type}
          </p>
          <Text>{entry.body}</Text>
        </li>
      ))}
    </ol>
  );
}

import { plainLine } from '../../../src/render/plain-text.js';
import type { Listed } from '../state.js';
import { Text } from './text.js';

type Entry = Listed['thread'][number];

const SAYS: Readonly<Record<Entry['type'], string>> = {
  question: 'asks',
  answer: 'answers',
  resolution: 'concludes',
  escalation: 'asks a human',
};

/** A thread reads like a conversation. */
export function Thread({ record }: { readonly record: Listed }) {
  return (
    <ol class="thread">
      {record.thread.map((entry, index) => (
        <li key={`${entry.timestamp} ${index}`} class={sideOf(entry, record)}>
          <p class="quiet">
            <strong>{plainLine(entry.from)}</strong>
            {entry.principal === undefined ? '' : ` (${plainLine(entry.principal)})`} {SAYS[entry.type]}, round{' '}
            {entry.round}
            {entry.source === undefined ? '' : `, from ${plainLine(entry.source)}`}
          </p>
          {entry.positions === undefined ? <Text>{entry.body}</Text> : <Positions entry={entry} record={record} />}
        </li>
      ))}
    </ol>
  );
}

function sideOf({ from, type }: Entry, record: Listed): string {
  if (type === 'escalation') return 'escalates';
  return from === record.from ? 'asks' : 'answers';
}

/** Where two agents could not agree: each side's last word, beside each other. */
function Positions({ entry: { positions, reason }, record }: { readonly entry: Entry; readonly record: Listed }) {
  return (
    <>
      {reason === undefined ? null : <Text>{reason}</Text>}
      <dl class="positions">
        <div>
          <dt>{record.from}</dt>
          <dd>
            <Text>{positions?.requester ?? ''}</Text>
          </dd>
        </div>
        <div>
          <dt>{record.to}</dt>
          <dd>
            <Text>{positions?.target ?? 'has not answered'}</Text>
          </dd>
        </div>
      </dl>
    </>
  );
}

import { derivedEscalationId } from '../../../src/protocol/derived-id.js';
import type { Question } from '../../../src/protocol/question.js';
import type { ListedClarification } from '../../../src/protocol/rest.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { Link } from './link.js';
import { Text } from './text.js';
import { LocalTime } from './time.js';

type Entry = ListedClarification['thread'][number];

const SAYS: Readonly<Record<Entry['type'], string>> = {
  question: 'asks',
  answer: 'answers',
  resolution: 'concludes',
  escalation: 'asks a human',
};

interface ThreadProps {
  readonly record: ListedClarification;
  /** The open questions, if the thread is to link to its question. */
  readonly open?: readonly Question[];
}

/** A thread reads like a conversation. */
export function Thread({ record, open }: ThreadProps) {
  return (
    <ol class="thread">
      {record.thread.map((entry, index) => (
        <li key={`${entry.timestamp} ${index}`} class={sideOf(entry, record)}>
          <p class="quiet">
            <strong>{plainLine(entry.from)}</strong>
            {entry.principal === undefined ? '' : ` (${plainLine(entry.principal)})`} {SAYS[entry.type]}, round{' '}
            {entry.round}, <LocalTime at={entry.timestamp} />
            {entry.source === undefined ? '' : `, from ${plainLine(entry.source)}`}
          </p>
          {entry.positions === undefined ? <Text>{entry.body}</Text> : <Positions entry={entry} record={record} />}
          {entry.type === 'escalation' && open !== undefined ? (
            <ToQuestion entry={entry} record={record} open={open} />
          ) : null}
        </li>
      ))}
      {open === undefined
        ? null
        : (record.questions ?? []).map((id) => (
            <li key={id} class="escalates">
              <Link to={{ view: 'inbox', id }}>
                {isIn(open, id) ? 'Waits for you: answer it' : 'What a human was asked'}
              </Link>
            </li>
          ))}
    </ol>
  );
}

const isIn = (questions: readonly Question[], wantedId: string): boolean => questions.some(({ id }) => id === wantedId);

interface ToQuestionProps {
  readonly entry: Entry;
  readonly record: ListedClarification;
  readonly open: readonly Question[];
}

/** Leads from the place where a thread went to a human to the question for that human. */
function ToQuestion({ entry: { round }, record, open }: ToQuestionProps) {
  const isLast = record.status === 'escalated' && record.round === round;
  const waitingQuestion = isLast
    ? open.find(({ kind, sourceId }) => kind === 'escalation' && sourceId === record.id)
    : undefined;
  const id = waitingQuestion?.id ?? derivedEscalationId(record.id, round);
  return (
    <Link to={{ view: 'inbox', id }}>
      {waitingQuestion === undefined ? 'The question it became' : 'Waits for you: answer it'}
    </Link>
  );
}

function sideOf({ from, type }: Entry, record: ListedClarification): string {
  if (type === 'escalation') return 'escalates';
  return from === record.from ? 'asks' : 'answers';
}

/** Two agents that could not agree: each side's last word, side by side. */
function Positions({
  entry: { positions, reason },
  record,
}: {
  readonly entry: Entry;
  readonly record: ListedClarification;
}) {
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

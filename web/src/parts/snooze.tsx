import type { Question } from '../../../src/protocol/question.js';
import { snooze } from '../snooze.js';
import { LocalTime } from './time.js';

const TIMES: readonly (readonly [name: string, minutes: number])[] = [
  ['30 min', 30],
  ['2 h', 120],
  ['1 day', 24 * 60],
];

/** For a person who cannot decide now. The deadline of the question stays. */
export function Snooze({ question, now }: { readonly question: Question; readonly now: number }) {
  if (isSnoozed(question, now)) {
    return (
      <p class="quiet snooze">
        <span>
          No reminder until <LocalTime at={question.snoozed?.until ?? ''} />
        </span>
        <button type="button" onClick={() => void snooze(question, 0)}>
          Remind me
        </button>
      </p>
    );
  }
  return (
    <p class="quiet snooze">
      <span>No reminder for</span>
      {TIMES.map(([name, minutes]) => (
        <button
          key={name}
          type="button"
          aria-label={`No reminder for ${name}`}
          onClick={() => void snooze(question, minutes)}
        >
          {name}
        </button>
      ))}
    </p>
  );
}

export function isSnoozed({ snoozed }: Question, now: number): boolean {
  return snoozed !== undefined && Date.parse(snoozed.until) > now;
}

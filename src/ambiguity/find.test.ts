import { describe, expect, it } from 'vitest';
import { ambiguitiesIn, type Examined, toldAmbiguities } from './find.js';

const kinds = (examined: Examined) => [...new Set(ambiguitiesIn(examined).map(({ kind }) => kind))].sort();

describe('what a text leaves undecided', () => {
  it.each([
    ['Store the amounts as EUR or USD.', 'choice'],
    ['The retention is TBD.', 'missing'],
    ['Archive inactive users after <duration>.', 'missing'],
    ['Make the start page faster.', 'measure'],
    ['Add authentication.', 'gap'],
    ['Sort the list as discussed.', 'reference'],
    ['The timeout is 30 seconds. After the timeout of 60 seconds the client gives up.', 'contradiction'],
    ['The phone number is required. The phone number is optional.', 'contradiction'],
  ])('%s', (task, kind) => {
    expect(kinds({ task })).toContain(kind);
  });

  it.each([
    ['Start pages of more than 200 KB are slow: load charts below 600 px only when they are seen.'],
    ['Refuse a file that is empty or larger than 10 MB with 413.'],
    ['The timeout is 30 seconds. The retry waits for 2 seconds.'],
    ['First and last name are required. The middle name is optional.'],
    ['Use `<name>` in the template and <kbd>Tab</kbd> to move on, as docs/keys.md says.'],
  ])('nothing: %s', (task) => {
    expect(kinds({ task })).toEqual([]);
  });

  it('is found in what an agent says of its work, unless it says what settled it', () => {
    expect(kinds({ reply: 'I assumed that only admins may delete.' })).toEqual(['guess']);
    expect(kinds({ reply: 'The issue does not say which format, so JSON is used for now.' })).toEqual(['guess']);
    expect(kinds({ reply: 'I was not sure about the format; the architect confirmed JSON (CLR-1-002).' })).toEqual([]);
    expect(kinds({ reply: 'Done. The three tests pass.' })).toEqual([]);
  });

  it('is found between two artifacts', () => {
    const artifacts = [
      { content: 'The list shows 20 items per page.' },
      { content: 'The list shows 50 items per page.' },
    ];
    expect(kinds({ artifacts })).toEqual(['contradiction']);
    expect(toldAmbiguities(ambiguitiesIn({ artifacts }))).toContain('these contradict each other: "The list shows 20');
  });

  it('takes little time for a long text', () => {
    const long = 'The limit of the queue is 5 jobs, and the user sees some of them. '.repeat(5000);
    expect(ambiguitiesIn({ task: long, reply: long, artifacts: [{ content: long }] }).length).toBeGreaterThanOrEqual(0);
  });
});

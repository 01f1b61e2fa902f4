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
    ['Comments are removed permanently. Removed comments can be restored by their author.', 'contradiction'],
    ['Posts are shown newest first. The feed shows posts with the oldest first.', 'contradiction'],
    ['The field `size` is required. If `size` is missing, 10 is used.', 'contradiction'],
    ['Tell me about pythons.', 'gap'],
    ['When does the museum open?', 'gap'],
    ['As a teacher, I want to follow the progress of my class so that I can help early.', 'gap'],
    ['The app freezes sometimes. Please look into it.', 'gap'],
    ['Highlight the most relevant words of the article.', 'measure'],
  ])('%s', (task, kind) => {
    expect(kinds({ task })).toContain(kind);
  });

  it.each([
    ['Start pages of more than 200 KB are slow: load charts below 600 px only when they are seen.'],
    ['Refuse a file that is empty or larger than 10 MB with 413.'],
    ['The timeout is 30 seconds. The retry waits for 2 seconds.'],
    ['First and last name are required. The middle name is optional.'],
    ['The field `size` is required. If `size` is missing, the answer is 400.'],
    ['Drafts are removed permanently. Published comments can be restored by their author for 30 days.'],
    ['What is the capital of Peru?'],
    ['Who painted the ceiling of the Sistine Chapel?'],
    ['As a teacher, I want a list of the pupils who missed 3 lessons or more, so that I can call their parents.'],
    ['In sheet Q3, cell B7 adds B1:B5; it should add B1:B6.'],
    ['Use `<name>` in the template and <kbd>Tab</kbd> to move on, as docs/keys.md says.'],
  ])('nothing: %s', (task) => {
    expect(kinds({ task })).toEqual([]);
  });

  it.each([
    ['def f(a):\n    """Sort the list in a certain order."""', 'measure'],
    ['def f(a):\n    """Sort the list (ascending or descending)."""', 'choice'],
    ['def f(a):\n    """Return the first or last element."""', 'choice'],
    ['def f(a):\n    """Return True if there are two elements that\n    """', 'missing'],
    ['def f(a):\n    """You are given a list of numbers."""', 'gap'],
    ['def f(a):\n    """\n    """', 'gap'],
    ['def f(a):\n    """Double a.\n    >>> f(1)\n    2\n    >>> f( 1 )\n    3\n    """', 'contradiction'],
    ['def f(a) -> bool:\n    """Tell whether a is even.\n    >>> f(2)\n    2\n    """', 'contradiction'],
    ['Return the numbers in ascending order.\nf([2, 1]) => [2, 1]', 'contradiction'],
    ['Return a list of words.\nf("a b") returns 2', 'contradiction'],
    ['Send it to them.', 'reference'],
    ['Slow again\n\nThe page is slow again since the update. It fails for us. Please fix.', 'gap'],
  ])('in a description of a function, a request or a report: %j', (task, kind) => {
    expect(kinds({ task })).toContain(kind);
  });

  it.each([
    [
      'def f(a):\n    """Return a new list with the numbers of a that are closer to\n    each other than 2.\n    >>> f([1])\n    []\n    """',
    ],
    ['def f(a):\n    """Sort by length, ascending.\n    >>> f([10, 2])\n    [10, 2]\n    """'],
    ['def f(a):\n    """Return True if a is even, otherwise return -1.\n    >>> f(3)\n    -1\n    """'],
    ['def f(a, order):\n    """Sort ascending or descending, depending on order."""'],
    ['Write a function to find the sum of the digits of a number.'],
    ['Send the file offer.pdf to anna@example.org at 9:00.'],
  ])('nothing in: %j', (task) => {
    expect(kinds({ task })).toEqual([]);
  });

  it('is no tone of voice in a report that shows what is meant', () => {
    const report =
      'Counting is slow\n\nSince 2.1 `count()` loads all rows, which is not appropriate for big tables. Maybe the cause is ' +
      'the new cache. It should run one query, as 2.0 did.\n\n```\nSELECT * FROM entry\n```\n\nExpected: SELECT COUNT(*). ' +
      'Actual: the query above, and 40 seconds for 10,000 rows. It would be better to fix this soon.';
    expect(kinds({ task: report })).toEqual([]);
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

import { describe, expect, it } from 'vitest';
import { ambiguitiesIn, type Examined, toldAmbiguities } from './find.js';

const kinds = (examined: Examined) => [...new Set(ambiguitiesIn(examined).map(({ kind }) => kind))].sort();

describe('what a text leaves undecided', () => {
  it('is told in whole characters', () => {
    const quote = `${'x'.repeat(299)}\u{1f600} or so`;
    expect(toldAmbiguities([{ kind: 'guess', quote }])).not.toMatch(/\p{Cs}/u);
  });

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
    ['The name cannot be changed. The settings page lets a user change the name.', 'contradiction'],
    ['A lock of a file lasts 30 minutes. After one hour the lock of the file ends.', 'contradiction'],
    ['Posts are shown newest first. The feed shows posts with the oldest first.', 'contradiction'],
    ['The field `size` is required. If `size` is missing, 10 is used.', 'contradiction'],
    ['Tell me about pythons.', 'gap'],
    ['When does the museum open?', 'gap'],
    ['As a teacher, I want to follow the progress of my class so that I can help early.', 'gap'],
    ['The app freezes sometimes. Please look into it.', 'gap'],
    ['Highlight the most relevant words of the article.', 'measure'],
    ['The screen must be pleasant and the menus easy to use.', 'measure'],
    ['The report should be detailed enough to convince the board.', 'measure'],
    ['Orders are archived in a careful manner.', 'measure'],
    ['As a nurse, I want to find a patient in a simple way, so that I lose no time.', 'measure'],
    ['As a nurse, I want to print the list, perhaps with the room numbers.', 'choice'],
    ['The server should handle several requests at once, by HTTP.', 'measure'],
    ['sourdough starter', 'gap'],
    ['I would like to know more about tide tables', 'gap'],
    ['Upload stopped working after the update. Please fix it!', 'gap'],
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
    ['As a teacher, I want to move a pupil from one class to another.'],
    ['As a teacher, I want to rename a class, so that it is easier to find.'],
    ['The exported settings must be stored in the home folder.'],
    ['The user must have the right to close an account.'],
    ['This window stays open until the user presses a key.'],
    ['Which vitamins are in a carrot?'],
    ['Where does the mayor of the town work?'],
    ['How long do swans stay with their parents?'],
    ['Classify these as fruit or vegetable: leek, pear, fig.'],
    ['Name some good books by Selma Lagerlof.'],
    ['Write a short poem about an old lighthouse.'],
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
    ['def f(a):\n    """Return the numbers of a that are odd, sorted ascendingly or descendingly."""', 'choice'],
    ['def f(a):\n    """Return True if one or all numbers of a are even.\n    >>> f([2])\n    True\n    """', 'choice'],
    ['def f(a):\n    """Return a as a roman or binary or octal number."""', 'choice'],
    ['def f(n):\n    """For each i, b[i] = i * 2 or b[i] = i + 2. Return the sum of b."""', 'choice'],
    ['def f(a, b):\n    """Remove all letters of a that are related to those of b."""', 'measure'],
    ['def f(a):\n    """Move each letter by several places in the alphabet."""', 'measure'],
    ['def f(a):\n    """Check if the smallest number of a is ."""', 'missing'],
    ['def f(a):\n    """Write a function that takes a list and returns the number"""', 'missing'],
    ['def f(a):\n    """Replace every vowel by the letter that appears"""', 'missing'],
    ['def f(a):\n    """Write a function that takes a list of words.\n    f(["a"]) => 1\n    """', 'gap'],
    ['def f(a):\n    """Return the element of the list."""', 'gap'],
    ['def f(a):\n    """Filter a list of words"""', 'gap'],
    ['def f(n):\n    """You are given a number n. The list b has the length n."""', 'gap'],
    ['def f(a):\n    """Return the largest number of the list.\n    >>> f([4, 9, 2])\n    2\n    """', 'contradiction'],
    ['def f(a):\n    """Return the number of even numbers in a.\n    >>> f([4, 2])\n    6\n    """', 'contradiction'],
    [
      'def f(a):\n    """Return the distinct numbers in the list.\n    >>> f([1, 1, 2])\n    [2]\n    """',
      'contradiction',
    ],
    ['def f(a):\n    """Filter the words that begin with x.\n    >>> f([])\n    ["x"]\n    """', 'contradiction'],
    ['def f(a):\n    """Return a, sorted.\n    >>> f([1, 2, 3])\n    [3, 2, 1]\n    """', 'contradiction'],
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
    ['def f(a, b):\n    """Add two numbers a and b and return the sum"""'],
    ['def f(a):\n    """Tell whether the first or last letter of a is a vowel: 1, 2 or None."""'],
    ['def f(a):\n    """You are given a list of numbers and you need to return their product."""'],
    ['def f(a):\n    """Return the largest number of the list that is prime.\n    >>> f([9, 7])\n    7\n    """'],
    ['def f(a):\n    """Put a comma between two words of the list.\n    >>> f([1, 2])\n    "1,2"\n    """'],
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

  it.each([
    ["The ticket didn't mention a header row, so there is one."],
    ['The brief leaves out what happens to old files. They stay.'],
    ['The ADR and the README name different ports. Used 8080.'],
    ['My reading of "large" is more than 5 MB.'],
    ['The number of workers was not given. Four seemed reasonable.'],
    ['I had to pick a colour and took blue.'],
    ['Archived files are removed; happy to change that.'],
    ['I kept the old route just in case.'],
    ['I could not find who owns the table, so everybody may write.'],
  ])('is found in a reply: %s', (reply) => {
    expect(kinds({ reply })).toEqual(['guess']);
  });

  it.each([
    ['Resolved the merge conflict in main.ts; the two functions differ in one line.'],
    ['The build could not find the module, because its path was wrong.'],
    ['I read the file as UTF-8 and treat a missing one as empty.'],
    ['The field is either null or a string of 8 letters, as the schema says.'],
    ['There may be at most 5 sessions; the sixth is refused.'],
    ['The output looked good in all 3 browsers.'],
  ])('is not found in a reply: %s', (reply) => {
    expect(kinds({ reply })).toEqual([]);
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

describe('a text that is no prose', () => {
  it('says nothing in code whose fence is not closed', () => {
    const code = '```\nTODO: the rest';
    expect(ambiguitiesIn({ reply: `The parser is done.\n${code}` })).toEqual([]);
    expect(ambiguitiesIn({ reply: `The parser is done.\n${code}\n` })).toEqual([]);
  });

  it('is examined in time that grows with it', () => {
    const before = process.cpuUsage();
    for (const run of ['\n', 'a-']) ambiguitiesIn({ task: `Sort the list. ${run.repeat(50_000)}!` });
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

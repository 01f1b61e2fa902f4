import { describe, expect, it } from 'vitest';
import { aDigest } from '../../test/builders/digest.js';
import { bar, meter } from './bar.js';
import { renderDigest } from './digest.js';
import { digestMarkdown } from './digest-markdown.js';

describe('a digest in the terminal', () => {
  it('says of a week that is not over that these are the figures so far', () => {
    expect(renderDigest(aDigest(), { width: 100, isOver: false })).toMatch(
      /^2026-W09 {2}23 Feb to 1 Mar 2026, so far\n/,
    );
  });

  it('says of a week to come that it has not begun', () => {
    const text = renderDigest(aDigest({ isQuiet: true }), { width: 100, isOver: false, isBegun: false });
    expect(text).toBe('2026-W09  23 Feb to 1 Mar 2026, not begun yet');
  });

  it('shows a week at a glance', () => {
    expect(renderDigest(aDigest(), { width: 100 })).toBe(
      `2026-W09  23 Feb to 1 Mar 2026
4 clarifications asked, 3 resolved, 1 escalated, 6 rounds answered
2026-W08: 1 clarification asked, 1 resolved, 0 escalated, 1 round answered

  Mon  ########################  2
  Tue
  Wed  ############              1
  Thu  ############              1
  Fri
  Sat
  Sun

Targets
  missed  Resolved without a human   [########--]    75 %  > 80 %  was 100 %
  missed  Escalated to a human       [###-------]    25 %  < 20 %  was 0 %
  met     Rounds per resolution                         2  2 to 3  was 1
  -       Rejected as misunderstood                     -  < 15 %
  -       Rework cycles per issue                       -  < 1.5
  -       Answers changing the plan                     -  > 50 %
  -       Asked, not found later                        -  > 80 %
  -       Assumptions rejected                          -  < 20 %
  met     Stale clarifications                          0  0       was 0
  met     Deadlocks                                     0  0       was 0

Asked about
  ############   3  Database adapter
  ####           1  Audit logs

Who asks
  ############   3  engineer  1 escalated
  ####           1  reviewer

Time to answer
  agents  half within 12 s, 9 of 10 within 3 min (6 answers)

People and reviews
  1 question to humans, 1 answered, 0 by fallback

"Database adapter" was asked about 3 times: say it in the template that leaves it open.`,
    );
  });

  it('says so when nothing happened', () => {
    expect(renderDigest(aDigest({ isQuiet: true }), { width: 80 })).toBe(
      '2026-W09  23 Feb to 1 Mar 2026\nNothing was asked, answered or reviewed in this week.',
    );
  });

  it('does not scroll sideways, and lets no escape reach the terminal', () => {
    const topics = [{ topic: `\u001b[2J${'A long topic '.repeat(20)}`, count: 3, clarifications: [] }];
    for (const width of [100, 70, 50]) {
      const text = renderDigest(aDigest({ topics }), { width });
      expect(text).not.toContain('\u001b');
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    }
  });
});

describe('a digest in its file', () => {
  it('has the figures, the targets, the topics and the agents', () => {
    const text = digestMarkdown(aDigest());
    expect(text).toContain('# Digest 2026-W09\n\n23 Feb to 1 Mar 2026, UTC.');
    expect(text).toContain('| 2026-W09 | 4 | 3 | 1 | 0 | 6 | 0 | 0 |\n| 2026-W08 | 1 | 1 | 0 | 0 | 1 | 0 | 0 |');
    expect(text).toContain('| Resolved without a human | 75 % | > 80 % | missed | 100 % |');
    expect(text).toContain('| Database adapter | 3 | CLR-42-001, CLR-42-002, CLR-43-001 |');
    expect(text).toContain('| engineer | 3 | 1 | 0 |');
    expect(text).not.toContain('Not counted');
  });

  it('lists what is common and leaves the rest to --json', () => {
    const clarifications = Array.from({ length: 30 }, (_, index) => `CLR-42-${100 + index}`);
    const topics = Array.from({ length: 40 }, (_, index) => ({ topic: `Topic ${index}`, count: 30, clarifications }));
    const text = digestMarkdown(aDigest({ topics }));
    expect(text).toContain('CLR-42-109 and 20 more |');
    expect(text).toContain('Topic 19');
    expect(text).not.toContain('Topic 20');
    expect(text).toContain('And 20 topics more.');
  });

  it('keeps the words of agents from becoming markup', () => {
    const topics = [{ topic: 'a | b <img>\n# c `d`', count: 1, clarifications: ['CLR-42-001'] }];
    expect(digestMarkdown(aDigest({ topics }))).toContain('| a \\| b \\<img\\> \\# c \\`d\\` | 1 | CLR-42-001 |');
  });

  it('says what it could not count', () => {
    expect(digestMarkdown(aDigest({ skipped: 2 }))).toContain('Not counted, because damaged: 2 of the files.');
    expect(digestMarkdown(aDigest({ isQuiet: true }))).toContain('Nothing was asked');
  });
});

describe('a bar', () => {
  it('shows what is not nothing, and does not overflow', () => {
    expect(bar(1, 1000, 10)).toBe('#');
    expect(bar(0, 10, 10)).toBe('');
    expect(bar(20, 10, 10)).toBe('##########');
    expect(meter(0.25, 8)).toBe('[##------]');
  });
});

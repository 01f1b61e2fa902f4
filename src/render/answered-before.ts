import type { AnsweredBefore } from '../protocol/answered-before.js';
import { issueLabel } from '../protocol/issue-label.js';
import { plainLine } from './plain-text.js';
import { labelled, type View } from './thread.js';

/** What was decided when the same was asked before, with its citation, for the person who is asked now. */
export function renderAnsweredBefore(before: readonly AnsweredBefore[], { width, paint }: View): string {
  return before
    .flatMap(({ source, issueNumber, question, answer, by, at }) => [
      labelled('  Answered before: ', plainLine(answer), width),
      paint.quiet(
        labelled(
          '    ',
          `${plainLine(question)} ${issueLabel(issueNumber)}, ${source} (${plainLine(by)}, ${at.slice(0, 10)})`,
          width,
        ),
      ),
    ])
    .join('\n');
}

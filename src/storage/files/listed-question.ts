import type { Question } from '../../protocol/question.js';
import { type QuestionSummary, summaryOf } from '../../protocol/question-summary.js';
import type { SummaryFormat } from './index-file.js';

/**
 * A question in the index: what a list shows is at hand, and the whole stands in a line of its own, which is parsed on
 * demand.
 */
export class ListedQuestion {
  #whole: Question | undefined;

  private constructor(
    readonly summary: QuestionSummary,
    readonly line: () => string,
  ) {}

  static of(question: Question): ListedQuestion {
    const listed = new ListedQuestion(summaryOf(question), () => JSON.stringify(question));
    listed.#whole = question;
    return listed;
  }

  /** Undefined if the index is damaged. */
  get whole(): Question | undefined {
    try {
      this.#whole ??= JSON.parse(this.line());
    } catch {
      // The file itself has to be read.
    }
    return this.#whole;
  }

  /**
   * A list whose first element, in the first line, holds all summaries; each question has a line of its own after that.
   */
  static readonly format: SummaryFormat<ListedQuestion> = {
    encode(all) {
      const summaries = JSON.stringify(all.map(({ summary }) => summary));
      return `[${[summaries, ...all.map(({ line }) => line())].join(',\n')}]`;
    },
    decode(bytes) {
      const end = bytes.indexOf('\n');
      const first = bytes.toString('utf8', 1, (end < 0 ? bytes.length : end) - 1);
      const summaries: QuestionSummary[] = JSON.parse(first);
      let lines: readonly string[] | undefined;
      const lineAt = (index: number) => {
        lines ??= bytes.toString('utf8', end + 1).split('\n');
        // Each ends with a comma, the last one with the bracket.
        return lines[index]?.slice(0, -1) ?? '';
      };
      return summaries.map((summary, index) => new ListedQuestion(summary, () => lineAt(index)));
    },
  };
}

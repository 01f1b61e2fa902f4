import { anchorsIn, FENCE, sentencesOf } from './anchors.js';

/*
 * What kind of text a task is. A description of a function or a long report holds code, and its prose is broken into
 * lines. Such a text shows in detail what is meant, so a weak word in it is only the tone of its author. Pure.
 */

export interface Profile {
  /** Without code and examples, lines that belong together joined. */
  readonly prose: string;
  readonly sentences: readonly string[];
  readonly words: number;
  /** The share of sentences that hold on to something. */
  readonly definite: number;
  readonly hasCode: boolean;
  readonly isFunction: boolean;
  /** A call with its result. */
  readonly hasExamples: boolean;
  /** So much of it is said, or shown, that no single weak word counts. */
  readonly isRich: boolean;
}

const SIGNATURE = /^[ \t]*(?:async\s+)?(?:def|function|fn|func)\s+\w+\s*\(/m;
const CODE_LINE =
  /^\s*(?:>>>|\.\.\. |(?:async )?def \w+\(|function \w+\(|from \w[\w.]* import |import \w|@\w+|Traceback |File "|at \S+ \()/;
const EXAMPLE = /^[ \t]*>>>|\w\(.*\)\s*(?:={1,2}>?|-+>|\u279e|\u2192|returns|should)|\binput:|\boutput should\b/im;
const RICH_WORDS = 40;
const RICH_SHARE = 0.5;
const RICH_SENTENCES = 3;

export function profileOf(text: string): Profile {
  const prose = joined(withoutExamples(text.replace(FENCE, '\n')).replace(/"""|'''/g, '\n'));
  const sentences = sentencesOf(prose);
  const anchoredCount = sentences.filter((sentence) => anchorsIn(sentence) > 0).length;
  const definite = sentences.length === 0 ? 0 : anchoredCount / sentences.length;
  const words = prose.split(/\s+/).filter((word) => /\w/.test(word)).length;
  const isFunction = SIGNATURE.test(text);
  const hasCode =
    text.search(FENCE) >= 0 || text.split('\n').some((line) => CODE_LINE.test(line) || /^ {4}\S/.test(line));
  const isRich =
    words >= RICH_WORDS && !isFunction && (hasCode || (definite >= RICH_SHARE && sentences.length >= RICH_SENTENCES));
  const hasExamples = EXAMPLE.test(text);
  return { prose, sentences, words, definite, hasCode, isFunction, hasExamples, isRich };
}

/** Leaves out code, and what an example prints: the lines after `>>>` until an empty one. */
function withoutExamples(text: string): string {
  let isOutput = false;
  return text
    .split('\n')
    .filter((line) => {
      const isCode = CODE_LINE.test(line);
      if (isCode) isOutput = />>>/.test(line);
      else if (/^\s*$|"""|'''/.test(line)) isOutput = false;
      return !isCode && !isOutput;
    })
    .join('\n');
}

/** A line that begins in lower case, or stands below a comma, goes on with the sentence of the line above. */
function joined(text: string): string {
  return text.replace(/(?<=[\w,;)'"])[ \t]*\n[ \t]*(?=[a-z(])|(?<=,)[ \t]*\n[ \t]*(?=\w)/g, ' ');
}

import { beginningOf } from '../../../src/protocol/limits.js';
import { plainText } from '../../../src/render/plain-text.js';

interface Selected {
  readonly path: string;
  readonly line: number;
  readonly selected: string;
  readonly question: string;
}

const MAX_TOPIC = 200;
const MAX_QUESTION = 2000;

/** A question about a piece of a file: the person's words, the path, and the piece as a quotation that is cut to fit. */
export function quotedQuestion({ path, line, selected, question }: Selected): {
  readonly topic: string;
  readonly question: string;
} {
  const words = plainText(question).trim();
  const head = `${words}\n\n${path}, line ${line}:\n`;
  const room = MAX_QUESTION - head.length;
  const quotedText = plainText(selected)
    .trim()
    .split('\n')
    .map((text) => `> ${text}`)
    .join('\n');
  const cutText =
    quotedText.length <= room ? quotedText : `${beginningOf(quotedText, Math.max(0, room - CUT.length))}${CUT}`;
  const [first = ''] = words.split('\n');
  const topic = `${path}: ${first}`;
  return {
    topic: topic.length <= MAX_TOPIC ? topic : `${beginningOf(topic, MAX_TOPIC - 3)}...`,
    question: beginningOf(`${head}${cutText}`, MAX_QUESTION),
  };
}

const CUT = '\n> ...';

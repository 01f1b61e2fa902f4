import { shorten } from '../protocol/shorten.js';

interface PartAnswer {
  readonly part: string;
  readonly question: string;
  readonly answer?: string;
}

interface Fitted {
  readonly shown: readonly PartAnswer[];
  /** The parts whose answers are left out. */
  readonly left: readonly string[];
}

/** The size that every client takes whole, less the room for the rest of a result. */
const MAX_CHARACTERS = 7_000;
/** Enough for the agent to recognise its own question. */
const SHORT_QUESTION = 120;

/** As many answers as fit, each of them whole. The agent asks for the other answers one by one. */
export function fitAnswers(answers: readonly PartAnswer[]): Fitted {
  if (answers.length === 1 || sizeOf(answers) <= MAX_CHARACTERS) return { shown: answers, left: [] };
  const shortenedAnswers = answers.map((one) => ({ ...one, question: shorten(one.question, SHORT_QUESTION) }));
  const omittedParts: string[] = [];
  let room = MAX_CHARACTERS - sizeOf(shortenedAnswers.map(({ answer: _, ...rest }) => rest));
  const shownAnswers = shortenedAnswers.map(({ answer, ...rest }) => {
    const size = answer === undefined ? 0 : sizeOf(answer);
    if (size <= room) {
      room -= size;
      return { ...rest, ...(answer !== undefined && { answer }) };
    }
    omittedParts.push(rest.part);
    return { ...rest, leftOut: true };
  });
  return { shown: shownAnswers, left: omittedParts };
}

/** The size of the data, which is longer than the text. */
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

import type { AnsweredBy, Question } from '../../../src/protocol/question.js';
import { answererOf, isFallback } from '../../../src/protocol/question-answerers.js';
import { plainLine } from '../../../src/render/plain-text.js';

/* Who answered which part of a question, and where. */

const CHANNELS: Readonly<Record<string, string>> = {
  cli: 'in the terminal',
  web: 'on the page',
  vscode: 'in the editor',
  github: 'on GitHub',
  mcp: 'through an MCP client',
};

export function answererText({ principal, channel }: AnsweredBy): string {
  return `by ${plainLine(principal)} ${CHANNELS[channel] ?? ''}`.trimEnd();
}

/** In other outcomes, the person whom the question names answered a part of it and did not end it. */
export function isByHuman(outcome: string | undefined): boolean {
  return outcome === 'answered' || outcome === 'declined' || outcome === 'dismissed';
}

interface GivenAnswer {
  readonly how: string;
  readonly answer: string;
}

/** Answers in time, the fallback and late answers, each with its own answerer. */
export function answersTo(question: Question, partId: string): readonly GivenAnswer[] {
  const { responses = [], lateResponses = [] } = question;
  const inTime = responses.map((one) => {
    const by = answererOf(question, one);
    const how = isFallback(question, one)
      ? 'Fallback taken'
      : `Answered${by === undefined ? '' : ` ${answererText(by)}`}`;
    return { ...one, how };
  });
  const lateAnswers = lateResponses.flatMap(({ responses, answeredBy }) =>
    responses.map((one) => ({ ...one, how: `Answered late ${answererText(answeredBy)}` })),
  );
  return [...inTime, ...lateAnswers]
    .filter(({ questionId }) => questionId === partId)
    .map(({ how, answer = '' }) => ({ how, answer }));
}

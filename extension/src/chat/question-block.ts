import type { Question, QuestionPart } from '../../../src/protocol/question.js';
import { unansweredParts } from '../../../src/protocol/question-answerers.js';
import { outlookWithoutAnswer } from '../../../src/protocol/question-outlook.js';
import { shorten } from '../../../src/protocol/shorten.js';
import { renderAnsweredBefore } from '../../../src/render/answered-before.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { plainLine, plainText } from '../../../src/render/plain-text.js';
import { countdownText } from '../../../src/render/time.js';
import { type Chat, type ChatReply, type Suggestion, viewOf } from './chat.js';
import { escaped, lineOf, markdownOf, quoted } from './markdown.js';

interface BlockOptions {
  readonly now: string;
  /** Whether the next message answers it. */
  readonly nextAnswers: boolean;
  /** Whether what it is about stands above it, as with an escalation in the stream. */
  readonly isKnown?: boolean;
}

/** A question to the person in front of the chat: what is asked, the options, what happens without an answer. */
export function questionBlock(question: Question, { now, nextAnswers, isKnown = false }: BlockOptions): string {
  const { id, issueNumber, askedBy, questions } = question;
  const [part] = unansweredParts(question);
  if (part === undefined) return '';
  const count = questions.length > 1 ? `, ${questions.indexOf(part) + 1} of ${questions.length}` : '';
  const lines = [
    `**[QUESTION]** ${escaped(agentTitle(askedBy.agent))} asks you (${id}, #${issueNumber}${count})`,
    ...(isKnown ? [] : plainText(part.text).split('\n').map(lineOf)),
    ...(part.options ?? []).map(({ id: letter, label, recommended, description }) => {
      const more = description === undefined ? '' : `: ${escaped(plainLine(description))}`;
      return `&nbsp;&nbsp;**${escaped(plainLine(letter))})** ${escaped(plainLine(label))}${recommended === true ? ' *(recommended)*' : ''}${more}`;
    }),
    withoutAnswer(question, now),
    nextAnswers ? howToAnswer(question, part) : `Answer: \`/answer ${id} ...\``,
  ];
  return quoted(lines);
}

function howToAnswer(
  { id, consequence }: Question,
  { options = [], allowText = true }: Pick<QuestionPart, 'options' | 'allowText'>,
): string {
  const inWords = `In your own words: \`/answer ${id} ...\``;
  if (consequence === 'irreversible') {
    if (options.length === 0) return inWords;
    return `*Your next message is the answer: the letter of an option.*${allowText ? ` ${inWords}` : ''}`;
  }
  if (options.length === 0) return '*Your next message is the answer.*';
  return `*Your next message is the answer: the letter of an option${allowText ? ', or your own words' : ''}.*`;
}

function withoutAnswer(question: Question, now: string): string {
  const outlook = outlookWithoutAnswer(question);
  if (outlook === undefined) {
    const why = question.consequence === 'irreversible' ? 'It is irreversible: nothing' : 'Nothing';
    return `${why} is decided without you.`;
  }
  const decides = outlook.decides.map((one) => escaped(plainLine(one))).join('; ');
  return `Without an answer, a fallback applies ${countdownText(outlook.at, { now, isRelative: true })}: ${decides}.`;
}

/** What the next message answers, after this question was shown. */
export function awaitedAnswer(question: Question): Pick<ChatReply, 'questionId' | 'part'> {
  const [part] = unansweredParts(question);
  return { questionId: question.id, ...(part !== undefined && { part: part.id }) };
}

/** What was decided when the same was asked before. */
export async function tellAnsweredBefore(chat: Chat, question: Question): Promise<void> {
  const earlierAnswers = question.status === 'open' ? await chat.app.answeredBefore(question) : [];
  if (earlierAnswers.length > 0) chat.sink.markdown(markdownOf(renderAnsweredBefore(earlierAnswers, viewOf(chat))));
}

/** One for each option, as the person would say it. */
export function optionSuggestions(question: Question): readonly Suggestion[] {
  const [part] = unansweredParts(question);
  return (part?.options ?? []).slice(0, MAX_OPTIONS).map(({ id, label }) => ({
    label: shorten(`${plainLine(id)}) ${plainLine(label)}`, MAX_LABEL),
    prompt: plainLine(id),
  }));
}

const MAX_OPTIONS = 4;
const MAX_LABEL = 80;

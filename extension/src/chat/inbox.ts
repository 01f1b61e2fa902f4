import { agentTitle } from '../../../src/render/conversation.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { countdownText } from '../../../src/render/time.js';
import type { Chat, ChatReply } from './chat.js';
import { escaped } from './markdown.js';
import { awaitedAnswer, optionSuggestions, questionBlock, tellAnsweredBefore } from './question-block.js';
import { warn } from './warn.js';

const MAX_QUESTIONS = 20;

/** What waits for the person, oldest first. The oldest stands last and in full: the next message answers it. */
export async function inbox(chat: Chat): Promise<ChatReply> {
  const { app, sink } = chat;
  await app.completeInbox();
  const { items, damaged } = await app.questionSummaries();
  warn(sink, damaged);
  const [first, ...others] = items;
  if (first === undefined) {
    sink.markdown('Nothing waits for you.');
    return { command: 'inbox', suggestions: [{ label: 'What is ready?', prompt: '', command: 'ready' }] };
  }
  const now = app.clock.now();
  if (others.length > 0) {
    const lines = others.slice(0, MAX_QUESTIONS).map(({ id, issueNumber, agent, title, expiresAt }) => {
      const timeLeft =
        expiresAt === undefined ? '' : `, a fallback applies ${countdownText(expiresAt, { now, isRelative: true })}`;
      return `- **${id}** #${issueNumber} ${escaped(agentTitle(agent))} asks: ${escaped(plainLine(title))}${timeLeft}`;
    });
    const more = others.length > MAX_QUESTIONS ? [`- ... ${others.length - MAX_QUESTIONS} more`] : [];
    const next = 'Answer one of these: `/answer` with its id and your words.';
    sink.markdown(
      [
        `**${items.length}** questions wait for you. Beside the oldest one, below:`,
        '',
        ...lines,
        ...more,
        '',
        next,
      ].join('\n'),
    );
  }
  const question = await app.showQuestion(first.id);
  sink.markdown(questionBlock(question, { now, nextAnswers: true }));
  await tellAnsweredBefore(chat, question);
  const { issueNumber } = question;
  return { command: 'inbox', issueNumber, ...awaitedAnswer(question), suggestions: optionSuggestions(question) };
}

import type { AnsweredBefore } from '../../protocol/answered-before.js';
import type { ClarificationRecord } from '../../protocol/clarification.js';
import { AgentXError } from '../../protocol/errors.js';
import type { Question } from '../../protocol/question.js';
import { renderAnsweredBefore } from '../../render/answered-before.js';
import { howToAnswer, renderQuestion } from '../../render/question.js';
import { renderExchange } from '../../render/thread.js';
import { viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

export interface ShowOptions {
  /** Whether a prompt follows: then the hint how to answer is left out. */
  readonly isAsked?: boolean;
}

export async function show(
  line: CommandLine,
  typedId: string,
  { isAsked = false }: ShowOptions = {},
): Promise<undefined> {
  const { out } = line;
  const id = await line.app().findId('question', typedId);
  await line.app().completeInbox(out.note, out.warn);
  const question = await line.app().showQuestion(id);
  const clarification = await behind(line, question);
  const earlierAnswers = question.status === 'open' ? await before(line, question) : [];
  const beside = {
    ...(clarification && { clarification }),
    ...(earlierAnswers.length > 0 && { answeredBefore: earlierAnswers }),
  };
  out.json({ ...question, ...beside });
  out.print(renderQuestion(question, viewOf(line)));
  if (earlierAnswers.length > 0) out.print(renderAnsweredBefore(earlierAnswers, viewOf(line)));
  if (clarification !== undefined)
    out.print(`\n  ${clarification.id}: what was said\n\n${renderExchange(clarification, viewOf(line))}\n`);
  if (question.status === 'open' && !isAsked) out.print(howToAnswer(question));
  notePageLink(line, { view: 'inbox', id: question.id });
}

/** What was answered when the same was asked. Like everything around the question, it may be missing. */
async function before({ app, out }: CommandLine, question: Question): Promise<readonly AnsweredBefore[]> {
  try {
    return await app().answeredBefore(question);
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    out.warn(error);
    return [];
  }
}

/** The clarification that was escalated with this question, or that waits for its answer. */
async function behind(
  { app, out }: CommandLine,
  { source, issueNumber, sourceId }: Question,
): Promise<ClarificationRecord | undefined> {
  if (source !== 'clarification') return undefined;
  try {
    const { clarifications } = await app().ledger(issueNumber);
    return clarifications.find((record) => record.id === sourceId);
  } catch (error) {
    // The question itself says what is to be decided.
    if (!(error instanceof AgentXError)) throw error;
    out.warn(error);
    return undefined;
  }
}

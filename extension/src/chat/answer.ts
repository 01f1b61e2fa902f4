import { AgentXError } from '../../../src/protocol/errors.js';
import { chosenInWords, isMereTalk } from '../../../src/protocol/option-in-words.js';
import type { Question, QuestionPart } from '../../../src/protocol/question.js';
import { latestResponses, unansweredParts } from '../../../src/protocol/question-answerers.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { responseText } from '../../../src/render/question.js';
import { renderDecision } from '../../../src/render/run.js';
import type { Chat, ChatReply } from './chat.js';
import { escaped, MARKDOWN_PAINT, markdownOf } from './markdown.js';
import { awaitedAnswer, optionSuggestions, questionBlock, tellAnsweredBefore } from './question-block.js';
import { isOtherRequest, wantsToGoOn } from './request.js';
import { resume, run, tellStory } from './run.js';
import { problemBlock } from './warn.js';

/** `/answer oq-1a2b3c4d text`: the id may be short; without one, the question above is meant. */
export async function answer(chat: Chat, prompt: string, previousReply: ChatReply | undefined): Promise<ChatReply> {
  const [, typedId, words = ''] = /^(oq-\S*)\s*([\s\S]*)$/i.exec(prompt) ?? [];
  const id = typedId === undefined ? previousReply?.questionId : await chat.app.findId('question', typedId);
  const text = typedId === undefined ? prompt : words;
  if (id === undefined) {
    throw new AgentXError('INVALID_INPUT', 'Say which question: /answer oq-1a2b3c4d and your words. See them: /inbox');
  }
  const shownPart = previousReply?.questionId === id ? previousReply.part : undefined;
  const asked = await chat.app.showQuestion(id);
  if (text.trim() === '') return present(chat, asked);
  const isTaken = asked.status === 'open' || asked.outcome === 'fallback_applied';
  if (shownPart === undefined && asked.questions.length > 1 && isTaken && unansweredParts(asked).length > 0) {
    chat.sink.markdown(
      markdownOf(`It has ${asked.questions.length} parts, so nothing is decided yet. The first open one:`),
    );
    return present(chat, asked);
  }
  const { question } = await decide(chat, id, text, shownPart);
  return afterAnswer(chat, question, { goesOn: false });
}

/** The answer to the question that the conversation ended with; undefined if the message is something else. */
export async function answerInTurn(
  chat: Chat,
  prompt: string,
  previousReply: ChatReply | undefined,
): Promise<ChatReply | undefined> {
  if (previousReply?.questionId === undefined) return undefined;
  const goesOn = previousReply.command === 'run';
  await chat.app.completeInbox();
  const current = await chat.app.question(previousReply.questionId);
  if (current === undefined || isSomethingElse(current, prompt)) return undefined;
  if (current.status !== 'open' && current.outcome !== 'fallback_applied') {
    chat.sink.markdown(markdownOf(`${current.id} was decided meanwhile, so this is no answer to it.`));
    chat.sink.markdown(
      markdownOf(renderDecision(current, { paint: MARKDOWN_PAINT, you: chat.principal, channel: 'vscode' })),
    );
    return afterAnswer(chat, current, { goesOn });
  }
  const { part } = previousReply;
  if (current.status === 'open' && part !== undefined && !unansweredParts(current).some(({ id }) => id === part)) {
    chat.sink.markdown(markdownOf(`That part of ${current.id} was decided meanwhile, so this is no answer to it.`));
    return present(chat, current, goesOn ? 'run' : 'answer');
  }
  if (isMereTalk(current, partFor(current, part), prompt)) {
    chat.sink.markdown('This cannot be undone, and your words choose no option, so nothing is decided.');
    return present(chat, current, goesOn ? 'run' : 'answer');
  }
  const { question } = await decide(chat, previousReply.questionId, prompt, part);
  return afterAnswer(chat, question, { goesOn });
}

/** "Go ahead" is an answer where it names an option, and the wish to go on elsewhere. */
function isSomethingElse(question: Question, prompt: string): boolean {
  const [part] = unansweredParts(question);
  if (part !== undefined && chosenInWords(part, prompt) !== undefined) return false;
  return wantsToGoOn(prompt) || isOtherRequest(prompt, question.issueNumber);
}

/** The part that the person was shown; by default the first that is open. */
function partFor(question: Question, shownPart: string | undefined): QuestionPart | undefined {
  const [open = question.questions[0]] = unansweredParts(question);
  return question.questions.find(({ id }) => id === shownPart) ?? open;
}

async function decide(chat: Chat, id: string, text: string, shownPart: string | undefined) {
  const { app, principal, sink } = chat;
  await app.completeInbox();
  const question = await app.showQuestion(id);
  const part = partFor(question, shownPart);
  const by = { principal, channel: 'vscode', authority: 'a user of this machine' } as const;
  const request = { id, by, text, ...(part === undefined ? {} : { questionId: part.id }) };
  // What follows from the answer stands below it.
  const following: string[] = [];
  const story = tellStory({ ...chat, sink: { ...sink, markdown: (markdown) => following.push(markdown) } });
  const result = await app.answerQuestion(request).finally(() => story.close());
  for (const response of latestResponses(result.question)) {
    if (part !== undefined && response.questionId !== part.id) continue;
    const answeredPart = result.question.questions.find((one) => one.id === response.questionId) ?? {};
    sink.markdown(`**[You]** ${escaped(plainLine(responseText(answeredPart, response)))}`);
  }
  for (const markdown of following) sink.markdown(markdown);
  for (const choice of result.choices) {
    sink.markdown('The fallback was taken before you answered.');
    sink.markdown(questionBlock(choice, { now: app.clock.now(), nextAnswers: false }));
  }
  return result;
}

/** The next part of the question, or what the answer sets free. */
async function afterAnswer(
  chat: Chat,
  question: Question,
  { goesOn }: { readonly goesOn: boolean },
): Promise<ChatReply> {
  const { app, sink } = chat;
  const { issueNumber, id } = question;
  if (question.status === 'open') return present(chat, question, goesOn ? 'run' : 'answer');
  await goOnWithout(chat, id);
  const unfinishedRun = await app.unfinishedRun(issueNumber).catch(() => undefined);
  if (unfinishedRun === undefined || unfinishedRun.isCarried)
    return { command: 'answer', issueNumber, suggestions: [INBOX] };
  if (goesOn) return run(chat, issueNumber);
  sink.markdown(`#${issueNumber} can go on.`);
  return { command: 'answer', issueNumber, suggestions: [resume(issueNumber), INBOX] };
}

/** Agents outside of a run that waited for this answer go on with it, where anything may be started. */
async function goOnWithout(chat: Chat, questionId: string): Promise<void> {
  const { app, signal, isTrusted, sink } = chat;
  const waitingIds = isTrusted ? await app.whoWaitsFor(questionId) : [];
  for (const id of waitingIds) {
    if (!(await chat.approvesPrograms())) return;
    sink.progress(`${id} waited for this: asking once more...`);
    const story = tellStory(chat);
    try {
      await app.route(id, signal);
    } catch (error) {
      // The answer stands, whatever becomes of the agents.
      if (!signal.aborted && !(error instanceof AgentXError)) throw error;
      if (error instanceof AgentXError) sink.markdown(problemBlock(error));
    } finally {
      await story.close();
    }
    if (signal.aborted) return;
  }
}

async function present(chat: Chat, question: Question, command = 'answer'): Promise<ChatReply> {
  const { app, sink } = chat;
  sink.markdown(questionBlock(question, { now: app.clock.now(), nextAnswers: question.status === 'open' }));
  await tellAnsweredBefore(chat, question);
  const { issueNumber } = question;
  return { command, issueNumber, ...awaitedAnswer(question), suggestions: optionSuggestions(question) };
}

const INBOX = { label: 'What else waits for me?', prompt: '', command: 'inbox' };

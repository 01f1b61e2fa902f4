import { AgentXError } from '../../../src/protocol/errors.js';
import { answer, answerInTurn } from './answer.js';
import type { Chat, ChatReply, ChatRequest } from './chat.js';
import { clarify } from './clarify.js';
import { inbox } from './inbox.js';
import { memory } from './memory.js';
import { ready } from './ready.js';
import { issueIn, typedCommand, wantsToGoOn } from './request.js';
import { run } from './run.js';
import { problemBlock } from './warn.js';

type Handler = (chat: Chat, prompt: string, before: ChatReply | undefined) => Promise<ChatReply>;

const COMMANDS: Readonly<Record<string, Handler>> = { clarify, inbox, answer, ready, memory, run: runOrOffer };

/** Carries out one request. What goes wrong is said in the answer; only our own failures are thrown. */
export async function respond(chat: Chat, { before: lastReply, ...request }: ChatRequest): Promise<ChatReply> {
  // The conversation may have been about a project that is not open any more.
  const previousReply = lastReply?.root === undefined || lastReply.root === chat.app.root ? lastReply : undefined;
  const { command, prompt } =
    request.command === undefined ? typedCommand(request.prompt, Object.keys(COMMANDS)) : request;
  const handler = command === undefined ? plain : COMMANDS[command];
  try {
    if (handler === undefined) {
      const allowed = Object.keys(COMMANDS).map((name) => `/${name}`);
      throw new AgentXError('INVALID_INPUT', `There is no /${command}. Allowed: ${allowed.join(', ')}.`);
    }
    return { ...(await handler(chat, prompt.trim(), previousReply)), root: chat.app.root };
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    chat.sink.markdown(problemBlock(error));
    return { ...(await stillOpen(chat, previousReply)), root: chat.app.root };
  }
}

/** The reply before, with its question if that is still open: a slip must not lose the question. */
async function stillOpen({ app }: Chat, previousReply: ChatReply | undefined): Promise<ChatReply> {
  const { questionId, ...rest } = previousReply ?? { command: '', suggestions: [] };
  const question = questionId === undefined ? undefined : await app.question(questionId).catch(() => undefined);
  return questionId === undefined || question?.status !== 'open'
    ? { ...rest, suggestions: [] }
    : { ...rest, questionId };
}

/** A message without a command: the answer to the question above it, else a request to carry something out. */
async function plain(chat: Chat, prompt: string, previousReply: ChatReply | undefined): Promise<ChatReply> {
  const answerReply = await answerInTurn(chat, prompt, previousReply);
  return answerReply ?? runOrOffer(chat, prompt, previousReply);
}

async function runOrOffer(chat: Chat, prompt: string, previousReply: ChatReply | undefined): Promise<ChatReply> {
  const issueNumber = issueIn(prompt) ?? (wantsToGoOn(prompt) ? previousReply?.issueNumber : undefined);
  if (issueNumber !== undefined) return run(chat, issueNumber);
  if (prompt !== '' && !wantsToGoOn(prompt)) {
    chat.sink.markdown('Which issue is meant? Name it by its number, such as `#42`.');
  }
  return ready(chat);
}

import { Story } from '../../../src/app/story.js';
import { AgentXError } from '../../../src/protocol/errors.js';
import type { Question } from '../../../src/protocol/question.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { renderSummary } from '../../../src/render/run.js';
import type { Chat, ChatReply, Suggestion } from './chat.js';
import { escaped, MARKDOWN_PAINT, markdownOf } from './markdown.js';
import { awaitedAnswer, optionSuggestions, questionBlock } from './question-block.js';

/** Carries out the workflow of an issue and tells its story; a stopped answer pauses the run as Ctrl-C does. */
export async function run(chat: Chat, issueNumber: number): Promise<ChatReply> {
  const { app, sink, signal } = chat;
  await mayStart(chat);
  const story = tellStory(chat);
  const end = chat.carries(issueNumber);
  let result: Awaited<ReturnType<typeof app.run>> | undefined;
  try {
    result = await app.run({
      issueNumber,
      wait: false,
      signal,
      by: 'the editor',
      behindServer: ({ message }) => sink.progress(`${plainLine(message)} Waiting until it has ended or paused there.`),
    });
  } finally {
    await story.close();
    end(result?.waitingOn ?? []);
  }
  sink.markdown(markdownOf(renderSummary(result, { paint: MARKDOWN_PAINT })));
  if (result.reason !== undefined) sink.markdown(escaped(plainLine(result.reason)));
  if (result.status !== 'paused') return { command: 'run', issueNumber, suggestions: afterwards(issueNumber) };
  const [question, ...others] = await openQuestions(chat, result.waitingOn);
  if (signal.aborted || question === undefined) {
    sink.markdown(`Paused; nothing is lost. \`resume\` goes on with #${issueNumber}.`);
    return { command: 'run', issueNumber, suggestions: [resume(issueNumber), ...afterwards(issueNumber)] };
  }
  // Each question was shown when it was asked. The one that the next message answers stands last.
  if (others.length > 0) sink.markdown(questionBlock(question, { now: app.clock.now(), nextAnswers: true }));
  return {
    command: 'run',
    issueNumber,
    ...awaitedAnswer(question),
    suggestions: [...optionSuggestions(question), ...afterwards(issueNumber)],
  };
}

/** UNAUTHORIZED before anything of the repository's settings is started unasked. */
export async function mayStart({ isTrusted, approvesPrograms }: Chat): Promise<void> {
  if (!isTrusted) {
    throw new AgentXError(
      'UNAUTHORIZED',
      'This workspace is not trusted, so no agent is started. Trust it with the command: Workspaces: Manage Workspace Trust.',
    );
  }
  if (await approvesPrograms()) return;
  throw new AgentXError(
    'UNAUTHORIZED',
    'The programs of .agentx/config.toml are not approved, so no agent is started. Look at them with the command: AgentX: Review and Approve Programs.',
  );
}

/** Everything that agents say and ask while it is open, in the words of the terminal. */
export function tellStory({ app, sink, principal }: Chat): { close(): Promise<void> } {
  return new Story({
    app,
    view: { paint: MARKDOWN_PAINT, you: principal, channel: 'vscode', isLive: false, asksInPlace: true, waits: false },
    print: (text) => {
      const markdown = markdownOf(text);
      if (markdown !== '') sink.markdown(markdown);
    },
    asked: (question) => {
      if (question.status !== 'open') return;
      const isKnown = question.kind === 'escalation';
      sink.markdown(questionBlock(question, { now: app.clock.now(), nextAnswers: true, isKnown }));
    },
  });
}

async function openQuestions({ app }: Chat, ids: readonly string[]): Promise<readonly Question[]> {
  const questions = await Promise.all(ids.map((id) => app.question(id)));
  return questions.flatMap((question) => (question?.status === 'open' ? [question] : []));
}

export function resume(issueNumber: number): Suggestion {
  return { label: `Resume #${issueNumber}`, prompt: `#${issueNumber}`, command: 'run' };
}

export function afterwards(issueNumber: number): readonly Suggestion[] {
  return [{ label: `Show the threads of #${issueNumber}`, prompt: `#${issueNumber}`, command: 'clarify' }];
}

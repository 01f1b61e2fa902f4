import { findAwaiting } from '../../../src/protocol/awaiting.js';
import type { ClarificationRecord } from '../../../src/protocol/clarification.js';
import { escalationQuestionId, parseClarificationId } from '../../../src/protocol/ids.js';
import { renderEntry } from '../../../src/render/conversation.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { ageText } from '../../../src/render/time.js';
import type { Chat, ChatReply, Suggestion } from './chat.js';
import { escaped, MARKDOWN_PAINT, markdownOf } from './markdown.js';
import { awaitedAnswer, optionSuggestions, questionBlock } from './question-block.js';
import { issueIn } from './request.js';
import { mayStart, tellStory } from './run.js';
import { warn } from './warn.js';

const MAX_THREADS = 30;

/** `/clarify`, `/clarify #42`, `/clarify CLR-42-001`, `/clarify escalate CLR-42-001 why`, `/clarify ask CLR-42-001`. */
export async function clarify(chat: Chat, prompt: string): Promise<ChatReply> {
  const [, verb = '', typedId, rest = ''] = /^(?:(escalate|ask)\s+)?(clr-\S*)\s*([\s\S]*)$/i.exec(prompt) ?? [];
  if (typedId === undefined) {
    const issueNumber = issueIn(prompt);
    return issueNumber === undefined ? active(chat) : threadsOf(chat, issueNumber);
  }
  const id = await chat.app.findId('clarification', typedId);
  if (verb.toLowerCase() === 'escalate') return escalate(chat, id, rest);
  if (verb.toLowerCase() === 'ask') return askAgain(chat, id);
  return thread(chat, await chat.app.showClarification(id));
}

async function active(chat: Chat): Promise<ChatReply> {
  const { app, sink } = chat;
  const all = await look(chat);
  const records = all.slice(0, MAX_THREADS);
  if (records.length === 0) {
    sink.markdown('No clarification is open.');
    return { command: 'clarify', suggestions: [{ label: 'What is ready?', prompt: '', command: 'ready' }] };
  }
  const { items: questions } = await app.questionSummaries();
  const awaiting = findAwaiting(records, questions);
  const timing = { now: app.clock.now(), isRelative: true };
  const lines = records.map((record) => {
    const { id, from, to, topic, status, round, maxRounds, created } = record;
    const isYours = status === 'escalated' || awaiting.has(id);
    const facts = `${status}, round ${round}/${maxRounds}, ${ageText(created, timing)}${isYours ? ', **waits for you**' : ''}`;
    return `- **${id}** ${escaped(plainLine(from))} -> ${escaped(plainLine(to))}: ${escaped(plainLine(topic))} (${facts})`;
  });
  const more = all.length > MAX_THREADS ? [`- ... ${all.length - MAX_THREADS} more`] : [];
  sink.markdown([...lines, ...more].join('\n'));
  const hasYours = records.some(({ id, status }) => status === 'escalated' || awaiting.has(id));
  const [first] = records;
  return {
    command: 'clarify',
    suggestions: [
      ...(hasYours ? [{ label: 'What waits for me?', prompt: '', command: 'inbox' }] : []),
      ...(first === undefined ? [] : actionsOn(first)),
    ],
  };
}

/** What the monitor finds on the way is said; a target that is asked again needs trust. */
async function look(chat: Chat): Promise<readonly ClarificationRecord[]> {
  const { app, sink, isTrusted } = chat;
  const announce = (line: string) => sink.progress(plainLine(line));
  const { active: clarifications, warnings } = await app.runCheck({ retry: isTrusted, announce });
  warn(sink, warnings);
  return clarifications.map(({ record }) => record);
}

async function threadsOf(chat: Chat, issueNumber: number): Promise<ChatReply> {
  const { app, sink } = chat;
  await app.ledger(issueNumber);
  await look(chat);
  const { clarifications } = await app.ledger(issueNumber);
  if (clarifications.length === 0) sink.markdown(`No agent has asked anything about #${issueNumber} yet.`);
  for (const record of clarifications) tell(chat, record);
  await artifactsOf(chat, issueNumber);
  const open = clarifications.filter(({ status }) => status !== 'resolved' && status !== 'abandoned');
  const question = await questionOf(chat, open);
  return {
    command: 'clarify',
    issueNumber,
    ...(question === undefined ? {} : awaitedAnswer(question)),
    suggestions: [
      ...(question === undefined ? [] : optionSuggestions(question)),
      ...open.slice(0, 1).flatMap(actionsOn),
      { label: `Run #${issueNumber}`, prompt: `#${issueNumber}`, command: 'run' },
    ],
  };
}

async function thread(chat: Chat, record: ClarificationRecord): Promise<ChatReply> {
  tell(chat, record);
  const { issueNumber } = parseClarificationId(record.id);
  await artifactsOf(chat, issueNumber);
  const question = await questionOf(chat, [record], (await chat.app.ledger(issueNumber)).clarifications);
  return {
    command: 'clarify',
    issueNumber,
    ...(question === undefined ? {} : awaitedAnswer(question)),
    suggestions: [...(question === undefined ? [] : optionSuggestions(question)), ...actionsOn(record)],
  };
}

/** The thread as it was streamed, under its own heading. */
function tell({ sink }: Chat, record: ClarificationRecord): void {
  const facts = `${record.status}, round ${record.round}/${record.maxRounds}`;
  sink.markdown(`**${record.id}** ${escaped(plainLine(record.topic))} *(${facts})*`);
  for (const entry of record.thread) {
    sink.markdown(markdownOf(renderEntry(record, entry, { paint: MARKDOWN_PAINT, asksInPlace: false })));
  }
}

/** The question that a person has to answer about one of these, shown below them: `all` are those of the issue. */
async function questionOf({ app, sink }: Chat, records: readonly ClarificationRecord[], all = records) {
  const awaiting = findAwaiting(all, (await app.questionSummaries()).items);
  for (const { id, status, round } of records) {
    const isKnown = status === 'escalated';
    const questionId = isKnown ? escalationQuestionId(id, round) : awaiting.get(id);
    const question = questionId === undefined ? undefined : await app.question(questionId);
    if (question?.status !== 'open') continue;
    sink.markdown(questionBlock(question, { now: app.clock.now(), nextAnswers: true, isKnown }));
    return question;
  }
  return undefined;
}

async function artifactsOf({ app, sink }: Chat, issueNumber: number): Promise<void> {
  const artifacts = await app.artifacts(issueNumber);
  if (artifacts.length === 0) return;
  sink.markdown('Artifacts:');
  for (const { file } of artifacts) sink.file(file);
}

async function escalate(chat: Chat, id: string, reason: string): Promise<ChatReply> {
  const { app, principal } = chat;
  await app.escalate({
    clarificationId: id,
    reason: reason.trim() === '' ? 'A person wants to decide it.' : reason,
    by: 'human',
    principal,
  });
  return thread(chat, await app.showClarification(id));
}

async function askAgain(chat: Chat, id: string): Promise<ChatReply> {
  await mayStart(chat);
  const story = tellStory(chat);
  try {
    await chat.app.route(id, chat.signal);
  } catch (error) {
    if (!chat.signal.aborted) throw error;
    chat.sink.markdown(`${id} stays open: its target has not answered.`);
  } finally {
    await story.close();
  }
  const { issueNumber } = parseClarificationId(id);
  return { command: 'clarify', issueNumber, suggestions: actionsOn(await chat.app.showClarification(id)) };
}

function actionsOn({ id, status }: Pick<ClarificationRecord, 'id' | 'status'>): readonly Suggestion[] {
  const show = { label: `Show the thread ${id}`, prompt: id, command: 'clarify' };
  if (status !== 'pending' && status !== 'stale' && status !== 'answered') return [show];
  return [show, { label: `Escalate ${id} to me`, prompt: `escalate ${id}`, command: 'clarify' }];
}

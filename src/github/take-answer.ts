import { fnv1a64 } from '../protocol/derived-id.js';
import { AgentXError } from '../protocol/errors.js';
import { emptyMirror, type GitHubMirror, type Note, type RemoteComment } from '../protocol/github.js';
import type { AnsweredBy, Question } from '../protocol/question.js';
import { isAskedIn } from '../render/github-comment.js';
import { code, inline } from '../render/github-text.js';
import { commentName, readName } from './comment-name.js';
import { questionName } from './desired-state.js';
import { GitHubFailure } from './failure.js';
import { adoptComments } from './find-posted.js';
import type { SyncPorts } from './ports.js';
import {
  answerIn,
  type HumanComment,
  type PostedQuestion,
  readComments,
  requireMeant,
  type Target,
  targetOf,
} from './read-answer.js';

/*
 * Takes a person's comment as an answer. The comment is noted as taken after the answer was carried out. If the process
 * dies in between, the next one carries the answer out again, which changes nothing: the same answer of the same person
 * counts once.
 */

/** More than a sync ever sees again. */
const REMEMBERED = 1_000;

/** Returns the ids of the questions that were decided. */
export async function takeComments(ports: SyncPorts, comments: readonly RemoteComment[]): Promise<readonly string[]> {
  const decidedIds: string[] = [];
  const { sending = [] } = (await ports.mirror.sync.read()) ?? {};
  for (const comment of comments) {
    const { issueNumber } = comment;
    // Most comments are on issues without a question.
    if (readName(comment.body) !== undefined || comment.isBot) continue;
    const isInDoubt = sending.includes(issueNumber);
    const mirror = (await ports.mirror.issue(issueNumber).read()) ?? (isInDoubt ? emptyMirror(issueNumber) : undefined);
    if (mirror === undefined || mirror.taken.includes(keyOf(comment))) continue;
    const notes: Note[] = [];
    try {
      const adoptedMirror = isInDoubt ? await adoptComments(ports, mirror) : mirror;
      for (const [index, read] of readComments(comment.body).entries()) {
        const { note, questionId } = await take(ports, adoptedMirror, { ...comment, read, index });
        if (questionId !== undefined) decidedIds.push(questionId);
        if (note !== undefined && !notes.some(({ name }) => name === note.name)) notes.push(note);
      }
    } catch (error) {
      // The issue was deleted or transferred since, and the comment with it.
      if (!(error instanceof GitHubFailure) || !(error.isGone || error.status === 404)) throw error;
      ports.log.warn('a comment was not read', { issueNumber, url: comment.url, error: error.message });
    }
    await ports.mirror.issue(issueNumber).update((current = emptyMirror(issueNumber)) => ({
      next: {
        ...current,
        taken: [...current.taken, keyOf(comment)].slice(-REMEMBERED),
        notes: [...current.notes, ...notes.filter(({ name }) => !current.notes.some((note) => note.name === name))],
      },
      result: undefined,
    }));
  }
  return decidedIds;
}

/** GitHub's times have whole seconds, and a person can correct a comment within one. */
const keyOf = ({ id, updated, body }: RemoteComment): string => `${id}@${updated}#${fnv1a64(body)}`;

/** Whether a later version of the comment was taken before: deliveries come in any order. */
export function isCorrected({ id, updated }: RemoteComment, taken: GitHubMirror['taken']): boolean {
  return taken.some((key) => {
    const [start = '', time = ''] = key.split(/[@#]/);
    return start === String(id) && Date.parse(time) > Date.parse(updated);
  });
}

interface CommentResult {
  /** A sentence for the person. */
  readonly note?: Note;
  readonly questionId?: string;
}

/** One of the commands in a comment, or its words. */
interface Command extends RemoteComment {
  readonly read: HumanComment;
  readonly index: number;
}

async function take(
  ports: SyncPorts,
  mirror: GitHubMirror,
  { read, index, ...comment }: Command,
): Promise<CommentResult> {
  const postedQuestions = await askedOn(ports, mirror);
  const candidate = targetOf({ ...read, id: comment.id, created: comment.created }, postedQuestions);
  const target = candidate === undefined ? undefined : await amongAll(ports, mirror, read, candidate);
  if (target === undefined) return {};
  const reply = (text: string, id = `${comment.id}${index === 0 ? '' : `-${index + 1}`}`): CommentResult => ({
    note: { name: commentName('reply', id), body: `@${comment.login} ${text}`, at: comment.created },
  });
  if (!(await mayAnswer(ports, comment))) {
    const text =
      'Thank you. Only people with write access to this repository can decide this, so it stays open for them.';
    return read.verb === 'words' && 'ids' in target ? {} : reply(text, `${comment.issueNumber}-${comment.login}`);
  }
  if (read.verb === 'unknown') return reply(`That is no command. ${USAGE}`);
  if ('ids' in target) return reply(whichOf(target.ids));
  const by = { principal: comment.login, channel: 'github', authority: comment.url } as const;
  try {
    await carryOut(ports, target.question, by, read);
    ports.log.info('answered on GitHub', { questionId: target.question.id, by: comment.login, url: comment.url });
    return { questionId: target.question.id };
  } catch (error) {
    if (!(error instanceof AgentXError) || !REFUSALS.includes(error.code)) throw error;
    // Plain words may not have been meant as an answer: they get no reply that another answer was first.
    if (read.verb === 'words' && error.code !== 'INVALID_INPUT') return {};
    return reply(refusalText(error));
  }
}

const REFUSALS: readonly string[] = ['CONFLICT', 'INVALID_INPUT', 'INVALID_STATE', 'NOT_FOUND'];
const USAGE = `Use ${code('/agentx answer b')}, ${code('/agentx answer oq-... your answer')}, ${code('/agentx decline')} or ${code('/agentx dismiss')}.`;

async function carryOut(
  { decisions }: SyncPorts,
  question: Question,
  by: AnsweredBy,
  { verb, text }: { readonly verb: string; readonly text: string },
): Promise<void> {
  if (verb === 'decline' || verb === 'dismiss') return decisions.end(question.id, by, verb);
  if (text === '') throw new AgentXError('INVALID_INPUT', 'The answer is empty.', {});
  const answer = answerIn(question, text);
  if (verb === 'words') requireMeant(question, answer);
  return decisions.answer(question.id, by, answer);
}

function whichOf(ids: readonly string[]): string {
  if (ids.length === 0) return 'No question is open here.';
  return `Say which question you answer: ${oneOf(ids.map((id) => `/agentx answer ${id} ...`))}.`;
}

const oneOf = (commands: readonly string[]): string => commands.map(code).join(' or ');

/** Names the person who answered first, or the allowed values. */
function refusalText({ message, details }: AgentXError): string {
  const { question, commands } = details;
  if (isTexts(commands)) return `That could not be taken: ${inline(message)} To answer: ${oneOf(commands)}.`;
  if (!isQuestion(question) || question.answeredBy === undefined) return `That could not be taken: ${inline(message)}`;
  const { principal, channel } = question.answeredBy;
  return `This was answered already, by ${inline(principal)} (${channel}).`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function isQuestion(value: unknown): value is Question {
  return typeof value === 'object' && value !== null && 'questions' in value;
}

/** The questions that are shown on the issue, oldest first. */
async function askedOn({ store }: SyncPorts, mirror: GitHubMirror): Promise<readonly PostedQuestion[]> {
  const { items } = await store.questions.list({ issue: mirror.issueNumber });
  return items.flatMap((question) => {
    const postedComment = mirror.posted.find(({ name }) => name === questionName(question));
    const { at: postedAt, id: postedId } = postedComment ?? {};
    return postedAt === undefined || postedId === undefined ? [] : [{ question, postedAt, postedId }];
  });
}

/**
 * Another machine may ask on the same issue, with comments of its own. A person who names no question may mean one of
 * those. A person who names a question that this machine has not asked does mean one of those.
 */
async function amongAll(
  ports: SyncPorts,
  { issueNumber }: GitHubMirror,
  { about, verb }: HumanComment,
  target: Target,
): Promise<Target | undefined> {
  if (about !== undefined && 'question' in target) return target;
  const own = new Set((await ports.store.questions.list({ issue: issueNumber })).items.map(questionName));
  const candidates = (await (await ports.client()).commentsOf(issueNumber)).flatMap((comment) => {
    const { name = '', kind, text = '' } = readName(comment.body) ?? {};
    if (kind !== 'question' || own.has(name)) return [];
    return [{ comment, id: name.split(':')[1] ?? '', isOpen: isAskedIn(text) }];
  });
  // Anyone can write a comment that looks like ours: only people who may answer, and bots, have agents that ask here.
  const strangers = new Set<string>();
  for (const [login, comment] of new Map(candidates.map((one) => [one.comment.login, one.comment])))
    if (!comment.isBot && !(await mayAnswer(ports, comment))) strangers.add(login);
  const others = candidates.filter(({ comment }) => !strangers.has(comment.login));
  const isMeant = (id: string) => about !== undefined && id.toLowerCase().startsWith(about.toLowerCase());
  const open = others.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  if (others.some(({ id }) => isMeant(id))) return undefined;
  if (open.length === 0) return target;
  if (verb === 'words') return undefined;
  return { ids: [...new Set([...('ids' in target ? target.ids : [target.question.id]), ...open])] };
}

/**
 * The association that GitHub gives says too little: a member may only have read access, or may hide the membership.
 */
async function mayAnswer({ client, log }: SyncPorts, { login, association }: RemoteComment): Promise<boolean> {
  if (association === 'OWNER') return true;
  const permission = await (await client()).permissionOf(login);
  if (permission === undefined) log.warn('the token may not ask who has write access', { login });
  return permission === 'admin' || permission === 'write' || permission === 'maintain';
}

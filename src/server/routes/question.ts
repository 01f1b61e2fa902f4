import * as z from 'zod/mini';
import type { App } from '../../app/app.js';
import { Consequence } from '../../protocol/consequence.js';
import { AgentXError, isStoreFailure, messageOf } from '../../protocol/errors.js';
import { IssueNumber, QuestionId } from '../../protocol/ids.js';
import { understood } from '../../protocol/option-in-words.js';
import { type Paging, pageOf, positionOf } from '../../protocol/page.js';
import { type Question, QuestionFallback, QuestionResponse, QuestionSource } from '../../protocol/question.js';
import { AnsweredBeforeBody, ChoiceBody, DraftBody, NotificationBody, NotificationsBody } from '../../protocol/rest.js';
import { hasSameResponse } from '../../protocol/same-response.js';
import type { Shape } from '../../protocol/shape.js';
import { goOn } from '../go-on.js';
import { nextPage, Page, pagingOf } from '../paging.js';
import { defineRoute } from '../route.js';

const Id = z.object({ id: QuestionId });
const Revision = z.int().check(z.gte(1));

const listNotifications = defineRoute({
  method: 'get',
  path: '/notifications',
  summary: 'Questions for humans, oldest first or nearest deadline first; a page at a time.',
  query: z.extend(Page, {
    status: z._default(z.enum(['open', 'resolved', 'all']), 'open'),
    unsent: z.exactOptional(z.enum(['true'])),
    order: z._default(z.enum(['created', 'deadline']), 'created'),
  }),
  response: NotificationsBody,
  async handle({ app, query, principal }) {
    const { status, unsent, order } = query;
    if (unsent === undefined && order === 'created') {
      const { items, next, total } = await app.questions(status, pagingOf(query));
      return { notifications: items, total, ...nextPage(next) };
    }
    if (unsent === undefined && status === 'open') return nearestDeadlines(app, pagingOf(query));
    const { items: all } = await app.questions(status);
    const matching = all.filter((question) => unsent === undefined || hasUnsentDraft(question, principal));
    const position = order === 'deadline' ? deadlinePosition : positionOf.question;
    const { items, next } = pageOf(inOrder(matching, position), pagingOf(query), position);
    return { notifications: items, total: matching.length, ...nextPage(next) };
  },
});

/** Only the questions of the page are opened, however many wait. */
async function nearestDeadlines(app: App, paging: Paging): Promise<Shape<typeof NotificationsBody>> {
  const { items: all } = await app.questionSummaries();
  const { items: page, next } = pageOf(inOrder(all, deadlinePosition), paging, deadlinePosition);
  const questions = await Promise.all(page.map(({ id }) => app.question(id).catch(leaveOut)));
  const notifications = questions.flatMap((question) => (question?.status === 'open' ? [question] : []));
  return { notifications, total: all.length, ...nextPage(next) };
}

/** A question that is damaged, or is gone, since it was listed. The caller gets the error of a disk that fails. */
function leaveOut(error: unknown): undefined {
  if (error instanceof AgentXError && ['NOT_FOUND', 'CORRUPT_FILE'].includes(error.code)) return undefined;
  throw error;
}

const askQuestion = defineRoute({
  method: 'post',
  path: '/notifications',
  summary: 'Ask humans something on behalf of an agent.',
  // Clients say in many ways whether it can be undone; unknown names are read with the rest.
  body: z.looseObject({
    issueNumber: IssueNumber,
    agent: z.string(),
    source: QuestionSource,
    sourceId: z.string(),
    questions: z.array(z.unknown()),
    blocking: z.exactOptional(z.boolean()),
    consequence: z.exactOptional(Consequence),
    fallback: z.exactOptional(QuestionFallback),
  }),
  response: NotificationBody,
  status: 201,
  async handle({ app, body }) {
    const { issueNumber, agent, source, sourceId, questions } = body;
    return { notification: await app.askHumans({ issueNumber, agent, source, sourceId, questions, beside: body }) };
  },
});

const showNotification = defineRoute({
  method: 'get',
  path: '/notifications/:id',
  summary: 'One question.',
  params: Id,
  response: NotificationBody,
  async handle({ app, params }) {
    return { notification: await app.showQuestion(params.id) };
  },
});

const answeredBefore = defineRoute({
  method: 'get',
  path: '/notifications/:id/answered-before',
  summary: 'What was decided when the same was asked before.',
  params: Id,
  response: AnsweredBeforeBody,
  async handle({ app, params }) {
    return { answeredBefore: [...(await app.answeredBefore(await app.showQuestion(params.id)))] };
  },
});

const settleNotification = defineRoute({
  method: 'patch',
  path: '/notifications/:id',
  summary: 'Answer, decline or dismiss a question, naming the revision that was seen.',
  params: Id,
  body: z.object({
    revision: Revision,
    responses: z.exactOptional(z.array(QuestionResponse)),
    decline: z.exactOptional(z.boolean()),
    dismiss: z.exactOptional(z.boolean()),
  }),
  response: NotificationBody,
  async handle({ app, params, body, principal, authority }) {
    const { revision, responses, decline = false, dismiss = false } = body;
    const act = { id: params.id, revision, by: { principal, channel: 'web', authority } } as const;
    const actCount = [responses !== undefined, decline, dismiss].filter(Boolean).length;
    if (actCount !== 1) {
      throw new AgentXError(
        'INVALID_INPUT',
        "Say one thing. Allowed: 'responses', 'decline': true or 'dismiss': true.",
      );
    }
    const settle = () => {
      if (responses !== undefined) return app.answerQuestion({ ...act, responses });
      return decline ? app.declineQuestion(act) : app.dismissQuestion(act);
    };
    const { question } = await settle().catch((error: unknown) => keptAllTheSame(app, act, error));
    goOn(app, question.id);
    return { notification: question };
  },
});

interface Settling {
  readonly id: string;
  readonly revision: number;
  readonly by: { readonly principal: string };
}

/** The answer, if it is kept although what follows from it could not be written: the next sweep completes that. */
async function keptAllTheSame(
  app: Pick<App, 'showQuestion' | 'log'>,
  { id, revision, by }: Settling,
  error: unknown,
): Promise<{ readonly question: Question }> {
  const question = isStoreFailure(error) ? await app.showQuestion(id).catch(() => undefined) : undefined;
  const { principal, revision: seenRevision } = question?.answeredBy ?? {};
  if (question?.status !== 'resolved' || principal !== by.principal || seenRevision !== revision) throw error;
  app.log.warn('what follows from an answer is left to the next sweep', { questionId: id, error: messageOf(error) });
  return { question };
}

const Version = z.string().check(z.minLength(1), z.maxLength(64));

const keepDraft = defineRoute({
  method: 'put',
  path: '/notifications/:id/draft',
  summary:
    'Keep what a person has written so far. The clock stands still while they type. Without `responses` only the clock is ' +
    'held. `leftMs` says how long it is now until the fallback.',
  params: Id,
  body: z.object({
    responses: z.exactOptional(z.array(QuestionResponse)),
    version: z.exactOptional(Version),
    replaces: z.exactOptional(z.array(Version).check(z.maxLength(50))),
  }),
  response: DraftBody,
  async handle({ app, params, body, principal }) {
    const notification = await app.keepAlive({ ...body, id: params.id, by: { principal } });
    const { status, expiresAt } = notification;
    if (status !== 'open' || expiresAt === undefined) return { notification };
    return { notification, leftMs: Date.parse(expiresAt) - Date.parse(app.clock.now()) };
  },
});

const snoozeNotification = defineRoute({
  method: 'put',
  path: '/notifications/:id/snooze',
  summary: 'No reminder of a question for so many minutes; 0 ends that. Its deadline stays.',
  params: Id,
  body: z.object({ minutes: z.number() }),
  response: NotificationBody,
  async handle({ app, params, body, principal }) {
    return { notification: await app.snooze({ id: params.id, minutes: body.minutes, by: { principal } }) };
  },
});

const takeChoice = defineRoute({
  method: 'post',
  path: '/notifications/:id/choice',
  summary: 'Which option the link of a message chose. It works once, and answers nothing.',
  params: Id,
  body: z.object({ choice: z.string().check(z.maxLength(4000)) }),
  response: ChoiceBody,
  async handle({ app, params, body }) {
    await app.showQuestion(params.id);
    return (await app.notices()).choose(params.id, body.choice);
  },
});

export const questionRoutes = [
  listNotifications,
  askQuestion,
  showNotification,
  answeredBefore,
  settleNotification,
  keepDraft,
  snoozeNotification,
  takeChoice,
];

/** Their draft was never sent: another person, the clock or they themselves in another place were quicker. */
function hasUnsentDraft(question: Question, principal: string): boolean {
  const { drafts = [], responses = [], lateResponses = [] } = question;
  const givenResponses = [...responses, ...lateResponses.flatMap((lateAnswer) => lateAnswer.responses)];
  return drafts.some(
    (draft) =>
      draft.principal === principal &&
      draft.responses.some((response) => !hasSameResponse(understood(question, response), givenResponses)),
  );
}

type Dated = Pick<Question, 'id' | 'createdAt' | 'expiresAt'>;

/** Questions with a deadline first, nearest deadline first; then the oldest. */
function deadlinePosition(question: Dated): string {
  const { expiresAt } = question;
  return `${expiresAt === undefined ? 'none' : instant(expiresAt)} ${positionOf.question(question)}`;
}

const instant = (at: string): string => String(Date.parse(at)).padStart(15, '0');

function inOrder<T extends Dated>(questions: readonly T[], position: (question: T) => string): readonly T[] {
  const placedQuestions = questions.map((question) => ({ question, at: position(question) }));
  return placedQuestions.sort((left, right) => (left.at < right.at ? -1 : 1)).map(({ question }) => question);
}

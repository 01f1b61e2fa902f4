import type { App } from '../app/app.js';
import { findAwaiting, hasAsked } from '../protocol/awaiting.js';
import { parseClarificationId } from '../protocol/ids.js';
import { againOrigin } from '../protocol/origin.js';
import type { Call, Outcome } from './call.js';
import { askPerson, keepLateAnswer } from './person.js';
import { humanQuestionOf, sayClarification } from './say.js';
import { deadlineIn, until } from './wait.js';

type HubResult = Awaited<ReturnType<App['openAsk']>>;

/**
 * Follows a clarification for as long as the client waits; without `seconds`, only if the asker waits for the answer. Its
 * target goes on after that. If a human has to decide first, the person at the client may do so, and then the target goes on.
 */
export async function follow(call: Call, openedAsk: HubResult, seconds?: number): Promise<Outcome> {
  const { app, routes, caller } = call;
  const deadline = deadlineIn(call, seconds);
  const { clarificationId: id, record } = openedAsk;
  await keepLateAnswer(call);
  await noteHearing(call, openedAsk);
  const isAwaited = (result: HubResult) => result.status === 'pending' || result.status === 'stale';
  if (!record.blocking) {
    if (isAwaited(openedAsk)) routes.later(app, id);
    if (seconds === undefined) return hearing(call, openedAsk);
  }
  for (let result = openedAsk; ; ) {
    if (isAwaited(result)) result = (await until(call, deadline, routes.now(app, id))) ?? result;
    const questionId = humanQuestionOf(result);
    const question = questionId === undefined ? undefined : await app.question(questionId);
    if (question === undefined) return hearing(call, result);
    const reply = await askPerson(call, question, caller.turn === undefined ? deadline : deadlineIn(call, 0));
    if ('form' in reply) return reply;
    if (reply.question.status === 'open') return hearing(call, result);
    const next = await present(app, id);
    if (next.status === result.status && next.round === result.round && next.status !== 'pending')
      return hearing(call, next);
    result = next;
  }
}

async function hearing(call: Call, result: HubResult): Promise<Outcome> {
  await noteHearing(call, result);
  return sayClarification(call, result);
}

/** Inside a turn of a run, the run gives an agent another turn for an answer that the agent did not wait for. */
export async function noteHearing(
  { app, caller }: Call,
  { clarificationId, status, record }: HubResult,
): Promise<void> {
  if (caller.turn === undefined || !record.blocking) return;
  const isOpen = status === 'pending' || status === 'stale';
  if (isOpen || status === 'answered')
    await app.noteHeard({ id: clarificationId, turn: caller.turn, isHeard: !isOpen });
}

/** The present state of a clarification, without asking its target. */
export async function present(app: App, id: string): Promise<HubResult> {
  const record = await app.showClarification(id);
  const { status, round, thread } = record;
  const answer = thread.findLast((entry) => entry.type === 'answer' && entry.round === round)?.body;
  const { issueNumber } = parseClarificationId(id);
  const question = hasAsked(record) ? await awaitedBy(app, record, issueNumber) : undefined;
  return {
    clarificationId: id,
    issueNumber,
    status,
    round,
    record,
    ...(answer !== undefined && { answer }),
    ...(question !== undefined && { waitingOn: [question] }),
  };
}

/** The question that a human must answer before the target goes on. */
async function awaitedBy(app: App, { id }: HubResult['record'], issueNumber: number): Promise<string | undefined> {
  const [{ clarifications }, { items }] = await Promise.all([app.ledger(issueNumber), app.questionSummaries()]);
  return findAwaiting(clarifications, items).get(id);
}

/** Opens a clarification by its words. A clarification that was abandoned is asked anew. */
export async function openAgain(app: App, request: Parameters<App['openAsk']>[0]): Promise<HubResult> {
  const openedAsk = await app.openAsk(request);
  if (openedAsk.status !== 'abandoned') return openedAsk;
  return openAgain(app, { ...request, origin: againOrigin({ id: openedAsk.clarificationId, ...origin(request) }) });
}

const origin = ({ origin: own }: { readonly origin?: string }) => (own === undefined ? {} : { origin: own });

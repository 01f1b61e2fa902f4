import { pause } from '../hub/agent-turn.js';
import { makeSessionId } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import { actName, turnOfStep } from '../protocol/origin.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult, RunEvent, RunFact } from '../protocol/run.js';
import { saysNothing } from '../protocol/says-nothing.js';
import type { SessionTurn } from '../protocol/session.js';
import { shorten } from '../protocol/shorten.js';
import { toEpochMs } from '../protocol/timestamp.js';
import type { WorkflowStep } from '../protocol/workflow.js';
import { carryOutReply } from './acts.js';
import { startAgent } from './agent-work.js';
import { askedByTool } from './asked-by-tool.js';
import { type Place, type RunContext, readIssue, recorded, requireStep, stepPayload } from './context.js';
import type { Action } from './decide.js';
import { handTurn } from './human-turn.js';
import { takeTask } from './issue-state.js';
import { missingOutput } from './missing-output.js';
import {
  answeredFor,
  answeredIn,
  answeredInside,
  heardRounds,
  ledgerNews,
  noticeIn,
  readLedger,
  type StepLedger,
} from './new-clarifications.js';
import type { RunPorts, TurnPort } from './ports.js';
import { keepTurn } from './session-turns.js';
import { MAX_KEPT_CHARACTERS, turnWith } from './turn-with.js';
import { refusalsBefore, workBrief } from './work-brief.js';

/**
 * One turn of an agent, unless something that it asked before is still open: then only that is returned. The reply is
 * written before it is acted on: a run that was killed in between finds it there and does not ask again.
 */
export async function takeTurn(
  context: RunContext<TurnPort | 'workTrees'>,
  action: Extract<Action, { type: 'take-turn' }>,
): Promise<readonly RunEvent[]> {
  const { ports } = context;
  const { step: id, attempt, turn } = action;
  const step = requireStep(context, id);
  const place: Place = { step: id, attempt, turn };
  const session = await ports.store.sessions.read(makeSessionId(context.runId, id, attempt));
  const keptTurn = session?.turns.find((candidate) => candidate.turn === turn);
  if (keptTurn !== undefined) {
    return conclude(context, await readLedger(context, step), { place, sessionTurn: keptTurn });
  }
  if (action.isRetry) await pause(ports, ports.retryMs);
  const ledger = await readLedger(context, step);
  const { facts, isHeld } = ledgerNews(ledger, ports.clock.now());
  if (isHeld) return recorded(ports.clock.now(), ...facts);
  if (ports.runnerFor(step.agent).isHuman) {
    const handed = await handTurn(context, ledger, place);
    if ('questionId' in handed)
      return recorded(handed.at, ...facts, { type: 'turn-handed', step: id, turn, ...handed });
    return conclude(context, ledger, {
      place,
      sessionTurn: await keepTurn(context, step, { place, sessionTurn: handed }),
    });
  }
  const newTurn = await askAgent(context, ledger, place);
  const ledgerAfter = await readLedger(context, step);
  const answeredRecords = [...answeredFor(ledger), ...answeredInside(ledgerAfter, turnOfStep(context.runId, id, turn))];
  const sessionTurn = { ...newTurn, answered: [...new Set(answeredRecords.map((record) => record.id))] };
  return conclude(context, ledgerAfter, { place, sessionTurn: await keepTurn(context, step, { place, sessionTurn }) });
}

async function askAgent(context: RunContext<TurnPort>, ledger: StepLedger, place: Place): Promise<SessionTurn> {
  const { step, clarifications } = ledger;
  const { turn, attempt } = place;
  const issue = await readIssue(context);
  // A question that has ended freed the issue.
  if (turn > 1 && issue.taskStatus !== 'in_progress') await takeTask(context, issue, step);
  if (isAnotherTry(context, place)) context.journal.defer(startAgent(context, step.agent));
  const brief = await workBrief(context, place, { issue, clarifications });
  const origin = turnOfStep(context.runId, step.id, turn);
  return turnWith(context, step, { brief, turn, attempt, origin, refusals: refusalsBefore(context, step.id) });
}

/** A person was asked what comes next, and said: try again. */
function isAnotherTry(context: RunContext, { step, turn }: Place): boolean {
  return context.journal.run.journal.some(
    (entry) => entry.type === 'asked-what-next' && entry.step === step && entry.turn === turn - 1,
  );
}

interface TurnToConclude {
  readonly place: Place;
  readonly sessionTurn: SessionTurn;
}

/** Carries out the reply and returns the facts about the turn. The ledger was read after the turn. */
async function conclude(
  context: RunContext<TurnPort>,
  turnLedger: StepLedger,
  { place, sessionTurn }: TurnToConclude,
): Promise<readonly RunEvent[]> {
  const { ports } = context;
  const { step } = turnLedger;
  const { reply, error = 'it said nothing' } = sessionTurn;
  const issue = await readIssue(context);
  const payload = { ...stepPayload(context, step, issue), turn: place.turn };
  const durationMs = Math.max(0, toEpochMs(sessionTurn.endedAt) - toEpochMs(sessionTurn.startedAt));
  const { step: id, turn } = place;
  if (reply === undefined) {
    ports.bus.emit('turn-failed', { ...payload, error, durationMs });
    const at = ports.clock.now();
    return recorded(at, { type: 'turn-failed', at, step: id, turn, error, ...takenBy(sessionTurn, durationMs) });
  }
  const endedTurn = {
    origin: turnOfStep(context.runId, id, turn),
    startedAt: sessionTurn.startedAt,
    answered: sessionTurn.answered ?? [],
  };
  const answered = answeredIn(turnLedger, endedTurn);
  const rounds = heardRounds(turnLedger, endedTurn);
  const replyActs = await carryOutReply(context, step, { place, reply, answered, heard: rounds });
  const acts: readonly ActResult[] = [
    ...replyActs,
    ...(sessionTurn.paths ?? []).map((path, index) => ({ act: actName('handed', index), blocking: false, path })),
    ...(sessionTurn.changed ?? []).map((path, index) => ({ act: actName('changed', index), blocking: false, path })),
    ...(sessionTurn.denied ?? []).map(deniedAct),
    ...(await askedByTool(ports.store, context.issueNumber, endedTurn.origin)),
  ];
  const at = ports.clock.now();
  ports.bus.emit('turn-ended', {
    ...payload,
    ...(reply.text === undefined ? {} : { text: reply.text }),
    ...(sessionTurn.stderr === undefined ? {} : { stderr: sessionTurn.stderr }),
    artifacts: acts.flatMap(({ path }) => path ?? []),
    refused: acts.flatMap(({ refused }) => refused ?? []),
    durationMs,
  });
  const goesOn = reply.partial === true ? { partial: true } : {};
  const turnEnd = {
    type: 'turn-ended' as const,
    at,
    step: id,
    turn,
    status: statusOf(reply, replyActs),
    ...goesOn,
    acts,
  };
  const turnFact = { ...turnEnd, ...takenBy(sessionTurn, durationMs), ...reviewOf(reply), ...reasonOf(sessionTurn) };
  // A person who names the file that holds the work has said where it is.
  const isHandedIn = (sessionTurn.paths ?? []).length > 0;
  const fact: RunFact = { ...turnFact, ...(isHandedIn ? {} : await missingIn(ports, { step, issue }, turnFact)) };
  const ledger = await readLedger(context, step);
  const run = { ...ledger.run, journal: [...ledger.run.journal, fact] };
  const { heard, news } = noticeIn({ ...ledger, run, turn: endedTurn, at });
  return recorded(at, ...heard, fact, ...news);
}

/** The agent's next brief says so, and so does the stream. */
function deniedAct(message: string, index: number): ActResult {
  return { act: actName('denied', index), blocking: false, refused: { code: 'UNAUTHORIZED', message } };
}

type Ended = Extract<RunFact, { type: 'turn-ended' }>;

/** A person's time is not counted. */
function takenBy({ usage, byPerson }: SessionTurn, workMs: number): Pick<Ended, 'usage' | 'workMs'> {
  return { ...(usage === undefined ? {} : { usage }), ...(byPerson === true ? {} : { workMs }) };
}

/** For a turn that would end its step: the declared output that was not written. */
async function missingIn(
  ports: Pick<RunPorts, 'paths'>,
  { step, issue }: { readonly step: WorkflowStep; readonly issue: Issue },
  { status, acts, review }: Ended,
): Promise<Pick<Ended, 'missing'>> {
  const isOver = status === 'done' && review?.verdict !== 'rejected' && !acts.some(({ blocking }) => blocking);
  const missing = isOver ? await missingOutput(ports, issue, step) : undefined;
  return missing === undefined ? {} : { missing };
}

/** An agent that asks without waiting and does not say that it is done goes on at once. */
function statusOf(reply: Reply, acts: Ended['acts']): Ended['status'] {
  if (reply.status !== undefined) return reply.status;
  const asks = acts.filter(({ round, questionId }) => (round ?? questionId) !== undefined);
  const isOnlyAsking = saysNothing(reply.artifacts) && reply.review === undefined && asks.length > 0;
  return isOnlyAsking && !acts.some(({ blocking }) => blocking) ? 'continue' : 'done';
}

/** A person's answer is deliberate: it is not tried again. */
function reasonOf({ byPerson, reply }: SessionTurn): Pick<Ended, 'reason'> {
  return byPerson === true && reply?.status === 'failed'
    ? { reason: shorten(reply.text ?? '', MAX_KEPT_CHARACTERS) }
    : {};
}

function reviewOf({ review }: Reply): Pick<Ended, 'review'> {
  if (review === undefined) return {};
  const { verdict, cause, body } = review;
  return {
    review: {
      verdict,
      ...(cause === undefined ? {} : { cause }),
      ...(body === undefined ? {} : { body: shorten(body, MAX_KEPT_CHARACTERS) }),
    },
  };
}

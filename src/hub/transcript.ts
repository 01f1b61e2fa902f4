import type { CallResult, KeptTranscript } from '../ports/runner.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { questionIdFor } from '../protocol/ids.js';
import { actName, againOrigin, originOfAct } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import { decisionOf } from '../protocol/question-decision.js';
import type { Reply } from '../protocol/reply.js';
import type { Transcript } from '../protocol/transcript.js';
import type { BasePorts } from './ports.js';

/*
 * Conversations over several turns. A runner keeps its side of one in a transcript; the hub adds which call asked what,
 * and finds the results when the runner's next turn comes, in any process.
 */

type Ports = Pick<BasePorts, 'store' | 'clock'>;

export interface Talk {
  readonly id: string;
  readonly agent: string;
  readonly issueNumber: number;
}

/** What was not carried out of the reply before, by its origin. */
export interface Refusal {
  readonly origin: string;
  readonly message: string;
}

interface Before {
  readonly refusals: readonly Refusal[];
  /** The agent is to answer a question, so it waits for everything it asks. */
  readonly waitsForAll: boolean;
}

/** What the runner gets of the conversation so far. */
export async function resumed(ports: Ports, talk: Talk, before: Before) {
  const transcript = await ports.store.transcripts.read(talk.id);
  const keep = (transcript: KeptTranscript) => keepTranscript(ports, talk, transcript);
  if (transcript === undefined) return { keep };
  return { transcript, results: await callResults(ports, transcript, before), keep };
}

async function keepTranscript({ store, clock }: Ports, talk: Talk, transcript: KeptTranscript): Promise<void> {
  const { format, state, usage } = transcript;
  const used = usage === undefined ? {} : { usage };
  await store.transcripts.update(talk.id, (current) => ({
    next: { ...talk, calls: current?.calls ?? [], format, state, ...used, updatedAt: clock.now() },
    result: undefined,
  }));
}

/** Notes what the calls of the reply that ended a turn ask, before any of it is asked. */
export async function noteCalls(
  { store }: Pick<BasePorts, 'store'>,
  talk: Pick<Talk, 'id'>,
  { reply, turn }: { readonly reply: Reply; readonly turn: string },
): Promise<void> {
  const calls = callsIn(reply).map(({ call, act }) => ({ call, origin: originOfAct(turn, act) }));
  if (calls.length === 0 || (await store.transcripts.read(talk.id)) === undefined) return;
  await store.transcripts.update(talk.id, (current) => {
    if (current === undefined) throw new AgentXError('NOT_FOUND', `The transcript ${talk.id} is gone.`, { ...talk });
    const callNames = new Set(calls.map(({ call }) => call));
    const others = current.calls.filter(({ call }) => !callNames.has(call));
    return { next: { ...current, calls: [...others, ...calls] }, result: undefined };
  });
}

function callsIn(reply: Reply) {
  const { clarify = [], open_questions = [], openQuestions = [], needs_clarification } = reply;
  const agentCalls = clarify.flatMap(({ call }, index) =>
    call === undefined ? [] : [{ call, act: actName('clarify', index) }],
  );
  const humanCalls = [...open_questions, ...openQuestions, needs_clarification].flatMap(callOf);
  return [...agentCalls, ...[...new Set(humanCalls)].map((call) => ({ call, act: actName('question', 0) }))];
}

function callOf(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null || !('call' in part)) return [];
  return typeof part.call === 'string' ? [part.call] : [];
}

async function callResults(
  { store }: Pick<BasePorts, 'store'>,
  { calls, issueNumber }: Transcript,
  { refusals, waitsForAll }: Before,
): Promise<readonly CallResult[]> {
  if (calls.length === 0) return [];
  const { clarifications } = await store.ledgers.read(issueNumber);
  const questions = (await store.questions.list({ issue: issueNumber })).items;
  return calls.flatMap(({ call, origin }): readonly CallResult[] => {
    const refusal = refusals.find((one) => one.origin === origin);
    if (refusal !== undefined) return [{ call, outcome: 'refused', text: refusal.message }];
    const question = questions.find((one) => isAskedBy(one, origin));
    const result = question === undefined ? roundAskedBy(clarifications, origin) : resultOfQuestion(question);
    if (result === undefined) return [];
    // A process died before it could wait for the answer: the runner asks again, which waits for the question already
    // asked.
    const { isBlocking, ...told } = result;
    return told.outcome === 'pending' && (isBlocking || waitsForAll) ? [] : [{ call, ...told }];
  });
}

type Result = Omit<CallResult, 'call'> & { readonly isBlocking: boolean };

function isAskedBy({ id, attached = [] }: Question, origin: string): boolean {
  return id === questionIdFor(origin) || attached.some((other) => other.origin === origin);
}

function resultOfQuestion(question: Question): Result {
  const { id, outcome, questions, blocking: isBlocking } = question;
  if (outcome === undefined) return { isBlocking, outcome: 'pending', text: `Asked as ${id}; not answered yet.` };
  const answers = questions.map((part) => {
    const answer = decisionOf(question, part.id);
    return questions.length === 1 ? answer : `${part.header ?? part.text}: ${answer === '' ? 'no answer' : answer}`;
  });
  const text = answers.join('\n').trim();
  return { isBlocking, outcome, text: text === '' ? `No answer: ${id} was ${outcome}.` : text };
}

/** The result of the round that was asked for this reason, or of the same question asked again by a human. */
function roundAskedBy(records: readonly ClarificationRecord[], origin: string): Result | undefined {
  for (const record of records) {
    const openingEntry = record.thread.find((entry, index) => (index === 0 ? record.origin : entry.origin) === origin);
    if (openingEntry === undefined) continue;
    return roundAskedBy(records, againOrigin(record)) ?? resultOfRound(record, openingEntry.round);
  }
  return undefined;
}

function resultOfRound(record: ClarificationRecord, round: number): Result {
  const { id, to, status, thread, outcome = 'answered', blocking: isBlocking } = record;
  const answer = thread.findLast((entry) => entry.round === round && entry.type === 'answer');
  if (answer !== undefined) return { isBlocking, outcome: 'answered', text: answer.body };
  const resolution = thread.findLast((entry) => entry.round === round && entry.type === 'resolution');
  if (resolution !== undefined) return { isBlocking, outcome, text: resolution.body };
  if (status !== 'abandoned') return { isBlocking, outcome: 'pending', text: `Asked as ${id}; not answered yet.` };
  return { isBlocking, outcome: 'abandoned', text: `${id} was abandoned: ${to} has not answered.` };
}

import { asksHumans } from '../protocol/asks-humans.js';
import type { Artifact, Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { isRefusedBySettings, isStoreFailure, messageOf } from '../protocol/errors.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { requireText } from '../protocol/parse.js';
import type { Reply } from '../protocol/reply.js';
import { runAgent } from './agent-turn.js';
import { answerBrief } from './brief.js';
import type { NearDecision } from './decided-before.js';
import type { BriefPorts, RoutePorts, TurnPorts } from './ports.js';
import type { Refusal } from './transcript.js';

/** An answer, with the artifacts that the target had before it; or how it failed. */
export type TargetReply = TargetAnswer | { readonly failure: string };

export interface TargetAnswer {
  readonly answer: string;
  readonly artifacts: readonly Artifact[];
}

export type ClarifyPart = NonNullable<Reply['clarify']>[number];

/** What a target wants after a turn. */
export interface TurnResult {
  /**
   * Its answer, or how it failed. Absent if it has to ask first: text beside a question is no answer. Beside questions
   * to agents an explicit one is not its last word.
   */
  readonly result?: TargetReply;
  /** What it asks before it answers, or asks humans beside its answer. */
  readonly asks?: Asks;
  /** Whether the reply calls it an answer: plain text may only say what the target waits for. */
  readonly isExplicit?: boolean;
}

interface Asks {
  readonly reply: Reply;
  readonly agents: readonly ClarifyPart[];
  readonly hasHumans: boolean;
}

/** Its refused questions, by their origin. */
export type Refused = Refusal & Brief['refused'][number];

/** The conversation with the target in the present round. */
export function transcriptOf({ id, round }: Pick<ClarificationRecord, 'id' | 'round'>): string {
  return `${id}.${round}`;
}

/** One turn of a target: a brief, its runner, and what the reply wants. Nothing is recorded or asked here. */
export async function targetTurn(
  ports: BriefPorts & TurnPorts & Pick<RoutePorts, 'humans'>,
  record: ClarificationRecord,
  { refused, near }: { readonly refused: readonly Refused[]; readonly near: readonly NearDecision[] },
): Promise<TurnResult> {
  const refusals = refused.map(({ code, message }) => ({ code, message }));
  const brief = await answerBrief(ports, record, { refused: refusals, near });
  let reply: Reply;
  try {
    const { answer = '', ...rest } = await runAgent(ports, brief, {
      transcriptId: transcriptOf(record),
      refusals: refused,
      waitsForAll: true,
    });
    // Models that must name every field leave the answer empty while they ask.
    reply = answer.trim() === '' ? rest : { ...rest, answer };
  } catch (error) {
    ports.signal?.throwIfAborted();
    if (isRefusedBySettings(error) || isStoreFailure(error)) throw error;
    return { result: { failure: messageOf(error) } };
  }
  const hasHumans = ports.humans !== undefined && asksHumans(reply);
  const { clarify: agents = [] } = reply;
  const asks = { reply, agents, hasHumans };
  const isAsking = agents.length > 0 || hasHumans;
  if (reply.answer === undefined && isAsking) return { asks };
  return { result: resultIn(reply, brief), isExplicit: reply.answer !== undefined, ...(isAsking ? { asks } : {}) };
}

function resultIn(reply: Reply, { artifacts }: Brief): TargetReply {
  const text = reply.answer ?? reply.text ?? '';
  if (reply.status === 'failed') return { failure: text === '' ? 'it says that it failed' : text };
  try {
    return { answer: requireText(text, 'answer', MAX_ANSWER_CHARACTERS), artifacts };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

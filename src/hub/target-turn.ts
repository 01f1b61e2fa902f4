import { asksHumans } from '../protocol/asks-humans.js';
import type { Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import { MAX_ANSWER_CHARACTERS, MAX_QUESTIONS_PER_REPLY } from '../protocol/limits.js';
import { requireText } from '../protocol/parse.js';
import type { Reply } from '../protocol/reply.js';
import { runAgent } from './agent-turn.js';
import { answerBrief } from './brief.js';
import type { HubPorts } from './ports.js';

export type Said = { readonly answer: string } | { readonly failure: string };

export type Asked = NonNullable<Reply['clarify']>[number];

/** What a target wants after a turn. */
export interface Wanted {
  /** Its answer, or how it failed. Missing where it has to ask first: what it says beside a question is no answer. */
  readonly said?: Said;
  /** What it asks other agents before it can answer. */
  readonly agents: readonly Asked[];
  /** The whole reply, where it asks humans: before it answers, or beside its answer. */
  readonly humans?: Reply;
}

/** One turn of a target: a brief, its runner, and what the reply wants. Nothing is recorded or asked here. */
export async function targetTurn(
  ports: HubPorts,
  record: ClarificationRecord,
  refused: Brief['refused'],
): Promise<Wanted> {
  const brief = await answerBrief(ports, record);
  let reply: Reply;
  try {
    reply = await runAgent(ports, { ...brief, refused });
  } catch (error) {
    ports.signal?.throwIfAborted();
    if (isOfSettings(error)) throw error;
    return { said: { failure: messageOf(error) }, agents: [] };
  }
  const humans = ports.humans !== undefined && asksHumans(reply) ? { humans: reply } : {};
  const agents = (reply.clarify ?? []).slice(0, MAX_QUESTIONS_PER_REPLY);
  const hasToAsk = reply.answer === undefined && (agents.length > 0 || humans.humans !== undefined);
  return hasToAsk ? { agents, ...humans } : { said: saidIn(reply), agents: [], ...humans };
}

function saidIn(reply: Reply): Said {
  const said = reply.answer ?? reply.text ?? '';
  if (reply.status === 'failed') return { failure: said === '' ? 'it says that it failed' : said };
  try {
    return { answer: requireText(said, 'answer', MAX_ANSWER_CHARACTERS) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

/** What this project's own settings refuse is not a failure of the agent, and asking again would not help. */
function isOfSettings(error: unknown): boolean {
  return error instanceof AgentXError && (error.code === 'UNAUTHORIZED' || error.code === 'CONFIG_ERROR');
}

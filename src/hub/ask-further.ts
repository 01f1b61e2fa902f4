import type { Brief } from '../protocol/brief.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { parseClarificationId } from '../protocol/ids.js';
import { MAX_QUESTIONS_PER_REPLY } from '../protocol/limits.js';
import type { Reply } from '../protocol/reply.js';
import { answerBrief } from './brief.js';
import type { HubPorts } from './ports.js';
import { resolve } from './resolve.js';

/** How often a target may ask others before it has to answer. */
const MAX_DEPTH = 3;

type Asked = NonNullable<Reply['clarify']>[number];

/**
 * The reply of a target, which may have to ask further upstream before it can answer: then it is asked again, with what
 * it heard in its brief. What it asks goes through all guards of the hub, and a refusal is in its brief as well. Every
 * question carries its origin, so that a second process asks nobody twice.
 */
export async function replyOf(
  ports: HubPorts,
  record: ClarificationRecord,
  run: (brief: Brief) => Promise<Reply>,
): Promise<Reply> {
  const asked: string[] = [];
  let refused: Brief['refused'] = [];
  for (let depth = 0; ; depth++) {
    const reply = await run({ ...(await answerBrief(ports, record)), refused });
    const further = (reply.clarify ?? []).slice(0, MAX_QUESTIONS_PER_REPLY);
    if (further.length === 0 || (reply.answer ?? reply.text) !== undefined || depth === MAX_DEPTH) {
      await acceptAnswers(ports, record, asked);
      return reply;
    }
    const results = await Promise.all(
      further.map((one, index) =>
        askOn(ports, record, { asked: one, origin: `${record.id}/${record.round}/${depth}/clarify/${index}` }),
      ),
    );
    asked.push(...results.flatMap((result) => (typeof result === 'string' ? [result] : [])));
    refused = results.flatMap((result) => (typeof result === 'string' ? [] : [result]));
  }
}

/** The id of the clarification, once its target has answered or a human is asked, or why there is none. */
async function askOn(
  ports: HubPorts,
  { id, to: from }: ClarificationRecord,
  { asked, origin }: { readonly asked: Asked; readonly origin: string },
): Promise<string | Brief['refused'][number]> {
  // Loaded when it is needed: asking leads to routing, and routing leads here.
  const [{ openAsk }, { openFollowUp }, { routePending }] = await Promise.all([
    import('./ask.js'),
    import('./follow-up.js'),
    import('./route-pending.js'),
  ]);
  const { to, topic, question, id: clarificationId } = asked;
  try {
    const { issueNumber } = parseClarificationId(id);
    const opened =
      clarificationId === undefined
        ? await openAsk(ports, { issueNumber, from, to, topic, question, blocking: true, origin })
        : await openFollowUp(ports, { clarificationId, question, by: from, origin });
    await routePending(ports, opened.id);
    return opened.id;
  } catch (error) {
    if (!(error instanceof AgentXError) || OURS.includes(error.code)) throw error;
    return { code: error.code, message: error.message };
  }
}

const OURS: readonly string[] = ['STORE_ERROR', 'CORRUPT_FILE', 'CONFIG_ERROR'];

/** It has answered with what it heard. */
async function acceptAnswers(ports: HubPorts, record: ClarificationRecord, asked: readonly string[]): Promise<void> {
  if (asked.length === 0) return;
  const { clarifications } = await ports.store.ledgers.read(parseClarificationId(record.id).issueNumber);
  for (const { id, status } of clarifications) {
    if (status !== 'answered' || !asked.includes(id)) continue;
    await resolve(ports, { clarificationId: id, body: 'Proceeding.', by: record.to });
  }
}

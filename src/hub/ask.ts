import * as z from 'zod/mini';
import { type ClarificationRecord, nextClarificationId } from '../protocol/clarification.js';
import type { ClarificationEvent } from '../protocol/clarification-transition.js';
import { AgentXError } from '../protocol/errors.js';
import { IssueNumber } from '../protocol/ids.js';
import { MAX_QUESTION_CHARACTERS, MAX_TOPIC_CHARACTERS } from '../protocol/limits.js';
import { parseWith, requireText } from '../protocol/parse.js';
import type { Shape } from '../protocol/shape.js';
import { breakCycles } from './break-cycles.js';
import { changeRecords, logged, showStatuses } from './change-record.js';
import { guideOf, requireIssue } from './issue.js';
import { handingOver, openHanded } from './people.js';
import type { AskPorts, OrderPorts, RecordPorts } from './ports.js';
import { requireKnownAgent, type Scope, scopeOf } from './scope.js';
import { chainIn } from './wait-graph.js';

export const AskRequest = z.strictObject({
  issueNumber: IssueNumber,
  from: z.string(),
  to: z.string(),
  topic: z.string(),
  question: z.string(),
  /** By default as the step allows. */
  blocking: z.exactOptional(z.boolean()),
  /** The requester's current step; by default the one in the issue's run. */
  stepId: z.exactOptional(z.string()),
  /** Its cause: asking again gives the same record. */
  origin: z.exactOptional(z.string()),
  /** The clarification that the requester is answering. */
  within: z.exactOptional(z.string()),
});
export type AskRequest = Shape<typeof AskRequest>;

/** Admits the question, writes its record and emits what follows. It does not ask the target: `route` does. */
export async function openAsk(ports: AskPorts, request: AskRequest): Promise<ClarificationRecord> {
  const { issueNumber, from: fromAgent, to: toAgent, topic } = request;
  const record = await logged(ports, { issueNumber, fromAgent, toAgent, topic }, async () =>
    writeRecord(ports, await admit(ports, request)),
  );
  await showStatuses(ports, record);
  return (await breakCycles(ports, record)) ?? record;
}

interface Admitted {
  readonly askRequest: AskRequest;
  readonly scope: Scope;
  /** What follows at once if the target is a person. */
  readonly handover: readonly ClarificationEvent[];
}

/** All refusals happen here, before anything is written. */
async function admit(
  ports: OrderPorts & Pick<AskPorts, 'clock' | 'runnerFor'>,
  uncheckedRequest: AskRequest,
): Promise<Admitted> {
  const request = parseWith(AskRequest, uncheckedRequest, 'The request');
  const from = requireKnownAgent(ports.agents, request.from);
  const to = requireKnownAgent(ports.agents, request.to);
  const askRequest = { ...request, from, to };
  requireText(request.topic, 'topic', MAX_TOPIC_CHARACTERS);
  requireText(request.question, 'question', MAX_QUESTION_CHARACTERS);
  const issue = await requireIssue(ports, request.issueNumber);
  const { located, running } = await guideOf(ports, issue);
  const scope = scopeOf(located, { ...askRequest, running });
  // A target that cannot be started is a mistake in the configuration, not a failure of the target.
  const handover = handingOver(ports, to);
  return { askRequest, scope, handover };
}

function writeRecord(ports: RecordPorts, { askRequest, scope, handover }: Admitted) {
  return changeRecords<ClarificationRecord>(ports, askRequest.issueNumber, (ledger) => {
    const { clarifications } = ledger;
    const earlierRecord = clarifications.find(({ origin }) => origin !== undefined && origin === askRequest.origin);
    if (earlierRecord !== undefined)
      return { changes: [{ before: earlierRecord, record: earlierRecord, effects: [] }], result: earlierRecord };
    const { from, to, topic, question, origin } = askRequest;
    // Only an agent that was asked can be part of a chain.
    const outerRecord = clarifications.find((record) => record.id === askRequest.within && record.to === from);
    // If it waited, that would be a deadlock, which a human breaks. Otherwise the two would ask each other for ever.
    if (!scope.blocking && outerRecord !== undefined && chainIn(clarifications, outerRecord).includes(to)) {
      const message = `Agent '${from}' cannot clarify with '${to}', which waits for its answer. Allowed: other agents.`;
      throw new AgentXError('SCOPE_VIOLATION', message, { from, to, within: outerRecord.id });
    }
    const request = {
      id: nextClarificationId(ledger),
      from,
      to,
      topic,
      question,
      blocking: scope.blocking,
      maxRounds: scope.maxRounds,
      slaMinutes: scope.slaMinutes,
      at: ports.clock.now(),
      origin,
      within: outerRecord?.id,
    };
    const change = openHanded(request, handover);
    return { changes: [change], result: change.record };
  });
}

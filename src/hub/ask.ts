import * as z from 'zod/mini';
import {
  type ClarificationRecord,
  type ClarificationResult,
  nextClarificationId,
  openClarification,
} from '../protocol/clarification.js';
import { IssueNumber } from '../protocol/ids.js';
import { MAX_QUESTION_CHARACTERS, MAX_TOPIC_CHARACTERS } from '../protocol/limits.js';
import { parseWith, requireText } from '../protocol/parse.js';
import type { Shape } from '../protocol/shape.js';
import { breakCycles } from './break-cycles.js';
import { logged, showStatuses, tell } from './change-record.js';
import { requireIssue } from './issue.js';
import { requireKnownAgent } from './known-agent.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';
import { route } from './route.js';
import { scopeOf } from './scope.js';

export const AskRequest = z.strictObject({
  issueNumber: IssueNumber,
  from: z.string(),
  to: z.string(),
  topic: z.string(),
  question: z.string(),
  blocking: z.boolean(),
  /** The requester's running step, if it runs one. */
  stepId: z.exactOptional(z.string()),
  /** What caused it: asked again, it is the same record. */
  origin: z.exactOptional(z.string()),
  /** The clarification that the requester composes an answer to. */
  within: z.exactOptional(z.string()),
});
export type AskRequest = Shape<typeof AskRequest>;

/** One clarification, asked and routed: it comes back answered or escalated. */
export async function ask(ports: HubPorts, request: AskRequest): Promise<HubResult> {
  const record = await open(ports, request);
  if (record.status === 'pending') return route(ports, record, () => showStatuses(ports, record));
  await showStatuses(ports, record);
  return resultOf(record);
}

/** The same without waiting for the target: the record is written and still to be routed, unless it is escalated. */
export async function openAsk(ports: HubPorts, request: AskRequest): Promise<ClarificationRecord> {
  const record = await open(ports, request);
  await showStatuses(ports, record);
  return record;
}

async function open(ports: HubPorts, request: AskRequest): Promise<ClarificationRecord> {
  const opened = await logged(ports, fieldsOf(request), async () => writeRecord(ports, await admit(ports, request)));
  const [record] = await Promise.all([breakCycles(ports, opened.record), tell(ports, opened)]);
  return record;
}

interface Admitted extends AskRequest {
  readonly maxRounds: number;
  readonly slaMinutes: number;
}

/** All that can be refused is refused here, before anything is written. */
async function admit(ports: HubPorts, unchecked: AskRequest): Promise<Admitted> {
  const request = parseWith(AskRequest, unchecked, 'The request');
  const from = requireKnownAgent(ports.agents, request.from);
  const to = requireKnownAgent(ports.agents, request.to);
  requireText(request.topic, 'topic', MAX_TOPIC_CHARACTERS);
  requireText(request.question, 'question', MAX_QUESTION_CHARACTERS);
  const issue = await requireIssue(ports, request.issueNumber);
  const { maxRounds, slaMinutes } = scopeOf(await ports.workflows.forIssue(issue), { ...request, from, to });
  // A target that nobody can start is a mistake in the configuration, not a failure of the target.
  ports.runnerFor(to);
  return { ...request, from, to, maxRounds, slaMinutes };
}

async function writeRecord(ports: HubPorts, admitted: Admitted): Promise<ClarificationResult> {
  return ports.store.ledgers.update<ClarificationResult>(admitted.issueNumber, (ledger) => {
    const known = ledger.clarifications.find(({ origin }) => origin !== undefined && origin === admitted.origin);
    if (known !== undefined) return { next: ledger, result: { record: known, effects: [] } };
    const { within, ...asked } = admitted;
    // Nobody stands in a chain without having been asked.
    const above = ledger.clarifications.some(({ id, to }) => id === within && to === asked.from);
    const opened = openClarification({
      ...asked,
      ...(above && within !== undefined && { within }),
      id: nextClarificationId(ledger),
      at: ports.clock.now(),
    });
    return { next: { ...ledger, clarifications: [...ledger.clarifications, opened.record] }, result: opened };
  });
}

function fieldsOf({ issueNumber, from, to, topic }: AskRequest) {
  return { issueNumber, fromAgent: from, toAgent: to, topic };
}

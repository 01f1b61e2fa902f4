import * as z from 'zod/mini';
import {
  type ClarificationEvent,
  type ClarificationRecord,
  type ClarificationResult,
  nextClarificationId,
} from '../protocol/clarification.js';
import { IssueNumber } from '../protocol/ids.js';
import { MAX_QUESTION_CHARACTERS, MAX_TOPIC_CHARACTERS } from '../protocol/limits.js';
import { parseWith, requireText } from '../protocol/parse.js';
import type { Shape } from '../protocol/shape.js';
import type { Workflow } from '../protocol/workflow.js';
import { breakCycles } from './break-cycles.js';
import type { Seen } from './brief.js';
import { logged, showStatuses, tell } from './change-record.js';
import { guideOf, type IssueView, requireIssue } from './issue.js';
import { requireKnownAgent } from './known-agent.js';
import { openHanded } from './open-handed.js';
import { handingOver } from './person.js';
import { type HubPorts, type HubResult, resultOf } from './ports.js';
import { routeOnce } from './route-once.js';
import { type Scope, scopeOf } from './scope.js';

export const AskRequest = z.strictObject({
  issueNumber: IssueNumber,
  from: z.string(),
  to: z.string(),
  topic: z.string(),
  question: z.string(),
  /** Where nothing is said, as the step allows. */
  blocking: z.exactOptional(z.boolean()),
  /** The step that the requester is at; where nothing is said, what the run of the issue says. */
  stepId: z.exactOptional(z.string()),
  /** What caused it: asked again, it is the same record. */
  origin: z.exactOptional(z.string()),
  /** The clarification that the requester composes an answer to. */
  within: z.exactOptional(z.string()),
});
export type AskRequest = Shape<typeof AskRequest>;

/** One clarification, asked and routed: it comes back answered or escalated. */
export async function ask(ports: HubPorts, request: AskRequest): Promise<HubResult> {
  const { record, seen } = await open(ports, request);
  const whileAtWork = () => showStatuses(ports, record);
  const { id: clarificationId, round } = record;
  if (record.status === 'pending') return routeOnce(ports, { clarificationId, round, seen, whileAtWork });
  await whileAtWork();
  return resultOf(record);
}

/** The same without waiting for the target: the record is written and still to be routed, unless it is escalated. */
export async function openAsk(ports: HubPorts, request: AskRequest): Promise<ClarificationRecord> {
  const { record } = await open(ports, request);
  await showStatuses(ports, record);
  return record;
}

interface Opened {
  readonly record: ClarificationRecord;
  readonly seen: Seen;
}

async function open(ports: HubPorts, request: AskRequest): Promise<Opened> {
  const { admitted, opened, written } = await logged(ports, fieldsOf(request), async () =>
    writeRecord(ports, await admit(ports, request)),
  );
  const [broken] = await Promise.all([breakCycles(ports, opened.record), tell(ports, opened)]);
  const { issue, workflow } = admitted;
  if (broken !== undefined) return { record: broken, seen: { issue, workflow } };
  return { record: opened.record, seen: { issue, workflow, clarifications: written } };
}

interface Admitted {
  readonly asked: AskRequest;
  readonly scope: Scope;
  readonly issue: IssueView;
  readonly workflow: Workflow;
  /** What follows at once where the target is a person. */
  readonly handed: readonly ClarificationEvent[];
}

/** All that can be refused is refused here, before anything is written. */
async function admit(ports: HubPorts, unchecked: AskRequest): Promise<Admitted> {
  const request = parseWith(AskRequest, unchecked, 'The request');
  const from = requireKnownAgent(ports.agents, request.from);
  const to = requireKnownAgent(ports.agents, request.to);
  const asked = { ...request, from, to };
  requireText(request.topic, 'topic', MAX_TOPIC_CHARACTERS);
  requireText(request.question, 'question', MAX_QUESTION_CHARACTERS);
  const issue = await requireIssue(ports, request.issueNumber);
  const { located, running } = await guideOf(ports, issue);
  const scope = scopeOf(located, { ...asked, running });
  // A target that nobody can start is a mistake in the configuration, not a failure of the target.
  const handed = handingOver(ports, to);
  return { asked, scope, issue, workflow: located.workflow, handed };
}

interface Written {
  readonly admitted: Admitted;
  readonly opened: Pick<ClarificationResult, 'record' | 'effects'>;
  /** The ledger with the record in it. */
  readonly written: readonly ClarificationRecord[];
}

async function writeRecord(ports: HubPorts, admitted: Admitted): Promise<Written> {
  const { asked, scope, handed } = admitted;
  return ports.store.ledgers.update<Written>(asked.issueNumber, (ledger) => {
    const { clarifications } = ledger;
    const known = clarifications.find(({ origin }) => origin !== undefined && origin === asked.origin);
    if (known !== undefined) {
      return { next: ledger, result: { admitted, opened: { record: known, effects: [] }, written: clarifications } };
    }
    // Nobody stands in a chain without having been asked.
    const isAsked = clarifications.some(({ id, to }) => id === asked.within && to === asked.from);
    const { from, to, topic, question, origin } = asked;
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
      within: isAsked ? asked.within : undefined,
    };
    const opened = openHanded(request, handed);
    const written = [...clarifications, opened.record];
    return { next: { ...ledger, clarifications: written }, result: { admitted, opened, written } };
  });
}

function fieldsOf({ issueNumber, from, to, topic }: AskRequest) {
  return { issueNumber, fromAgent: from, toAgent: to, topic };
}

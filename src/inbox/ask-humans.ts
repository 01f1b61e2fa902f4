import * as z from 'zod/mini';
import { requireIssue } from '../hub/issue.js';
import { requireKnownAgent } from '../hub/known-agent.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName, parseIssueNumber } from '../protocol/ids.js';
import { parseAsked } from '../protocol/open-questions.js';
import { parseWith } from '../protocol/parse.js';
import type { Question } from '../protocol/question.js';
import type { Run } from '../protocol/run.js';
import { fallbackOf, ownFallbacks } from './fallbacks-of-parts.js';
import { GATED_AGENT } from './intake.js';
import { type OpenQuestionsRequest, openQuestions } from './open-question.js';
import type { InboxPorts } from './ports.js';
import { takeRequest } from './take-request.js';

export interface AskHumansRequest extends Omit<OpenQuestionsRequest, 'parts' | 'kind' | 'details' | 'attach'> {
  /** Read as leniently as those of an agent's reply. */
  readonly questions: readonly unknown[];
  /** `blocking`, `consequence` and `fallback` in an agent's own words, where they are not said as fields of this request. */
  readonly beside?: unknown;
  readonly runId?: string;
  /** Of the run; without it, what the issue's run says. */
  readonly phase?: Run['phase'];
}

/**
 * A question that comes from outside a run: through the server, or by a tool. What says the same as an open one is that
 * one. Whoever plans the work has to pass the gate; GATE_REFUSED, with every condition that failed and the assumption that
 * was recorded instead, where it does not.
 */
export async function askHumans(ports: InboxPorts, request: AskHumansRequest): Promise<Question> {
  const { questions: given, runId, phase, beside, ...rest } = request;
  const questions = parseWith(z.array(z.unknown()), given, 'questions');
  await requireIssue(ports, parseIssueNumber(request.issueNumber));
  await requireNotClosed(ports, request.issueNumber);
  requireKnownAgent(ports.agents, request.agent);
  let made = 0;
  const asked = parseAsked(questions, beside ?? rest, { now: ports.clock.now, makeId: () => `q${++made}` });
  const { parts, ...settings } = asked;
  if (parseAgentName(request.agent) !== GATED_AGENT) {
    return openQuestions(ports, {
      ...rest,
      ...fallbackOf(parts),
      ...settings,
      parts: ownFallbacks(parts),
      attach: true,
    });
  }
  const { origin, issueNumber, agent, sourceId } = request;
  const asking = { origin, issueNumber, agent, sourceId, ...(runId && { runId }), ...(phase && { phase }) };
  const { question, refused, assumption } = await takeRequest(ports, asking, {
    said: parts[0],
    around: asked,
    questions: parts.length,
    beside: { parts: [], blocking: true, consequence: 'reversible' },
  });
  if (question !== undefined) return question;
  throw new AgentXError(refused?.code ?? 'GATE_REFUSED', refused?.message ?? 'The gate refuses the request.', {
    ...refused?.details,
    assumptionId: assumption?.id,
  });
}

/** Its questions would end as superseded at once. */
async function requireNotClosed({ store }: InboxPorts, issueNumber: number): Promise<void> {
  const issue = issueNumber === 0 ? undefined : await store.issues.read(issueNumber);
  if (issue?.state !== 'closed') return;
  throw new AgentXError('INVALID_STATE', `Issue #${issueNumber} is closed: nobody waits for an answer.`, {
    issueNumber,
  });
}

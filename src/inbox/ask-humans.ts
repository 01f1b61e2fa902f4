import { parseAgentName } from '../protocol/ids.js';
import { parseQuestionParts } from '../protocol/open-questions.js';
import type { Question } from '../protocol/question.js';
import type { Run } from '../protocol/run.js';
import { GATED_AGENT } from './intake.js';
import { type OpenQuestionsRequest, openQuestions } from './open-question.js';
import type { InboxPorts } from './ports.js';
import { askPastGate } from './take-request.js';

export interface AskHumansRequest extends Omit<OpenQuestionsRequest, 'parts' | 'kind' | 'details' | 'attach'> {
  /** Read as leniently as those of an agent's reply. */
  readonly questions: readonly unknown[];
  readonly runId?: string;
  /** Of the run; without it, what the issue's run says. */
  readonly phase?: Run['phase'];
}

/**
 * A question that comes from outside a run: through the server, or by a tool. What says the same as an open one is that
 * one. Whoever plans the work has to pass the gate; GATE_REFUSED, with every condition that failed, where it does not.
 */
export async function askHumans(ports: InboxPorts, request: AskHumansRequest): Promise<Question> {
  const { questions, runId, phase, ...rest } = request;
  let made = 0;
  const parts = parseQuestionParts(questions, { now: ports.clock.now, makeId: () => `q${++made}` });
  if (parseAgentName(request.agent) !== GATED_AGENT) return openQuestions(ports, { ...rest, parts, attach: true });
  const [first] = parts;
  const said = { ...first, ...(request.fallback && { fallback: request.fallback }) };
  const asked = { said, questions: parts.length, beside: [] };
  const { origin, issueNumber, agent, sourceId } = request;
  return askPastGate(
    ports,
    { origin, issueNumber, agent, sourceId, ...(runId && { runId }), ...(phase && { phase }) },
    asked,
  );
}

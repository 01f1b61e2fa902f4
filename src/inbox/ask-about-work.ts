import type { Question, QuestionOption } from '../protocol/question.js';
import { askHumans } from './ask.js';
import type { AskHumansPorts } from './ports.js';

interface StoppedWork {
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  readonly header: string;
  readonly text: string;
  readonly options: readonly QuestionOption[];
  readonly mustChoose?: boolean;
}

/** A run cannot go on by itself: a human decides how it does. Waiting decides nothing. */
export async function askAboutWork(
  ports: AskHumansPorts,
  { origin, issueNumber, agent, options, ...shown }: StoppedWork,
): Promise<Question> {
  const part = { id: 'q1', ...shown, createdAt: ports.clock.now(), multiSelect: false, allowText: true };
  const { question } = await askHumans(ports, {
    origin,
    issueNumber,
    agent,
    kind: 'agent_failed',
    source: 'execute',
    sourceId: String(issueNumber),
    parts: [{ ...part, options: [...options] }],
  });
  return question;
}

import type { Question } from '../protocol/question.js';
import type { AskHumansPorts, SettlePorts } from './ports.js';
import { settleQuestion } from './settle.js';

/**
 * What an agent can decide by itself if no person is there; the other kinds are about the run, or were handed to a
 * person.
 */
const KINDS: readonly Question['kind'][] = ['open_question', 'pm_clarification', 'escalation'];

/**
 * Ends those of these questions for which no channel reaches a person. The asker goes on with an assumption; an
 * irreversible question waits all the same.
 */
export async function endUnreachable(
  ports: SettlePorts & Pick<AskHumansPorts, 'settings'>,
  ids: readonly string[],
): Promise<void> {
  if (!ports.settings.isHeadless) return;
  for (const id of ids) {
    if ((await ports.store.questions.read(id)) === undefined) continue;
    const at = ports.clock.now();
    await settleQuestion(ports, id, (question) =>
      question.status === 'open' && question.consequence === 'reversible' && KINDS.includes(question.kind)
        ? { type: 'unreachable', at, reason: 'nobody is there (AGENTX_HEADLESS)' }
        : undefined,
    );
  }
}

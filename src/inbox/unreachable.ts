import type { Question } from '../protocol/question.js';
import type { InboxPorts } from './ports.js';
import { settleQuestion } from './settle.js';

/** What an agent can decide by itself when nobody is there; the others are about the run, or were handed to a person. */
const KINDS: readonly Question['kind'][] = ['open_question', 'pm_clarification', 'escalation'];

/**
 * Of these questions, those that nobody can be asked: no channel reaches anybody. Whoever asked goes on with an assumption;
 * what cannot be taken back waits all the same.
 */
export async function endUnreachable(ports: InboxPorts, ids: readonly string[]): Promise<void> {
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

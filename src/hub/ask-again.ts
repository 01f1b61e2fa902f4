import { type ClarificationRecord, nextClarificationId } from '../protocol/clarification.js';
import { type ClarificationEvent, type ClarificationResult, transition } from '../protocol/clarification-transition.js';
import { AgentXError } from '../protocol/errors.js';
import { HUMAN, parseClarificationId } from '../protocol/ids.js';
import { MAX_QUESTION_CHARACTERS } from '../protocol/limits.js';
import { againOrigin } from '../protocol/origin.js';
import { breakCycles } from './break-cycles.js';
import { requireRecord, showStatuses, tell } from './change-record.js';
import { openHanded } from './open-handed.js';
import { handingOver } from './people.js';
import type { HubPorts } from './ports.js';

export interface AskAgainRequest {
  readonly clarificationId: string;
  /** What the human wrote beside the choice: the target reads it below the question. */
  readonly note?: string;
  /** Which human. */
  readonly principal?: string;
}

/**
 * A human has an escalated question asked again. An escalated record ends with the human's word, so that it is another
 * record that waits for the target, with rounds and an SLA of its own; both are written at once. Whoever routes what waits
 * for a human routes it: the run that waited, or the process in which the human answered.
 */
export async function askAgain(
  ports: HubPorts,
  { clarificationId, note, principal }: AskAgainRequest,
): Promise<ClarificationRecord> {
  const { issueNumber } = parseClarificationId(clarificationId);
  const at = ports.clock.now();
  const changed = await ports.store.ledgers.update<Changed>(issueNumber, (ledger) => {
    const before = requireRecord(ledger, clarificationId);
    if (before.status !== 'escalated') return { next: ledger, result: { settled: { record: before, effects: [] } } };
    const { from, to, topic, blocking, maxRounds, slaMinutes, within } = before;
    const again = openHanded(
      {
        ...{ from, to, topic, blocking, maxRounds, within, at },
        id: nextClarificationId(ledger),
        question: questionOf(before, note),
        origin: againOrigin(before),
        ...(slaMinutes === undefined ? {} : { slaMinutes }),
      },
      ifPerson(ports, to),
    );
    const body = `${to} is asked again in ${again.record.id}.`;
    const said = { at, by: HUMAN, body, outcome: 'answered' as const, ...(principal !== undefined && { principal }) };
    const settled = transition(before, { type: 'human-resolve', ...said });
    const others = ledger.clarifications.map((other) => (other === before ? settled.record : other));
    return { next: { ...ledger, clarifications: [...others, again.record] }, result: { settled, again } };
  });
  await tell(ports, changed.settled);
  if (changed.again === undefined) return changed.settled.record;
  await tell(ports, changed.again);
  const record = (await breakCycles(ports, changed.again.record)) ?? changed.again.record;
  await showStatuses(ports, record);
  return changed.settled.record;
}

interface Changed {
  readonly settled: Pick<ClarificationResult, 'record' | 'effects'>;
  /** Nothing where somebody else has settled it meanwhile. */
  readonly again?: Pick<ClarificationResult, 'record' | 'effects'>;
}

function questionOf({ thread, topic }: ClarificationRecord, note: string | undefined): string {
  const asked = thread.findLast(({ type }) => type === 'question')?.body ?? topic;
  if (note === undefined) return asked;
  return [...`${asked}\n\n${note}`].slice(0, MAX_QUESTION_CHARACTERS).join('');
}

/** The choice stands though nobody can start the target now: whoever routes it is told why. */
function ifPerson(ports: HubPorts, target: string): readonly ClarificationEvent[] {
  try {
    return handingOver(ports, target);
  } catch (error) {
    if (error instanceof AgentXError) return [];
    throw error;
  }
}

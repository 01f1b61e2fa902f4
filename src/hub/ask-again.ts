import { type ClarificationRecord, nextClarificationId } from '../protocol/clarification.js';
import { type ClarificationEvent, transition } from '../protocol/clarification-transition.js';
import { AgentXError } from '../protocol/errors.js';
import { HUMAN, parseClarificationId } from '../protocol/ids.js';
import { MAX_QUESTION_CHARACTERS } from '../protocol/limits.js';
import { againOrigin } from '../protocol/origin.js';
import { breakCycles } from './break-cycles.js';
import { changeRecords, requireRecord, showStatuses } from './change-record.js';
import { handingOver, openHanded } from './people.js';
import type { ChangePorts } from './ports.js';

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
  ports: ChangePorts,
  { clarificationId, note, principal }: AskAgainRequest,
): Promise<ClarificationRecord> {
  const { issueNumber } = parseClarificationId(clarificationId);
  const at = ports.clock.now();
  const { result, written } = await changeRecords<AskedAgain>(ports, issueNumber, (ledger) => {
    const before = requireRecord(ledger, clarificationId);
    if (before.status !== 'escalated') return { changes: [], result: { settled: before } };
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
    const settled = { before, ...transition(before, { type: 'human-resolve', ...said }) };
    return { changes: [settled, again], result: { settled: settled.record, again: again.record } };
  });
  const { settled, again } = result;
  if (again === undefined) return settled;
  await showStatuses(ports, again, written);
  await breakCycles(ports, again);
  return settled;
}

interface AskedAgain {
  readonly settled: ClarificationRecord;
  /** Nothing where another process has settled it meanwhile. */
  readonly again?: ClarificationRecord;
}

function questionOf({ thread, topic }: ClarificationRecord, note: string | undefined): string {
  const asked = thread.findLast(({ type }) => type === 'question')?.body ?? topic;
  if (note === undefined) return asked;
  return [...`${asked}\n\n${note}`].slice(0, MAX_QUESTION_CHARACTERS).join('');
}

/** The choice stands though nobody can start the target now: whoever routes it is told why. */
function ifPerson(ports: ChangePorts, target: string): readonly ClarificationEvent[] {
  try {
    return handingOver(ports, target);
  } catch (error) {
    if (error instanceof AgentXError) return [];
    throw error;
  }
}

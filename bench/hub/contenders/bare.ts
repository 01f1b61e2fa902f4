import { join } from 'node:path';
import { type ClarificationLedger, emptyLedger, nextClarificationId } from '../../../src/protocol/clarification.js';
import { openClarification, transition } from '../../../src/protocol/clarification-transition.js';
import { openQuestion, transition as questionTransition } from '../../../src/protocol/question-transition.js';
import type { Contender, Place } from '../contender.js';
import { replaceSynced, replaceSyncedAtOnce } from '../synced-file.js';
import { ANSWER, cyclesPerDocument, QUESTION, questionNumber, RESOLUTION, TOPIC } from '../work.js';

/*
 * The least that a cycle does: its updates, synced, with the same content as ours; no lock, no check, no status, no event.
 * Many lanes on separate documents write at once, those on one document after each other, for each follows the last.
 */

/** Ask, answer, resolve. */
export const threeUpdates: Contender = {
  async open(place) {
    const write = writerFor(place);
    const ledgers = Array.from({ length: place.lanes }, (_, lane) => emptyLedger(lane));
    let turn: Promise<void> = Promise.resolve();
    const cycle = async (lane: number): Promise<void> => {
      const number = place.isShared ? 0 : lane;
      let ledger = ledgers[number] ?? emptyLedger(number);
      if (ledger.clarifications.length >= cyclesPerDocument(place)) {
        ledger = emptyLedger(number);
      }
      for (const step of [ask, answer, resolve]) {
        ledger = step(ledger);
        ledgers[number] = ledger;
        await write(join(place.documents, `bare-${number}.json`), ledger);
      }
    };
    if (!place.isShared) return { cycle };
    return {
      cycle: (lane) => {
        turn = turn.then(() => cycle(lane));
        return turn;
      },
    };
  },
};

/** Ask, answer. */
export const twoUpdates: Contender = {
  async open(place) {
    const write = writerFor(place);
    let count = 0;
    return {
      async cycle() {
        const id = `oq-${count++}`;
        const path = join(place.documents, `bare-${id}.json`);
        const { question } = openQuestion(questionNumber(id, now()));
        await write(path, question);
        const by = { principal: 'ada', channel: 'cli' as const };
        const responses = [{ questionId: 'q1', optionIds: ['a'] }];
        const event = { type: 'answer' as const, at: now(), by, revision: 1, responses };
        await write(path, questionTransition(question, event).question);
      },
    };
  },
};

const now = (): string => new Date().toISOString();

function writerFor({ lanes, isShared }: Place): (path: string, value: unknown) => void | Promise<void> {
  const write = lanes > 1 && !isShared ? replaceSyncedAtOnce : replaceSynced;
  return (path, value) => write(path, `${JSON.stringify(value, null, 2)}\n`);
}

function ask(ledger: ClarificationLedger): ClarificationLedger {
  const { record } = openClarification({
    id: nextClarificationId(ledger),
    from: 'engineer',
    to: 'architect',
    topic: TOPIC,
    question: QUESTION,
    blocking: true,
    at: now(),
  });
  return { ...ledger, clarifications: [...ledger.clarifications, record] };
}

function answer(ledger: ClarificationLedger): ClarificationLedger {
  return changeLast(ledger, { type: 'answer', at: now(), by: 'architect', body: ANSWER });
}

function resolve(ledger: ClarificationLedger): ClarificationLedger {
  return changeLast(ledger, { type: 'resolve', at: now(), by: 'engineer', body: RESOLUTION });
}

function changeLast(ledger: ClarificationLedger, event: Parameters<typeof transition>[1]): ClarificationLedger {
  const last = ledger.clarifications.at(-1);
  if (last === undefined) throw new Error('Nothing was asked.');
  return { ...ledger, clarifications: [...ledger.clarifications.slice(0, -1), transition(last, event).record] };
}

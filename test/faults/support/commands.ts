import { finishWork } from '../../../src/board/agent-status.js';
import { answer } from '../../../src/hub/answer.js';
import { ask, followUp } from '../../../src/hub/conversation.js';
import { escalate } from '../../../src/hub/escalate.js';
import { resolve } from '../../../src/hub/resolve.js';
import { answerQuestion } from '../../../src/inbox/answer-question.js';
import { declineQuestion } from '../../../src/inbox/end-question.js';
import { runCheck } from '../../../src/monitor/sweep.js';
import type { Store } from '../../../src/ports/store.js';
import { escalationQuestionId } from '../../../src/protocol/ids.js';
import { aHub, anAsk, fixedClock, type TestHub } from '../../builders/hub.js';
import type { CommandName } from './commander.js';

/** The use cases behind the commands, on a store of the caller; the reviewer always fails, all others answer. */
export async function hubOn(store: Store, at: string): Promise<TestHub> {
  const turns = { 'product-manager': [new Error('no network')] };
  return aHub({ store, issues: 0, clock: fixedClock(at), turns, remembers: true });
}

export const ID = 'CLR-1-001';
const BY = { principal: 'ada', channel: 'cli' } as const;

interface Told {
  readonly clarificationId?: string;
  readonly status?: string;
}

export const COMMANDS: Readonly<Record<CommandName, (hub: TestHub) => Promise<Told>>> = {
  ask: (hub) => ask(hub, anAsk()),
  'ask someone who fails': (hub) => ask(hub, anAsk({ to: 'product-manager' })),
  'follow up': (hub) => followUp(hub, { clarificationId: ID, question: 'And in CI?', by: 'engineer' }),
  'follow up once too often': (hub) => followUp(hub, { clarificationId: ID, question: 'And in CI?', by: 'engineer' }),
  answer: (hub) => answer(hub, { clarificationId: ID, answer: 'SQLite.', by: 'human' }),
  resolve: (hub) => resolve(hub, { clarificationId: ID, body: 'Fine.', by: 'engineer' }),
  escalate: (hub) => escalate(hub, { clarificationId: ID, reason: 'they disagree' }),
  'resolve what is escalated': (hub) => resolve(hub, { clarificationId: ID, body: 'Fine.', by: 'human' }),
  'answer in the inbox': async (hub) =>
    toldOf(await answerQuestion(hub, { id: escalationQuestionId(ID, 1), by: BY, optionIds: ['a'] })),
  'decline in the inbox': async (hub) =>
    toldOf(await declineQuestion(hub, { id: escalationQuestionId(ID, 1), by: BY })),
  'finish work': async (hub) => {
    await finishWork(hub, { agent: 'engineer', issue: 1 });
    return {};
  },
  sweep: async (hub) => {
    await runCheck(hub);
    return {};
  },
};

function toldOf({ record }: { readonly record?: { readonly id: string; readonly status: string } }): Told {
  return record === undefined ? {} : { clarificationId: record.id, status: record.status };
}

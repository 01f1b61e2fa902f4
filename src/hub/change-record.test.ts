import { describe, expect, it } from 'vitest';
import { aHub, anAsk, recordOf } from '../../test/builders/hub.js';
import { AgentXError } from '../protocol/errors.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { abandon } from './abandon.js';
import { answer } from './answer.js';
import { openAsk } from './ask.js';
import { changeRecord } from './change-record.js';
import { followUp } from './conversation.js';
import { escalate } from './escalate.js';
import { resolve } from './resolve.js';

const clarificationId = 'CLR-1-001';

describe('a change of a record', () => {
  it('is logged with who, what and where, whatever it is [CL-7/1]', async () => {
    const hub = await aHub();
    await openAsk(hub, anAsk());
    await answer(hub, { clarificationId, answer: 'PostgreSQL.', by: 'architect' });
    await followUp(hub, { clarificationId, question: 'Sure?', by: 'engineer' });
    await escalate(hub, { clarificationId, reason: 'now' });
    await resolve(hub, { clarificationId, body: 'Yes.', by: 'human' });
    const { id } = await openAsk(hub, anAsk());
    await changeRecord(hub, id, ({ staleAfter }) => ({ type: 'expire', at: staleAfter }));
    await changeRecord(hub, id, ({ staleAfter }) => ({ type: 'retry', at: staleAfter }));
    await abandon(hub, { clarificationId: id });
    const lines = hub.log.lines.filter(({ message }) => message.startsWith('clarification-'));
    expect(lines.map(({ message, fields }) => [message, fields.clarificationId, fields.round, fields.status])).toEqual([
      ['clarification-requested', clarificationId, 1, 'pending'],
      ['clarification-answered', clarificationId, 1, 'answered'],
      ['clarification-requested', clarificationId, 2, 'pending'],
      ['clarification-answered', clarificationId, 2, 'answered'],
      ['clarification-escalated', clarificationId, 2, 'escalated'],
      ['clarification-resolved', clarificationId, 2, 'resolved'],
      ['clarification-requested', id, 1, 'pending'],
      ['clarification-stale', id, 1, 'stale'],
      ['clarification-retried', id, 1, 'pending'],
      ['clarification-abandoned', id, 1, 'abandoned'],
    ]);
    for (const { fields } of lines) {
      expect(fields).toMatchObject({ issueNumber: 1, fromAgent: 'engineer', toAgent: 'architect' });
    }
  });

  it('stands when the statuses cannot be written', async () => {
    const store = openInMemoryStore();
    const update = async () => {
      throw new AgentXError('CORRUPT_FILE', 'agent-status.json does not parse.');
    };
    const hub = await aHub({ store: { ...store, statuses: { ...store.statuses, update } } });
    await openAsk(hub, anAsk());
    await answer(hub, { clarificationId, answer: 'PostgreSQL.', by: 'architect' });
    expect((await recordOf(hub, clarificationId)).status).toBe('answered');
    expect(hub.log.lines).toContainEqual(expect.objectContaining({ message: 'statuses left to the next sweep' }));
  });
});

import { describe, expect, it } from 'vitest';
import { refused } from '../../test/builders/hub.js';
import { anInbox } from '../../test/builders/inbox.js';
import { aQuestion } from '../../test/builders/question.js';
import { AgentXError } from '../protocol/errors.js';
import { confirmAssumption, rejectAssumption } from './assumption-verdict.js';
import { recordAssumption } from './assumptions.js';
import { completeInbox } from './complete-inbox.js';
import { isInboxDue } from './inbox-due.js';

const request = { origin: 'run-1-aa/plan/1/assumption/0', issueNumber: 1, agent: 'project-manager' };
const whole = {
  decision: 'Tokens instead of sessions',
  blocker_type: 'security_decision',
  user_response: 'inferred_from_codebase',
  reasoning: 'src/token.ts exists',
  confidence: 'high',
  risk_if_wrong: 'medium - the login has to be rewritten',
};

describe('what an agent assumes', () => {
  it('is recorded with all six fields and ours [PM-1/5] [PM-5/1] [PM-5/2] [PM-5/3] [PM-5/4] [PM-5/5] [PM-5/6] [PM-5/7] [PM-5/11]', async () => {
    const inbox = await anInbox();
    const artifacts = ['docs/plan.md'];
    const assumption = await recordAssumption(inbox, { ...request, assumption: whole, artifacts });
    expect(assumption).toEqual({
      ...whole,
      id: 'ASM-1-001',
      issueNumber: 1,
      agent: 'project-manager',
      origin: request.origin,
      artifacts,
      status: 'standing',
      createdAt: inbox.clock.now(),
    });
    expect((await inbox.store.questions.list()).items).toEqual([]);
    expect((await inbox.store.assumptions.list()).items).toEqual([assumption]);
  });

  it('is recorded once for each origin, and numbered by issue', async () => {
    const inbox = await anInbox();
    await recordAssumption(inbox, { ...request, assumption: whole });
    expect((await recordAssumption(inbox, { ...request, assumption: 'Another' })).decision).toBe(whole.decision);
    const second = await recordAssumption(inbox, { ...request, origin: 'x', assumption: 'Another' });
    expect(second).toMatchObject({ id: 'ASM-1-002', decision: 'Another', user_response: 'inferred_from_context' });
  });

  it.each([
    [{ text: 'A decision' }, { decision: 'A decision', confidence: 'medium', risk_if_wrong: 'unknown' }],
    [
      { ...whole, confidence: 'very', blocker_type: 'mood' },
      { confidence: 'medium', blocker_type: 'none' },
    ],
    [{ ...whole, user_response: 'trust me' }, { user_response: 'inferred_from_context' }],
    [
      { ...whole, status: 'confirmed', id: 'ASM-9-009' },
      { status: 'standing', id: 'ASM-1-001' },
    ],
  ])('is read leniently: %j', async (assumption, expected) => {
    expect(await recordAssumption(await anInbox(), { ...request, assumption })).toMatchObject(expected);
  });

  it.each([[''], [7], [null], [{ reasoning: 'none' }], ['x'.repeat(2001)]])('is not %j', async (assumption) => {
    const inbox = await anInbox();
    expect((await refused(recordAssumption(inbox, { ...request, assumption }))).code).toBe('INVALID_INPUT');
    expect((await inbox.store.assumptions.list()).items).toEqual([]);
  });

  it('counts as confirmed by a user only where one has answered', async () => {
    const inbox = await anInbox();
    const assumption = { ...whole, user_response: 'User confirmed option (a): tokens' };
    expect((await recordAssumption(inbox, { ...request, assumption })).user_response).toBe('inferred_from_context');
    const ended = { issueNumber: 1, status: 'resolved', outcome: 'answered' } as const;
    const responses = [{ questionId: 'q1', optionIds: ['a'], answer: 'PostgreSQL' }];
    await inbox.store.questions.create(aQuestion({ ...ended, responses }));
    const after = await recordAssumption(inbox, { ...request, origin: 'y', assumption });
    expect(after.user_response).toBe('User confirmed option (a): tokens');
    const other = { ...whole, user_response: 'User confirmed option (b): sessions' };
    expect((await recordAssumption(inbox, { ...request, origin: 'z', assumption: other })).user_response).toBe(
      'inferred_from_context',
    );
    const inWords = [{ questionId: 'q1', answer: 'Sessions for the old clients' }];
    await inbox.store.questions.create(aQuestion({ ...ended, id: 'oq-2b3c4d5e', responses: inWords }));
    expect((await recordAssumption(inbox, { ...request, origin: 'w', assumption: other })).user_response).toBe(
      other.user_response,
    );
  });

  it('counts as confirmed by a user who answered late, and not by the fallback', async () => {
    const inbox = await anInbox();
    const ended = { issueNumber: 1, status: 'resolved', outcome: 'fallback_applied' } as const;
    const responses = [{ questionId: 'q1', optionIds: ['b'], answer: 'SQLite' }];
    const answeredBy = { principal: 'agent-x', channel: 'timeout' } as const;
    const late = {
      responses: [{ questionId: 'q1', optionIds: ['a'] }],
      answeredBy: { principal: 'ada', channel: 'cli' } as const,
    };
    const lateResponses = [{ ...late, at: inbox.clock.now() }];
    await inbox.store.questions.create(aQuestion({ ...ended, responses, answeredBy, lateResponses }));
    const claimed = async (option: string) => {
      const assumption = { ...whole, user_response: `User confirmed option (${option}): this` };
      return (await recordAssumption(inbox, { ...request, origin: option, assumption })).user_response;
    };
    expect(await claimed('a')).toBe('User confirmed option (a): this');
    expect(await claimed('b')).toBe('inferred_from_context');
  });
});

describe('a human', () => {
  it('confirms, and that stays so [PM-1/6] [PM-5/12]', async () => {
    const inbox = await anInbox();
    await recordAssumption(inbox, { ...request, assumption: whole });
    const confirmed = await confirmAssumption(inbox, { id: 'ASM-1-001', by: 'ada' });
    expect(confirmed).toMatchObject({ status: 'confirmed', decidedBy: 'ada', decidedAt: inbox.clock.now() });
    expect(await confirmAssumption(inbox, { id: 'ASM-1-001', by: 'bob' })).toEqual(confirmed);
    const rejected = rejectAssumption(inbox, { id: 'ASM-1-001', by: 'bob', reason: 'No.' });
    expect((await refused(rejected)).code).toBe('INVALID_STATE');
    expect((await inbox.store.questions.list()).items).toEqual([]);
  });

  it('rejects with a reason, and decides what becomes of the work [PM-1/6] [PM-5/12]', async () => {
    const inbox = await anInbox();
    await recordAssumption(inbox, { ...request, assumption: whole, artifacts: ['docs/plan.md'] });
    const first = await rejectAssumption(inbox, { id: 'ASM-1-001', by: 'ada', reason: 'Sessions, please.' });
    expect(first.assumption).toMatchObject({ status: 'rejected', rejection: 'Sessions, please.' });
    expect(first.question).toMatchObject({
      kind: 'late_answer',
      blocking: false,
      rework: { assumptionId: 'ASM-1-001', answer: 'Sessions, please.', artifacts: ['docs/plan.md'] },
      questions: [{ options: [{ id: 'keep' }, { id: 'rework' }] }],
    });
    expect(await rejectAssumption(inbox, { id: 'ASM-1-001', by: 'bob', reason: 'Sessions, please.' })).toEqual(first);
  });

  it('is remembered, once, if the memory could not be written at that moment', async () => {
    const inbox = { ...(await anInbox()), remembers: true };
    const { observations } = inbox.store;
    const { id = '' } = await recordAssumption(inbox, { ...request, assumption: whole });
    const update = async () => Promise.reject(new AgentXError('LOCK_TIMEOUT', 'issue-1.json is locked.'));
    const locked = { ...inbox, store: { ...inbox.store, observations: { ...observations, update } } };
    expect(await confirmAssumption(locked, { id, by: 'ada' })).toMatchObject({ status: 'confirmed' });
    expect(await isInboxDue(inbox)).toBe(true);
    await Promise.all([completeInbox(inbox), completeInbox(inbox)]);
    const [kept, ...others] = await observations.getByIssue(1);
    expect([kept?.source, ...others]).toEqual([{ kind: 'assumption', id }]);
    expect(await isInboxDue(inbox)).toBe(false);
    await observations.remove(kept?.id ?? '');
    await confirmAssumption(inbox, { id, by: 'ada' });
    await completeInbox(inbox);
    expect(await observations.getByIssue(1)).toEqual([]);
  });

  it('is told that another reason was given before, one after the other and at the same moment', async () => {
    const inbox = await anInbox();
    await recordAssumption(inbox, { ...request, assumption: whole });
    const reject = (by: string, reason: string) => rejectAssumption(inbox, { id: 'ASM-1-001', by, reason });
    const outcomes = await Promise.allSettled([reject('ada', 'Sessions.'), reject('bob', 'Cookies.')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const [{ id: choice, rework } = {}] = (await inbox.store.questions.list()).items;
    expect(rework?.answer).toBe('Sessions.');
    const error = await refused(reject('bob', 'Cookies.'));
    expect(error).toMatchObject({ code: 'CONFLICT', details: { decidedBy: 'ada', rejection: 'Sessions.' } });
    expect(error.message).toBe(
      `Assumption ASM-1-001 was rejected before, by ada: Sessions. Say what you would add with your answer to ${choice}.`,
    );
  });

  it('knows no others', async () => {
    const inbox = await anInbox();
    expect((await refused(confirmAssumption(inbox, { id: 'ASM-1-007', by: 'ada' }))).code).toBe('NOT_FOUND');
    expect((await refused(rejectAssumption(inbox, { id: 'x', by: 'ada', reason: 'y' }))).code).toBe('INVALID_INPUT');
  });
});

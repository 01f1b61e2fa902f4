import { describe, expect, it } from 'vitest';
import { refused } from '../../test/builders/hub.js';
import { anInbox } from '../../test/builders/inbox.js';
import { type AskHumansRequest, askHumans } from './ask.js';
import { heldBack } from './fail-early.js';
import type { InboxPorts } from './ports.js';

const request = {
  origin: 'asked/1',
  issueNumber: 1,
  agent: 'tester',
  source: 'execute' as const,
  sourceId: '1',
  questions: ['Which browsers have to work?'],
};

const ask = async (inbox: InboxPorts, asking: AskHumansRequest) => (await askHumans(inbox, asking)).question;

describe('a question from outside a run', () => {
  it('is read like that of a reply, and is the open one that says the same', async () => {
    const inbox = await anInbox();
    const first = await ask(inbox, request);
    expect(first).toMatchObject({ kind: 'open_question', questions: [{ id: 'q1', text: request.questions[0] }] });
    expect((await ask(inbox, { ...request, origin: 'asked/2' })).id).toBe(first.id);
  });

  it('is another if it cannot be undone, though its words are those of a question that falls back [X-1/2]', async () => {
    const inbox = await anInbox();
    const drop = { ...request, questions: [{ text: 'Drop the old orders?', options: ['Yes', 'No'] }] };
    const first = await ask(inbox, { ...drop, fallback: { optionId: 'a' } });
    expect(first.expiresAt).toBeDefined();
    const grave = await ask(inbox, { ...drop, consequence: 'irreversible' });
    expect(grave).toMatchObject({ consequence: 'irreversible', status: 'open' });
    expect(await ask(inbox, { ...drop, consequence: 'irreversible' })).toEqual(grave);
    expect(await ask(inbox, { ...drop, beside: { irreversible: true } })).toEqual(grave);
    expect(await ask(inbox, { ...drop, fallback: { optionId: 'a' } })).toEqual(first);
  });

  it('falls back as a whole where every part says to what', async () => {
    const inbox = await anInbox();
    const part = (text: string, fallback?: string) => ({ text, options: ['Yes', 'No'], ...(fallback && { fallback }) });
    const whole = await ask(inbox, {
      ...request,
      questions: [part('Old browsers?', 'No'), part('Dark?', 'Yes')],
    });
    expect(whole).toMatchObject({
      fallback: { text: 'No; Yes' },
      questions: [{ fallback: { optionId: 'b' } }, { fallback: { optionId: 'a' } }],
    });
    expect(whole.expiresAt).toBeDefined();
    const half = { ...request, origin: 'asked/2', questions: [part('Print view?', 'No'), part('Which paper?')] };
    expect((await ask(inbox, half)).expiresAt).toBeUndefined();
    const fallback = { text: 'None of them' };
    const own = await ask(inbox, {
      ...request,
      origin: 'asked/3',
      questions: [part('Offline?', 'No')],
      fallback,
    });
    expect(own.fallback).toEqual({ optionId: 'b' });
    const common = { ...request, origin: 'asked/4', questions: [part('Sound?', 'No'), part('Video?')], fallback };
    expect((await ask(inbox, common)).questions).toMatchObject([{ fallback: { optionId: 'b' } }, { fallback }]);
  });

  it('of a project manager passes the gate or becomes an assumption [PM-2/15]', async () => {
    const inbox = await anInbox();
    const error = await refused(ask(inbox, { ...request, agent: 'project-manager' }));
    expect(error).toMatchObject({ code: 'GATE_REFUSED', details: { assumptionId: 'ASM-1-001' } });
    expect((await inbox.store.questions.list()).items).toEqual([]);
    const text = 'There is nothing like it in the project';
    const question = {
      text: 'Which of the two is meant?',
      options: ['Stateless', 'With sessions'],
      blocker_type: 'mutually_exclusive_requirements',
      evidence: { codebase_search: text, similar_features: text, attempted_inference: text },
    };
    const fallback = { optionId: 'a', reasoning: 'it is simpler' };
    const chain = ['planner', 'project-manager'];
    const result = await ask(inbox, { ...request, agent: 'project-manager', chain, questions: [question], fallback });
    expect(result).toMatchObject({ kind: 'pm_clarification', fallback, askedBy: { chain } });
  });
});

describe('work that stands on an open question', () => {
  it('is held back: tasks of every agent, documents of planning agents', async () => {
    const inbox = await anInbox();
    const question = await ask(inbox, request);
    expect(heldBack('analyst', question)).toEqual({ issues: true, artifacts: false });
    expect(heldBack('dreamer', question)).toEqual({ issues: true, artifacts: true });
    expect(heldBack('planner', question)).toEqual({ issues: true, artifacts: true });
    const free = { issues: false, artifacts: false };
    expect(heldBack('planner', undefined)).toEqual(free);
    expect(heldBack('planner', { ...question, blocking: false })).toEqual(free);
    expect(heldBack('planner', { ...question, status: 'resolved', outcome: 'answered' })).toEqual(free);
  });
});

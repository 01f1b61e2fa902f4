import { expect, it } from 'vitest';
import { anInbox } from '../../test/builders/inbox.js';
import { aQuestion } from '../../test/builders/question.js';
import type { Question } from '../protocol/question.js';
import { endUnreachable } from './end-unreachable.js';

async function outcomeOf(fields: Partial<Question>, isHeadless: boolean): Promise<Question['outcome']> {
  const inbox = await anInbox();
  const { id } = aQuestion();
  await inbox.store.questions.create(aQuestion({ issueNumber: 1, ...fields }));
  await endUnreachable({ ...inbox, settings: { ...inbox.settings, isHeadless } }, [id, 'oq-gone']);
  return (await inbox.store.questions.read(id))?.outcome;
}

it('ends what an agent can decide by itself, where nobody is there', async () => {
  const question: Partial<Question> = { kind: 'open_question', consequence: 'reversible' };
  expect(await outcomeOf(question, true)).toBe('unreachable');
  expect(await outcomeOf(question, false)).toBeUndefined();
});

it.each<[string, Partial<Question>]>([
  ['what is irreversible', { kind: 'open_question', consequence: 'irreversible' }],
  ['what next after a failure', { kind: 'agent_failed', consequence: 'reversible' }],
  ['an approval', { kind: 'approval', consequence: 'reversible' }],
])('leaves %s to a person', async (_, fields) => {
  expect(await outcomeOf(fields, true)).toBeUndefined();
});

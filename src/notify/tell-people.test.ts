import { expect, it } from 'vitest';
import { anExpiringQuestion } from '../../test/builders/question.js';
import { aTeller } from '../../test/builders/teller.js';
import { AgentXError } from '../protocol/errors.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { letterOf } from './letter.js';
import { type NotifyPorts, Sending, tellPeople } from './tell-people.js';

/** One question, and a channel that notes the ids of its messages. */
async function aTellerOfOne() {
  const store = openInMemoryStore();
  await store.questions.create(anExpiringQuestion());
  return { store, ...aTeller(store) };
}

async function look(ports: NotifyPorts): Promise<void> {
  let end = () => {};
  const isDone = new Promise<void>((resolve) => {
    end = resolve;
  });
  const sending = new Sending(end);
  await tellPeople(ports, sending);
  if (!sending.isOver) await isDone;
}

it('a question that could not be read for a moment keeps its reminder', async () => {
  const { store, clock, ports, told } = await aTellerOfOne();
  await look(ports);
  const read = () => Promise.reject(new AgentXError('CORRUPT_FILE', 'oq-1a2b3c4d.json is damaged.'));
  const list = async () => ({ items: [], damaged: [], total: 0 });
  await look({ ...ports, store: { ...store, questions: { ...store.questions, read, list } } });
  clock.advance(4 * 60_000);
  await look(ports);
  expect(told).toEqual(['oq-1a2b3c4d.opened', 'oq-1a2b3c4d.deadline']);
});

it('a message is sent once, though the disk is full when that is to be noted', async () => {
  const { store, ports, told } = await aTellerOfOne();
  let writes = 0;
  const update: typeof store.deliveries.update = (change) => {
    writes++;
    const isFull = writes > 1 && writes < 5;
    return isFull ? Promise.reject(new AgentXError('STORE_ERROR', 'ENOSPC')) : store.deliveries.update(change);
  };
  const full = { ...ports, store: { ...store, deliveries: { ...store.deliveries, update } } };
  for (const _ of ['once', 'twice', 'thrice']) await look(full);
  expect(told).toEqual(['oq-1a2b3c4d.opened']);
  expect((await store.deliveries.read()).messages).toMatchObject([{ state: 'sent' }]);
});

it('a message waits while its question cannot be read', async () => {
  const { store, clock, ports, told } = await aTellerOfOne();
  const read = () => Promise.reject(new AgentXError('STORE_ERROR', 'EIO'));
  await look({ ...ports, store: { ...store, questions: { ...store.questions, read } } });
  clock.advance(2_000);
  await look(ports);
  expect(told).toEqual(['oq-1a2b3c4d.opened']);
});

it('each late answer is told in the name of who gave it', () => {
  const late = (principal: string, minute: number) => ({
    responses: [],
    answeredBy: { principal, channel: 'cli' as const },
    at: `2026-02-26T10:0${minute}:00.000Z`,
  });
  const question = anExpiringQuestion({ lateResponses: [late('ada', 6), late('bob', 7)] });
  const news = (minute: number) => ({
    question,
    news: { questionId: question.id, event: 'late' as const, key: `late 2026-02-26T10:0${minute}:00.000Z` },
  });
  const context = { project: 'shop', now: '2026-02-26T10:08:00.000Z', sign: () => '' };
  const { items } = letterOf([news(6), news(7)], context);
  expect(items.map(({ headline }) => headline)).toMatchObject([
    expect.stringContaining('by ada'),
    expect.stringContaining('by bob'),
  ]);
});

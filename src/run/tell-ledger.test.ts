import { expect, it } from 'vitest';
import { aClarification } from '../../test/builders/clarification.js';
import { aHub, anAsk, recordingBus, recordOf } from '../../test/builders/hub.js';
import { ask } from '../hub/conversation.js';
import { LedgerTeller } from './tell-ledger.js';

const said = (bus: ReturnType<typeof recordingBus>) => bus.names().filter((name) => name.startsWith('clarification-'));

it('tells what others wrote, each entry once, and nothing that was there before', async () => {
  const bus = recordingBus();
  const before = aClarification();
  const teller = new LedgerTeller(bus, [before]);
  const elsewhere = await aHub();
  await ask(elsewhere, anAsk());
  const record = await recordOf(elsewhere, 'CLR-1-001');
  teller.tell([before, { ...record, thread: record.thread.slice(0, 1) }]);
  teller.tell([before, record]);
  teller.tell([before, record]);
  expect(said(bus)).toEqual(['clarification-requested', 'clarification-answered']);
  expect(bus.events.map(({ payload }) => payload)).toEqual(
    elsewhere.bus.events.filter(({ name }) => name.startsWith('clarification-')).map(({ payload }) => payload),
  );
});

it('tells nothing again that was told here, whoever is first', async () => {
  const hub = await aHub();
  const teller = new LedgerTeller(hub.bus, []);
  await ask({ ...hub, bus: teller.bus }, anAsk());
  teller.tell([await recordOf(hub, 'CLR-1-001')]);
  expect(said(hub.bus)).toEqual(['clarification-requested', 'clarification-answered']);
});

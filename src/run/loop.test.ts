import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../test/builders/hub.js';
import { aRunHub, steps } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { runIssue } from './run-issue.js';

const ONE = { issueNumber: 1, wait: false } as const;
const SECOND = 1000;

const asks = (fields: object = {}) => ({
  clarify: [{ to: 'architect', topic: 'Database', question: 'Which?', ...fields }],
});

describe('a round in a run', () => {
  it.each([
    [0, 'a target that answers at once'],
    [12, 'one that takes its time'],
  ])('takes exactly the %i s of %s: nothing is waited for beside it [US-2.2/21] [US-2.2/22]', async (seconds) => {
    const clock = fixedClock();
    const hub = await aRunHub({
      clock,
      workflow: steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'] }),
      turns: {
        engineer: [asks(), 'Done.'],
        architect: [
          () => {
            clock.advance(seconds * SECOND);
            return 'SQLite.';
          },
        ],
      },
    });
    expect(await runIssue(hub, ONE)).toMatchObject({
      status: 'done',
      summary: { rounds: 1, durationMs: seconds * SECOND },
    });
    const [record] = (await hub.store.ledgers.read(1)).clarifications;
    const [question, answer] = (record?.thread ?? []).map(({ timestamp }) => toEpochMs(timestamp));
    expect((answer ?? 0) - (question ?? 0)).toBe(seconds * SECOND);
    expect(hub.briefs.filter(({ agent }) => agent === 'architect')).toHaveLength(1);
    expect(clock.sleeps.filter((milliseconds) => milliseconds > 0)).toEqual([]);
  });

  it('has thirty minutes, whoever asks whom, unless its step says otherwise [US-6.2/8]', async () => {
    const agents = ['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer'];
    const pairs = agents.flatMap((from) => agents.filter((to) => to !== from).map((to) => ({ from, to })));
    for (const { from, to } of pairs) {
      for (const [fields, minutes] of [
        [{}, 30],
        [{ clarify_sla_minutes: 7 }, 7],
      ] as const) {
        const hub = await aRunHub({
          workflow: steps({ id: 'work', agent: from, can_clarify: [to], ...fields }),
          turns: { [from]: [asks({ to }), 'Done.'] },
        });
        await runIssue(hub, ONE);
        const [record] = (await hub.store.ledgers.read(1)).clarifications;
        const sla = toEpochMs(record?.staleAfter ?? '') - toEpochMs(record?.created ?? '');
        expect([from, to, sla / 60_000]).toEqual([from, to, minutes]);
      }
    }
  });
});

describe('an escalation in a run', () => {
  it('ends it, where nobody waits for the human, with a text that sums it up [US-6.2/5]', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'], clarify_max_rounds: 1 }),
      turns: {
        engineer: [
          asks(),
          ({ clarifications: [one] }) => asks({ id: one?.id, question: 'But we have no server for it.' }),
          'Built.',
        ],
        architect: ['PostgreSQL.'],
      },
    });
    const result = await runIssue(hub, ONE);
    expect(result).toMatchObject({ status: 'paused', summary: { escalations: 1 } });
    const [id = ''] = result.waitingOn;
    expect(result.text).toBe(
      [
        `Escalated to a human (${id}).`,
        'Topic: Database',
        'Reason: its one round is used',
        'engineer: But we have no server for it.',
        'architect: PostgreSQL.',
        'Options: a) Follow architect: PostgreSQL.  b) Follow engineer: But we have no server for it.  ' +
          'c) Proceed on an assumption about "Database" that engineer states and records',
      ].join('\n'),
    );
    expect(hub.bus.events.find(({ name }) => name === 'run-finished')).toMatchObject({
      payload: { text: result.text },
    });
    await answerQuestion(hub, { id, optionIds: ['a'], by: { principal: 'ada', channel: 'cli' } });
    const ended = await runIssue(hub, ONE);
    expect(ended.status).toBe('done');
    expect(ended.text).toBeUndefined();
  });
});

describe('an agent that has no need to ask', () => {
  it('asks nothing where the artifacts are clear, and is not held up by what it could do without [US-6.2/9]', async () => {
    let answerNow = () => {};
    const held = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    const hub = await aRunHub({
      workflow: steps(
        { id: 'adr', agent: 'architect', output: 'docs/ADR.md' },
        { id: 'code', agent: 'engineer', needs: ['adr'], can_clarify: ['architect'] },
        { id: 'test', agent: 'tester', needs: ['code'], can_clarify: ['architect'] },
      ),
      turns: {
        architect: [
          { artifacts: [{ path: 'docs/ADR.md', content: 'SQLite.' }] },
          async () => {
            await held;
            return 'As the ADR says.';
          },
        ],
        engineer: [({ artifacts }) => (artifacts[0]?.content === 'SQLite.' ? 'Built on SQLite.' : asks())],
        tester: [
          asks({ topic: 'Coverage', blocking: false }),
          () => {
            // The architect has not answered yet, and the tester works all the same.
            answerNow();
            return 'Tested.';
          },
        ],
      },
    });
    expect((await runIssue(hub, ONE)).status).toBe('done');
    const { clarifications } = await hub.store.ledgers.read(1);
    expect(clarifications.map(({ from, topic, blocking }) => [from, topic, blocking])).toEqual([
      ['tester', 'Coverage', false],
    ]);
    expect((await hub.store.questions.list()).items).toEqual([]);
  });
});

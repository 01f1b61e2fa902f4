import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeAssumptionId, makeClarificationId, questionIdFor } from './ids.js';
import {
  type ActKind,
  actName,
  againOrigin,
  endedOrigin,
  isAskedInside,
  isHandedWork,
  isOfRun,
  isOfTarget,
  isSameCause,
  lateOrigin,
  notifiedOrigin,
  originInTurn,
  originOfAct,
  outsideOrigin,
  type ParsedOrigin,
  parseAct,
  parseOrigin,
  refusedOrigin,
  rejectedOrigin,
  turnOfStep,
  turnOfTarget,
} from './origin.js';

/** Ids of stored questions are derived from these: another spelling would ask a human a second time. */
const STORED: readonly (readonly [origin: string, questionId: string])[] = [
  ['run-42-1a2b3c4d/implement/2/question/0', 'oq-1d426d27f9832f91'],
  ['run-42-1a2b3c4d/implement/2/clarify/1', 'oq-b8b482e42c384bd4'],
  ['run-42-1a2b3c4d/implement/2/propose/0', 'oq-1187fa90571636db'],
  ['run-42-1a2b3c4d/implement/2/assumption/0', 'oq-4cb0321fd502e5b6'],
  ['run-42-1a2b3c4d/implement/2/issue/3', 'oq-457df608663c2f1f'],
  ['run-42-1a2b3c4d/implement/2/handed/0', 'oq-67a9773a5d1283bd'],
  ['run-42-1a2b3c4d/implement/2/what-next/1', 'oq-0ad392a41792dfaa'],
  ['run-42-1a2b3c4d/implement/2/investigation/0', 'oq-f9ff62044a482fb3'],
  ['run-42-1a2b3c4d/web/pages/1/question/0', 'oq-9c77d41d5a20ab1e'],
  ['run-42-1a2b3c4d/implement/2/inside/329ef47f155c419d', 'oq-bf80cd27725c6917'],
  ['CLR-42-001/again', 'oq-230f5fa54217c334'],
  ['run-42-1a2b3c4d/implement/2/clarify/1/again', 'oq-2eb5706885599d03'],
  ['CLR-42-001/1/0/question/0', 'oq-1a15e10264e45446'],
  ['CLR-42-001/2/1/clarify/0', 'oq-de9bdf1e0f0639f0'],
  ['run-42-1a2b3c4d/implement/2/question/0/refused', 'oq-7612ab91ee208ad2'],
  ['run-42-1a2b3c4d/implement/2/propose/0/notified', 'oq-093951e2c36cff6c'],
  ['oq-1a2b3c4d/late', 'oq-9511d8b4655b8499'],
  ['oq-1a2b3c4d/late/database', 'oq-7b411090984e2d4f'],
  ['question/oq-1a2b3c4d', 'oq-ef115b2d696c50a9'],
  ['question/oq-1a2b3c4d/database', 'oq-2f19e12161176aff'],
  ['ASM-42-001/rejected', 'oq-30ffb1aaa5d89c62'],
  ['asked/3b241101-e2bb-4255-8caf-4136c566a962', 'oq-2de35cd3b1ffa38d'],
];

const TURN = turnOfStep('run-42-1a2b3c4d', 'implement', 2);
const of = (kind: ActKind, index: number) => originOfAct(TURN, actName(kind, index));
const RECORD = { id: 'CLR-42-001', round: 1 };

const MADE: readonly string[] = [
  of('question', 0),
  of('clarify', 1),
  of('propose', 0),
  of('assumption', 0),
  of('issue', 3),
  of('handed', 0),
  of('what-next', 1),
  of('investigation', 0),
  originOfAct(turnOfStep('run-42-1a2b3c4d', 'web/pages', 1), actName('question', 0)),
  originInTurn(TURN, ['architect', 'Database', 'Two adapters?', 'false']),
  againOrigin({ id: 'CLR-42-001' }),
  againOrigin({ id: 'CLR-42-002', origin: of('clarify', 1) }),
  originOfAct(turnOfTarget(RECORD, 0), actName('question', 0)),
  originOfAct(turnOfTarget({ ...RECORD, round: 2 }, 1), actName('clarify', 0)),
  refusedOrigin(of('question', 0)),
  notifiedOrigin(of('propose', 0)),
  lateOrigin('oq-1a2b3c4d'),
  lateOrigin('oq-1a2b3c4d', 'database'),
  endedOrigin('oq-1a2b3c4d'),
  endedOrigin('oq-1a2b3c4d', 'database'),
  rejectedOrigin('ASM-42-001'),
  outsideOrigin('3b241101-e2bb-4255-8caf-4136c566a962'),
];

const kind = fc.constantFrom<ActKind>('artifact', 'clarify', 'handed', 'issue', 'output', 'question', 'what-next');
const count = fc.nat();
const sequence = fc.integer({ min: 1, max: 99_999 });
/** Free text, often with the separators of origins. */
const text = fc.oneof(
  fc.string({ minLength: 1 }),
  fc
    .array(fc.constantFrom('a', '0', '12', 'clarify', 'inside', 'again', 'late', 'run-1-aa', ''), { minLength: 1 })
    .map((words) => words.join('/'))
    .filter((words) => words !== ''),
);
const runId = fc.stringMatching(/^run-[A-Za-z0-9_-]{1,64}$/);
const questionId = fc.stringMatching(/^oq-[A-Za-z0-9_-]{1,64}$/);
const part = fc.option(text, { nil: undefined });

type Made<P = ParsedOrigin> = readonly [origin: string, expected: P];
type Markable = Made<Extract<ParsedOrigin, { readonly marks: unknown }>>;

const ofStep = fc.record({ runId, step: text, turn: count }).chain(({ runId, step, turn }) => {
  const name = turnOfStep(runId, step, turn);
  const place = { by: 'run' as const, runId, step, turn, marks: [] };
  return fc.oneof(
    fc.tuple(kind, count).map(([kind, index]): Markable => {
      return [originOfAct(name, actName(kind, index)), { ...place, act: { kind, index } }];
    }),
    fc.array(fc.string()).map((words): Markable => [originInTurn(name, words), place]),
  );
});
const ofTarget = fc
  .record({ issue: count, sequence, round: count, depth: count, kind, index: count })
  .map(({ issue, sequence, round, depth, kind, index }): Markable => {
    const id = makeClarificationId(issue, sequence);
    const origin = originOfAct(turnOfTarget({ id, round }, depth), actName(kind, index));
    return [origin, { by: 'target', clarificationId: id, round, depth, act: { kind, index }, marks: [] }];
  });
const ofRecord = fc.tuple(count, sequence).map(([issue, sequence]): Markable => {
  const id = makeClarificationId(issue, sequence);
  return [againOrigin({ id }), { by: 'target', clarificationId: id, marks: ['again'] }];
});
const fromOutside = fc.uuid().map((id): Markable => [outsideOrigin(id), { by: 'outside', id, marks: [] }]);
const ofOthers = fc.oneof(
  fc.tuple(questionId, part).map(([questionId, part]): Made => {
    return [lateOrigin(questionId, part), { by: 'late-answer', questionId, ...(part !== undefined && { part }) }];
  }),
  fc.tuple(questionId, part).map(([questionId, part]): Made => {
    return [endedOrigin(questionId, part), { by: 'ended-question', questionId, ...(part !== undefined && { part }) }];
  }),
  fc.tuple(count, sequence).map(([issue, sequence]): Made => {
    const assumptionId = makeAssumptionId(issue, sequence);
    return [rejectedOrigin(assumptionId), { by: 'rejection', assumptionId }];
  }),
);
const marks = fc.array(fc.constantFrom('again' as const, 'refused' as const, 'notified' as const), { maxLength: 3 });
const marked = fc
  .tuple(fc.oneof(ofStep, ofTarget, ofRecord, fromOutside), marks)
  .map(([[origin, expected], marks]): Made => {
    const put = {
      again: (before: string) => againOrigin({ id: 'CLR-1-001', origin: before }),
      refused: refusedOrigin,
      notified: notifiedOrigin,
    };
    const whole = marks.reduce((before, mark) => put[mark](before), origin);
    return [whole, { ...expected, marks: [...expected.marks, ...marks] }];
  });
const anyOrigin = fc.oneof(marked, ofOthers);

describe('origins', () => {
  it.each(STORED)('%s is the cause of %s', (origin, questionId) => {
    expect(questionIdFor(origin)).toBe(questionId);
  });

  it('are made as they are stored', () => {
    expect(MADE).toEqual(STORED.map(([origin]) => origin));
  });

  it('say after parsing what they were made of, whatever a step or a part is called', () => {
    fc.assert(
      fc.property(anyOrigin, ([origin, expected]) => {
        expect(parseOrigin(origin)).toEqual(expected);
      }),
    );
  });

  it('name acts that parse', () => {
    fc.assert(
      fc.property(kind, count, (kind, index) => {
        expect(parseAct(actName(kind, index))).toEqual({ kind, index });
      }),
    );
    for (const name of ['', 'clarify', 'clarify/', 'clarify/x', '/0', 'clarify/0/1']) {
      expect(parseAct(name), name).toBeUndefined();
    }
  });

  it('are read as far as they go where others wrote them', () => {
    expect(parseOrigin(undefined)).toEqual({ by: 'other' });
    expect(parseOrigin('mcp/1')).toEqual({ by: 'other' });
    expect(parseOrigin('run-1')).toEqual({ by: 'run', runId: 'run-1', marks: [] });
    expect(parseOrigin('run-1/plan')).toEqual({ by: 'run', runId: 'run-1', step: 'plan', marks: [] });
    expect(parseOrigin('CLR-1-001/x')).toEqual({ by: 'target', clarificationId: 'CLR-1-001', marks: [] });
  });

  it('tell one step from another whose id begins with it', () => {
    const origin = originOfAct(turnOfStep('run-1-aa', 'web/1/pages', 3), actName('question', 0));
    expect(isOfRun(origin, 'run-1-aa')).toBe(true);
    expect(isOfRun(origin, 'run-1-aa', 'web/1/pages')).toBe(true);
    expect(isOfRun(origin, 'run-1-aa', 'web')).toBe(false);
    expect(isOfRun(origin, 'run-1-a')).toBe(false);
    expect(isOfRun(undefined, 'run-1-aa')).toBe(false);
  });

  it('tell who caused them', () => {
    const origin = originOfAct(turnOfTarget(RECORD, 0), actName('clarify', 0));
    expect(isOfTarget(origin, 'CLR-42-001')).toBe(true);
    expect(isOfTarget(origin, 'CLR-42-00')).toBe(false);
    expect(isSameCause(origin, againOrigin({ id: 'CLR-42-001' }))).toBe(true);
    expect(isSameCause(of('question', 0), refusedOrigin(of('propose', 1)))).toBe(true);
    expect(isSameCause(of('question', 0), origin)).toBe(false);
    expect(isSameCause(outsideOrigin('1'), outsideOrigin('1'))).toBe(false);
    expect(isSameCause(undefined, undefined)).toBe(false);
  });

  it('tell what was asked inside a turn, and what a person is to do', () => {
    const inside = originInTurn(TURN, ['Two adapters?']);
    expect(isAskedInside(TURN, inside)).toBe(true);
    expect(isAskedInside(TURN, of('clarify', 0))).toBe(false);
    expect(isAskedInside(turnOfStep('run-42-1a2b3c4d', 'implement', 1), inside)).toBe(false);
    expect(isAskedInside(TURN)).toBe(false);
    expect(isHandedWork(of('handed', 1))).toBe(true);
    expect(isHandedWork(of('question', 0))).toBe(false);
    expect(isHandedWork(undefined)).toBe(false);
  });
});

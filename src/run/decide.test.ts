import { describe, expect, it } from 'vitest';
import { steps } from '../../test/builders/run-ports.js';
import type { ActResult, JournalEntry, RunFact } from '../protocol/run.js';
import { type Action, decide, keyOf, MAX_TURNS } from './decide.js';

const at = '2026-02-26T10:00:00.000Z';
const { workflow: ONE } = steps({ id: 'code', agent: 'engineer', max_iterations: 2 });
const { workflow: REVIEWED } = steps(
  { id: 'plan', agent: 'architect' },
  { id: 'code', agent: 'engineer', needs: ['plan'] },
  { id: 'docs', agent: 'analyst', needs: ['code'] },
  { id: 'review', agent: 'reviewer', needs: ['code'], max_iterations: 1 },
);

const started = (step = 'code', attempt = 1): RunFact => ({ type: 'step-started', at, step, attempt });
const ended = (step = 'code', outcome: 'done' | 'failed' | 'skipped' = 'done'): RunFact => ({
  type: 'step-ended',
  at,
  step,
  outcome,
});
const failed = (turn: number): RunFact => ({ type: 'turn-failed', at, step: 'code', turn, error: 'no network' });
const turn = (number: number, fields: Partial<Extract<RunFact, { type: 'turn-ended' }>> = {}): RunFact => ({
  type: 'turn-ended',
  at,
  step: 'code',
  turn: number,
  status: 'done',
  acts: [],
  ...fields,
});
const act = (fields: Partial<ActResult>): ActResult => ({ act: 'clarify/0', blocking: true, ...fields });
const asks = act({ clarificationId: 'CLR-1-001', round: 1 });
const settled = (fields: Partial<Extract<RunFact, { type: 'clarification-settled' }>> = {}): RunFact => ({
  type: 'clarification-settled',
  at,
  clarificationId: 'CLR-1-001',
  round: 1,
  status: 'answered',
  ...fields,
});
const noticed = (fields: Partial<Extract<RunFact, { type: 'clarification-noticed' }>> = {}): RunFact => ({
  type: 'clarification-noticed',
  at,
  step: 'code',
  clarificationId: 'CLR-1-001',
  round: 1,
  blocking: true,
  ...fields,
});
const whatNext = (number: number): RunFact => ({
  type: 'asked-what-next',
  at,
  step: 'code',
  turn: number,
  reason: 'it failed twice',
  questionId: 'oq-next',
});
const answered = (questionId: string, ...optionIds: string[]): RunFact => ({
  type: 'question-ended',
  at,
  questionId,
  outcome: 'answered',
  optionIds,
});
const rejected = { review: { verdict: 'rejected' as const } };

/** The next actions, in short form. */
function next(workflow: typeof ONE, ...journal: readonly JournalEntry[]): readonly string[] {
  const { actions, waitingOn } = decide({ journal }, workflow);
  return [...actions.map(shown), ...waitingOn];
}

function shown(action: Action): string {
  if (action.type === 'end-step') return `end ${action.step} ${action.outcome}`;
  if (action.type === 'take-turn') return `turn ${action.step} ${action.turn}${action.isRetry ? ' again' : ''}`;
  if (action.type === 'reopen') return `reopen ${action.steps.join(' ')}`;
  return keyOf(action);
}

describe('what comes next in a step', () => {
  it.each<[string, readonly JournalEntry[], readonly string[]]>([
    ['begins', [], ['begin-step/code/1']],
    ['takes its first turn', [started()], ['turn code 1']],
    ['ends when a reply leaves nothing open', [started(), turn(1)], ['end code done']],
    ['goes round while the reply says so', [started(), turn(1, { status: 'continue' })], ['turn code 2']],
    [
      'asks a human when it went round too often',
      [started(), turn(1, { status: 'continue' }), turn(2, { status: 'continue' })],
      ['ask-what-next/code/2'],
    ],
    ['tries once more after a failure', [started(), failed(1)], ['turn code 2 again']],
    [
      'tries once more after a turn that says it failed',
      [started(), turn(1, { status: 'failed' })],
      ['turn code 2 again'],
    ],
    ['asks a human after the second failure', [started(), failed(1), failed(2)], ['ask-what-next/code/2']],
    [
      'counts failures anew after a turn that did not fail',
      [started(), failed(1), turn(2, { status: 'continue' }), failed(3)],
      ['turn code 4 again'],
    ],
    ['routes what it asks and waits', [started(), turn(1, { acts: [asks] })], ['route/CLR-1-001/1']],
    ['goes on with the answer', [started(), turn(1, { acts: [asks] }), settled()], ['turn code 2']],
    [
      'does not wait for what is not blocking, and still routes it',
      [started(), turn(1, { acts: [{ ...asks, blocking: false }] })],
      ['route/CLR-1-001/1', 'end code done'],
    ],
    [
      'waits for the human to whom a clarification went',
      [started(), turn(1, { acts: [asks] }), settled({ status: 'escalated', questionId: 'oq-esc' })],
      ['oq-esc'],
    ],
    [
      'goes on when that human has decided',
      [
        started(),
        turn(1, { acts: [asks] }),
        settled({ status: 'escalated', questionId: 'oq-esc' }),
        answered('oq-esc'),
      ],
      ['turn code 2'],
    ],
    [
      'waits for the human whom the target asked first',
      [started(), turn(1, { acts: [asks] }), settled({ status: 'pending', questionId: 'oq-first' })],
      ['oq-first'],
    ],
    [
      'has the target answer when that human has',
      [
        started(),
        turn(1, { acts: [asks] }),
        settled({ status: 'pending', questionId: 'oq-first' }),
        answered('oq-first'),
      ],
      ['route/CLR-1-001/1'],
    ],
    [
      'goes on when the target has answered at last',
      [
        started(),
        turn(1, { acts: [asks] }),
        settled({ status: 'pending', questionId: 'oq-first' }),
        answered('oq-first'),
        settled(),
      ],
      ['turn code 2'],
    ],
    [
      'waits for the human to whom an answered clarification went later, whatever was said since',
      [
        started(),
        turn(1, { acts: [asks] }),
        settled(),
        turn(2),
        settled({ status: 'escalated', questionId: 'oq-esc' }),
      ],
      ['oq-esc'],
    ],
    [
      'tells the agent what that human decided',
      [
        started(),
        turn(1, { acts: [asks] }),
        settled(),
        turn(2),
        settled({ status: 'escalated', questionId: 'oq-esc' }),
        answered('oq-esc'),
      ],
      ['turn code 3'],
    ],
    ['waits before its first turn for what its agent has open', [started(), noticed()], ['route/CLR-1-001/1']],
    ['begins when that is settled', [started(), noticed(), settled()], ['turn code 1']],
    [
      'is not held up by what was asked and heard inside a turn',
      [started(), noticed(), settled(), turn(1)],
      ['end code done'],
    ],
    ['waits for what was asked inside a turn and is open', [started(), turn(1), noticed()], ['route/CLR-1-001/1']],
    [
      'does not count going round while it waits',
      [started(), turn(1, { status: 'continue' }), turn(2, { status: 'continue' }), noticed(), settled()],
      ['turn code 3'],
    ],
    [
      'does not wait for what is not blocking, whoever asked it',
      [started(), turn(1), noticed({ blocking: false })],
      ['route/CLR-1-001/1', 'end code done'],
    ],
    ['waits for a human whom it asked itself', [started(), turn(1, { acts: [act({ questionId: 'oq-1' })] })], ['oq-1']],
    [
      'goes on however the question ended',
      [started(), turn(1, { acts: [act({ questionId: 'oq-1' })] }), answered('oq-1')],
      ['turn code 2'],
    ],
    [
      'tells the agent what was refused before it ends',
      [started(), turn(1, { acts: [act({ refused: { code: 'SCOPE_VIOLATION', message: 'no' } })] })],
      ['turn code 2'],
    ],
    [
      'waits for the person whose turn it is',
      [started(), { type: 'turn-handed', at, step: 'code', turn: 1, questionId: 'oq-1' }],
      ['oq-1'],
    ],
    [
      'takes the same turn again when the person has answered',
      [started(), { type: 'turn-handed', at, step: 'code', turn: 1, questionId: 'oq-1' }, answered('oq-1')],
      ['turn code 1'],
    ],
    ['waits for what a human wants next', [started(), failed(1), failed(2), whatNext(2)], ['oq-next']],
    [
      'tries again if that is wanted',
      [started(), failed(1), failed(2), whatNext(2), answered('oq-next', 'retry')],
      ['turn code 3'],
    ],
    [
      'takes a free answer for another try',
      [started(), failed(1), failed(2), whatNext(2), answered('oq-next')],
      ['turn code 3'],
    ],
    [
      'goes on without the step',
      [started(), failed(1), failed(2), whatNext(2), answered('oq-next', 'skip')],
      ['end code skipped'],
    ],
    ['stops', [started(), failed(1), failed(2), whatNext(2), answered('oq-next', 'stop')], ['stop']],
    ['finishes when every step has ended', [started(), turn(1), ended()], ['finish']],
    [
      'does not finish while something is still asked',
      [started(), turn(1, { acts: [{ ...asks, blocking: false }] }), ended()],
      ['route/CLR-1-001/1'],
    ],
    [
      'does again what was reopened, in another attempt',
      [started(), turn(1), ended(), { type: 'reopened', at, steps: ['code'] }],
      ['begin-step/code/2'],
    ],
    [
      'counts turns over all attempts',
      [started(), turn(1), ended(), { type: 'reopened', at, steps: ['code'] }, started('code', 2)],
      ['turn code 2'],
    ],
    [
      'does not take a turn that ended after the reopening for one of the new attempt',
      [started(), { type: 'reopened', at, steps: ['code'] }, turn(1), ended(), started('code', 2)],
      ['turn code 2'],
    ],
  ])('%s', (_, journal, expected) => {
    expect(next(ONE, ...journal)).toEqual(expected);
  });

  it('is a failure without a human where the step is optional', () => {
    const { workflow } = steps({ id: 'code', agent: 'engineer', optional: true });
    expect(next(workflow, started(), failed(1), failed(2))).toEqual(['end code failed']);
  });

  it('asks a human about an agent that does again what was refused, unless the step is optional or there is news', () => {
    const refusal = { code: 'INVALID_INPUT', message: 'a is outside.' };
    const refusedIn = (number: number, refused = refusal) => turn(number, { acts: [act({ refused })] });
    const twice = [started(), refusedIn(1), refusedIn(2)];
    expect(next(ONE, ...twice)).toEqual(['turn code 3 again']);
    expect(next(ONE, ...twice, refusedIn(3, { ...refusal, message: 'b is outside.' }))).toEqual(['turn code 4']);
    expect(decide({ journal: [...twice, refusedIn(3)] }, ONE).actions).toEqual([
      { type: 'ask-what-next', step: 'code', turn: 3, reason: 'it does again what was refused: a is outside.' },
    ]);
    expect(next(ONE, ...twice, refusedIn(3), noticed(), settled())).toEqual(['turn code 4 again']);
    const { workflow: optional } = steps({ id: 'code', agent: 'engineer', optional: true });
    expect(next(optional, ...twice, refusedIn(3))).toEqual(['end code failed']);
  });

  it('asks a human about an agent that asks for ever', () => {
    const turns = Array.from({ length: MAX_TURNS }, (_, index) =>
      turn(index + 1, { acts: [act({ refused: { code: 'X', message: `not ${index}` } })] }),
    );
    expect(next(ONE, started(), ...turns)).toEqual([`ask-what-next/code/${MAX_TURNS}`]);
  });
});

describe('what comes next in a workflow', () => {
  const built = [started('plan'), turn(1, { step: 'plan' }), ended('plan'), started(), turn(1), ended()];

  it('begins steps side by side once all they need has ended, however it ended', () => {
    expect(next(REVIEWED, started('plan'), ended('plan', 'skipped'))).toEqual(['begin-step/code/1']);
    expect(next(REVIEWED, ...built)).toEqual(['begin-step/docs/1', 'begin-step/review/1']);
  });

  it('sends rejected work back with all that stands on it, but not what was never begun [US-6.2/17]', () => {
    const review = [started('review'), turn(1, { step: 'review', ...rejected })];
    expect(next(REVIEWED, ...built, ...review)).toEqual(['begin-step/docs/1', 'reopen code review']);
    expect(next(REVIEWED, ...built, started('docs'), ...review)).toEqual(['turn docs 1', 'reopen code docs review']);
  });

  it('asks a human when the work was sent back often enough [US-6.2/17]', () => {
    const first = [started('review'), turn(1, { step: 'review', ...rejected })];
    const again: JournalEntry[] = [
      { type: 'reopened', at, steps: ['code', 'review'], by: 'review' },
      started('code', 2),
      turn(2),
      ended(),
      started('review', 2),
      turn(2, { step: 'review', ...rejected }),
    ];
    expect(next(REVIEWED, ...built, started('docs'), ended('docs'), ...first, ...again)).toEqual([
      'ask-what-next/review/2',
    ]);
  });

  it('does nothing else once a human wants to stop', () => {
    const stopped = [
      started('docs'),
      started('review'),
      { ...whatNext(1), step: 'review' },
      answered('oq-next', 'stop'),
    ];
    expect(next(REVIEWED, ...built, ...stopped)).toEqual(['stop']);
  });
});

it('begins a step again that began before anybody knew that what it needs was reopened [X-3/3]', () => {
  const done = (step: string) => [started(step), turn(1, { step }), ended(step)];
  const reopened: RunFact = { type: 'reopened', at, steps: ['plan', 'code'], questionId: 'oq-rework' };
  const journal = [
    ...done('plan'),
    ...done('code'),
    reopened,
    started('docs'),
    turn(1, { step: 'docs' }),
    ended('docs'),
  ];
  const again = [
    started('plan', 2),
    turn(2, { step: 'plan' }),
    ended('plan'),
    started('code', 2),
    turn(2),
    ended('code'),
  ];
  const run = { journal: [...journal, ...again], definition: REVIEWED };
  expect(decide(run, REVIEWED).actions).toEqual([
    { type: 'begin-step', step: 'docs', attempt: 2 },
    { type: 'begin-step', step: 'review', attempt: 1 },
  ]);
});

describe('a person who is asked about a missing output', () => {
  const asked = [started(), turn(1, { missing: 'a.md' }), whatNext(1)];
  const there = answered('oq-next', 'there');

  it('and says that it is there is believed, unless something that the agent asked meanwhile is open or new to it', () => {
    expect(next(ONE, ...asked, there)).toEqual(['end code done']);
    expect(decide({ journal: [...asked, noticed(), there] }, ONE)).toMatchObject({
      actions: [{ type: 'route' }],
      waitingOn: [],
    });
    const escalated = settled({ status: 'escalated', questionId: 'oq-1' });
    expect(decide({ journal: [...asked, noticed(), escalated, there] }, ONE)).toMatchObject({
      actions: [],
      waitingOn: ['oq-1'],
    });
    const news = [...asked, noticed(), settled(), there];
    expect(decide({ journal: news }, ONE).actions).toMatchObject([{ type: 'take-turn', turn: 2 }]);
    expect(next(ONE, ...news, turn(2))).toEqual(['end code done']);
  });

  it('and that its agent is to try again has it take another turn', () => {
    const retried = [...asked, answered('oq-next', 'retry')];
    expect(decide({ journal: retried }, ONE).actions).toMatchObject([{ type: 'take-turn', turn: 2 }]);
    expect(decide({ journal: [...retried, turn(2, { missing: 'a.md' })] }, ONE).actions).toMatchObject([
      { type: 'ask-what-next', turn: 2, missing: 'a.md' },
    ]);
  });
});

it('a question that the target of a clarification asked is awaited until it has ended', () => {
  const aside = turn(1, {
    acts: [act({ clarificationId: 'CLR-1-001', round: 1, blocking: false })],
    status: 'continue',
  });
  const waits = [started(), aside, settled({ status: 'pending', questionId: 'oq-1' })];
  expect(decide({ journal: waits }, ONE).awaited).toEqual(['oq-1']);
  expect(decide({ journal: [...waits, answered('oq-1')] }, ONE).awaited).toEqual([]);
});

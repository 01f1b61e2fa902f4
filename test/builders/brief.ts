import type { Brief } from '../../src/protocol/brief.js';

type AskedOf = NonNullable<Brief['clarification']>;

/** The architect is asked to answer the engineer's first question. */
export function anAnswerBrief(clarification: Partial<AskedOf> = {}, fields: Partial<Brief> = {}): Brief {
  return {
    ...aBrief('answer', 'architect'),
    clarification: {
      id: 'CLR-42-001',
      from: 'engineer',
      topic: 'Which database adapter',
      question: 'SQLite or PostgreSQL?',
      round: 1,
      maxRounds: 5,
      thread: [],
      ...clarification,
    },
    ...fields,
  };
}

/** The engineer is asked to carry out its step. */
export function aWorkBrief(fields: Partial<Brief> = {}): Brief {
  return {
    ...aBrief('work', 'engineer'),
    step: { id: 'implement', title: 'Implement', can_clarify: ['architect'] },
    ...fields,
  };
}

function aBrief(kind: Brief['kind'], agent: string): Brief {
  return {
    kind,
    agent,
    issue: { number: 42, title: 'Store orders', body: '', labels: [] },
    artifacts: [],
    clarifications: [],
    answers: [],
    refused: [],
    prompt: 'Say what you know.',
  };
}

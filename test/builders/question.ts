import type { Question } from '../../src/protocol/question.js';

/** An open, reversible question of the coder with two options and no fallback. */
export function aQuestion(fields: Partial<Question> = {}): Question {
  return {
    id: 'oq-1a2b3c4d',
    projectId: 'shop',
    issueNumber: 42,
    kind: 'open_question',
    source: 'execute',
    sourceId: '42',
    askedBy: { agent: 'coder', chain: ['coder'] },
    questions: [
      {
        id: 'q1',
        text: 'Which database?',
        createdAt: '2026-02-26T10:00:00.000Z',
        options: [
          { id: 'a', label: 'PostgreSQL' },
          { id: 'b', label: 'SQLite' },
        ],
      },
    ],
    blocking: true,
    consequence: 'reversible',
    status: 'open',
    responses: [],
    createdAt: '2026-02-26T10:00:00.000Z',
    revision: 1,
    ...fields,
  };
}

/** The same, falling back to SQLite at five past ten. */
export function anExpiringQuestion(fields: Partial<Question> = {}): Question {
  return aQuestion({
    fallback: { optionId: 'b', reasoning: 'already in the repository', risk: 'low' },
    expiresAt: '2026-02-26T10:05:00.000Z',
    ...fields,
  });
}

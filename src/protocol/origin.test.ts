import { describe, expect, it } from 'vitest';
import { questionIdFor } from './ids.js';

/** Ids of stored questions are made of these, so that another spelling would ask a human a second time. */
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

describe('origins', () => {
  it.each(STORED)('%s is the cause of %s', (origin, questionId) => {
    expect(questionIdFor(origin)).toBe(questionId);
  });
});

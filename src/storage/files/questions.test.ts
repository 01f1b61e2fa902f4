import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { aQuestion } from '../../../test/builders/question.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { QuestionFilter } from '../../protocol/question-filter.js';
import { CLOCK_STEP_MS } from './file-system.js';
import { openFileStore } from './store.js';

const COUNT = 20;
const DAMAGED = 'oq-7';

/** A folder of questions that was listed, of which one has been damaged since. */
async function aFolder(filter: QuestionFilter) {
  const root = join(temporaryFolder(), '.agentx');
  const folder = join(root, 'state/questions');
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < COUNT; index++) {
    const question = aQuestion({ id: `oq-${index}`, unsettled: true });
    writeFileSync(join(folder, `${question.id}.json`), JSON.stringify(question));
  }
  const list = () => {
    const { questions } = openFileStore({ root, agent: 'agentx' });
    return questions.list(filter);
  };
  await sleep(CLOCK_STEP_MS + 20);
  expect((await list()).items).toHaveLength(COUNT);
  writeFileSync(join(folder, `${DAMAGED}.json`), '{ "id": ');
  return list;
}

describe('a question that is damaged since it was listed', () => {
  it.each([{ status: 'open' }, { unsettled: true }, { issue: 42 }] as const)(
    'is reported in the list of %o and keeps nobody from the others',
    async (filter) => {
      const list = await aFolder(filter);
      for (const { items, damaged } of [await list(), await list()]) {
        expect(items).toHaveLength(COUNT - 1);
        expect(items.some(({ id }) => id === DAMAGED)).toBe(false);
        expect(damaged).toMatchObject([{ code: 'CORRUPT_FILE', message: expect.stringContaining(`${DAMAGED}.json`) }]);
      }
    },
  );
});

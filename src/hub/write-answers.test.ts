import { expect, it } from 'vitest';
import { aHub, anAsk, aWorkflowWith } from '../../test/builders/hub.js';
import { ask, followUp } from './conversation.js';
import { writeAnswers } from './write-answers.js';

it('a process that had to wait writes what was clarified by then', async () => {
  const hub = await aHub({ workflow: aWorkflowWith('implement', { writes_answers: 'docs/answers.md' }) });
  let content = '';
  const artifacts = {
    change: async (_: string, __: number, change: (content: string) => string | undefined) => {
      content = change(content) ?? content;
    },
  };
  await ask(hub, anAsk());
  const claim = await hub.store.claim({ writing: 1 });
  const writing = writeAnswers({ ...hub, artifacts }, 1);
  // Longer than any promise that waits for nothing.
  await new Promise((resolve) => setImmediate(resolve));
  await followUp(hub, { clarificationId: 'CLR-1-001', question: 'In CI, too?', by: 'engineer' });
  await claim.release();
  await writing;
  expect(content).toContain('> In CI, too?');
});

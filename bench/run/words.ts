import type { RunnerFor } from '../../src/ports/runner.js';
import type { Brief } from '../../src/protocol/brief.js';
import type { Reply } from '../../src/protocol/reply.js';

/* The replies of the agents in measured runs: as long as a terse agent's, the same in every run. */

export const BODY =
  'As somebody who imports I want to go on where it failed, so that an hour of reading is not lost.\n\n' +
  '- What was read is kept.\n- A second import of the same file goes on behind it.\n- The report says what was kept.\n';

const SENTENCE = 'The import keeps what it has read and reports at once; the five attempts are for the network alone. ';
const PAGE = `${SENTENCE.repeat(20)}\n`;
const QUESTION =
  'The criteria ask for five attempts, the page says that failures are reported at once. Which one holds?';
const ANSWER = 'Keep what was read and report at once; the five attempts are for the network.';

/** Agents inside this process. */
export const saying =
  (say: (brief: Brief) => Reply): RunnerFor =>
  () => ({ run: async (brief) => say(brief) });

/** Writes the artifacts of its step, and says so. */
export function workReply({ step, issue }: Brief): Reply {
  const path = step?.output ?? `src/import-${issue.number}.ts`;
  return { status: 'done', text: 'Written as agreed.', artifacts: [{ path, content: PAGE }] };
}

/** Asks an agent first, if its step may. */
export function askingReply(brief: Brief): Reply {
  const to = brief.step?.can_clarify[0];
  if (brief.kind === 'answer') return { answer: ANSWER };
  if (to === undefined || brief.clarifications.length > 0) return workReply(brief);
  return { clarify: [{ to, topic: 'Retry rules of the import', question: QUESTION }] };
}

/** Repeats so many times. */
export const goingRound =
  (times: number) =>
  ({ step }: Brief): Reply => ({ status: (step?.iteration ?? 0) < times ? 'continue' : 'done', text: SENTENCE });

import type { NewQuestion } from '../../src/protocol/question-transition.js';
import type { Place } from './contender.js';

/** The same words for all contenders. */
export const TOPIC = 'Which of the two retry rules holds for the import?';
export const QUESTION =
  'The acceptance criteria ask for five attempts, the architecture page says that failures are reported at once. ' +
  'Both cannot hold for an import that fails half way: should the part that was read be kept?';
export const ANSWER = 'Keep what was read and report at once; the five attempts are for the network.';
export const RESOLUTION = 'Clear: keep, report, five attempts for the network only.';

/** After so many cycles a lane goes on with another document, so that a long measurement does not measure long files. */
export const cyclesPerDocument = ({ lanes, isShared }: Place): number => (isShared ? 2 * lanes : 20);

export function questionNumber(id: string, at: string): NewQuestion {
  return {
    id,
    projectId: 'bench',
    issueNumber: 0,
    kind: 'open_question',
    source: 'execute',
    sourceId: '0',
    askedBy: { agent: 'engineer', chain: ['engineer'] },
    questions: [
      {
        id: 'q1',
        header: TOPIC,
        text: QUESTION,
        createdAt: at,
        multiSelect: false,
        allowText: true,
        options: [
          { id: 'a', label: 'Keep what was read', recommended: true },
          { id: 'b', label: 'Start anew' },
        ],
      },
    ],
    blocking: true,
    createdAt: at,
  };
}

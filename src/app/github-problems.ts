import type { Problem } from '../protocol/diagnosis.js';
import { AgentXError } from '../protocol/errors.js';
import type { CopyState } from '../protocol/github.js';
import type { GitHubMode } from './github.js';

const FILE = '.agentx/state/github';

/** What GitHub has not got, and why it could not be asked. */
export async function mirrorProblems(
  github: Pick<GitHubMode, 'unsent'>,
  copy: CopyState | undefined,
): Promise<readonly Problem[]> {
  const trouble = copy?.trouble;
  const away = trouble === undefined ? [] : [{ file: FILE, reason: trouble.message, todo: 'Then run: agentx sync' }];
  try {
    const unsentProblems = (await github.unsent()).map(({ issueNumber, what, why }) => ({
      file: FILE,
      reason: `not sent to GitHub: ${issueNumber === undefined ? '' : `#${issueNumber}, `}${what}${why === undefined ? '' : ` (${why})`}`,
      todo: 'Run: agentx sync',
    }));
    return [...away, ...unsentProblems];
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    return [...away, { file: FILE, reason: error.message, todo: 'See to that, then run: agentx sync' }];
  }
}

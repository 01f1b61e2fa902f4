import { join } from 'node:path';

export const ledgerPath = (root: string, issueNumber = 42): string =>
  join(root, 'state/clarifications', `issue-${issueNumber}.json`);

import { join } from 'node:path';
import { parseIssueNumber } from '../../protocol/ids.js';
import { type FileSystem, statIfThere } from './file-system.js';
import { writeWhole } from './write-whole.js';

/** Where everything lies below the `.agentx` folder. Others rely on these names. */
export function layoutOf(root: string) {
  const state = join(root, 'state');
  return {
    root,
    state,
    issues: join(root, 'issues'),
    memory: join(root, 'memory'),
    memoryArchive: join(root, 'memory', 'archive'),
    manifestFile: join(root, 'memory', 'manifest.json'),
    ledgers: join(state, 'clarifications'),
    questions: join(state, 'questions'),
    assumptions: join(state, 'assumptions'),
    runs: join(state, 'runs'),
    sessions: join(state, 'sessions'),
    transcripts: join(state, 'transcripts'),
    tasks: join(state, 'tasks'),
    index: join(state, 'index'),
    journal: join(state, 'journal'),
    github: join(state, 'github'),
    orchestratorFile: join(state, 'orchestrator.json'),
    deliveriesFile: join(state, 'notify.json'),
    recallsFile: join(state, 'recalls.json'),
    interactionsFile: join(state, 'interactions.ndjson'),
    statusFile: join(state, 'agent-status.json'),
    issueNumbersFile: join(state, 'issue-numbers.json'),
  };
}

export type Layout = ReturnType<typeof layoutOf>;

/** State may hold secrets, so its folders are for their owner alone. */
export const folderMode = ({ state }: Pick<Layout, 'state'>, folder: string): number =>
  folder.startsWith(state) ? 0o700 : 0o777;

/** What must never be committed: locks, private files, and what can be made again from the rest. */
export const GIT_IGNORE = `state/
*.lock
*.tmp
*.corrupt-*
memory/*
!memory/issue-*.json
digests/
`;

/** Written with the first file of a new folder. One that is there belongs to the user, unless a power cut emptied it. */
export function ensureGitIgnore(fs: FileSystem, root: string): void {
  const path = join(root, '.gitignore');
  const size = statIfThere(fs, path)?.size ?? 0;
  if (size === 0) writeWhole(fs, path, GIT_IGNORE, 0o666);
}

/** The names of files that belong to one issue. */
export const issueFileNames = {
  nameOf: (issueNumber: number): string => `issue-${parseIssueNumber(issueNumber)}.json`,
  keyOf: (name: string): number | undefined => {
    const [, number] = /^issue-(0|[1-9]\d{0,14})\.json$/.exec(name) ?? [];
    return number === undefined ? undefined : Number(number);
  },
  keyIn: ({ issueNumber }: { readonly issueNumber: number }): number => issueNumber,
};

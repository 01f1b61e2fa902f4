import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planOf } from '../../src/github/desired-state.js';
import { emptyMirror, type GitHubMirror } from '../../src/protocol/github.js';
import type { Issue } from '../../src/protocol/issue.js';
import { layoutOf } from '../../src/storage/files/layout.js';
import { ledgerToText, makeLedger } from '../ledger.js';
import { startAgentx } from './programs.js';

export interface Repository {
  readonly folder: string;
  readonly issues: number;
  /** For GitHub mode: where GitHub is, and a token for it. */
  readonly env?: Readonly<Record<string, string>>;
}

const RECORDS = 3;
/** A project that has been going for a while: most of it is done. */
const UNFINISHED_SHARE = 100;

/** Issues, each with a ledger in which everything is resolved: nothing is stale and no agent waits. */
export function makeRepository(folder: string, issues: number): Repository {
  mkdirSync(folder, { recursive: true });
  startAgentx(folder, ['init']);
  const layout = layoutOf(join(folder, '.agentx'));
  for (const path of [layout.issues, layout.ledgers]) mkdirSync(path, { recursive: true });
  for (let number = 1; number <= issues; number++) {
    const isUnfinished = issues <= UNFINISHED_SHARE || number % UNFINISHED_SHARE === 1;
    writeFileSync(join(layout.issues, `${number}.json`), JSON.stringify(makeIssue(number, isUnfinished), null, 2));
    writeFileSync(join(layout.ledgers, `issue-${number}.json`), ledgerToText(makeLedger(number, RECORDS, false)));
  }
  return { folder, issues };
}

/** The same as a copy of issues on GitHub, which shows every round. The first exchange is over. */
export function onGitHub({ folder, issues }: Repository, env: Readonly<Record<string, string>>): Repository {
  const root = join(folder, '.agentx');
  const { issues: folderOfIssues, github } = layoutOf(root);
  mkdirSync(github, { recursive: true });
  const config = join(root, 'config.toml');
  const text = readFileSync(config, 'utf8').replace(/^mode = .*$/m, 'mode = "github"');
  writeFileSync(config, `${text}\n[github]\nrepo = "octocat/shop"\n`);
  for (let number = 1; number <= issues; number++) {
    const path = join(folderOfIssues, `${number}.json`);
    const issue: Issue = JSON.parse(readFileSync(path, 'utf8'));
    const { state, assignee, updated } = issue;
    const url = `https://github.com/octocat/shop/issues/${number}`;
    const copy = { ...issue, github: { url, state, assignee, updated, comments: RECORDS } };
    writeFileSync(path, JSON.stringify(copy, null, 2));
    writeFileSync(join(github, `issue-${number}.json`), JSON.stringify(settledMirror(copy), null, 2));
  }
  startAgentx(folder, ['sync'], env);
  return { folder, issues, env };
}

function settledMirror(issue: Issue): GitHubMirror {
  const { number, updated: at } = issue;
  const mirror = emptyMirror(number);
  const ledger = makeLedger(number, RECORDS, false);
  const nobody = { mention: [], isAgent: () => true };
  const { posts } = planOf({ issue, ledger, questions: [], assumptions: [], mirror, now: at }, nobody);
  const comments = posts.map(({ name, hash }, index) => {
    const id = number * RECORDS + index;
    return { name, hash, id, at, url: `${issue.github?.url}#issuecomment-${id}` };
  });
  return { ...mirror, posted: comments };
}

function makeIssue(number: number, isUnfinished: boolean): Issue {
  const at = '2026-02-26T10:00:00Z';
  return {
    number,
    title: `Import ${number} keeps what it has read when it fails half way`,
    body: `As somebody who imports I want to go on where it failed.\n\nBlocked-by: #${number + 1}`,
    labels: ['type:story', `priority:p${number % 5}`],
    status: isUnfinished ? 'Backlog' : 'Done',
    state: isUnfinished ? 'open' : 'closed',
    assignee: null,
    taskStatus: isUnfinished ? 'open' : 'done',
    block_reason: null,
    created: at,
    updated: at,
    comments: [],
  };
}

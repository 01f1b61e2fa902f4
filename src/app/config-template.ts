import type { Mode } from '../protocol/storage-mode.js';
import { SHIPPED_WORKFLOWS } from '../workflow/shipped/workflows.js';
import type { Proposal } from './found-agents.js';

export interface ConfigTemplateValues {
  readonly project: string;
  readonly mode?: Mode | undefined;
  readonly repo?: string | undefined;
  readonly proposal?: Proposal | undefined;
}

/** The config.toml that `init` writes: settings in force, and others as comments to try. */
export function configTemplate({ project, mode = 'local', repo, proposal }: ConfigTemplateValues): string {
  return `# Settings of AgentX for this repository. Every key is explained by: agentx help configuration
# A key that is left out has the value shown here; a key that is misspelt is an error, not a surprise.

mode = ${`"${mode}"`.padEnd(30)}# local: issues are files here; github: they are GitHub's
project = ${quoted(project)}

# Who does the work: one table per agent. Programs that a config names run only after you said "agentx trust".
#
# [agents.architect]
# runner = "command"                 # a program of yours: a JSON brief on stdin, text or JSON on stdout
# command = ["node", "architect.mjs"]
#
# [agents.product-manager]
# runner = "human"                   # you: questions go straight to the inbox
${agentTables(proposal)}
[autonomy]
level = "major_only"                 # confirm_all | major_only | full

[human]
fallback_minutes = 5                 # a question with a safe fallback waits this long for you

# [run]
# isolation = "worktree"             # each run on a git work tree and branch of its own; left out: none

[clarify]
retry_seconds = 30                   # before an agent that failed to answer is asked once more

[server]
port = 4820                          # of agentx serve, on this machine only

[store]
url = ""                             # "" = files here; the only store of this version
${githubSection(repo)}`;
}

/** One table for each agent that a shipped workflow names: the first run needs no further line. */
function agentTables(proposal: Proposal | undefined): string {
  if (proposal === undefined) return '';
  const names = Object.values(SHIPPED_WORKFLOWS).flatMap((text) => [...text.matchAll(/^agent = "([^"]+)"/gm)]);
  const agents = [...new Set(names.map(([, name = '']) => name))];
  const tables = agents.map((agent) => `[agents.${agent}]\n${proposal.lines.join('\n')}\n`);
  return `\n# Proposed, because ${proposal.reason}. Each agent may have another runner.\n\n${tables.join('\n')}`;
}

/** Only if a repository is named. */
function githubSection(repo: string | undefined): string {
  if (repo === undefined) return '';
  return `\n[github]                             # for mode = "github"; the token is in GITHUB_TOKEN, or gh has it\nrepo = ${quoted(repo)}\nmention = []                         # who is told of an escalation, such as ["octocat"]\n`;
}

/** JSON's escapes are TOML's, except that TOML wants DEL escaped as well. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

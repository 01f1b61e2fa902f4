import type { Brief } from '../../protocol/brief.js';
import { turnEnvironment } from '../turn-environment.js';
import { askHuman, recordAssumption, requestClarification } from './asking-tools.js';
import { runCommand } from './command-tool.js';
import { finishAnswer, finishWork } from './finish-tools.js';
import type { ModelRunnerOptions } from './model-options.js';
import { withoutSecrets } from './redact.js';
import type { Tool } from './tool.js';
import { fileTools, recallMemory, writeArtifact } from './work-tools.js';

/** The agent that plans has to pass a gate before it may ask a human. */
const GATED_AGENT = 'project-manager';

type Options = Pick<ModelRunnerOptions, 'files' | 'memory' | 'commands' | 'cwd' | 'root' | 'env' | 'timeoutSeconds'>;

/** What an agent may do in a turn. The engine checks everything again when it carries a reply out. */
export function toolsFor(brief: Brief, options: Options, turn: string | undefined): readonly Tool[] {
  const { agent, issue, kind } = brief;
  const { files, memory, commands = [], cwd, root, timeoutSeconds } = options;
  const seeing = [
    ...fileTools(files),
    ...(memory === undefined ? [] : [recallMemory(memory, { agent, issueNumber: issue.number })]),
  ];
  const asking = [...clarifying(brief), askHuman({ isGated: agent === GATED_AGENT })];
  if (kind === 'answer') return [...seeing, ...asking, finishAnswer];
  const env = { ...withoutSecrets(options.env), ...turnEnvironment(brief, { root, turn }) };
  const running = commands.length === 0 ? [] : [runCommand({ allowed: commands, cwd, env, timeoutSeconds })];
  return [...seeing, ...asking, recordAssumption, writeArtifact, ...running, finishWork];
}

/** An agent that answers may ask further only where its own step allows it. */
function clarifying({ kind, step, clarification }: Brief): readonly Tool[] {
  const agents = kind === 'work' ? (step?.can_clarify ?? []) : (clarification?.can_clarify ?? []);
  if (agents.length === 0) return [];
  const mayWait = kind === 'answer' || step?.clarify_blocking_allowed !== false;
  return [requestClarification({ agents, mayWait, mustWait: kind === 'answer' })];
}

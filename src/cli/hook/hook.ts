import { resolve } from 'node:path';
import type { Remembered } from '../../app/app-types.js';
import { isDatabaseFile, isReadableFile } from '../../app/readable-file.js';
import { statusForIssue } from '../../protocol/agent-status.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { shorten } from '../../protocol/shorten.js';
import { plainText } from '../../render/plain-text.js';
import { whatFor } from '../../render/status.js';
import { check } from '../check.js';
import type { CommandLine } from '../command-line.js';
import { recallFor } from '../memory/recall.js';
import { knownAgent } from '../state/known-agent.js';
import { noteMissingIssue } from '../state/note-missing-issue.js';

export interface HookOptions {
  readonly phase: 'start' | 'finish';
  readonly agent: string;
  readonly issue?: string | undefined;
  readonly transcript?: string | undefined;
  readonly retry: boolean;
  /** Called by a client in every session, also in folders without AgentX. */
  readonly session: boolean;
}

/** Sets the status first: the monitor judges by it which agents are back and which have left. */
export async function hook(line: CommandLine, options: HookOptions): Promise<undefined> {
  if (options.session && !isOwnWork(line)) return;
  const issue = options.issue === undefined ? undefined : parseIssueNumber(options.issue);
  const agent = await knownAgent(line, options.agent);
  const transcript = await transcriptOf(line, options);
  const app = line.app();
  const work = issue === undefined ? { agent } : { agent, issue };
  await (options.phase === 'start' ? app.startWork(work) : app.finishWork(work));
  await noteMissingIssue(line, issue);
  if (transcript !== undefined && options.phase === 'finish') {
    const { file, sessionId } = transcript;
    const capture = await (await app.memory()).capture({ agent, issueNumber: issue ?? 0, file, sessionId });
    if (!options.session) line.out.note(remembered(capture));
  }
  await check(line, { retry: options.retry });
  const known = options.phase === 'start' ? await knownTo(transcript) : undefined;
  const memory =
    options.phase === 'start' ? await recallFor(line, { agent, issueNumber: issue ?? 0, known }) : undefined;
  await report(line, agent, issue, memory?.section ?? '');
}

/** Not outside of our projects, and not where a run has started the client: the run reports for its agents. */
function isOwnWork(line: CommandLine): boolean {
  if (line.agent !== undefined) return false;
  try {
    line.app();
    return true;
  } catch (error) {
    if (error instanceof AgentXError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

interface SessionFile {
  readonly file: string;
  readonly sessionId?: string | undefined;
  readonly isResumed?: boolean | undefined;
}

/** A session that is resumed has what it was told; one that begins, or was compacted, has nothing of it. */
async function knownTo(session: SessionFile | undefined): Promise<ReadonlySet<string> | undefined> {
  if (session?.isResumed !== true) return undefined;
  const { knownInSession } = await import('../../app/known-in-session.js');
  return knownInSession(session.file);
}

/** The file from the command line, or the one that the client names on stdin. */
async function transcriptOf(line: CommandLine, { transcript, session }: HookOptions): Promise<SessionFile | undefined> {
  if (transcript !== undefined) return { file: requireFile(resolve(line.cwd, transcript)) };
  if (!session) return undefined;
  const { readHookInput } = await import('../../app/hook-input.js');
  const { transcript: transcriptPath, sessionId, isResumed } = await readHookInput();
  const file = transcriptPath === undefined ? undefined : resolve(line.cwd, transcriptPath);
  return file === undefined || !isReadableFile(file) ? undefined : { file, sessionId, isResumed };
}

function remembered({ added, merged, skipped }: Pick<Remembered, 'added' | 'merged' | 'skipped'>): string {
  if (skipped !== undefined) return `warning: Nothing was remembered of it: ${skipped}`;
  if (added === 0) return merged > 0 ? 'What it says is remembered already.' : 'Nothing was remembered of it.';
  return `Remembered ${added} ${added === 1 ? 'observation' : 'observations'}. See: agentx memory search`;
}

/** Read after the monitor ran: the agent's question may just have been answered. */
async function report(
  { app, out }: CommandLine,
  agent: string,
  issue: number | undefined,
  memory: string,
): Promise<void> {
  const entry = (await app().statuses())[agent];
  out.json(entry === undefined ? null : { ...entry, ...(memory !== '' && { memory }) });
  if (memory !== '') out.print(plainText(memory));
  if (entry === undefined) return;
  const status = issue === undefined ? entry : statusForIssue(entry, issue);
  const reason = whatFor(status);
  if (reason === '') return;
  out.print(`${out.paint.name(agent)} ${reason}.`);
  if (status.clarificationId) out.note(`See it: agentx clarify show ${status.clarificationId}`);
}

function requireFile(path: string): string {
  const isReadable = isReadableFile(path);
  if (isReadable && !isDatabaseFile(path)) return path;
  const shortPath = shorten(path, 200);
  const reason = isReadable
    ? 'is a database. opencode prints one session of it: opencode export SESSION > session.json'
    : 'is no file that can be read';
  throw new AgentXError('INVALID_INPUT', `The transcript ${shortPath} ${reason}.`, { transcript: shortPath });
}

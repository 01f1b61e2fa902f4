import { addsOnlyClarifications } from '../hub/clarifications-section.js';
import type { AskHumansPorts } from '../inbox/ports.js';
import type { Artifact } from '../protocol/brief.js';
import { AgentXError } from '../protocol/errors.js';
import { actName } from '../protocol/origin.js';
import type { ActResult } from '../protocol/run.js';
import { fillTemplate } from '../protocol/workflow.js';
import { mayBeWritten } from './act-proposals.js';
import { type RunContext, readIssue } from './context.js';
import type { HeldArtifact } from './held-back.js';
import { actsOf } from './history.js';
import { type Carrying, inOrder, type PartResult, part } from './reply-part.js';

const MAX_ARTIFACTS = 200;

type Written = Pick<Artifact, 'path' | 'content'>;

/** Writes the artifacts of a reply, and those of an earlier one that had to wait, unless the reply gives them anew. */
export async function writeArtifacts(
  context: RunContext<keyof AskHumansPorts | 'artifacts'>,
  carrying: Carrying,
  { isHeld, before }: { readonly isHeld: boolean; readonly before: readonly HeldArtifact[] },
): Promise<readonly ActResult[]> {
  const artifacts = carrying.reply.artifacts ?? [];
  const waitingArtifacts = before.filter(({ artifact }) => !artifacts.some(({ path }) => path === artifact.path));
  const releasedActs = await inOrder(waitingArtifacts, async ({ turn, index, reply, artifact }) => {
    const earlierCarrying = { ...carrying, reply, place: { ...carrying.place, turn } };
    return { ...(await write(context, earlierCarrying, { act: actName('artifact', index), artifact })), from: turn };
  });
  const newActs = await inOrder(artifacts, async (artifact, index): Promise<ActResult> => {
    const act = actName('artifact', index);
    if (isHeld) return { act, blocking: false, held: true };
    return write(context, carrying, { act, artifact, isTooMany: index >= MAX_ARTIFACTS });
  });
  return [...releasedActs, ...newActs, ...(await writeOutput(context, carrying))];
}

interface Writing {
  readonly act: string;
  readonly artifact: Written;
  readonly isTooMany?: boolean;
}

function write(
  context: RunContext<keyof AskHumansPorts | 'artifacts'>,
  carrying: Carrying,
  { act, artifact, isTooMany = false }: Writing,
) {
  const { path, content } = artifact;
  const work = async (): Promise<PartResult> => {
    if (isTooMany) throw refused(`There are too many artifacts. Allowed: up to ${MAX_ARTIFACTS} in a reply.`, path);
    const permission = await mayBeWritten(context, carrying, path);
    if (permission === 'later') return { blocking: false, held: true };
    if (permission === 'no') throw refused(`The change of ${path} was rejected, so it was not written.`, path);
    return { blocking: false, path: await context.ports.artifacts.write({ path, content }, context.issueNumber) };
  };
  return part(context, act, { blocking: true, work });
}

function refused(message: string, path: string): AgentXError {
  return new AgentXError('INVALID_INPUT', message, { path });
}

/**
 * An agent that answers a step with an output in plain text has written that output. A file from another source is left
 * alone: the agent may have written it itself.
 */
async function writeOutput(
  context: RunContext<keyof AskHumansPorts | 'artifacts'>,
  carrying: Carrying,
): Promise<readonly ActResult[]> {
  const { step, reply } = carrying;
  const { text = '', status = 'done' } = reply;
  const otherFields = Object.keys(reply).filter((key) => key !== 'text' && key !== 'status');
  if (step.output === undefined || otherFields.length > 0 || status !== 'done' || text.trim() === '') return [];
  const path = fillTemplate(step.output, await readIssue(context));
  const content = text.endsWith('\n') ? text : `${text}\n`;
  const isOurs = actsOf(context.journal.run, step.id).some(({ act }) => act === OUTPUT);
  const present = isOurs ? [] : await context.ports.artifacts.read([path], context.issueNumber);
  const isForeign = (file: Written) => file.content !== content && !addsOnlyClarifications(file.content, content);
  if (present.some(isForeign)) return [];
  return [await write(context, carrying, { act: OUTPUT, artifact: { path, content } })];
}

const OUTPUT = actName('output', 0);

import { join } from 'node:path';
import type { RecallRequest } from '../ports/recall.js';
import type { Config } from '../protocol/config.js';
import { messageOf } from '../protocol/errors.js';
import type { RunResult } from '../protocol/events.js';
import { type RunRequest, runIssue } from '../run/run-issue.js';
import { layoutOf } from '../storage/files/layout.js';
import { captureLost, captureTranscripts } from './capture-transcripts.js';
import type { Foundation } from './foundation.js';
import { openEngine } from './hub-ports.js';
import type { InStep } from './keep-in-step.js';
import { Memory } from './memory.js';

interface BesideRun {
  readonly config: Config;
  readonly tellNews: () => () => Promise<void>;
  readonly keepInStep: () => Promise<InStep | undefined>;
}

/**
 * Carries a run out with everything that goes on beside it. Earlier sessions are recalled, and the run's own sessions
 * are remembered. People are told the news, and GitHub is kept in step.
 */
export async function runWithMemory(
  { root, base, env, runners, editor, outer }: Foundation,
  request: RunRequest,
  { config, tellNews, keepInStep }: BesideRun,
): Promise<RunResult> {
  const memory = new Memory(base, { config, logs: join(layoutOf(root).state, 'logs') });
  const { pipeline } = memory;
  await captureLost(base, memory, request.issueNumber).catch((error: unknown) =>
    base.log.warn(`Memory capture skipped: ${messageOf(error)}`, { issueNumber: request.issueNumber }),
  );
  // Two runs at once share the bus: each captures its own sessions.
  pipeline.startCapture(({ issueNumber }) => issueNumber === request.issueNumber);
  const transcripts = captureTranscripts(base, memory, request.issueNumber);
  const endTelling = config.notify.length === 0 ? async () => {} : tellNews();
  const inStep = await keepInStep();
  try {
    const recall = { recall: async (recallRequest: RecallRequest) => (await pipeline.recall(recallRequest)).section };
    const engine = openEngine(root, base, { config, env, runners, recall, editor, outer });
    return await runIssue(engine.runPorts(), request);
  } finally {
    await endTelling();
    await inStep?.end();
    await transcripts.end();
    await pipeline.idle();
    pipeline.dispose();
  }
}

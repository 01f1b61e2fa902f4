import { join } from 'node:path';
import type { RecallRequest } from '../ports/recall.js';
import { messageOf } from '../protocol/errors.js';
import type { RunResult } from '../protocol/events.js';
import { type RunRequest, runIssue } from '../run/run-issue.js';
import { layoutOf } from '../storage/files/layout.js';
import { captureLost, captureTranscripts } from './capture-transcripts.js';
import { loadConfig } from './config.js';
import type { Foundation } from './foundation.js';
import { openEngine } from './hub-ports.js';
import type { InStep } from './keep-in-step.js';
import { Memory } from './memory.js';

interface BesideRun {
  readonly tellNews: () => () => Promise<void>;
  readonly keepInStep: () => Promise<InStep | undefined>;
}

/**
 * Carries a run out with everything that goes on beside it: earlier sessions are recalled, its own are remembered, people
 * are told the news, and GitHub is kept in step.
 */
export async function runWithMemory(
  { root, base, env, runners, editor, outer }: Foundation,
  request: RunRequest,
  beside: BesideRun,
): Promise<RunResult> {
  // A server may run for weeks: the settings of a run are read when it goes on.
  const config = loadConfig(root, outer);
  const memory = new Memory(base, { config, logs: join(layoutOf(root).state, 'logs') });
  const { pipeline } = memory;
  await captureLost(base, memory, request.issueNumber).catch((error: unknown) =>
    base.log.warn(`Memory capture skipped: ${messageOf(error)}`, { issueNumber: request.issueNumber }),
  );
  // Two runs at once share the bus: each captures its own sessions.
  pipeline.startCapture(({ issueNumber }) => issueNumber === request.issueNumber);
  const transcripts = captureTranscripts(base, memory, request.issueNumber);
  const endTelling = config.notify.length === 0 ? async () => {} : beside.tellNews();
  const inStep = await beside.keepInStep();
  try {
    const recall = { recall: async (wanted: RecallRequest) => (await pipeline.recall(wanted)).section };
    const engine = openEngine(root, base, { config, env, runners, recall, editor, outer });
    return await runIssue(engine.ports, request);
  } finally {
    await endTelling();
    await inStep?.end();
    await transcripts.end();
    await pipeline.idle();
    pipeline.dispose();
  }
}

import { beyond } from './requirements/beyond.js';
import { clarifyCommands } from './requirements/clarify-commands.js';
import type { Requirement } from './requirements/group.js';
import { humanQuestions } from './requirements/human-questions.js';
import { ledgerAndHub } from './requirements/ledger-and-hub.js';
import { memoryPipeline } from './requirements/memory-pipeline.js';
import { memoryStore } from './requirements/memory-store.js';
import { streamAndMonitor } from './requirements/stream-and-monitor.js';
import { workflowAndSurfaces } from './requirements/workflow-and-surfaces.js';

export type { Requirement };

/**
 * Everything the product must do, one sentence each. A test cites an entry by writing its id in square brackets in its
 * title; requirements.test.ts keeps the list of those that no test cites yet.
 */
export const requirements: readonly Requirement[] = [
  ...ledgerAndHub,
  ...streamAndMonitor,
  ...workflowAndSurfaces,
  ...clarifyCommands,
  ...memoryStore,
  ...memoryPipeline,
  ...humanQuestions,
  ...beyond,
];

import type { Tool } from '../tool.js';
import { askHuman } from './ask-human.js';
import { followUpClarification } from './follow-up-clarification.js';
import { getIssue } from './get-issue.js';
import { getObservation } from './get-observation.js';
import { getQuestion } from './get-question.js';
import { listReady } from './list-ready.js';
import { recallMemory } from './recall-memory.js';
import { recordAssumption } from './record-assumption.js';
import { remember } from './remember.js';
import { reportStatus } from './report-status.js';
import { requestClarification } from './request-clarification.js';
import { resolveClarification } from './resolve-clarification.js';

/** In the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  requestClarification,
  askHuman,
  getQuestion,
  followUpClarification,
  resolveClarification,
  recordAssumption,
  recallMemory,
  getObservation,
  remember,
  getIssue,
  listReady,
  reportStatus,
];

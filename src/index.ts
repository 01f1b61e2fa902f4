/** The public API: everything a program that embeds AgentX, or writes beside it, may rely on. */
export { type App, type AppOptions, createApp } from './app/create-app.js';
export type { Clock } from './ports/clock.js';
export type {
  ActiveClarification,
  AssumptionStore,
  IssueStore,
  LedgerStore,
  Listing,
  QuestionStore,
  RunStore,
  StatusStore,
  Store,
  Update,
} from './ports/store.js';
export {
  AgentIssueStatus,
  AgentStatus,
  AgentStatusEntry,
  type AgentStatusEvent,
  AgentStatusFile,
  applyStatusEvent,
  statusForIssue,
} from './protocol/agent-status.js';
export {
  Assumption,
  type AssumptionEvent,
  AssumptionFile,
  AssumptionStatus,
  BlockerType,
  nextAssumptionId,
  transition as transitionAssumption,
} from './protocol/assumption.js';
export {
  type ClarificationEffect,
  type ClarificationEvent,
  ClarificationLedger,
  ClarificationRecord,
  type ClarificationRequest,
  type ClarificationResult,
  ClarificationStatus,
  isActive,
  nextClarificationId,
  openClarification,
  ThreadEntry,
  transition as transitionClarification,
} from './protocol/clarification.js';
export { AgentXError, type ErrorCode } from './protocol/errors.js';
export type { AgentXEventMap, AgentXEventName } from './protocol/events.js';
export { Issue, IssueComment, TaskStatus } from './protocol/issue.js';
export { LockFile } from './protocol/lock-file.js';
export {
  Observation,
  ObservationCategory,
  ObservationFile,
  ObservationIndex,
  ObservationManifest,
} from './protocol/observation.js';
export { Interaction, OrchestratorState } from './protocol/orchestrator.js';
export {
  AnsweredBy,
  openQuestion,
  Question,
  type QuestionEffect,
  type QuestionEvent,
  QuestionKind,
  QuestionOption,
  QuestionOutcome,
  QuestionPart,
  QuestionResponse,
  type QuestionResult,
  transition as transitionQuestion,
} from './protocol/question.js';
export { createRun, JournalEntry, Run, type RunEvent, RunStatus, transition as transitionRun } from './protocol/run.js';
export { AsyncMutex } from './storage/files/async-mutex.js';
export { FileLockManager, JsonFileLock, type JsonFileLockOptions } from './storage/files/json-file-lock.js';
export { type FileStoreOptions, openFileStore } from './storage/files/store.js';
export { openInMemoryStore } from './storage/in-memory/store.js';

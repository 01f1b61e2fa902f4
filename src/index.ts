/** The public API: everything a program that embeds AgentX, or writes beside it, may rely on. */

export {
  type ClarificationNeed,
  type ClarificationOutcome,
  type LoopConfig,
  type LoopResult,
  type LoopTool,
  runAgenticLoop,
} from './agents/model/agentic-loop.js';
export type { Ambiguity, AmbiguityKind } from './ambiguity/ambiguity.js';
export { ambiguitiesIn, type Examined } from './ambiguity/find.js';
export type { App } from './app/app.js';
export type * from './app/app-types.js';
export type { OuterSettings } from './app/config.js';
export { type AppOptions, createApp } from './app/create-app.js';
export type { DigestRequest, WrittenDigest } from './app/digest.js';
export type { DoctorRequest } from './app/doctor.js';
export { createEventBus } from './app/event-bus.js';
export type { IdKind } from './app/find-id.js';
export type { LeftBranch } from './app/work-trees.js';
export { type InjectionResult, MemoryInjector } from './memory/memory-injector.js';
export { MemoryPipeline } from './memory/memory-pipeline.js';
export { ObservationExtractor, type ObservationExtractorOptions } from './memory/observation-extractor.js';
export type { MemoryPorts, MemorySettings } from './memory/ports.js';
export { RelevanceScorer, type ScoreContext, type Scored, type ScoreWeights } from './memory/relevance-scorer.js';
export type { Change, ChangedDocument, ChangedKind } from './ports/changes.js';
export type { Clock } from './ports/clock.js';
export type { Embedder } from './ports/embedder.js';
export type { AgentXEvent, EventBus } from './ports/event-bus.js';
export type { Log } from './ports/log.js';
export type {
  FoundObservations,
  IObservationStore,
  MemoryNotice,
  RebuildResult,
  ScoredObservation,
} from './ports/observations.js';
export type { RecallRequest } from './ports/recall.js';
export type {
  CallResult,
  KeptTranscript,
  Runner,
  RunnerFunction,
  TurnOptions,
  TurnProgress,
  TurnReport,
} from './ports/runner.js';
export type {
  AssumptionStore,
  Claim,
  ClaimOptions,
  ClarificationFilter,
  CountedPage,
  DeliveryStore,
  InteractionStore,
  IssueStore,
  LedgerStore,
  ListedClarification,
  ListedRun,
  Listing,
  OrchestratorStore,
  Page,
  QuestionPage,
  QuestionStore,
  RunFilter,
  RunStore,
  SessionStore,
  StatusStore,
  Store,
  TaskStore,
  TranscriptStore,
  Update,
} from './ports/store.js';
export type { Tokenizer } from './ports/tokenizer.js';
export type { AgentStandings } from './protocol/agent-standing.js';
export {
  AgentIssueStatus,
  AgentStatus,
  AgentStatusEntry,
  type AgentStatusEvent,
  AgentStatusFile,
  applyStatusEvent,
  statusForIssue,
} from './protocol/agent-status.js';
export type { AnsweredBefore } from './protocol/answered-before.js';
export {
  Assumption,
  type AssumptionEvent,
  AssumptionFile,
  type AssumptionFilter,
  AssumptionStatus,
  BlockerType,
  nextAssumptionId,
  transition as transitionAssumption,
} from './protocol/assumption.js';
export { type Autonomy, AutonomyLevel } from './protocol/autonomy.js';
export { Artifact, Brief } from './protocol/brief.js';
export type { ClaimOn } from './protocol/claim.js';
export {
  ClarificationLedger,
  ClarificationRecord,
  ClarificationStatus,
  isActive,
  mayRetry,
  nextClarificationId,
  ThreadEntry,
} from './protocol/clarification.js';
export {
  type ClarificationEffect,
  type ClarificationEvent,
  type ClarificationRequest,
  type ClarificationResult,
  openClarification,
  transition as transitionClarification,
} from './protocol/clarification-transition.js';
export { AgentConfig, type Config, ConfigFile, RunnerKind } from './protocol/config.js';
export type { ContextBudget, ContextPart } from './protocol/context-budget.js';
export type { Deliveries, Message } from './protocol/delivery.js';
export type { Diagnosis, HeldLock, Problem, Reach, Repair } from './protocol/diagnosis.js';
export type {
  AnswerTimes,
  Digest,
  DigestAgent,
  DigestDay,
  DigestRates,
  DigestTarget,
  DigestTopic,
  DigestTotals,
  Figures,
} from './protocol/digest.js';
export { AgentXError, type ErrorCode } from './protocol/errors.js';
export type {
  AgentStatusChangedPayload,
  AgentXEventMap,
  AgentXEventName,
  ClarificationEventPayload,
  ContextCompactedPayload,
  MemoryEventPayload,
  NotificationAddedPayload,
  NotificationResolvedPayload,
  RunBranch,
  RunEventPayload,
  RunResult,
  RunStartedPayload,
  RunStepPayload,
  RunSummary,
  TaskUpdatedPayload,
  Timed,
} from './protocol/events.js';
export type * from './protocol/feed.js';
export { AGENT_PRECEDENCE, KNOWN_AGENTS } from './protocol/ids.js';
export type { IssueSummary } from './protocol/issue.js';
export { Issue, IssueComment, TaskStatus } from './protocol/issue.js';
export {
  MAX_LOCK_WAIT_MS,
  MAX_OBSERVATION_CHARACTERS,
  MAX_OBSERVATIONS_PER_CAPTURE,
  MAX_REQUEST_BODY_BYTES,
  STALE_LOCK_THRESHOLD_MS,
} from './protocol/limits.js';
export { LockFile } from './protocol/lock-file.js';
export {
  Observation,
  ObservationCategory,
  ObservationFile,
  ObservationIndex,
  ObservationManifest,
  ObservationSource,
  type StoreStats,
} from './protocol/observation.js';
export { type CompactionResult, STALE_ARCHIVE_AFTER_DAYS } from './protocol/observation-compaction.js';
export type { ObservationFilter, ObservationFilter as SearchFilters } from './protocol/observation-filter.js';
export { parseOpenQuestions, parseQuestionParts, type QuestionDefaults } from './protocol/open-questions.js';
export { Interaction, type InteractionFilter, OrchestratorState, TaskConfig } from './protocol/orchestrator.js';
export type { Paging } from './protocol/page.js';
export {
  AnsweredBy,
  Question,
  QuestionFallback,
  QuestionKind,
  QuestionOption,
  QuestionOutcome,
  QuestionPart,
  QuestionResponse,
  QuestionSource,
} from './protocol/question.js';
export type { QuestionFilter } from './protocol/question-filter.js';
export type { QuestionSummary } from './protocol/question-summary.js';
export {
  openQuestion,
  type QuestionEffect,
  type QuestionEvent,
  type QuestionResult,
  transition as transitionQuestion,
} from './protocol/question-transition.js';
export { Reply } from './protocol/reply.js';
export type * from './protocol/rest.js';
export { createRun, JournalEntry, Run, type RunEvent, RunStatus, transition as transitionRun } from './protocol/run.js';
export type { RunStanding } from './protocol/run-standing.js';
export type { RunUsage, StepUsage } from './protocol/run-usage.js';
export { Session, SessionTurn } from './protocol/session.js';
export { Transcript } from './protocol/transcript.js';
export { type Price, Usage } from './protocol/usage.js';
export { Workflow, WorkflowStep } from './protocol/workflow.js';
export { AsyncMutex } from './storage/files/async-mutex.js';
export { FileLockManager, JsonFileLock, type JsonFileLockOptions } from './storage/files/json-file-lock.js';
export { MANIFEST_CACHE_TTL_MS } from './storage/files/memory-index.js';
export { type FileStoreOptions, openFileStore } from './storage/files/store.js';
export { openInMemoryStore } from './storage/in-memory/store.js';

/** The parameters and results of an app's calls, by name, for programs that pass them on. */
export type {
  EditorMessage,
  EditorModel,
  EditorModelRequest,
  EditorModels,
  EditorPiece,
  EditorReply,
  EditorTurn,
} from '../agents/model/editor-models.js';
export type { Program } from '../agents/trust.js';
export type { StatusRequest, Work } from '../board/agent-status.js';
export type { NewComment, NewIssue } from '../board/issues.js';
export type { BlockedIssue as BlockedInQueue, LeftRun, ReadyQueue, WithRun } from '../board/ready.js';
export type { WebhookRequest } from '../github/webhook.js';
export type { AnswerRequest } from '../hub/answer.js';
export type { AskRequest } from '../hub/ask.js';
export type { HeardAnswer } from '../hub/asked-within.js';
export type { HubResult } from '../hub/change-record.js';
export type { EscalateRequest } from '../hub/escalate.js';
export type { FollowUpRequest } from '../hub/follow-up.js';
export type { ResolveRequest } from '../hub/resolve.js';
export type { HumanResolution } from '../hub/settle-escalation.js';
export type { AnswerQuestionRequest } from '../inbox/answer-question.js';
export type { AskHumansRequest } from '../inbox/ask.js';
export type { AskWithinRequest } from '../inbox/ask-within.js';
export type { ConfirmAssumptionRequest, RejectAssumptionRequest } from '../inbox/assumption-verdict.js';
export type { RecordAssumptionRequest } from '../inbox/assumptions.js';
export type { EndQuestionRequest } from '../inbox/end-question.js';
export type { KeepAliveRequest } from '../inbox/keep-alive.js';
export type { InboxResult } from '../inbox/settle.js';
export type { SnoozeRequest } from '../inbox/snooze.js';
export type { InjectionResult } from '../memory/memory-injector.js';
export type { CapturedTranscript } from '../memory/memory-pipeline.js';
export type { ObservationDraft, Remembered, RememberRequest } from '../memory/remember.js';
export type { Snippet } from '../memory/snippet.js';
export type { Timeline } from '../memory/timeline.js';
export type { CheckOptions, CheckResult } from '../monitor/sweep.js';
export type { Channel } from '../notify/channel.js';
export type { TellingOptions } from '../notify/keep-telling.js';
export type { CopyState, GoneIssue, IssueDraft, SyncReport, Trouble, UnsentItem } from '../protocol/github.js';
export type { NotifyTable } from '../protocol/notify.js';
export type { Keystroke } from '../protocol/question-notes.js';
export type { Mode } from '../protocol/storage-mode.js';
export type { BudgetRequest, BudgetResult } from '../report/budget.js';
export type { DigestResult } from '../report/digest.js';
export type { Metrics, MetricsRequest, MetricsResult } from '../report/metrics.js';
export type { RunRequest } from '../run/run-issue.js';
export type { WrittenArtifact } from '../run/written-artifacts.js';
export type { SyncRequest } from './app.js';
export type { ArtifactFile } from './artifact-files.js';
export type { InStep } from './keep-in-step.js';
export type { FoundMemory, Memory, MemoryHit, MemorySearch, MemoryStats, TranscriptRequest } from './memory.js';
export type { Counted, MemoryMetrics } from './memory-metrics.js';
export type { ChannelState, ChosenOption, Notices, TestResult } from './notices.js';

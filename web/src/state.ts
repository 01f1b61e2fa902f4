import type { Assumption } from '../../src/protocol/assumption.js';
import type { Digest } from '../../src/protocol/digest.js';
import type { View } from '../../src/protocol/page-address.js';
import type { Question, QuestionResponse } from '../../src/protocol/question.js';
import type {
  AgentsBody,
  AutonomyBody,
  BranchesBody,
  ListedClarification,
  Listings,
  ReadyBody,
  RunsBody,
} from '../../src/protocol/rest.js';
import type { OtherDraft } from './draft-versions.js';
import type { MemoryRoom } from './memory-room.js';

/** Everything that the board shows; its runs are those that have not ended. */
export type Board = AgentsBody & RunsBody & BranchesBody & ReadyBody & AutonomyBody & Pick<Listings, 'tasks'>;

/** What a person has chosen and written for one part of a question. */
export interface PartDraft {
  readonly text: string;
  readonly optionIds: readonly string[];
}
export type Draft = Readonly<Record<string, PartDraft>>;

/** `late` answers a question whose fallback applied; `comment` adds to the issue what came after another's answer. */
export type Act = 'answer' | 'decline' | 'dismiss' | 'late' | 'comment';

/** What a person decided about a question, with the question as it was at that moment. */
export interface QuestionDecision {
  readonly question: Question;
  readonly act: Act;
  readonly responses: readonly QuestionResponse[];
}

/** That an assumption is right; or, with a reason, what should have been assumed. */
export interface Verdict {
  readonly assumption: Pick<Assumption, 'decision'> & { readonly id: string };
  readonly reason?: string;
}

export type Decision = QuestionDecision | Verdict;

/**
 * A decision that is not known to be done. It can be taken back while it waits: for its five seconds, or for the
 * server.
 */
export interface Outgoing {
  readonly key: string;
  readonly decision: Decision;
  readonly sendAt: number;
  readonly phase: 'waiting' | 'sending' | 'queued';
}

/** How far a draft has reached the server. */
export type DraftState =
  | { readonly kind: 'typing' | 'saved' | 'unsaved' }
  | { readonly kind: 'refused'; readonly why: string };

/** Something that failed or ended differently than this person wanted; stays until they have read it. */
export interface Problem {
  readonly key: string;
  readonly text: string;
  /** The question that it is about. */
  readonly questionId?: string;
  /** The decision that it calls unsent. Its request may have been on its way, and arrive after all. */
  readonly unsent?: QuestionDecision;
}

export interface State {
  readonly phase: 'loading' | 'locked' | 'ready' | 'failed';
  readonly problem: string;
  readonly principal: string;
  readonly projectId: string;
  /** Whether the server can be reached. */
  readonly isOnline: boolean;
  /** Whether it says what happens, as it happens. */
  readonly isLive: boolean;
  readonly view: View;
  readonly questions: readonly Question[];
  /** Arrived while the list was in use; inserted on request. */
  readonly arrived: readonly Question[];
  /** How many open questions are still on their way from the server. */
  readonly toCome: number;
  readonly selected: string | undefined;
  /** Questions that ended elsewhere while this person had them in the list. */
  readonly ended: Readonly<Record<string, Question>>;
  readonly drafts: Readonly<Record<string, Draft>>;
  readonly draftStates: Readonly<Record<string, DraftState>>;
  /** What this person wrote to the same question in another tab, browser or visit. */
  readonly otherDrafts: Readonly<Record<string, readonly OtherDraft[]>>;
  readonly clarifications: readonly ListedClarification[];
  readonly areAsksRead: boolean;
  readonly openThread: string | undefined;
  /** The assumption, the observation and the week that the address names. */
  readonly assumption: string | undefined;
  readonly observation: string | undefined;
  readonly week: string | undefined;
  /** What the address names but is unknown, or could not be read. */
  readonly missing: { readonly id: string; readonly text: string } | undefined;
  readonly board: Board | undefined;
  readonly assumptions: readonly Assumption[] | undefined;
  readonly memory: MemoryRoom | undefined;
  /** The newest week first. */
  readonly weeks: readonly Digest[] | undefined;
  /** In the order of the decisions. */
  readonly outgoing: readonly Outgoing[];
  /** The irreversible question, and how to end it, while the page waits for the confirmation. */
  readonly toConfirm: { readonly id: string; readonly act: Act } | undefined;
  /** Why the view could not be read. */
  readonly unread: string | undefined;
  /** News for a moment: what was done, or what is still missing. */
  readonly notice: { readonly kind: 'done' | 'hint'; readonly text: string } | undefined;
  readonly problems: readonly Problem[];
  readonly isHelpOpen: boolean;
  readonly isNaming: boolean;
  readonly isFirstVisit: boolean;
}

/** Before anything of a project was read, and again when the page turns to another one. */
export const NOTHING_READ = {
  questions: [],
  arrived: [],
  toCome: 0,
  selected: undefined,
  ended: {},
  clarifications: [],
  areAsksRead: false,
  openThread: undefined,
  assumption: undefined,
  observation: undefined,
  week: undefined,
  missing: undefined,
  board: undefined,
  assumptions: undefined,
  memory: undefined,
  weeks: undefined,
  toConfirm: undefined,
  notice: undefined,
  problems: [],
} satisfies Partial<State>;

let state: State = {
  ...NOTHING_READ,
  phase: 'loading',
  problem: '',
  principal: '',
  projectId: '',
  isOnline: true,
  isLive: false,
  view: 'inbox',
  drafts: {},
  draftStates: {},
  otherDrafts: {},
  outgoing: [],
  unread: undefined,
  isHelpOpen: false,
  isNaming: false,
  isFirstVisit: false,
};

let onChange: (state: State) => void = () => {};

export const current = (): State => state;

/** The address of something in this project. */
export const at = (path: string): string => `/api/v1/projects/${encodeURIComponent(state.projectId)}${path}`;

export function change(fields: Partial<State>): void {
  state = { ...state, ...fields };
  onChange(state);
}

/** One listener: the page, which is drawn as a whole from the state. */
export function draw(listener: (state: State) => void): void {
  let isDue = false;
  onChange = () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      listener(state);
    });
  };
  listener(state);
}

/** Questions with a deadline first, nearest deadline first; then the oldest. */
export function byDeadline(left: Question, right: Question): number {
  const first = deadlineOf(left);
  const second = deadlineOf(right);
  return first === second ? Date.parse(left.createdAt) - Date.parse(right.createdAt) : first < second ? -1 : 1;
}

function deadlineOf({ expiresAt }: Question): number {
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

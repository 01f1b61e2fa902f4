import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import type { AgentXEventMap, AgentXEventName, RunStepPayload } from '../protocol/events.js';
import { parseClarificationId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { cutTo } from './columns.js';
import { agentTitle, renderEntry, type StreamView } from './conversation.js';
import { Interleaving } from './interleaving.js';
import type { AtWork } from './live-line.js';
import { plainLine } from './plain-text.js';
import {
  renderAsked,
  renderDecision,
  renderRunStarted,
  renderSaid,
  renderStderr,
  renderStep,
  renderTrouble,
} from './run.js';
import { answerCommand } from './thread.js';

/** An event of the bus, as data. */
export type ToldEvent = {
  readonly [Name in AgentXEventName]: { readonly name: Name; readonly payload: AgentXEventMap[Name] };
}[AgentXEventName];

export interface RunStreamView extends StreamView {
  /** Whether changing lines show which agents work. If not, a line is printed when an agent starts. */
  readonly isLive: boolean;
  /** The name of the reader. */
  readonly you: string;
  /** The surface on which the reader is. */
  readonly channel?: 'cli' | 'vscode';
  /** Whether several runs are shown at once: then lines name their issue. */
  readonly showsIssue?: boolean;
  /** Whether to show what agents' programs write on stderr. */
  readonly isVerbose?: boolean;
}

type StepOf = Pick<RunStepPayload, 'runId' | 'issueNumber' | 'step' | 'agent' | 'title'>;

/** What the stream has shown of one step so far. */
interface StepStory {
  readonly issueNumber: number;
  readonly agent: string;
  readonly title: string;
  /** Of all its turns; absent before the first has ended. */
  readonly durationMs?: number;
  readonly artifacts: readonly string[];
  /** The step's latest text that has not been shown yet. */
  readonly said?: string;
  /** Whether its line is on the screen already. */
  readonly isShown: boolean;
}

type Block = 'head' | 'step' | 'talk';

/**
 * Turns the events of a run into text, in their order. It remembers only what the text depends on: which steps were
 * shown, what they wrote, which agents are at work.
 */
export class RunStream {
  readonly #steps = new Map<string, StepStory>();
  readonly #agents = new Map<string, string>();
  readonly #atWork = new Map<string, AtWork>();
  /** Steps whose agent failed and is tried once more after a while. */
  readonly #failed = new Set<string>();
  readonly #decided = new Set<string>();
  /** The end of what an agent has said in its turn. */
  readonly #spoken = new Map<string, string>();
  readonly #interleaving = new Interleaving();
  #last: Block | undefined;

  constructor(private readonly view: RunStreamView) {}

  get atWork(): readonly AtWork[] {
    return [...this.#atWork.values()];
  }

  /** The text to print, if any. */
  tell(event: ToldEvent): string | undefined {
    const { view } = this;
    switch (event.name) {
      case 'run-started':
        return this.#block('head', renderRunStarted(event.payload, view), true);
      case 'turn-started':
        return this.#turnStarted(event.payload);
      case 'turn-progress':
        return this.#turnProgressed(event.payload);
      case 'turn-ended':
        return this.#turnEnded(event.payload);
      case 'turn-failed':
        return this.#turnFailed(event.payload);
      case 'step-skipped': {
        const { agent, reason } = event.payload;
        return this.#block(
          'step',
          renderStep({ agent, title: this.#title(event.payload), state: 'skipped', reason }, view),
        );
      }
      case 'step-ended':
        return this.#stepEnded(event.payload);
      case 'steps-reopened':
        return this.#reopened(event.payload);
      case 'run-finished':
        this.#atWork.clear();
        return undefined;
      case 'clarification-abandoned':
        this.#atWork.delete(`answer ${event.payload.clarificationId}`);
        this.#interleaving.forget(event.payload.clarificationId);
        return undefined;
      case 'notification-added':
        this.#givenUp(event.payload.notification);
        return this.#questionBlock(event.payload.notification);
      default:
        return undefined;
    }
  }

  tellEntry(record: ClarificationRecord, entry: ThreadEntry): string {
    const { view } = this;
    const key = `answer ${record.id}`;
    this.#atWork.delete(key);
    if (entry.type === 'question') {
      const what = `answering ${agentTitle(record.from)}: ${plainLine(record.topic)}`;
      this.#atWork.set(key, { agent: record.to, what, since: toEpochMs(entry.timestamp) });
    }
    const showsId = this.#interleaving.isNeeded(record, entry);
    const lines = [renderEntry(record, entry, { ...view, showsId })];
    if (entry.type === 'escalation' && view.asksInPlace !== true) {
      lines.push(`  Answer: ${answerCommand(record.id, entry.round)}`);
    }
    const opens = (entry.type === 'question' && entry.round === 1) || entry.type === 'escalation';
    const { issueNumber } = parseClarificationId(record.id);
    const head = entry.type === 'question' ? this.#headOf(record.from, issueNumber) : [];
    return [...head, this.#block('talk', lines.join('\n'), opens)].join('\n');
  }

  /** How a question ended; undefined the second time. */
  tellDecision(question: Question): string | undefined {
    if (question.status !== 'resolved' || this.#decided.has(question.id)) return undefined;
    this.#decided.add(question.id);
    return this.#block('talk', renderDecision(question, this.view));
  }

  #turnStarted(turn: AgentXEventMap['turn-started']): string | undefined {
    const { agent, timestamp } = turn;
    const key = keyOf(turn);
    const { said, ...story } = this.#story(turn);
    const title = this.#title(turn);
    const isNew = !this.#steps.has(key);
    this.#steps.set(key, story);
    this.#agents.set(turn.step, agent);
    this.#failed.delete(key);
    this.#atWork.set(key, { agent, what: title, since: timestamp });
    if (said !== undefined) return this.#block('step', renderSaid(agent, said, this.view));
    if (this.view.isLive || !isNew) return undefined;
    return this.#block('step', renderStep({ agent, title, state: 'started' }, this.view));
  }

  /** On a live screen the line of the agent shows what it says or does, the end of it. */
  #turnProgressed(turn: AgentXEventMap['turn-progress']): undefined {
    const key = keyOf(turn);
    const atWork = this.#atWork.get(key);
    if (atWork === undefined) return;
    const { text, tool, about = '' } = turn;
    const spokenText = text === undefined ? '' : `${this.#spoken.get(key) ?? ''}${text}`.slice(-MAX_SPOKEN);
    this.#spoken.set(key, spokenText);
    const progressLine = tool === undefined ? lastWords(plainLine(spokenText)) : `${tool} ${plainLine(about)}`;
    this.#atWork.set(key, { ...atWork, what: cutTo(`${this.#title(turn)}: ${progressLine}`, MAX_SHOWN) });
  }

  #turnEnded(turn: AgentXEventMap['turn-ended']): string | undefined {
    const { agent, text = '', artifacts, refused, durationMs, stderr } = turn;
    this.#atWork.delete(keyOf(turn));
    const story = this.#story(turn);
    this.#steps.set(keyOf(turn), {
      ...story,
      durationMs: (story.durationMs ?? 0) + durationMs,
      artifacts: [...new Set([...story.artifacts, ...artifacts])],
      ...(text.trim() === '' ? {} : { said: text }),
    });
    const stderrLines =
      this.view.isVerbose === true && stderr !== undefined ? [renderStderr(agent, stderr, this.view)] : [];
    const troubles = refused.map(({ code, message }) =>
      renderTrouble(agent, `is refused (${plainLine(code)})`, message, this.view),
    );
    const lines = [...stderrLines, ...troubles];
    if (lines.length === 0) return undefined;
    return [...this.#headOf(agent, turn.issueNumber), this.#block('talk', lines.join('\n'))].join('\n');
  }

  /** It is tried once more after a while, unless a question says otherwise. */
  #turnFailed(turn: AgentXEventMap['turn-failed']): string {
    const { agent, error, timestamp } = turn;
    this.#failed.add(keyOf(turn));
    const what = `failed, is tried once more: ${this.#title(turn)}`;
    this.#atWork.set(keyOf(turn), { agent, what, since: timestamp });
    return this.#block('step', renderTrouble(agent, 'failed', error, this.view));
  }

  /** A human is asked how to go on with an agent that failed twice. */
  #givenUp({ kind, issueNumber }: Question): void {
    for (const key of kind === 'agent_failed' ? this.#failed : []) {
      if (this.#steps.get(key)?.issueNumber === issueNumber) this.#atWork.delete(key);
    }
  }

  #stepEnded(end: AgentXEventMap['step-ended']): string {
    const { agent, outcome, reason } = end;
    const { durationMs, artifacts, said } = this.#story(end);
    this.#atWork.delete(keyOf(end));
    this.#steps.delete(keyOf(end));
    const line = {
      agent,
      title: this.#title(end),
      state: outcome,
      artifacts,
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(said === undefined ? {} : { said }),
      ...(reason === undefined ? {} : { reason }),
    };
    return this.#block('step', renderStep(line, this.view));
  }

  #reopened({ by, steps, reason }: AgentXEventMap['steps-reopened']): string {
    const who = by === undefined ? 'agent-x' : (this.#agents.get(by) ?? by);
    const back = steps.filter((step) => step !== by).map(plainLine);
    const why = reason === undefined ? '' : `: ${plainLine(reason)}`;
    return this.#block('talk', renderSaid(who, `sends the work back to ${back.join(', ')}${why}`, this.view));
  }

  #questionBlock(question: Question): string | undefined {
    if (this.view.asksInPlace === true || question.kind === 'escalation') return undefined;
    return this.#block('talk', renderAsked(question, this.view), true);
  }

  /**
   * Shows the line of a step whose agent asks before the step is done, so that the reader knows what the agent works
   * on.
   */
  #headOf(agent: string, issueNumber: number): readonly string[] {
    for (const [step, story] of this.#steps) {
      if (story.agent !== agent || story.issueNumber !== issueNumber) continue;
      const { said: _, ...asking } = story;
      this.#steps.set(step, { ...asking, isShown: true });
      if (story.isShown || !this.view.isLive) continue;
      return [this.#block('step', renderStep({ agent, title: story.title }, this.view))];
    }
    return [];
  }

  #story(step: StepOf): StepStory {
    const { issueNumber, agent } = step;
    const newStory = { issueNumber, agent, title: this.#title(step), artifacts: [], isShown: false };
    return this.#steps.get(keyOf(step)) ?? newStory;
  }

  #title({ issueNumber, title }: StepOf): string {
    return this.view.showsIssue === true ? `#${issueNumber} ${plainLine(title)}` : plainLine(title);
  }

  /** An empty line separates different subjects. */
  #block(kind: Block, text: string, isNew = false): string {
    const isApart = this.#last !== undefined && (isNew || this.#last !== kind);
    this.#last = kind;
    return isApart ? `\n${text}` : text;
  }
}

const MAX_SPOKEN = 400;
const MAX_SHOWN = 120;
const MAX_LAST_WORDS = 60;

/** The second half of a character whose first half was cut off. */
const HALF = /^[\udc00-\udfff]/;

/** The end of a text, from the beginning of a word. */
function lastWords(text: string): string {
  const end = text.slice(-MAX_LAST_WORDS).replace(HALF, '');
  return text.length <= MAX_LAST_WORDS ? end : end.slice(end.indexOf(' ') + 1);
}

function keyOf({ runId, step }: StepOf): string {
  return `${runId}/${step}`;
}

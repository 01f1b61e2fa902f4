import type { App } from '../../app/app.js';
import { AgentXError } from '../../protocol/errors.js';
import { Question } from '../../protocol/question.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { plainLine } from '../../render/plain-text.js';
import type { Key } from './keyboard.js';
import { askedOf, type PromptView, promptLines, reachOf } from './prompt-lines.js';
import { type Answer, NOWHERE, openPrompt, type PromptState, press, type Reach } from './prompt-state.js';

type InboxResult = Awaited<ReturnType<App['answerQuestion']>>;

export interface PrompterOptions {
  readonly app: Pick<App, 'question' | 'answerQuestion' | 'keepAlive' | 'clock'>;
  readonly principal: string;
  /** Prints text that stays. */
  readonly say: (text: string) => void;
  /** Called for every question that ended, here or elsewhere, while we asked it. */
  readonly ended: (question: Question) => void;
  /** Called for every answer given here. */
  readonly answered?: (result: InboxResult) => void;
  /** Called for every question that the person left open. */
  readonly left: (question: Question) => void;
}

/** The clock treats keys in quicker succession as one. */
const SAME_KEY_MS = 1_000;
/** Who types on without such a pause has not seen that the prompt is another one. */
const PAUSE_MS = 1_000;

/**
 * Asks the person at the terminal one question after the other, in place. The questions stay open on every surface: the
 * first answer ends them, and a later one typed here is refused with the decision.
 */
export class Prompter {
  readonly #waiting: Question[] = [];
  /** Left open by the person; any key asks again. */
  #leftOpen: Question[] = [];
  #current: { readonly question: Question; readonly state: PromptState } | undefined;
  #isBusy = false;
  #heldAt = 0;
  /** When the prompt was replaced by what happened elsewhere, or the last key after that. */
  #unseenAt = Number.NEGATIVE_INFINITY;
  /** For the question as it was last shown. */
  #reach: Reach = NOWHERE;

  constructor(private readonly options: PrompterOptions) {}

  get isAsking(): boolean {
    return this.#current !== undefined;
  }

  /** Adding a question again has no effect. */
  add(question: Question): void {
    if (!this.#ownQuestions().some(({ id }) => id === question.id)) this.#waiting.push(question);
    this.#next();
  }

  async press(key: Key): Promise<void> {
    if (this.#isBusy || this.#isForEarlierPrompt()) return;
    if (this.#current === undefined) {
      this.#waiting.push(...this.#leftOpen);
      this.#leftOpen = [];
      this.#next();
      return;
    }
    const { question, state } = this.#current;
    const result = press(state, key, this.#reach);
    if (result.type === 'changed') {
      this.#current = { question, state: result.state };
      await this.#holdClock(question);
    }
    if (result.type === 'leave') this.#leave(question);
    if (result.type === 'answer') await this.#send(question, state, result.answer);
  }

  lines(view: PromptView): readonly string[] {
    if (this.#current === undefined) return [];
    const { question, state } = this.#current;
    const promptHead = askedOf(question, state, view.now);
    this.#reach = reachOf(promptHead, state, view);
    return promptLines(promptHead, state, view);
  }

  /** Looks whether a question was answered meanwhile, or its clock is held by typing, here or elsewhere. */
  async look(): Promise<void> {
    if (this.#isBusy) return;
    for (const { id, revision, expiresAt } of this.#ownQuestions()) {
      const question = await this.options.app.question(id);
      if (question === undefined || this.#isBusy) continue;
      if (question.revision !== revision || question.expiresAt !== expiresAt) this.#changedElsewhere(question);
    }
  }

  #ownQuestions(): readonly Question[] {
    return [...(this.#current === undefined ? [] : [this.#current.question]), ...this.#waiting, ...this.#leftOpen];
  }

  /** Stops the clock while a person types, so that the fallback does not overtake them. */
  async #holdClock({ id, expiresAt }: Question): Promise<void> {
    const { app, principal } = this.options;
    const now = toEpochMs(app.clock.now());
    if (expiresAt === undefined || now - this.#heldAt < SAME_KEY_MS) return;
    this.#heldAt = now;
    await app.keepAlive({ id, by: { principal } });
  }

  async #send(question: Question, state: PromptState, answer: Answer): Promise<void> {
    this.#isBusy = true;
    try {
      const { app, principal } = this.options;
      const { id, revision } = question;
      const by = { principal, channel: 'cli', authority: 'a user of this machine' } as const;
      const result = await app.answerQuestion({ id, revision, by, questionId: state.part.id, ...answer });
      this.options.answered?.(result);
      this.#refresh(result.question);
      for (const choice of result.choices) this.add(choice);
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      this.options.say(`error: ${plainLine(error.message)}`);
      const presentQuestion = Question.safeParse(error.details.question);
      if (presentQuestion.success) this.#changedElsewhere(presentQuestion.data);
    } finally {
      this.#isBusy = false;
    }
  }

  /** A key in a row of keys that began before the prompt was replaced. */
  #isForEarlierPrompt(): boolean {
    const now = toEpochMs(this.options.app.clock.now());
    if (now - this.#unseenAt >= PAUSE_MS) return false;
    this.#unseenAt = now;
    return true;
  }

  /** What was typed for a prompt that is gone is shown, and is no answer to the next one. */
  #changedElsewhere(question: Question): void {
    const before = this.#current;
    this.#refresh(question);
    const now = this.#current;
    if (before === undefined) return;
    if (now?.question.id === before.question.id && now.state.part.id === before.state.part.id) return;
    this.#unseenAt = toEpochMs(this.options.app.clock.now());
    if (before.state.text !== '') this.options.say(`Not sent: ${plainLine(before.state.text)}`);
  }

  /** Takes the current state of a question: ended, answered in part, or the same with another revision. */
  #refresh(question: Question): void {
    const isCurrent = this.#current?.question.id === question.id;
    if (question.status === 'resolved') {
      if (isCurrent) this.#current = undefined;
      for (const list of [this.#waiting, this.#leftOpen]) remove(list, question.id);
      this.options.ended(question);
      this.#next();
      return;
    }
    for (const list of [this.#waiting, this.#leftOpen]) replace(list, question);
    if (isCurrent) this.#ask(question);
  }

  #leave(question: Question): void {
    this.#current = undefined;
    this.#leftOpen.push(question);
    this.options.left(question);
    this.#next();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const question = this.#waiting.shift();
    if (question !== undefined) this.#ask(question);
  }

  /** Asks the first part without an answer and keeps what was typed for it. */
  #ask(question: Question): void {
    const { questions, responses = [], consequence } = question;
    const open = questions.find(({ id }) => !responses.some(({ questionId }) => questionId === id));
    const part = open ?? questions[0];
    if (part === undefined) return;
    const earlierState = this.#current?.question.id === question.id ? this.#current.state : undefined;
    const state =
      earlierState?.part.id === part.id
        ? { ...earlierState, part }
        : openPrompt(part, { isFinal: consequence === 'irreversible' });
    this.#current = { question, state };
  }
}

function remove(list: Question[], id: string): void {
  const index = list.findIndex((question) => question.id === id);
  if (index !== -1) list.splice(index, 1);
}

function replace(list: Question[], question: Question): void {
  const index = list.findIndex(({ id }) => id === question.id);
  if (index !== -1) list.splice(index, 1, question);
}

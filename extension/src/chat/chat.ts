import type { App } from '../../../src/app/app.js';
import type { View } from '../../../src/render/thread.js';
import { MARKDOWN_PAINT } from './markdown.js';

/* The conversation, without the editor: what a request says, what is answered, and what may be said next. */

/** Where an answer is written to, piece by piece. */
export interface Sink {
  /** Markdown; every piece is a paragraph of its own. */
  markdown(text: string): void;
  /** What goes on now; replaced by the next piece. */
  progress(text: string): void;
  /** A link to a file, by its path from the root of the disk. */
  file(path: string): void;
}

/** Something to say next, offered below the answer. */
export interface Suggestion {
  readonly label: string;
  readonly prompt: string;
  readonly command?: string;
}

/** What the next request needs to know of this one; kept by the editor as JSON. */
export interface ChatReply {
  readonly command: string;
  /** The `.agentx` folder that it was about. */
  readonly root?: string;
  readonly issueNumber?: number;
  /** The question that the next message answers. */
  readonly questionId?: string;
  /** The part of it that was shown. */
  readonly part?: string;
  readonly suggestions: readonly Suggestion[];
}

export interface ChatRequest {
  /** The word after the slash. */
  readonly command?: string | undefined;
  readonly prompt: string;
  /** Of the answer before this one in the same conversation. */
  readonly before?: ChatReply | undefined;
}

export interface Chat {
  readonly app: App;
  readonly sink: Sink;
  /** Aborts when the person stops the answer. */
  readonly signal: AbortSignal;
  /** The person who types. */
  readonly principal: string;
  /** Whether the workspace is trusted: until then nothing is started. */
  readonly isTrusted: boolean;
  /** Shows the programs of the settings to the person, unless they are approved. False if the person says no. */
  readonly approvesPrograms: () => Promise<boolean>;
  /**
   * This conversation begins to carry out an issue and shows its questions. Call the result at the end, with the
   * questions that it ended with.
   */
  readonly carries: (issueNumber: number) => (questionIds: readonly string[]) => void;
}

export function viewOf({ app }: Pick<Chat, 'app'>): View {
  return { width: Number.POSITIVE_INFINITY, paint: MARKDOWN_PAINT, now: app.clock.now(), isRelative: true };
}

import type { Speak } from './speak.js';

export interface EditorModelRequest {
  readonly agent: string;
  /** The id or the family of a model that the editor offers; without it, the first one that it offers. */
  readonly model: string | undefined;
  /** How long one reply may take. */
  readonly timeoutMs: number;
}

/** A model of the editor, as the loop speaks to it. */
export interface EditorModel {
  readonly speak: Speak;
  /** The size of its window, in its own tokens. */
  readonly window: number;
}

/** CONFIG_ERROR with what to do if the editor offers no such model. */
export type EditorModels = (request: EditorModelRequest) => Promise<EditorModel>;

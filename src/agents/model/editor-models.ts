/* What an editor that embeds AgentX offers of its models. These types are public and need no package of a provider. */

export interface EditorModelRequest {
  readonly agent: string;
  /** The id or the family of a model that the editor offers; without it, the first one that it offers. */
  readonly model: string | undefined;
  /** How long one reply may take. */
  readonly timeoutMs: number;
}

export type EditorPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: object }
  | { readonly type: 'result'; readonly id: string; readonly text: string };

/** A message as an editor takes it; instructions are the first message of the user. */
export interface EditorMessage {
  readonly role: 'user' | 'assistant';
  readonly pieces: readonly EditorPiece[];
}

export interface EditorTurn {
  readonly messages: readonly EditorMessage[];
  /** `input` is a JSON Schema. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly input: object }[];
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((text: string) => void) | undefined;
}

export interface EditorReply {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: object }[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A model of the editor. */
export interface EditorModel {
  speak(turn: EditorTurn): Promise<EditorReply>;
  /** The size of its window, in its own tokens. */
  readonly window: number;
}

/** CONFIG_ERROR with what to do if the editor offers no such model. */
export type EditorModels = (request: EditorModelRequest) => Promise<EditorModel>;

import * as vscode from 'vscode';
import type { EditorMessage, EditorModels } from '../../../src/app/app-types.js';
import { AgentXError } from '../../../src/protocol/errors.js';
import { type ChatModel, editorModel, type SaidPiece } from '../model/editor-speaker.js';

/** The models that the editor offers, for agents with the runner `editor`. */
export class Models {
  /** Those that the person chose in the chat, for the requests that are being carried out; the latest is last. */
  readonly #chosen: vscode.LanguageModelChat[] = [];

  readonly find: EditorModels = async ({ agent, model, timeoutMs }) => {
    const chosenModel = model === undefined ? this.#chosen.at(-1) : undefined;
    const languageModel = chosenModel ?? (await offered(agent, model));
    return editorModel(chatModel(languageModel), { agent, timeoutMs });
  };

  async during<T>(chosenModel: vscode.LanguageModelChat, work: () => Promise<T>): Promise<T> {
    this.#chosen.push(chosenModel);
    try {
      return await work();
    } finally {
      this.#chosen.splice(this.#chosen.indexOf(chosenModel), 1);
    }
  }
}

async function offered(agent: string, modelName: string | undefined): Promise<vscode.LanguageModelChat> {
  const models = await vscode.lm.selectChatModels();
  const namesOf = ({ id, family, vendor, name }: vscode.LanguageModelChat) => [
    ...[id, `${vendor}/${id}`, family, `${vendor}/${family}`, name],
  ];
  const match = modelName === undefined ? models[0] : models.find((model) => namesOf(model).includes(modelName));
  if (match !== undefined) return match;
  const allowed = models.map(({ vendor, family }) => `${vendor}/${family}`);
  const problem =
    allowed.length === 0
      ? `Agent '${agent}' has the runner 'editor', and the editor offers no language model. Sign in to a provider of models (the chat view says how), or give the agent another runner in .agentx/config.toml.`
      : `The editor offers no model '${modelName}' for agent '${agent}'. Allowed: ${allowed.join(', ')}.`;
  throw new AgentXError('CONFIG_ERROR', problem, { agent, model: modelName, allowed });
}

function chatModel(model: vscode.LanguageModelChat): ChatModel {
  return {
    name: `${model.vendor}/${model.family}`,
    maxInputTokens: model.maxInputTokens,
    async *send(messages, { tools, signal }) {
      const cancelling = new vscode.CancellationTokenSource();
      const cancel = () => cancelling.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const response = await model.sendRequest(
          messages.map(messageOf),
          {
            justification: 'An agent of AgentX has the runner "editor".',
            tools: tools.map(({ name, description, input }) => ({ name, description, inputSchema: input })),
          },
          cancelling.token,
        );
        for await (const part of response.stream) {
          const piece = pieceOf(part);
          if (piece !== undefined) yield piece;
        }
      } finally {
        signal.removeEventListener('abort', cancel);
        cancelling.dispose();
      }
    },
    count: async (text) => model.countTokens(text),
    refusal: (error) => {
      if (!(error instanceof vscode.LanguageModelError)) return undefined;
      if (error.code === vscode.LanguageModelError.NoPermissions.name) {
        return 'Allow it: the editor asks once whether AgentX may use its models.';
      }
      if (error.code === vscode.LanguageModelError.NotFound.name) return 'Choose another model in the chat.';
      if (error.code === vscode.LanguageModelError.Blocked.name)
        return 'Choose another model, or wait until it is free.';
      return undefined;
    },
  };
}

function messageOf({ role, pieces }: EditorMessage): vscode.LanguageModelChatMessage {
  return role === 'assistant'
    ? vscode.LanguageModelChatMessage.Assistant(
        pieces.flatMap((piece): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] => {
          if (piece.type === 'text') return [new vscode.LanguageModelTextPart(piece.text)];
          return piece.type === 'call' ? [new vscode.LanguageModelToolCallPart(piece.id, piece.tool, piece.input)] : [];
        }),
      )
    : vscode.LanguageModelChatMessage.User(
        pieces.flatMap((piece): (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart)[] => {
          if (piece.type === 'text') return [new vscode.LanguageModelTextPart(piece.text)];
          if (piece.type !== 'result') return [];
          return [new vscode.LanguageModelToolResultPart(piece.id, [new vscode.LanguageModelTextPart(piece.text)])];
        }),
      );
}

function pieceOf(part: unknown): SaidPiece | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (!(part instanceof vscode.LanguageModelToolCallPart)) return undefined;
  return { type: 'call', id: part.callId, tool: part.name, input: part.input };
}

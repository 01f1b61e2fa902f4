import { messageOf } from '../../protocol/errors.js';
import type { EditorMessage, EditorModel, EditorPiece, EditorReply } from './editor-models.js';
import { distinctId } from './read-reply.js';
import type { Speak, Speaking } from './speak.js';
import { saysWindowIsFull, WindowFull } from './window-full.js';

/** Lets the loop speak to a model of the editor, which knows no system message. */
export function editorSpeak(model: EditorModel): Speak {
  return async ({ system, messages, tools, signal, onText }) => {
    const instructions: EditorMessage = { role: 'user', pieces: [{ type: 'text', text: system }] };
    const response = await model
      .speak({ messages: [instructions, ...messages.flatMap(messageFor)], tools, signal, onText })
      .catch((error: unknown) => {
        throw saysWindowIsFull(messageOf(error)) ? new WindowFull(messageOf(error)) : error;
      });
    const { text, inputTokens, outputTokens } = response;
    const calls: EditorReply['calls'][number][] = [];
    for (const call of response.calls) calls.push({ ...call, id: distinctId(call.id, calls) });
    return {
      text,
      calls,
      messages: [{ role: 'assistant', content: contentOf({ text, calls }) }],
      inputTokens,
      cachedTokens: 0,
      outputTokens,
      reason: calls.length > 0 ? 'tool-calls' : 'stop',
    };
  };
}

function contentOf({ text, calls }: Pick<EditorReply, 'text' | 'calls'>) {
  const textParts = text === '' ? [] : [{ type: 'text' as const, text }];
  const callParts = calls.map(({ id, tool, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: tool,
    input,
  }));
  return [...textParts, ...callParts];
}

/** What a conversation with another kind of model holds beside text and calls is left out. */
function messageFor(message: Speaking['messages'][number]): readonly EditorMessage[] {
  const { content } = message;
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  if (typeof content === 'string') return content === '' ? [] : [{ role, pieces: [{ type: 'text', text: content }] }];
  const pieces = content.flatMap((part): EditorPiece[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type === 'tool-call') {
      const input = typeof part.input === 'object' && part.input !== null ? part.input : {};
      return [{ type: 'call', id: part.toolCallId, tool: part.toolName, input }];
    }
    if (part.type === 'tool-result') {
      const { output } = part;
      const text = output.type === 'text' ? output.value : JSON.stringify(output);
      return [{ type: 'result', id: part.toolCallId, text }];
    }
    return [];
  });
  return pieces.length === 0 ? [] : [{ role, pieces }];
}

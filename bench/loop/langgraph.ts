import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { jsonSchema, type ModelMessage, streamText } from 'ai';
import { CONTENT, type Contender, PROMPT } from './work.js';

/** A graph of two nodes, the model (through the same client) and the tool, with a checkpoint after each. */
const withPragma = (title: string, pragma: string | undefined): Contender => ({
  title,
  async open(url, folder) {
    const saver = SqliteSaver.fromConnString(join(folder, `${pragma === undefined ? 'plain' : 'full'}.sqlite`));
    if (pragma !== undefined) saver.db.pragma(pragma);
    const model = createOpenAICompatible({ name: 'compatible', baseURL: `${url}/v1`, includeUsage: true }).chatModel(
      'm',
    );
    const State = Annotation.Root({ messages: Annotation<ModelMessage[]>() });
    const tools = {
      read_file: {
        description: 'Reads a text file of the repository.',
        inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }),
      },
    };
    const graph = new StateGraph(State)
      .addNode('model', async ({ messages }: { messages: ModelMessage[] }) => {
        const result = streamText({ model, tools, messages });
        for await (const _ of result.fullStream);
        return { messages: [...messages, ...(await result.response).messages] };
      })
      .addNode('tool', ({ messages }: { messages: ModelMessage[] }) => ({
        messages: [...messages, resultFor(messages)],
      }))
      .addEdge(START, 'model')
      .addConditionalEdges('model', ({ messages }: { messages: ModelMessage[] }) =>
        callOf(messages) === undefined ? END : 'tool',
      )
      .addEdge('tool', 'model')
      .compile({ checkpointer: saver });
    let count = 0;
    return async () => {
      const config = { configurable: { thread_id: String(count++) }, recursionLimit: 100 };
      const { messages } = await graph.invoke({ messages: [{ role: 'user', content: PROMPT }] }, config);
      if (!JSON.stringify(messages.at(-1)).includes('4820')) throw new Error('The loop did not come to its end.');
    };
  },
});

function callOf(messages: readonly ModelMessage[]) {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || typeof last.content === 'string') return undefined;
  return last.content.find((part) => part.type === 'tool-call');
}

function resultFor(messages: readonly ModelMessage[]): ModelMessage {
  const call = callOf(messages);
  if (call?.type !== 'tool-call') throw new Error('Nothing was called.');
  const { toolCallId, toolName } = call;
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: CONTENT } }],
  };
}

export const langgraph = withPragma('LangGraph, sqlite saver', undefined);
export const langgraphFull = withPragma('LangGraph, synchronous=FULL', 'synchronous = FULL');

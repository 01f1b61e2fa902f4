import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, stepCountIs, ToolLoopAgent } from 'ai';
import { CONTENT, type Contender, PROMPT } from './work.js';

/** The package's own loop, streamed like ours. Nothing is kept: a process that dies begins anew. */
export const bare: Contender = {
  title: 'ai ToolLoopAgent, keeps nothing',
  async open(url) {
    const agent = new ToolLoopAgent({
      model: createOpenAICompatible({ name: 'compatible', baseURL: `${url}/v1`, includeUsage: true }).chatModel('m'),
      instructions: 'You are the engineer in a team of agents that work on one repository.',
      stopWhen: stepCountIs(100),
      tools: {
        read_file: {
          description: 'Reads a text file of the repository.',
          inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }),
          execute: async () => CONTENT,
        },
      },
    });
    return async () => {
      const result = await agent.stream({ prompt: PROMPT });
      for await (const _ of result.fullStream);
      if (!(await result.text).includes('4820')) throw new Error('The loop did not come to its end.');
    };
  },
};

import { join } from 'node:path';
import { generateText, jsonSchema, type ModelMessage, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import type { Contender } from '../contender.js';
import { replaceSynced, replaceSyncedAtOnce } from '../synced-file.js';
import { ANSWER, QUESTION } from '../work.js';

/**
 * A tool that needs approval: the first turn ends with the request, the second has the human's response. The SDK keeps
 * nothing itself, so the conversation is written to a synced file after each.
 */
export const contender: Contender = {
  async open({ folder, lanes }) {
    const write = lanes > 1 ? replaceSyncedAtOnce : replaceSynced;
    let count = 0;
    return {
      async cycle() {
        const path = join(folder, `${count++}.json`);
        const save = async () => write(path, `${JSON.stringify(messages, null, 2)}\n`);
        const messages: ModelMessage[] = [{ role: 'user', content: QUESTION }];
        const first = await generateText({ model: model(), tools, messages });
        messages.push(...first.response.messages);
        const request = first.content.find((part) => part.type === 'tool-approval-request');
        if (request === undefined) throw new Error('Nothing was asked.');
        await save();
        const { approvalId } = request;
        messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] });
        await save();
        const { text } = await generateText({ model: model(), tools, messages });
        if (text !== ANSWER) throw new Error('The answer did not arrive.');
      },
    };
  },
};

const tools = {
  decide: tool({
    description: QUESTION,
    inputSchema: jsonSchema({ type: 'object', properties: { question: { type: 'string' } } }),
    needsApproval: true,
    execute: async () => ANSWER,
  }),
};

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Calls the tool, and says what came of it once it has run. */
function model(): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) =>
      prompt.some(({ role }) => role === 'tool')
        ? {
            content: [{ type: 'text', text: ANSWER }],
            finishReason: { unified: 'stop', raw: 'stop' },
            usage,
            warnings: [],
          }
        : {
            content: [
              {
                type: 'tool-call',
                toolCallId: 'call-1',
                toolName: 'decide',
                input: JSON.stringify({ question: QUESTION }),
              },
            ],
            finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
            usage,
            warnings: [],
          },
  });
}

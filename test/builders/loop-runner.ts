import type { Runner } from '../../src/ports/runner.js';
import type { Brief } from '../../src/protocol/brief.js';
import type { Reply } from '../../src/protocol/reply.js';

/** A tool that does something at once, or one that asks: then the turn is over, and the answer is its result. */
export type ToolCall = { readonly call: string } | { readonly call: string; readonly asks: (call: string) => Reply };

export interface LoopRunnerOptions {
  /** The calls that the model makes, one after the other; it takes nothing else from the brief. */
  readonly calls: (brief: Brief) => readonly ToolCall[];
  /** The tools' work in all processes: every call that was carried out, and whether that was kept. */
  readonly ran: { readonly agent: string; readonly call: string; isKept: boolean }[];
}

const FORMAT = 'loop/1';

/** Like an agentic loop on a model, without the model: it says what its calls returned. */
export function loopRunner({ calls, ran }: LoopRunnerOptions): Runner {
  return {
    run: async (brief, { transcript, results = [], keep = async () => {} } = {}) => {
      const { agent } = brief;
      const done = new Map(transcript?.format === FORMAT ? messagesIn(transcript.state) : []);
      const keepAll = () => keep({ format: FORMAT, state: [...done] });
      for (const tool of calls(brief)) {
        if (done.has(tool.call)) continue;
        if ('asks' in tool) {
          const result = results.find(({ call }) => call === tool.call);
          if (result === undefined) {
            await keepAll();
            return tool.asks(tool.call);
          }
          done.set(tool.call, `${result.outcome}: ${result.text}`);
          await keepAll();
        } else {
          const act = { agent, call: tool.call, isKept: false };
          ran.push(act);
          done.set(tool.call, 'done');
          await keepAll();
          act.isKept = true;
        }
      }
      const summary = [...done].map(([call, text]) => `${call} ${text}`).join('; ');
      return brief.kind === 'answer' ? { answer: summary } : { text: summary };
    },
  };
}

function messagesIn(state: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(state)) throw new Error('This is no transcript of ours.');
  return state.map(([call, text]: unknown[]) => [String(call), String(text)] as const);
}

import * as z from 'zod/mini';
import type { Reply } from '../../protocol/reply.js';
import type { LoopState, ReplyParts } from './loop-state.js';
import type { ToolForm } from './speak.js';

/** What a call comes to. */
export type ToolOutcome =
  /** A result at once, and what goes into the next reply. */
  | { readonly result: string; readonly parts?: Partial<ReplyParts>; readonly isAssumption?: boolean }
  /** The loop stops: another agent or a human has to answer, and the answer is the result. */
  | { readonly asks: Pick<Reply, 'clarify' | 'open_questions' | 'needs_clarification'>; readonly waits: boolean }
  /** The loop stops so that what was written so far is in place; then the call is made again. */
  | { readonly handsOver: true }
  /** The turn is over. */
  | { readonly ends: Reply };

interface ToolContext {
  readonly state: LoopState;
  /** Names the call in a reply. */
  readonly call: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Whether it starts a program, which must not be started twice. */
  readonly startsProgram?: boolean;
  readonly form: ToolForm;
  /** Throws INVALID_INPUT and other refusals; the model is told their message. */
  run(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}

interface ToolSpec<T extends z.ZodMiniObject> {
  readonly name: string;
  readonly description: string;
  readonly input: T;
  readonly startsProgram?: boolean;
  run(input: z.output<T>, context: ToolContext): ToolOutcome | Promise<ToolOutcome>;
}

export function tool<T extends z.ZodMiniObject>(spec: ToolSpec<T>): Tool {
  const { $schema: _, ...schema } = z.toJSONSchema(spec.input, { io: 'input' });
  return {
    name: spec.name,
    description: spec.description,
    ...(spec.startsProgram === undefined ? {} : { startsProgram: spec.startsProgram }),
    form: { name: spec.name, description: spec.description, input: schema },
    run: async (input, context) => {
      const parsed = z.safeParse(spec.input, withoutNulls(input));
      if (parsed.success) return spec.run(parsed.data, context);
      const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the input'}: ${message}`);
      return { result: `Not done: ${problems.join('; ')}.` };
    },
  };
}

/** Models that must name every field write null for an empty one. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutNulls(field)]));
}

export function text(description: string) {
  return z.string().check(z.describe(description));
}

export function optional(description: string) {
  return z.optional(text(description));
}

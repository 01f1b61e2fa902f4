import type * as z from 'zod/mini';
import { parseWith, requireSound } from '../protocol/parse.js';
import type { Call, Outcome } from './call.js';

interface About {
  readonly name: string;
  readonly title: string;
  /** Its first sentence must tell a model when to call it: some clients show no more. */
  readonly description: string;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    /** Whether it reaches beyond this project. */
    readonly openWorldHint: boolean;
  };
}

interface ToolSpec<S extends z.core.$ZodType> extends About {
  readonly input: S;
  /** The form that models are shown, if `input` takes other forms too. */
  readonly shown?: z.core.$ZodType;
  /** Brings what models write instead into the form of `input`. */
  readonly understand?: (args: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly call: (args: z.output<S>, call: Call) => Promise<Outcome>;
}

export interface Tool extends About {
  readonly shown: z.core.$ZodType;
  /** INVALID_INPUT if the arguments do not fit. */
  readonly call: (args: unknown, call: Call) => Promise<Outcome>;
}

export function tool<S extends z.core.$ZodType>(spec: ToolSpec<S>): Tool {
  const { name, input, shown = input, understand = (args) => args } = spec;
  return {
    ...spec,
    shown,
    call: async (args, call) => {
      const what = `The call of ${name}`;
      requireSound(args, what);
      const givenArguments = withoutNulls(args);
      return spec.call(
        parseWith(input, isObject(givenArguments) ? understand(givenArguments) : givenArguments, what),
        call,
      );
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Models write null for what they leave out, also inside of an argument. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutNulls(one)]));
}

/** Reads, and changes nothing that other agents or people see. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Adds something; called again with the same arguments, it adds nothing more. */
export const ADDS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

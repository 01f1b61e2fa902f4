import type * as z from 'zod/mini';
import { parseWith } from '../protocol/parse.js';
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
  /** The one form that models are shown, if `input` takes others too. */
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
      const argumentValues = isObject(args) ? understand(withoutNulls(args)) : args;
      return spec.call(parseWith(input, argumentValues, `The call of ${name}`), call);
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Models write null for an argument that they leave out. */
function withoutNulls(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** Reads, and changes nothing that others see. */
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

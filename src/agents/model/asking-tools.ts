import * as z from 'zod/mini';
import { optional, type Tool, text, tool } from './tool.js';

export interface ClarifyScope {
  /** Whom the agent may ask. */
  readonly agents: readonly string[];
  readonly mayWait: boolean;
  /** Whether it waits for everything it asks, because another agent waits for its own answer. */
  readonly mustWait?: boolean;
}

/** Absent where no agent may be asked. */
export function requestClarification({ agents, mayWait, mustWait = false }: ClarifyScope): Tool {
  const blocking = mayWait
    ? 'true (the default): wait for the answer. false: go on, and the answer comes later.'
    : 'This step cannot wait: the answer comes later.';
  return tool({
    name: 'request_clarification',
    description:
      `Asks the agent that knows, instead of guessing. You may ask: ${agents.join(', ')}. ` +
      'Ask one specific question that can be decided, and say what you would do otherwise. Look at the artifacts and ' +
      'files first.',
    input: z.object({
      to: text(`One of: ${agents.join(', ')}.`),
      topic: text('A few words, such as "Database layer".'),
      question: text('The question, at most 2000 characters.'),
      blocking: z.optional(z.boolean().check(z.describe(blocking))),
      id: optional('To follow up in a clarification of yours: its id, such as CLR-42-001.'),
    }),
    run: ({ blocking: wants = mayWait, ...asked }, { call }) => {
      const waits = mustWait || wants;
      const { id, ...question } = asked;
      const part = { ...question, ...(id === undefined ? {} : { id }), call, ...(mustWait ? {} : { blocking: wants }) };
      return { asks: { clarify: [part] }, waits };
    },
  });
}

const Option = z.object({ label: text('What is chosen.'), description: optional('What follows from it.') });

const HumanQuestion = z.object({
  text: text('The question, complete in itself: a person reads it without your context.'),
  header: optional('A few words for a list.'),
  options: z.optional(z.array(Option).check(z.describe('Two to four choices that exclude each other.'))),
  multiSelect: z.optional(z.boolean()),
});

const Fallback = z.object({
  text: text('What is done without an answer: the label of an option, or a sentence.'),
  reasoning: text('Why it is safe.'),
  risk: optional('low, medium or high.'),
});

/** An agent that plans has to say why none but a human can answer, so its question has another form. */
export function askHuman({ isGated }: { readonly isGated: boolean }): Tool {
  return isGated ? GATED : PLAIN;
}

const PLAIN = tool({
  name: 'ask_human',
  description:
    'Asks a person, for what neither files nor other agents can tell. Ask everything at once. The person may take ' +
    'hours: give a fallback where the matter can be undone.',
  input: z.object({
    questions: z.array(HumanQuestion).check(z.minLength(1), z.describe('At most 20.')),
    blocking: z.optional(z.boolean().check(z.describe('true (the default): wait for the answer.'))),
    consequence: z.optional(
      z.enum(['reversible', 'irreversible']).check(z.describe('irreversible: never decided without the person.')),
    ),
    fallback: z.optional(Fallback),
  }),
  run: ({ questions, blocking = true, consequence, fallback }, { call }) => ({
    asks: {
      open_questions: questions.map((question) => ({
        ...question,
        call,
        blocking,
        ...(consequence === undefined ? {} : { consequence }),
        ...(fallback === undefined ? {} : { fallback }),
      })),
    },
    waits: blocking,
  }),
});

const GATED = tool({
  name: 'ask_human',
  description:
    'Asks a person. You plan, so you must first have looked everywhere else: the question needs a blocker, evidence ' +
    'of your search with paths that exist, two or more options, and the option that is taken without an answer.',
  input: z.object({
    question: text('The question, in one sentence.'),
    blocker_type: text('mutually_exclusive_requirements, missing_external_data or security_decision.'),
    evidence: z.object({
      codebase_search: text('What you searched for in the code and found.'),
      similar_features: text('Which features are similar, and what they do.'),
      attempted_inference: text('What you tried to conclude, and why it did not work.'),
      investigator_findings: optional('For an issue marked complex.'),
    }),
    options: z.array(z.string()).check(z.minLength(2), z.describe('In words; they are lettered a, b, c.')),
    fallback: z.object({
      option: text('The letter of an option.'),
      reasoning: text('Why it is safe.'),
      risk: optional('low, medium or high.'),
    }),
  }),
  run: (request, { call }) => ({ asks: { needs_clarification: { ...request, call } }, waits: true }),
});

export const recordAssumption: Tool = tool({
  name: 'record_assumption',
  description:
    'Records a decision that you take without an answer, so that a person can confirm or reject it. Use it where the ' +
    'matter is small or easily undone; ask where it is not.',
  input: z.object({
    decision: text('What you assume.'),
    reasoning: text('Why.'),
    confidence: z.optional(z.enum(['high', 'medium', 'low'])),
    risk_if_wrong: optional('What has to be redone if it is wrong.'),
  }),
  run: (assumption) => ({
    result: 'It is recorded with your reply.',
    parts: { assumptions: [assumption] },
    isAssumption: true,
  }),
});

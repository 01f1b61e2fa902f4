import * as z from 'zod/mini';
import { AgentXError } from '../../protocol/errors.js';
import { MAX_OPTIONS_PER_QUESTION, MAX_QUESTIONS_PER_REPLY } from '../../protocol/limits.js';
import { againOrigin, parseOrigin } from '../../protocol/origin.js';
import type { Question } from '../../protocol/question.js';
import { QuestionFallback, QuestionOption, QuestionPart } from '../../protocol/question.js';
import type { Call } from '../call.js';
import { askerOf, issueOf, originOf } from '../caller.js';
import { askPerson, keepLateAnswer } from '../person.js';
import { sayQuestion } from '../say.js';
import { ADDS, tool } from '../tool.js';
import { deadlineIn } from '../wait.js';
import { From, IssueArgument } from './arguments.js';

const Option = z.looseObject({
  label: QuestionOption.shape.label.check(z.describe('The choice in a few words.')),
  description: z.exactOptional(z.string().check(z.describe('What it means and what it costs.'))),
  recommended: z.exactOptional(z.boolean().check(z.describe('true for the one you would take.'))),
});

const header = z.exactOptional(z.string().check(z.describe('Two or three words that name it.')));
const multiSelect = z.exactOptional(z.boolean().check(z.describe('Whether several options may be chosen.')));
const ShownOptions = z
  .array(Option)
  .check(z.describe('The readings or choices that you see; other words are allowed.'));
const ShownQuestion = z.looseObject({
  text: QuestionPart.shape.text.check(z.describe('One decision, in plain words.')),
  header,
  options: z.exactOptional(ShownOptions),
  multiSelect,
});

const QuestionInput = z.looseObject({
  text: z.exactOptional(QuestionPart.shape.text),
  header,
  options: z.exactOptional(z.array(z.union([z.string(), Option])).check(z.maxLength(MAX_OPTIONS_PER_QUESTION))),
  multiSelect,
});

/** Models name the list in several ways, and leave the list away for a single question. */
const List = z.union([
  z.string(),
  QuestionInput,
  z.array(z.union([z.string(), QuestionInput])).check(z.maxLength(MAX_QUESTIONS_PER_REPLY)),
]);

const { text, reasoning, risk } = QuestionFallback.shape;
const ShownFallback = z
  .looseObject({
    option: z.exactOptional(z.string().check(z.describe('The label of an option.'))),
    text,
    reasoning,
    risk,
  })
  .check(z.describe('What holds if nobody answers in time: an option or a text, and why it is safe.'));

const common = {
  issue: IssueArgument,
  blocking: z.exactOptional(z.boolean().check(z.describe('false: you go on without the answer and look later.'))),
  from: From,
};

export const askHuman = tool({
  name: 'ask_human',
  title: 'Ask a human',
  description: `Ask a human when no document, code, earlier answer or other agent can decide: what is wanted, what may be spent, what cannot be undone.
Ask everything at once, before you build on it. Give options with what each costs, and mark the one you recommend. Ask another agent first (request_clarification) if one could know. If a wrong choice is easy to undo, decide it and call record_assumption instead of asking.
State consequence "irreversible" for what cannot be undone: then it waits for a human however long. For a reversible question you may declare a fallback, which holds if nobody answers in time. With blocking true (the default) wait for the answer; with false go on and look later with get_question.`,
  annotations: ADDS,
  shown: z.looseObject({
    questions: z.array(ShownQuestion),
    consequence: z.exactOptional(z.enum(['reversible', 'irreversible'])),
    fallback: z.exactOptional(ShownFallback),
    ...common,
  }),
  input: z.looseObject({
    questions: List,
    consequence: z.exactOptional(z.string()),
    fallback: z.exactOptional(z.unknown()),
    ...common,
  }),
  understand: ({ open_questions: snake, openQuestions: camel, question, options, header, multiSelect, ...args }) => {
    const single = question === undefined ? undefined : withoutUndefined({ question, options, header, multiSelect });
    const questions = asList(args.questions ?? snake ?? camel ?? single);
    if (isNothing(questions)) throw nothingAsked();
    return { ...args, questions };
  },
  async call({ questions: oneOrMore, issue: namedIssue, from, ...beside }, call) {
    const { caller } = call;
    const questions = [oneOrMore].flat();
    const asker = askerOf(caller, from);
    const issueNumber = issueOf(caller, namedIssue) ?? 0;
    const who = [asker.agent, String(issueNumber)];
    const { turn, clarification } = caller;
    const cause = parseOrigin(turn);
    await keepLateAnswer(call);
    const question = await openAgain(call, {
      ...asker,
      issueNumber,
      questions,
      beside,
      source: clarification === undefined ? 'execute' : 'clarification',
      sourceId: clarification ?? String(issueNumber),
      origin: originOf(caller, who, ['human', ...questions.map(textOf)]),
      ...(cause.by === 'run' && { runId: cause.runId }),
      ...(clarification !== undefined && { within: clarification }),
    });
    if (!question.blocking) return sayQuestion(call, question);
    // A run waits for its agents' questions, so an agent inside one need not.
    const seconds = turn === undefined && clarification === undefined ? undefined : 0;
    const reply = await askPerson(call, question, deadlineIn(call, seconds));
    return 'form' in reply ? reply : sayQuestion(call, reply.question, reply);
  },
});

type Request = Parameters<Call['app']['askHumans']>[0] & { readonly origin: string };

/** These ended without a decision: asked once more, they are asked anew. */
const UNDECIDED: readonly Question['outcome'][] = ['superseded', 'unreachable'];

async function openAgain(call: Call, request: Request): Promise<Question> {
  const question = await call.app.askHumans(request);
  if (!UNDECIDED.includes(question.outcome)) return question;
  return openAgain(call, { ...request, origin: againOrigin({ id: question.id, origin: request.origin }) });
}

/** A list that a model wrote as text is still a list. */
function asList(questions: unknown): unknown {
  if (typeof questions !== 'string' || !/^\s*[[{]/.test(questions)) return questions;
  try {
    return JSON.parse(questions);
  } catch {
    return questions;
  }
}

function isNothing(questions: unknown): boolean {
  return questions === undefined || questions === '' || (Array.isArray(questions) && questions.length === 0);
}

function nothingAsked(): AgentXError {
  const example = '[{"text": "Which region?", "options": [{"label": "EU", "recommended": true}, {"label": "US"}]}]';
  return new AgentXError('INVALID_INPUT', `Nothing is asked. Call again with questions, such as ${example}.`);
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function textOf(question: z.output<typeof QuestionInput> | string): string {
  if (typeof question === 'string') return question;
  return question.text ?? String(question.question ?? '');
}

import { ambiguitiesIn, toldAmbiguities } from '../../ambiguity/find.js';
import type { Brief } from '../../protocol/brief.js';
import type { Reply } from '../../protocol/reply.js';
import { asksInWords } from '../reply-claims.js';
import { answerProblem, sentBackAnswer } from './answer-contract.js';
import type { LoopState } from './loop-state.js';

/** Why a reply is sent back, once: it asks in its text, it is a vague answer, or it guesses where it should have asked. */
export function reviewOf(brief: Brief) {
  return (reply: Reply, state: LoopState) =>
    ofText(reply) ?? (brief.kind === 'answer' ? ofAnswer(brief, reply) : ofWork(reply, state, brief.artifacts));
}

function ofText({ text, answer }: Reply) {
  return [text, answer].some(asksInWords) ? { name: 'asked', message: ASKED_IN_TEXT } : undefined;
}

const ASKED_IN_TEXT =
  'Your reply was not taken yet: it asks something in its text, which reaches no agent and no human. Call request_clarification or ' +
  'ask_human, or finish without the question.';

function ofAnswer({ clarification }: Brief, reply: Reply) {
  if (reply.status === 'failed' || reply.clarify !== undefined) return undefined;
  const problem = answerProblem(reply.answer ?? reply.text ?? '', clarification?.question ?? '');
  return problem === undefined ? undefined : { name: 'answer', message: sentBackAnswer(problem) };
}

/** Code says the same number in many places; only prose is compared. */
const PROSE = /\.(?:md|markdown|txt|rst|adoc)$/i;

export function ofWork(reply: Reply, { parts, hasAsked }: LoopState, upstream: readonly Written[] = []) {
  const {
    status = 'done',
    text = '',
    clarify,
    open_questions,
    openQuestions,
    needs_clarification,
    assumptions,
  } = reply;
  const asks = clarify ?? open_questions ?? openQuestions ?? needs_clarification ?? assumptions;
  if (status === 'failed' || hasAsked || asks !== undefined) return undefined;
  const ownArtifacts = [...parts.artifacts, ...(reply.artifacts ?? [])];
  const replacedPaths = new Set(ownArtifacts.map(({ path }) => path));
  const artifacts = [...upstream.filter(({ path }) => !replacedPaths.has(path)), ...ownArtifacts].filter(({ path }) =>
    PROSE.test(path),
  );
  const ambiguities = ambiguitiesIn({ reply: text, artifacts: ownArtifacts.length === 0 ? [] : artifacts });
  if (ambiguities.length === 0) return undefined;
  return { name: 'ambiguity', message: sentBackWork(toldAmbiguities(ambiguities)) };
}

interface Written {
  readonly path: string;
  readonly content: string;
}

function sentBackWork(findings: string): string {
  return (
    `Your reply was not taken yet: it looks as if something was left undecided, and you asked nothing.\n${findings}\n` +
    'Do one of three things for each: ask (request_clarification or ask_human), record what you assume ' +
    '(record_assumption), or, if it is settled, finish again and say by what. Files that you wrote are kept.'
  );
}

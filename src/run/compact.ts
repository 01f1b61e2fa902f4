import { factsIn, gistOf } from '../memory/extract.js';
import { summarise } from '../memory/weigh.js';
import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { MEMORY } from '../protocol/ids.js';
import { MAX_OBSERVATION_CHARACTERS, MAX_OBSERVATIONS_PER_CAPTURE } from '../protocol/limits.js';
import type { ObservationCategory } from '../protocol/observation.js';
import { parseAct } from '../protocol/origin.js';
import type { Question, QuestionPart } from '../protocol/question.js';
import { outcomeOf } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import { redact } from '../protocol/redact.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult } from '../protocol/run.js';
import type { Session, SessionTurn } from '../protocol/session.js';
import { EMPTY_SUMMARY, type SessionSummary, SUMMARY_SECTIONS } from '../protocol/session-summary.js';
import { fitInto } from '../protocol/shorten.js';

/** A session, and what became of the things that its replies asked for. */
export interface SessionRecords {
  readonly session: Session;
  /** By turn. */
  readonly acts: ReadonlyMap<number, readonly ActResult[]>;
  readonly clarifications: readonly ClarificationRecord[];
  readonly questions: readonly Question[];
  readonly assumptions: readonly Assumption[];
}

type Facts = Partial<SessionSummary>;

/** Pure. The important facts of a session, in their order, each once. */
export function compactSession(records: SessionRecords): SessionSummary {
  const { turns } = records.session;
  const facts = turns.flatMap((turn) => {
    const acts = records.acts.get(turn.turn);
    return [...saidIn(turn), ...(acts?.flatMap((act) => becameOf(act, turn, records)) ?? wantedIn(turn))];
  });
  const summary = limited(merged(facts));
  const lastText = turns.findLast(({ reply }) => reply?.text !== undefined)?.reply?.text;
  const gist = lastText === undefined ? undefined : gistOf(lastText);
  const sections: readonly (readonly string[])[] = Object.values(summary);
  const isTold = gist === undefined || sections.flat().some((fact) => fact.includes(oneLine(gist)));
  return isTold ? summary : limited(merged([summary, { keyFacts: [gist] }]));
}

function saidIn({ reply, error }: SessionTurn): readonly Facts[] {
  if (reply === undefined) return error === undefined ? [] : [{ errors: [error] }];
  const { text = '', observations = [], review, status } = reply;
  const factsInText = factsIn(text);
  return [
    ...observations.map(({ category, content }) => ({ [SECTION_OF[category]]: [content] })),
    factsInText,
    status === 'failed' && text !== '' && factsInText.errors.length === 0 ? { errors: [gistOf(text) ?? text] } : {},
    review === undefined ? {} : { decisions: [reviewText(review)] },
  ];
}

/** For a turn without recorded acts: what it asked for. */
function wantedIn({ reply = {} }: SessionTurn): readonly Facts[] {
  const { artifacts = [], proposes = [], issues = [] } = reply;
  return [
    { codeChanges: artifacts.map(({ path }) => `Wrote ${path}`) },
    { decisions: proposes.map(proposalText) },
    { keyFacts: issues.map(({ title }) => `New issue: ${title}`) },
  ];
}

const SECTION_OF: Readonly<Record<ObservationCategory, keyof SessionSummary>> = {
  decision: 'decisions',
  'code-change': 'codeChanges',
  error: 'errors',
  'key-fact': 'keyFacts',
  'compaction-summary': 'keyFacts',
};

function becameOf(act: ActResult, turn: SessionTurn, records: SessionRecords): readonly Facts[] {
  const { refused, path, clarificationId, assumptionId, questionId } = act;
  if (refused !== undefined) return [{ errors: [`${refused.code}: ${refused.message}`] }];
  const clarification = records.clarifications.find(({ id }) => id === clarificationId);
  const assumption = records.assumptions.find(({ id }) => id !== undefined && id === assumptionId);
  const question = records.questions.find(({ id }) => id === questionId);
  return [
    path === undefined ? {} : { codeChanges: [`Wrote ${path}`] },
    clarification === undefined ? {} : clarified(clarification),
    assumption === undefined ? {} : { decisions: [`Assumed: ${assumption.decision} (${assumption.id})`] },
    question === undefined ? {} : answeredBy(question),
    carriedOut(act, turn, records.session),
  ];
}

/** If an act only has a number, its words are in the reply that asked for it, which may be an earlier one. */
function carriedOut(
  { act, from, held, questionId, issueNumber }: ActResult,
  turn: SessionTurn,
  session: Session,
): Facts {
  const { kind, index = -1 } = parseAct(act) ?? {};
  const { reply } = session.turns.find((one) => one.turn === from) ?? turn;
  if (held) return {};
  if (kind === 'propose' && questionId === undefined) {
    const proposal = reply?.proposes?.[index];
    return proposal === undefined ? {} : { decisions: [proposalText(proposal)] };
  }
  if (issueNumber === undefined) return {};
  const title = reply?.issues?.[index]?.title;
  return { keyFacts: [`New issue #${issueNumber}${title === undefined ? '' : `: ${title}`}`] };
}

function clarified(record: ClarificationRecord): Facts {
  const { id, to, topic, status, thread } = record;
  const failure = thread.find(({ type, reason = '' }) => type === 'escalation' && reason.startsWith('AGENT_ERROR'));
  const errors = failure?.reason === undefined ? [] : [`${failure.reason} (${id})`];
  if (status === 'resolved')
    return { errors, decisions: [`${topic}: ${summarise(record)} (${id}, ${sourceOf(record)})`] };
  const state = status === 'answered' ? `answered: ${summarise(record)}` : status;
  return { errors, keyFacts: [`${topic}: ${state} (${id}, ${to})`] };
}

/** The agent that answered, or the earlier decision that memory cited. */
function sourceOf({ to, thread }: ClarificationRecord): string {
  const { from, source = '' } = thread.findLast(({ type }) => type === 'answer') ?? {};
  return from === MEMORY ? `as decided in ${source.split(' ')[0]}` : to;
}

function answeredBy(question: Question): Facts {
  const { id, status, questions } = question;
  if (status === 'open') return { keyFacts: questions.map(({ text }) => `Still asked: ${text} (${id})`) };
  const isAnswered = (part: QuestionPart) => outcomeOf(question, part.id) === 'answered';
  return {
    decisions: questions
      .filter(isAnswered)
      .map((part) => `${part.text} ${decisionOf(question, part.id)} (${id}, human)`),
    keyFacts: questions
      .filter((part) => !isAnswered(part))
      .map((part) => `${part.text} Ended ${outcomeOf(question, part.id)}. (${id})`),
  };
}

function proposalText({ kind, summary }: NonNullable<Reply['proposes']>[number]): string {
  return `Proposed (${kind}): ${summary}`;
}

function reviewText({ verdict, cause, body }: NonNullable<Reply['review']>): string {
  return `Review ${verdict}${cause === undefined ? '' : ` (${cause})`}${body === undefined ? '' : `: ${body}`}`;
}

function merged(parts: readonly Facts[]): SessionSummary {
  const section = (key: keyof SessionSummary) =>
    [...new Set(parts.flatMap((part) => part[key] ?? []).map(oneLine))].filter((fact) => fact !== '');
  return {
    decisions: section('decisions'),
    codeChanges: section('codeChanges'),
    errors: section('errors'),
    keyFacts: section('keyFacts'),
  };
}

/** As many facts as a capture takes, decisions first; of too many, the latest, which replaced the earlier. */
function limited(summary: SessionSummary): SessionSummary {
  let space = MAX_OBSERVATIONS_PER_CAPTURE;
  const sections = SUMMARY_SECTIONS.map(([key]) => {
    const facts = space > 0 ? summary[key].slice(-space) : [];
    space -= facts.length;
    return [key, facts] as const;
  });
  return { ...EMPTY_SUMMARY, ...Object.fromEntries(sections) };
}

function oneLine(fact: string): string {
  return fitInto(redact(fact).replace(/\s+/g, ' ').trim(), MAX_OBSERVATION_CHARACTERS);
}

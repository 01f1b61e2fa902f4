import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationRecord, RestsOn } from '../protocol/clarification.js';
import { fnv1a64 } from '../protocol/derived-id.js';
import { HUMAN, MEMORY, makeObservationId, parseClarificationId } from '../protocol/ids.js';
import { countCharacters, MAX_ANSWER_CHARACTERS, MAX_OBSERVATION_CHARACTERS } from '../protocol/limits.js';
import type { Observation, ObservationSource } from '../protocol/observation.js';
import { isHandedWork } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import { outcomeOf } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import { redact } from '../protocol/redact.js';
import { shorten } from '../protocol/shorten.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { estimateTokens } from '../protocol/tokens.js';
import { summarise } from './weigh.js';

/**
 * What the protocol knows for certain, as observations: resolved clarifications, answers of humans, assumptions that a
 * human judged. Their ids are derived from their records, so that the same record is stored once.
 */

/** A question and the answer that was accepted. */
export interface Decided {
  readonly question: string;
  readonly answer: string;
  /** The agent that answered, or a human. */
  readonly by: string;
  readonly at: string;
  readonly restsOn: readonly RestsOn[];
}

/** Undefined for what was not decided, or was only repeated from memory. Pure. */
export function decidedBy(record: ClarificationRecord): Decided | undefined {
  const { status, outcome, thread, resolvedAt } = record;
  const question = thread.find(({ type }) => type === 'question')?.body;
  if (status !== 'resolved' || question === undefined || (outcome !== undefined && outcome !== 'answered'))
    return undefined;
  const at = resolvedAt ?? record.created;
  const word = thread.findLast(({ type, from }) => type === 'resolution' && from === HUMAN);
  const isEscalated = thread.some(({ type }) => type === 'escalation');
  if (isEscalated && word?.undecided !== undefined) return undefined;
  if (isEscalated) return word === undefined ? undefined : { question, answer: word.body, by: HUMAN, at, restsOn: [] };
  const answers = thread.filter(({ type, from }) => type === 'answer' && from !== MEMORY);
  const last = answers.at(-1);
  if (last === undefined || last.round !== record.round) return undefined;
  const answer = answers.map(({ body }) => body).join('\n\n');
  if (countCharacters(answer) > MAX_ANSWER_CHARACTERS) return undefined;
  return { question, answer, by: last.from, at, restsOn: answers.flatMap(({ restsOn = [] }) => restsOn) };
}

/** The observation of a resolved clarification, if anything was decided by it. Pure. */
export function clarificationObservation(record: ClarificationRecord): Observation | undefined {
  const decision = decidedBy(record);
  if (decision === undefined) return undefined;
  const { id, topic, from, round } = record;
  const text = `${topic}: ${decision.question}\n${decision.answer} (${id}, ${decision.by})`;
  const { issueNumber } = parseClarificationId(id);
  const source = { kind: 'clarification', id, round } as const;
  return observation({
    agent: from,
    issueNumber,
    text,
    summary: titled(topic, summarise(record)),
    at: decision.at,
    source,
  });
}

/** A human's words already include the topic. */
function titled(topic: string, summary: string): string {
  return summary.startsWith(`${topic}: `) ? summary : `${topic}: ${summary}`;
}

/** What a human said to a question of an agent; approvals and choices about work say nothing about other questions. Pure. */
export function decidedPart(question: Question, partId: string): Decided | undefined {
  const { kind, questions } = question;
  const at = saidAt(question, partId);
  const part = questions.find(({ id }) => id === partId);
  const isAsked = kind === 'open_question' || kind === 'pm_clarification';
  if (part === undefined || !isAsked || at === undefined || outcomeOf(question, partId) !== 'answered')
    return undefined;
  const answer = decisionOf(question, partId);
  return countCharacters(answer) > MAX_ANSWER_CHARACTERS || answer.trim() === ''
    ? undefined
    : { question: part.text, answer, by: HUMAN, at, restsOn: [] };
}

/** One for each part that a human answered. Work that a person hands in is kept with its session. Pure. */
export function questionObservations(question: Question): readonly Observation[] {
  const { id, issueNumber, askedBy, questions, resolvedAt, origin } = question;
  if (resolvedAt === undefined || isHandedWork(origin)) return [];
  return questions
    .filter((part) => outcomeOf(question, part.id) === 'answered')
    .map((part) => {
      const answer = decisionOf(question, part.id);
      const source = { kind: 'question', id, part: part.id } as const;
      const text = `${part.text}\n${answer} (${id}, human)`;
      return observation({
        agent: askedBy.agent,
        issueNumber,
        text,
        summary: `${part.text} ${answer}`,
        at: saidAt(question, part.id) ?? resolvedAt,
        source,
      });
    });
}

/** A late answer came after the question had ended. */
function saidAt({ resolvedAt, lateResponses = [], kept = [] }: Question, partId: string): string | undefined {
  const lateAnswer = lateResponses.findLast(({ responses }) =>
    responses.some(({ questionId }) => questionId === partId),
  );
  return kept.includes(partId) ? resolvedAt : (lateAnswer?.at ?? resolvedAt);
}

/** Of an assumption that a human confirmed or rejected. Pure. */
export function assumptionObservation(assumption: Assumption): Observation | undefined {
  const { id, issueNumber, agent, status, decision, decidedAt, rejection = '' } = assumption;
  if (id === undefined || issueNumber === undefined || agent === undefined || decidedAt === undefined) return undefined;
  if (status !== 'confirmed' && status !== 'rejected') return undefined;
  const text = `Assumption ${status}: ${decision}${rejection === '' ? '' : ` Instead: ${rejection}`} (${id}, human)`;
  return observation({ agent, issueNumber, text, summary: text, at: decidedAt, source: { kind: 'assumption', id } });
}

interface Told {
  readonly agent: string;
  readonly issueNumber: number;
  readonly text: string;
  readonly summary: string;
  readonly at: string;
  readonly source: ObservationSource;
}

function observation({ agent, issueNumber, text, summary, at, source }: Told): Observation {
  const characters = [...redact(text)];
  const content =
    characters.length <= MAX_OBSERVATION_CHARACTERS
      ? characters.join('')
      : `${characters.slice(0, MAX_OBSERVATION_CHARACTERS - 3).join('')}...`;
  const suffix = fnv1a64(JSON.stringify(source)).slice(0, 6);
  return {
    id: makeObservationId({ agent, issueNumber, timestampMs: toEpochMs(at), suffix }),
    agent,
    issueNumber,
    category: 'decision',
    content,
    summary: shorten(redact(summary).replace(/\s+/g, ' ').trim(), 200),
    tokens: estimateTokens(content),
    timestamp: at,
    sessionId: source.id,
    source,
  };
}

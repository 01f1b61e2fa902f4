import { createQuestion } from '../hub/change-question.js';
import type { BasePorts, DecisionPorts, RecordPorts } from '../hub/ports.js';
import { type Assumption, transition } from '../protocol/assumption.js';
import { HUB, questionIdFor } from '../protocol/ids.js';
import { lateOrigin } from '../protocol/origin.js';
import type { Question, QuestionResponse, Rework } from '../protocol/question.js';
import { decisionOf } from '../protocol/question-decision.js';
import type { NewQuestion } from '../protocol/question-transition.js';
import { fitInto } from '../protocol/shorten.js';
import { meansTheSame } from '../protocol/similarity.js';
import { assumeFrom } from './assume.js';
import { changeAssumption } from './assumptions.js';
import { reworkTargets } from './rework.js';

export const KEEP = 'keep';
export const REWORK = 'rework';

/**
 * Answers that came after the fallback. Part by part: if one agrees, the assumption is confirmed; otherwise a human
 * decides again about that part. Returns what the latest of them led to.
 */
export async function takeLateAnswers(ports: RecordPorts, question: Question): Promise<readonly Question[]> {
  const { id, questions, lateResponses = [] } = question;
  if (lateResponses.length === 0) return [];
  const assumptions = await assumeFrom(ports, question);
  let choices: Question[] = [];
  for (const { responses, answeredBy, at } of lateResponses) {
    choices = [];
    for (const response of responses) {
      const { questionId: part } = response;
      const assumption = assumptions.get(part);
      if (agrees(question, response)) {
        if (assumption?.id !== undefined) await confirmStanding(ports, assumption.id, answeredBy.principal);
        continue;
      }
      const origin = lateOrigin(id, questions.length > 1 ? part : undefined);
      const contradiction = { origin, answer: decisionOf(question, part), asker: question, part, at };
      choices.push(await openChoice(ports, { ...contradiction, ...(assumption && { assumption }) }));
    }
  }
  return choices;
}

export interface Contradiction {
  readonly origin: string;
  /** The human's answer. */
  readonly answer: string;
  readonly at: string;
  /** The question that timed out, if there was one, and the part of it that is contradicted. */
  readonly asker?: Question;
  readonly part?: string;
  readonly assumption?: Assumption;
}

/** Keep the work built on an assumption, or do it again: asked once for each origin. */
export async function openChoice(
  ports: BasePorts & Pick<RecordPorts, 'projectId'>,
  contradiction: Contradiction,
): Promise<Question> {
  const { origin, asker, part, assumption, answer } = contradiction;
  const issueNumber = assumption?.issueNumber ?? asker?.issueNumber ?? 0;
  const since = assumption?.createdAt ?? asker?.resolvedAt ?? contradiction.at;
  const cause = asker?.origin ?? assumption?.origin;
  const run = await ports.store.runs.read(issueNumber);
  const targets = reworkTargets(run, cause === undefined ? { since } : { since, origin: cause });
  const rework: Rework = {
    ...(assumption?.id === undefined ? {} : { assumptionId: assumption.id }),
    ...(asker === undefined ? {} : { questionId: asker.id }),
    ...(part === undefined ? {} : { part }),
    answer,
    artifacts: [...new Set([...(assumption?.artifacts ?? []), ...targets.artifacts])],
    runs: targets.runs,
  };
  const agent = assumption?.agent ?? asker?.askedBy.agent ?? HUB;
  return createQuestion(ports, {
    id: questionIdFor(origin),
    projectId: ports.projectId,
    issueNumber,
    kind: 'late_answer',
    source: asker?.source ?? 'execute',
    sourceId: asker?.sourceId ?? String(issueNumber),
    askedBy: { agent, chain: [agent] },
    questions: [partOf(contradiction, rework)],
    blocking: false,
    consequence: 'reversible',
    createdAt: ports.clock.now(),
    origin,
    rework,
  } satisfies NewQuestion);
}

function partOf(
  { assumption, asker, part, answer, at }: Contradiction,
  { artifacts, runs }: Rework,
): NewQuestion['questions'][number] {
  const assumedText =
    assumption?.decision ?? (asker === undefined ? '' : decisionOf({ ...asker, lateResponses: [] }, part));
  const work = [
    ...runs.map(({ runId, steps }) => `Run ${runId}: ${steps.join(', ')}`),
    ...(artifacts.length === 0 ? [] : [`Artifacts: ${artifacts.join(', ')}`]),
  ];
  const text = [
    `Assumed${assumption?.id === undefined ? '' : ` (${assumption.id})`}: ${cut(assumedText)}`,
    `You say: ${cut(answer)}`,
    ...(work.length === 0 ? ['Nothing is known to stand on it yet.'] : ['What stands on the assumption:']),
    ...work.map(cut),
    'Keep it, or do it again?',
  ];
  return {
    id: 'q1',
    header: 'Keep or rework',
    text: text.join('\n'),
    createdAt: at,
    multiSelect: false,
    allowText: true,
    mustChoose: true,
    options: [
      { id: KEEP, label: 'Keep', description: 'What was built stays as it is.' },
      {
        id: REWORK,
        label: 'Rework',
        description: 'Those steps are done again with your answer, and what stands on them.',
      },
    ],
  };
}

/** Of each line. */
const MAX_CHARACTERS = 450;

const cut = (text: string): string => fitInto(text, MAX_CHARACTERS);

/** The same option, or the same words. */
function agrees({ responses = [] }: Question, { questionId, optionIds = [], answer = '' }: QuestionResponse): boolean {
  const fallbackResponse = responses.find((response) => response.questionId === questionId);
  if (optionIds.length > 0)
    return optionIds.toSorted().join() === (fallbackResponse?.optionIds ?? []).toSorted().join();
  return meansTheSame(answer, fallbackResponse?.answer ?? '');
}

export async function confirmStanding(
  ports: DecisionPorts & Pick<RecordPorts, 'clock'>,
  id: string,
  by: string,
): Promise<Assumption> {
  const at = ports.clock.now();
  return changeAssumption(ports, id, (assumption) =>
    (assumption.status ?? 'standing') === 'standing' ? transition(assumption, { type: 'confirm', at, by }) : assumption,
  );
}

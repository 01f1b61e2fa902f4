import { askHumans } from '../inbox/ask.js';
import type { AskHumansPorts } from '../inbox/ports.js';
import { questionIdFor } from '../protocol/ids.js';
import { MAX_QUESTION_CHARACTERS } from '../protocol/limits.js';
import { actName } from '../protocol/origin.js';
import type { Question, QuestionPart } from '../protocol/question.js';
import type { SessionTurn } from '../protocol/session.js';
import { fitInto } from '../protocol/shorten.js';
import { fillTemplate, type WorkflowStep } from '../protocol/workflow.js';
import { reviewedBy } from './clarify-first.js';
import { originOf, type Place, type RunContext, readIssue } from './context.js';
import { type HandedIn, type Unclear, whatWasHandedIn } from './handed-in.js';
import type { StepLedger } from './new-clarifications.js';
import { type BriefSources, workBrief } from './work-brief.js';
import { placeName } from './work-place.js';
import { personPrompt } from './work-prompt.js';

type Handed = SessionTurn | { readonly at: string; readonly questionId: string };

/**
 * A step for a person: the person is asked through the inbox, and what they hand in is the reply. Unclear points (why
 * it cannot be done, where the file is) are asked once more, as a question of its own. Repeating this after the answer
 * gives the same.
 */
export async function handTurn(
  context: RunContext<keyof AskHumansPorts | 'artifacts' | 'roles' | 'recall' | 'workTrees'>,
  { step, clarifications }: Pick<StepLedger, 'step' | 'clarifications'>,
  place: Place,
): Promise<Handed> {
  const { ports } = context;
  const issue = await readIssue(context);
  const output = step.output === undefined ? undefined : fillTemplate(step.output, issue);
  let request: HandedRequest = { about: 'work' };
  let startedAt: string | undefined;
  for (let index = 0; ; index++) {
    const origin = originOf(context, place, actName('handed', index));
    const earlierQuestion = await ports.store.questions.read(questionIdFor(origin));
    const question =
      earlierQuestion ?? (await ask(context, step, { place, issue, clarifications, origin, output, asked: request }));
    if (question.status === 'open') return { at: ports.clock.now(), questionId: question.id };
    startedAt ??= question.createdAt;
    // Asked once more, the person has said more since; that the file is there by now decides nothing.
    const nextOrigin = originOf(context, place, actName('handed', index + 1));
    const nextQuestion = await ports.store.questions.read(questionIdFor(nextOrigin));
    if (nextQuestion !== undefined) {
      request = { about: aboutOf(nextQuestion) };
      continue;
    }
    const pathOf = async (name: string) => (await ports.artifacts.read([name], context.issueNumber))[0]?.path;
    const outcome: HandedIn | Unclear = await whatWasHandedIn(question, {
      about: request.about,
      output,
      folder: placeName(ports, context.journal.run),
      pathOf,
    });
    if ('reply' in outcome) {
      return {
        turn: place.turn,
        startedAt,
        endedAt: question.resolvedAt ?? ports.clock.now(),
        byPerson: true,
        ...outcome,
      };
    }
    request = outcome;
  }
}

type HandedRequest = { readonly about: Unclear['about']; readonly note?: string };

function aboutOf({ questions }: Question): Unclear['about'] {
  return questions.some(({ id }) => id === 'why') ? 'why' : 'work';
}

interface Asking extends BriefSources {
  readonly place: Place;
  readonly origin: string;
  readonly output: string | undefined;
  readonly asked: HandedRequest;
}

async function ask(
  context: RunContext<keyof AskHumansPorts | 'artifacts' | 'roles' | 'recall' | 'workTrees'>,
  step: WorkflowStep,
  { place, issue, clarifications, origin, output, asked }: Asking,
): Promise<Question> {
  const { ports, issueNumber, runId } = context;
  const brief = await workBrief(context, place, { issue, clarifications });
  // Questions of this kind are never merged with similar ones: each turn is asked anew.
  const source = { kind: 'approval' as const, source: 'execute' as const, sourceId: runId };
  const header = brief.step?.title ?? step.title;
  const part =
    asked.about === 'why'
      ? { id: 'why', header, text: WHY, allowText: true }
      : workPart(step, {
          header,
          output,
          prompt: personPrompt(brief),
          note: asked.note,
          place: placeName(ports, context.journal.run),
        });
  const request = { origin, issueNumber, agent: step.agent, ...source, parts: [part], blocking: true };
  return (await askHumans(ports, request)).question;
}

const WHY = 'Why can it not be done? Whoever decides what comes next is told.';

interface Work {
  readonly header: string;
  readonly output: string | undefined;
  readonly prompt: string;
  /** What was wrong with the answer before. */
  readonly note: string | undefined;
  /** Where the files of the run are. */
  readonly place: string;
}

function workPart(step: WorkflowStep, { header, output, prompt, note, place }: Work): QuestionPart {
  const reviewedSteps = reviewedBy(step);
  const back = {
    id: 'back',
    label: `Send the work back to ${reviewedSteps.join(', ')}`,
    description: 'What you write beside it is told as the reason.',
  };
  const becomes = output === undefined ? '' : `, which becomes ${output}`;
  const how = `Hand it in by writing the path of a file in ${place}, or the work itself${becomes}.`;
  const before = note === undefined ? '' : `${note}\n\n`;
  return {
    id: 'work',
    header,
    text: `${before}${fitInto(prompt, MAX_QUESTION_CHARACTERS - how.length - before.length - 2)}\n\n${how}`,
    allowText: true,
    options: [
      {
        id: 'done',
        label: output === undefined ? 'It is done' : `It is done: ${output} is there`,
        recommended: true,
      },
      ...(reviewedSteps.length > 0 ? [back] : []),
      { id: 'failed', label: 'It cannot be done', description: 'You are asked why, unless you write it beside.' },
    ],
  };
}

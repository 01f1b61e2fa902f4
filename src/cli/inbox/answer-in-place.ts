import type { App } from '../../app/app.js';
import type { Question } from '../../protocol/question.js';
import type { CommandLine } from '../command-line.js';
import { InPlace } from '../prompt/in-place.js';
import { Prompter } from '../prompt/prompter.js';
import { Interrupt } from '../run/interrupt.js';
import { goOn } from './go-on.js';
import { hasEnded, reportSettled } from './settle.js';
import { show } from './show.js';

type InboxResult = Awaited<ReturnType<App['answerQuestion']>>;

const LEFT_OPEN = 3;

/** Shows a question and asks the person at the terminal: every open part, then what follows from a late answer. */
export async function answerInPlace(line: CommandLine, question: Question): Promise<number | undefined> {
  await show(line, question.id, { isAsked: true });
  const interrupt = new Interrupt();
  const { answers, ended } = await asking(line, question, interrupt).finally(() => interrupt.close());
  for (const result of answers) reportSettled(line, { ...result, choices: [] });
  const endedElsewhere = ended.find(({ id }) => !answers.some((result) => result.question.id === id));
  if (endedElsewhere !== undefined) throw hasEnded(line, endedElsewhere);
  if (interrupt.code === undefined) for (const result of answers) await goOn(line, result);
  const open = answers.find((result) => result.question.status === 'open')?.question ?? question;
  if (ended.length > 0 && interrupt.code === undefined) return undefined;
  line.out.note(`Left open. Answer: agentx inbox answer ${open.id}`);
  return interrupt.code ?? LEFT_OPEN;
}

/** The answers given here, the latest result for each question, and the questions that ended, here or elsewhere. */
async function asking(line: CommandLine, question: Question, interrupt: Interrupt) {
  const answers = new Map<string, InboxResult>();
  const endedQuestions: Question[] = [];
  let place: InPlace | undefined;
  const isOver = new Promise<void>((resolve) => {
    interrupt.signal.addEventListener('abort', () => resolve());
    const prompter = new Prompter({
      app: line.app(),
      principal: line.principal,
      say: (text) => place?.print(text),
      answered: (result) => {
        answers.set(result.question.id, result);
        if (result.choices.length > 0) place?.print('  The fallback was taken before you answered.');
      },
      ended: (one) => endedQuestions.push(one),
      left: () => resolve(),
    });
    const settle = async (work: Promise<void>) => {
      await work;
      if (!prompter.isAsking) resolve();
    };
    prompter.add(question);
    place = new InPlace(line, {
      lines: (view) => prompter.lines(view),
      press: (key) => settle(prompter.press(key)),
      look: () => settle(prompter.look()),
      interrupt: () => interrupt.hit(),
    });
    place.draw();
  });
  await isOver;
  place?.close();
  return { answers: [...answers.values()], ended: endedQuestions };
}

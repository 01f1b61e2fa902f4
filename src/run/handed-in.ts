import { saidBeside } from '../protocol/option-in-words.js';
import type { Question, QuestionOption } from '../protocol/question.js';
import { latestResponses } from '../protocol/question-answerers.js';
import type { SessionTurn } from '../protocol/session.js';

/*
 * What a person made of their step. Options say that it is done, to be sent back, or cannot be done; the person's text
 * is the work, or where the work is, or why. The label of an option is our word, not theirs: it is never the work.
 */

/** The reply of the turn, and the files that hold the work. */
export type HandedIn = Required<Pick<SessionTurn, 'reply'>> & Pick<SessionTurn, 'paths'>;

/** What has to be asked once more. */
export type Unclear = { readonly about: 'why' } | { readonly about: 'work'; readonly note: string };

export interface Handing {
  readonly about: 'work' | 'why';
  /** The file that the step is to write. */
  readonly output: string | undefined;
  /** Where the files of the run are, for people. */
  readonly folder: string;
  /** The path of a file from there, if it is there. */
  readonly pathOf: (name: string) => Promise<string | undefined>;
}

export async function whatWasHandedIn(question: Question, handing: Handing): Promise<HandedIn | Unclear> {
  const { outcome } = question;
  const { option, text } = answerOf(question);
  if (handing.about === 'why') return failed(text === '' ? 'no reason was given' : text);
  if (outcome !== 'answered') return failed(`the question was ${outcome}`);
  if (option === 'failed') return text === '' ? { about: 'why' } : failed(text);
  if (option === 'back') return sentBack(text);
  return doneWork(text, handing);
}

async function doneWork(answer: string, { output, folder, pathOf }: Handing): Promise<HandedIn | Unclear> {
  const [, namedPath] = WHERE.exec(answer) ?? [];
  const text = namedPath !== undefined && isPath(namedPath) ? namedPath : answer;
  const lines = text.split('\n').map((line) => line.trim());
  const listed = listedIn(answer);
  const names = listed.length > 1 && listed.every(isPath) ? listed : lines.filter((line) => line !== '');
  const foundPaths = await Promise.all(names.map(pathOf));
  const paths = foundPaths.filter((path) => path !== undefined);
  if (names.length > 0 && paths.length === names.length) return { reply: { status: 'done' }, paths };
  const missingName = names.find((line, index) => foundPaths[index] === undefined && isPath(line));
  if (missingName !== undefined && names.length === paths.length + 1) {
    return { about: 'work', note: `There is no file ${missingName} in ${folder}.` };
  }
  const reply = { status: 'done' as const, ...(text === '' ? {} : { text }) };
  if (output === undefined) return { reply };
  // Text becomes the output if there is none yet; beside an existing one it is a remark.
  if ((await pathOf(output)) !== undefined) return { reply, paths: [output] };
  return text === '' ? { about: 'work', note: `There is no file ${output} in ${folder} yet.` } : { reply };
}

const LEAD =
  "(?:(?:done|ok),? +)?(?:see|(?:it|they|the (?:work|files?|text|documents?))(?:'s|'re| is| are)(?: (?:already|now))?(?: in| at)?|" +
  "(?:i|we)(?:'ve| have)? (?:wrote|written|put|saved) (?:it|them)(?: down)? (?:in|into|to|at)) +";
/** `I wrote it in docs/spec.md, have a look`: where the work is, and not the work. */
const WHERE = new RegExp(`^${LEAD}[\`"']?(\\S+?)[\`"']?(?:[.!]?$|[,;.!] [^\\n]*$)`, 'i');
const LEADING = new RegExp(`^${LEAD}`, 'i');

/** `It is in docs/a.md and docs/b.md`. */
function listedIn(answer: string): readonly string[] {
  const names = answer.replace(LEADING, '').split(/[,;\n]|\s(?:and|&)\s/);
  return names.map((name) => name.trim().replace(/^[`"']|[`"']?[.!]?$/g, '')).filter((name) => name !== '');
}

/** One word with a slash or an ending means a file. */
function isPath(line: string): boolean {
  return /^\S+$/.test(line) && (line.includes('/') || /\w\.[A-Za-z]\w{0,7}$/.test(line));
}

function failed(text: string): HandedIn {
  return { reply: { status: 'failed', text } };
}

function sentBack(text: string): HandedIn {
  const body = text === '' ? 'It was sent back without a reason.' : text;
  return { reply: { review: { verdict: 'rejected', cause: 'other', body } } };
}

interface PersonsAnswer {
  readonly option: string | undefined;
  /** Their own words. */
  readonly text: string;
}

/** Typing what an option says, in any words, chooses it. */
function answerOf(question: Question): PersonsAnswer {
  const [response] = latestResponses(question);
  const options = question.questions[0]?.options ?? [];
  const [choice] = options.filter(({ id }) => response?.optionIds?.includes(id));
  const text = response?.answer?.trim() ?? '';
  if (choice !== undefined) return { option: choice.id, text: saidBeside(choice, text) };
  const typedOption = options.find(({ id, label }) => [id, label].some((word) => plain(word) === plain(text)));
  if (typedOption !== undefined) return { option: typedOption.id, text: '' };
  const refusal = options.find((option) => REFUSALS.includes(option.id) && isHeadedBy(text, option));
  if (refusal !== undefined) return { option: refusal.id, text: saidBeside(refusal, text) };
  const [back] = options.filter(({ id }) => id === 'back');
  if (back !== undefined && BACK.test(plain(text))) {
    return { option: back.id, text: text.replace(BACK, '').replace(/^[,.;:!]*(?: -)?\s*/, '') };
  }
  if (DONE.test(plain(text))) return { option: 'done', text: '' };
  if (NO.test(plain(text))) return { option: 'failed', text: '' };
  const [, why] = CANNOT.exec(plain(text)) ?? [];
  if (why === undefined) return { option: undefined, text };
  return { option: 'failed', text: why === '' ? '' : text };
}

const REFUSALS: readonly string[] = ['failed', 'back'];

/** `failed: no key`: the reason of a refusal may have any words. */
function isHeadedBy(text: string, option: QuestionOption): boolean {
  const beside = saidBeside(option, text);
  return /[:-]\s*$/.test(text.slice(0, text.length - beside.length));
}

const plain = (text: string): string =>
  text
    .replaceAll('\u2019', "'")
    .replace(/[.!]+$/, '')
    .toLowerCase();

const DONE =
  /^(?:(?:it|this|that|everything|the (?:work|file|document)) ?(?:is|'s|was|has been) )?(?:already |all )*(?:done|there|finished|written|ready|completed?)(?: already| now)?$|^(?:yes|yep|ok(?:ay)?|sure|\+1|\u{1f44d})$/u;
/** What a reviewer says of work that is not good enough. */
const BACK =
  /^(?:please )?(?:(?:send|give|hand) (?:it|this|that|the work) back(?: to [\w-]+)?|(?:(?:i|it is|this is) )?reject(?:ed)?(?: (?:it|this|that|the work))?|(?:it is |this is )?not approved|(?:it |this )?needs? (?:more )?work|changes requested|request(?:ing)? changes)(?=$|[,.;:!]| -| (?:because|since|as|until|and)\b)/i;
const NO = /^(?:no(?: way)?|nope|nah|-1|\u{1f44e})$/u;
const CANNOT =
  /^(?:sorry,? )?(?:(?:(?:it|this|that) )?(?:cannot|can't|can not|could not|couldn't) be done|(?:(?:i|we) )?(?:cannot|can't|can not|could not|couldn't|(?:am |are |i'm |we're )?(?:unable to|not able to)) do (?:it|this|that)|(?:(?:it|this|that) ?(?:is|'s) )?(?:not possible|impossible))(?=$|[,.;:]| -| (?:because|since|as|for|without|until)\b)([^\n]*)$/;

import type { App } from '../../app/app.js';
import { workflowNames } from '../../app/workflow-names.js';
import { agentNamesOf } from '../../protocol/config.js';
import { AgentXError } from '../../protocol/errors.js';
import { titleOf } from '../../protocol/question-summary.js';
import { shorten } from '../../protocol/shorten.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import { VALUE_KINDS, type ValueKind } from './values.js';

interface Offer {
  readonly value: string;
  readonly about?: string | undefined;
}

/**
 * Words without special characters of a shell. Other names of files are not offered, because any process may have named
 * them.
 */
const PLAIN = /^[\w.#-]+$/;
const MAX_ABOUT = 60;

/**
 * The candidates for the last word on a command line: a value and its description, one per line. It runs at every key
 * press, so it reads indexes where it can. On any error it offers nothing.
 */
export async function complete(line: CommandLine, kind: string, words: readonly string[]): Promise<undefined> {
  try {
    const app = line.app(rootIn(words));
    const typedWord = (words.at(-1) ?? '').replace(/^--[\w-]+=/, '').toLowerCase();
    const valueKind = VALUE_KINDS.find((one) => one === kind);
    const offers = valueKind === undefined ? [] : await OFFERS[valueKind](app, words);
    const lines = offers
      .filter(({ value }) => PLAIN.test(value) && value.toLowerCase().startsWith(typedWord))
      .map(({ value, about = '' }) => `${value}\t${shorten(plainLine(about), MAX_ABOUT)}\n`);
    process.stdout.write(lines.join(''));
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
  }
}

const OFFERS: Readonly<Record<ValueKind, (app: App, words: readonly string[]) => Promise<readonly Offer[]>>> = {
  'unfinished-issues': async (app) => issueOffers((await app.unfinishedIssues()).items),
  issues: async (app) => issueOffers((await app.issues()).items),
  'active-clarifications': async (app) => (await app.clarifications('active')).items.map(clarificationOffer),
  clarifications: async (app) => (await app.clarifications('all')).items.map(clarificationOffer),
  'open-questions': async (app) =>
    (await app.questionSummaries()).items.map(({ id, title }) => ({ value: id, about: title })),
  questions: async (app) => {
    const open = new Map((await app.questionSummaries()).items.map(({ id, title }) => [id, title]));
    return (await app.questionIds()).map((value) => ({ value, about: open.get(value) ?? 'has ended' }));
  },
  'question-parts': async (app, words) =>
    (await questionIn(app, words)).map(({ id, text }) => ({
      value: id,
      about: titleOf({ kind: 'open_question', questions: [{ id, text }] }),
    })),
  'question-options': async (app, words) => {
    const parts = await questionIn(app, words);
    const partId = optionIn(words, '--question');
    const part = parts.find(({ id }) => id === partId) ?? parts[0];
    return (part?.options ?? []).map(({ id, label }) => ({ value: id, about: label }));
  },
  assumptions: async (app) =>
    (await app.assumptions()).items
      .filter(({ status = 'standing' }) => status === 'standing')
      .flatMap(({ id, decision }) => (id === undefined ? [] : { value: id, about: decision })),
  observations: async (app) => {
    const { items } = await (await app.memory()).list({ limit: MOST_OBSERVATIONS });
    return items.map(({ id, summary }) => ({ value: id, about: summary }));
  },
  agents: async (app) => agentNamesOf(await app.config()).map((value) => ({ value })),
  workflows: async ({ root }) => workflowNames(root).map((value) => ({ value })),
};

/** The newest: a shell cannot show thousands. */
const MOST_OBSERVATIONS = 100;

function issueOffers(issues: readonly { readonly number: number; readonly title: string }[]): readonly Offer[] {
  return issues.map(({ number, title }) => ({ value: String(number), about: title }));
}

function clarificationOffer({
  id,
  topic,
  status,
}: {
  readonly id: string;
  readonly topic: string;
  readonly status: string;
}): Offer {
  return { value: id, about: `${status}: ${topic}` };
}

async function questionIn(app: App, words: readonly string[]) {
  const typedId = words.find((word) => /^oq-/i.test(word)) ?? '';
  const question = await app.question(await app.findId('question', typedId));
  return question?.questions ?? [];
}

function rootIn(words: readonly string[]): { readonly root?: string } {
  const root = optionIn(words, '--root');
  return root === undefined ? {} : { root };
}

/** The value may be the next word or share the option's word; bash treats the `=` between them as a word. */
function optionIn(words: readonly string[], option: string): string | undefined {
  const at = words.indexOf(option);
  if (at >= 0) return words[at + 1] === '=' ? words[at + 2] : words[at + 1];
  return words.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1);
}

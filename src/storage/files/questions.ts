import { join } from 'node:path';
import type { Page, QuestionStore } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { beginsWith, parseQuestionId } from '../../protocol/ids.js';
import { type Paging, positionOf } from '../../protocol/page.js';
import { byCreation, Question } from '../../protocol/question.js';
import { isIn, type QuestionFilter } from '../../protocol/question-filter.js';
import { summaryOf } from '../../protocol/question-summary.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder, readPage } from './json-folder.js';
import type { Layout } from './layout.js';
import { ListedQuestion } from './listed-question.js';

/** `state/questions/{id}.json` */
export function questionFiles(context: FilesContext, layout: Layout): QuestionStore {
  const questions = new JsonFolder<string, Question>(context, {
    folder: layout.questions,
    what: 'question',
    schema: Question,
    mode: 0o600,
    nameOf: (id) => `${parseQuestionId(id)}.json`,
    keyOf: (name) => /^(oq-[A-Za-z0-9_-]{1,64})\.json$/.exec(name)?.[1],
    keyIn: (question) => question.id,
  });
  const current = questions.summaries({
    indexFile: join(layout.index, 'questions.json'),
    version: 5,
    of: (question) => (isCurrent(question) ? ListedQuestion.of(question) : null),
    compare: (left, right) => byCreation(left.summary, right.summary),
    format: ListedQuestion.format,
  });
  const places = questions.summaries<Place>({
    indexFile: join(layout.index, 'question-issues.json'),
    version: 4,
    of: ({ id, issueNumber, status, createdAt }) => ({ id, issueNumber, status, createdAt }),
    compare: byCreation,
  });
  const readNow = (id: string) => questions.file(id).readNow();
  const isCurrentOnly = ({ status, unsettled }: QuestionFilter) => status === 'open' || unsettled === true;
  /** Open or unsettled questions are in the index as a whole; of the others only those that are shown are opened. */
  const list = <S>(filter: QuestionFilter & Paging, show: Shown<S>): Page<S> & { readonly total: number } => {
    const matches = isIn(filter);
    if (isCurrentOnly(filter)) {
      const { items, damaged } = current();
      const matching = items.filter(({ summary }) => matches(summary));
      const position = ({ summary }: ListedQuestion) => positionOf.question(summary);
      const page = readPage({ items: matching, damaged }, filter, { position, read: show.listed });
      return { ...page, total: matching.length };
    }
    const { items, damaged } = places();
    const matching = items.filter(matches);
    const read = ({ id }: Place) => {
      const question = readNow(id);
      return question && show.whole(question);
    };
    const page = readPage({ items: matching, damaged }, filter, { position: positionOf.question, read });
    return { ...page, total: matching.length };
  };
  const placesIn = (filter: QuestionFilter): readonly Place[] => {
    const all = isCurrentOnly(filter) ? current().items.map(({ summary }) => summary) : places().items;
    return all.filter(isIn(filter));
  };
  return {
    create: (question) =>
      questions.update(question.id, (current) => {
        const stored = current ?? question;
        return { next: stored, result: stored };
      }),
    read: (id) => questions.read(id),
    update: (id, update) =>
      questions.update(id, (current) => {
        if (current) return update(current);
        throw new AgentXError('NOT_FOUND', `There is no question ${id}.`, { what: `question ${id}` });
      }),
    list: async (filter = {}) =>
      list(filter, { listed: ({ whole, summary }) => whole ?? readNow(summary.id), whole: (question) => question }),
    summaries: async (filter = {}) => {
      const { total: _, ...page } = list(filter, { listed: ({ summary }) => summary, whole: summaryOf });
      return page;
    },
    async ids({ idFrom = '', ...filter } = {}) {
      const isAny = Object.keys(filter).length === 0;
      const ids = isAny ? questions.keys() : placesIn(filter).map(({ id }) => id);
      return ids.filter(beginsWith(idFrom)).toSorted();
    },
  };
}

type Place = Pick<Question, 'id' | 'issueNumber' | 'status' | 'createdAt'>;

/** How to show a question from the index, and one that was read from its file. */
interface Shown<S> {
  readonly listed: (listed: ListedQuestion) => S | undefined;
  readonly whole: (question: Question) => S;
}

/** Settled questions are of no interest: the cost of a listing follows the number of pending ones. */
function isCurrent({ status, unsettled }: Question): boolean {
  return status === 'open' || unsettled === true;
}

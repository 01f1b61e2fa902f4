import type { Listing, QuestionStore } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { beginsWith, parseQuestionId } from '../../protocol/ids.js';
import { positionOf } from '../../protocol/page.js';
import { byCreation, Question } from '../../protocol/question.js';
import { isIn, type QuestionFilter } from '../../protocol/question-filter.js';
import { type QuestionSummary, summaryOf } from '../../protocol/question-summary.js';
import type { FilesContext } from './files-context.js';
import { JsonFolder, readPage } from './json-folder.js';

/** `state/questions/{id}.json` */
export function questionFiles(context: FilesContext): QuestionStore {
  const questions = new JsonFolder<string, Question>(context, {
    folder: context.layout.questions,
    what: 'question',
    schema: Question,
    nameOf: (id) => `${parseQuestionId(id)}.json`,
    keyOf: (name) => /^(oq-[A-Za-z0-9_-]{1,64})\.json$/.exec(name)?.[1],
    keyIn: (question) => question.id,
  });
  const listPending = questions.summaries<QuestionSummary>({
    index: 'questions',
    version: 6,
    of: (question) => (isPending(question) ? summaryOf(question) : null),
    compare: byCreation,
  });
  const allPlaces = questions.summaries<Place>({
    index: 'question-issues',
    version: 5,
    of: ({ id, issueNumber, status, createdAt }) => ({ id, issueNumber, status, createdAt }),
    compare: byCreation,
  });
  const listing = (filter: QuestionFilter): Listing<Place> =>
    isPending(filter) ? matching(listPending(), filter) : matching(allPlaces(), filter);
  const position = positionOf.question;
  /** A listed question may have changed since. */
  const readNow = (filter: QuestionFilter) => (place: Place) => {
    const question = questions.file(place.id).readNow();
    return question && isIn(filter)(question) ? question : undefined;
  };
  return {
    create: (question) =>
      questions.update(question.id, (current) => {
        const storedQuestion = current ?? question;
        return { next: storedQuestion, result: storedQuestion };
      }),
    read: (id) => questions.read(id),
    update: (id, update) =>
      questions.update(id, (current) => {
        if (current) return update(current);
        throw new AgentXError('NOT_FOUND', `There is no question ${id}.`, { what: `question ${id}` });
      }),
    list: async (filter = {}) => {
      const places = listing(filter);
      return { ...readPage(places, filter, { position, read: readNow(filter) }), total: places.items.length };
    },
    summaries: async (filter = {}) => {
      if (isPending(filter)) return readPage(matching(listPending(), filter), filter, { position, read: (one) => one });
      const page = readPage(listing(filter), filter, { position, read: readNow(filter) });
      return { ...page, items: page.items.map(summaryOf) };
    },
    async ids({ idFrom = '', ...filter } = {}) {
      const isAny = Object.keys(filter).length === 0;
      const ids = isAny ? questions.keys() : listing(filter).items.map(({ id }) => id);
      return ids.filter(beginsWith(idFrom)).toSorted();
    },
  };
}

type Place = Pick<Question, 'id' | 'issueNumber' | 'status' | 'createdAt'>;

function matching<P extends Place>({ items, damaged }: Listing<P>, filter: QuestionFilter): Listing<P> {
  return { items: items.filter(isIn(filter)), damaged };
}

/** Of a question, or of all that a filter lets pass. The cost of listing what is pending follows its number. */
function isPending({ status, unsettled }: { readonly status?: unknown; readonly unsettled?: boolean }): boolean {
  return status === 'open' || unsettled === true;
}

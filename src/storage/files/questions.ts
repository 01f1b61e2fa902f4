import { join } from 'node:path';
import type { Listing, QuestionStore } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { beginsWith, parseQuestionId } from '../../protocol/ids.js';
import { byCreation, Question } from '../../protocol/question.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder, readEach } from './json-folder.js';
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
  const places = questions.summaries({
    indexFile: join(layout.index, 'question-issues.json'),
    version: 3,
    of: ({ id, issueNumber }) => ({ id, issueNumber }),
    compare: (left, right) => (left.id < right.id ? -1 : 1),
  });
  // The index gives the same list as long as nothing changes: a server shows page after page of thousands.
  let open: (Listing<Question> & { readonly from: readonly ListedQuestion[] }) | undefined;
  const readNow = (id: string) => questions.file(id).readNow();
  const wholeOf = ({ whole, summary }: ListedQuestion) => whole ?? readNow(summary.id);
  return {
    create: (question) =>
      questions.update(question.id, (current) => {
        const stored = current ?? question;
        return { next: stored, result: stored };
      }),
    read: async (id) => questions.file(id).read(),
    update: async (id, update) =>
      questions.update(id, (current) => {
        if (current) return update(current);
        throw new AgentXError('NOT_FOUND', `There is no question ${id}.`, { what: `question ${id}` });
      }),
    async listOpen() {
      const { summaries, damaged } = current();
      if (open?.from !== summaries) open = { from: summaries, ...readEach(summaries.filter(isOpen), wholeOf) };
      return { items: open.items, damaged: [...damaged, ...open.damaged] };
    },
    async listPending() {
      const { summaries, damaged } = current();
      return { items: summaries.filter(isOpen).map(({ summary }) => summary), damaged };
    },
    async listUnsettled() {
      const { summaries, damaged } = current();
      const unsettled = summaries.filter(({ summary }) => summary.unsettled === true);
      const read = readEach(unsettled, wholeOf);
      return { items: read.items, damaged: [...damaged, ...read.damaged] };
    },
    idsFrom: async (start) => questions.keys().filter(beginsWith(start)).toSorted(),
    async listOfIssue(issueNumber) {
      const { summaries, damaged } = places();
      const ids = summaries.flatMap((place) => (place.issueNumber === issueNumber ? place.id : []));
      const read = readEach(ids, readNow);
      return { items: read.items.toSorted(byCreation), damaged: [...damaged, ...read.damaged] };
    },
    async list() {
      const { items, damaged } = questions.list();
      return { items: items.toSorted(byCreation), damaged };
    },
  };
}

/** What is settled is of no interest: the cost of a listing follows what is pending. */
function isCurrent({ status, unsettled }: Question): boolean {
  return status === 'open' || unsettled === true;
}

function isOpen({ summary }: ListedQuestion): boolean {
  return summary.status === 'open';
}

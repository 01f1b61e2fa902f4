import { join } from 'node:path';
import type { QuestionStore } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseQuestionId } from '../../protocol/ids.js';
import { byCreation, Question } from '../../protocol/question.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import type { Layout } from './layout.js';

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
  const current = questions.summaries(join(layout.index, 'questions.json'), {
    version: 3,
    of: (question) => (question.status === 'open' || question.unsettled === true ? question : null),
  });
  const places = questions.summaries(join(layout.index, 'question-issues.json'), {
    version: 1,
    of: ({ id, issueNumber }) => ({ id, issueNumber }),
  });
  // The index gives the same list as long as nothing changes: sorting thousands takes longer than seeing that.
  let sorted: { readonly from: readonly Question[]; readonly items: readonly Question[] } | undefined;
  const currentOnes = async (isWanted: (question: Question) => boolean) => {
    const { summaries, damaged } = current();
    if (sorted?.from !== summaries) sorted = { from: summaries, items: summaries.toSorted(byCreation) };
    return { items: sorted.items.filter(isWanted), damaged };
  };
  return {
    create: (question) =>
      questions.file(question.id).update((current) => {
        const stored = current ?? question;
        return { next: stored, result: stored };
      }),
    read: async (id) => questions.file(id).read(),
    update: async (id, update) =>
      questions.file(id).update((current) => {
        if (current) return update(current);
        throw new AgentXError('NOT_FOUND', `There is no question ${id}.`, { what: `question ${id}` });
      }),
    listOpen: () => currentOnes(({ status }) => status === 'open'),
    listUnsettled: () => currentOnes(({ unsettled }) => unsettled === true),
    async listOfIssue(issueNumber) {
      const { summaries, damaged } = places();
      const ids = summaries.flatMap((place) => (place.issueNumber === issueNumber ? place.id : []));
      return { items: ids.flatMap((id) => questions.file(id).readNow() ?? []).toSorted(byCreation), damaged };
    },
    async list() {
      const { items, damaged } = questions.list();
      return { items: items.toSorted(byCreation), damaged };
    },
  };
}

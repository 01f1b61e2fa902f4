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
  const questions = new JsonFolder<string, Question, boolean>(context, {
    folder: layout.questions,
    indexFile: join(layout.index, 'questions.json'),
    what: 'question',
    schema: Question,
    mode: 0o600,
    nameOf: (id) => `${parseQuestionId(id)}.json`,
    keyOf: (name) => /^(oq-[A-Za-z0-9_-]{1,64})\.json$/.exec(name)?.[1],
    keyIn: (question) => question.id,
    summary: { version: 1, of: (question) => question.status === 'open' },
  });
  const list = async (isWanted: (isOpen: boolean) => boolean) => {
    const { items, damaged } = questions.list(isWanted);
    return { items: items.toSorted(byCreation), damaged };
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
    listOpen: () => list((isOpen) => isOpen),
    list: () => list(() => true),
  };
}

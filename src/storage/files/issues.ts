import * as z from 'zod/mini';
import type { IssueStore } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { Issue, type IssueSummary, numbered, summaryOf } from '../../protocol/issue.js';
import { pageOf, positionOf } from '../../protocol/page.js';
import { privateKind } from './document-kind.js';
import type { FilesContext } from './files-context.js';
import { JsonFile } from './json-file.js';
import { JsonFolder, readEach, readPage } from './json-folder.js';

const IssueNumbers = z.looseObject({ last: z.int().check(z.gte(0)) });
type IssueNumbers = z.infer<typeof IssueNumbers>;

/** `issues/{N}.json`. The highest number ever given is kept apart, because files may be deleted. */
export function issueFiles(context: FilesContext): IssueStore {
  const issues = new JsonFolder<number, Issue>(context, {
    folder: context.layout.issues,
    what: 'issue',
    schema: Issue,
    mode: 0o666,
    nameOf: (number) => `${parseIssueNumber(number)}.json`,
    keyOf: (name) => (/^(?:0|[1-9]\d{0,14})\.json$/.test(name) ? Number.parseInt(name, 10) : undefined),
    keyIn: (issue) => issue.number,
  });
  const listUnfinished = issues.summaries<IssueSummary>({
    index: 'issues',
    version: 5,
    of: summaryOf,
    compare: (left, right) => left.number - right.number,
  });
  const kind = privateKind(IssueNumbers, 'The counter');
  const counter = new JsonFile<IssueNumbers>(context, kind, context.layout.issueNumbersFile);

  const count = (next: (last: number) => number): Promise<number> =>
    counter.update((current = { last: 0 }) => {
      const last = next(current.last);
      return { next: last === current.last ? current : { ...current, last }, result: last };
    });

  function nextNumber(): Promise<number> {
    const highest = issues.keys().reduce((max, number) => Math.max(max, number), 0);
    return count((last) => Math.max(last, highest) + 1);
  }

  return {
    async create(draft) {
      for (;;) {
        const issue = numbered(draft, await nextNumber());
        const storedIssue = await issues.update<Issue | undefined>(issue.number, (current) =>
          // Another program, which does not use the counter, may have put a file there meanwhile.
          current ? { next: current, result: undefined } : { next: issue, result: issue },
        );
        if (storedIssue) return storedIssue;
      }
    },
    read: (number) => issues.read(number),
    update: (number, update) =>
      issues.update(number, (current) => {
        if (current) return update(current);
        throw new AgentXError('NOT_FOUND', `There is no issue #${number}.`, { what: `issue #${number}` });
      }),
    async put(number, update) {
      if ((await issues.read(number)) === undefined) await count((last) => Math.max(last, number));
      return issues.update(number, update);
    },
    async list({ origin, ...paging } = {}) {
      const numbers = issues.keys().toSorted((a, b) => a - b);
      const position = (number: number) => positionOf.issue({ number });
      const readIssue = (number: number) => issues.file(number).readNow();
      if (origin === undefined) return readPage({ items: numbers, damaged: [] }, paging, { position, read: readIssue });
      const { items, damaged } = readEach(numbers, readIssue);
      const matching = items.filter((issue) => issue.origin === origin);
      return { ...pageOf(matching, paging, positionOf.issue), damaged };
    },
    async summaries(paging = {}) {
      return readPage(listUnfinished(), paging, { position: positionOf.issue, read: (summary) => summary });
    },
  };
}

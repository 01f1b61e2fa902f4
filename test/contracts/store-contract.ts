import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.js';
import { applyStatusEvent } from '../../src/protocol/agent-status.js';
import { type Assumption, transition as transitionAssumption } from '../../src/protocol/assumption.js';
import {
  type ClarificationRecord,
  nextClarificationId,
  noteSettled as noteRecordSettled,
  noteUnsettled,
} from '../../src/protocol/clarification.js';
import { transition } from '../../src/protocol/clarification-transition.js';
import type { QuestionFilter } from '../../src/protocol/question-filter.js';
import { noteSettled } from '../../src/protocol/question-notes.js';
import { summaryOf } from '../../src/protocol/question-summary.js';
import { transition as transitionQuestion } from '../../src/protocol/question-transition.js';
import { createRun, transition as transitionRun } from '../../src/protocol/run.js';
import { anAssumption } from '../builders/assumption.js';
import { AT, aClarification } from '../builders/clarification.js';
import { anIssue } from '../builders/issue.js';
import { aQuestion } from '../builders/question.js';

/** What every store promises. `open` returns a new, empty one. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: ledgers`, () => {
    it('gives an empty ledger to an issue that has none', async () => {
      const { ledgers } = await open();
      expect(await ledgers.read(42)).toEqual({ issueNumber: 42, clarifications: [] });
    });

    it('keeps what an update made and returns its result', async () => {
      const { ledgers } = await open();
      const id = await ask({ ledgers }, 42);
      expect(id).toBe('CLR-42-001');
      expect((await ledgers.read(42)).clarifications).toEqual([aClarification({ id })]);
    });

    it('numbers clarifications without gaps or repeats when many ask at once', async () => {
      const { ledgers } = await open();
      const ids = await Promise.all(Array.from({ length: 50 }, () => ask({ ledgers }, 42)));
      expect(new Set(ids).size).toBe(50);
      expect((await ledgers.read(42)).clarifications.map(({ id }) => id)).toEqual(ids.toSorted());
    });

    it('keeps the ledgers of different issues apart [US-1.1/10]', async () => {
      const { ledgers } = await open();
      await Promise.all([ask({ ledgers }, 1), ask({ ledgers }, 2), ask({ ledgers }, 0)]);
      expect((await ledgers.read(1)).clarifications.map(({ id }) => id)).toEqual(['CLR-1-001']);
      expect((await ledgers.read(0)).clarifications.map(({ id }) => id)).toEqual(['CLR-0-001']);
    });

    it('refuses numbers that are no issue numbers [US-1.1/17]', async () => {
      const { ledgers } = await open();
      for (const number of [-1, 1.5, Number.NaN, 2 ** 53]) {
        await expect(async () => ask({ ledgers }, number)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
      expect((await ledgers.list({ active: true })).items).toEqual([]);
    });

    it('lets an update that throws fail alone', async () => {
      const { ledgers } = await open();
      const good = [ask({ ledgers }, 42), ask({ ledgers }, 42)];
      const bad = ledgers.update(42, () => {
        throw new Error('no');
      });
      good.push(ask({ ledgers }, 42));
      await expect(bad).rejects.toThrow('no');
      expect(await Promise.all(good)).toEqual(['CLR-42-001', 'CLR-42-002', 'CLR-42-003']);
    });

    it.each([
      ['added', 'CLR-42-001', 2],
      ['changed', 'CLR-42-002', 0],
      ['of another issue', 'CLR-7-003', 2],
    ])('refuses an id that is used already, or not to be used here: %s', async (_how, id, place) => {
      const { ledgers } = await open();
      for (let count = 0; count < 2; count++) await ask({ ledgers }, 42);
      const before = await ledgers.read(42);
      const invalid = ledgers.update(42, (ledger) => {
        const clarifications = ledger.clarifications.toSpliced(place, 1, aClarification({ id }));
        return { next: { ...ledger, clarifications }, result: undefined };
      });
      await expect(invalid).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      expect(await ledgers.read(42)).toEqual(before);
    });

    it.each([
      ['changed', 0],
      ['added', 1],
    ])('refuses what does not fit among what was said, where it is %s', async (_how, place) => {
      const { ledgers } = await open();
      await ask({ ledgers }, 42);
      const before = await ledgers.read(42);
      const invalid = ledgers.update(42, (ledger) => {
        const clarifications = ledger.clarifications.map((record) => ({
          ...record,
          thread: record.thread.toSpliced(place, 1, { ...firstEntry(), round: 0 }),
        }));
        return { next: { ...ledger, clarifications }, result: undefined };
      });
      await expect(invalid).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      expect(await ledgers.read(42)).toEqual(before);
    });

    it('keeps fields that it does not know through a read and a write', async () => {
      const { ledgers } = await open();
      await ledgers.update(42, (ledger) => {
        const record = { ...aClarification(), mood: 'curious', thread: [{ ...firstEntry(), emoji: ':)' }] };
        return { next: { ...ledger, clarifications: [record], $schema: 'other' }, result: undefined };
      });
      await ask({ ledgers }, 42);
      const ledger = await ledgers.read(42);
      expect(ledger).toMatchObject({ $schema: 'other' });
      expect(ledger.clarifications[0]).toMatchObject({ mood: 'curious', thread: [{ emoji: ':)' }] });
    });

    it('lists what is active over all issues, by issue number, and nothing else [US-1.1/14]', async () => {
      const { ledgers } = await open();
      await ask({ ledgers }, 100);
      await ask({ ledgers }, 7);
      const id = await ask({ ledgers }, 8);
      await ledgers.update(8, (ledger) => {
        return { next: { ...ledger, clarifications: ledger.clarifications.map(resolved) }, result: undefined };
      });
      const { items, damaged } = await ledgers.list({ active: true });
      expect(items.map(({ record }) => record.id)).toEqual(['CLR-7-001', 'CLR-100-001']);
      expect(items.map(({ issueNumber }) => issueNumber)).toEqual([7, 100]);
      expect(id).toBe('CLR-8-001');
      expect(damaged).toEqual([]);
    });

    it('lists with the active records those from whose end something still follows', async () => {
      const { ledgers } = await open();
      for (const number of [7, 8, 9]) await ask({ ledgers }, number);
      const end = (issueNumber: number, then: (record: ClarificationRecord) => ClarificationRecord) =>
        ledgers.update(issueNumber, (ledger) => {
          const clarifications = ledger.clarifications.map((record) => then(resolved(record)));
          return { next: { ...ledger, clarifications }, result: undefined };
        });
      await end(8, noteUnsettled);
      await end(9, (record) => record);
      const unfinished = async () =>
        (await ledgers.list({ unfinished: true })).items.map(({ issueNumber, record }) => [issueNumber, record.status]);
      expect(await unfinished()).toEqual([
        [7, 'pending'],
        [8, 'resolved'],
      ]);
      expect((await ledgers.list({ active: true })).items.map(({ issueNumber }) => issueNumber)).toEqual([7]);
      await ledgers.update(8, (ledger) => ({
        next: { ...ledger, clarifications: ledger.clarifications.map(noteRecordSettled) },
        result: undefined,
      }));
      expect(await unfinished()).toEqual([[7, 'pending']]);
    });

    it('lists records a page at a time', async () => {
      const { ledgers } = await open();
      for (const number of [100, 9, 9, 9, 10]) await ask({ ledgers }, number);
      for (const filter of [{}, { active: true }] as const) {
        const ids: string[] = [];
        for (let after: string | undefined; ; ) {
          const { items, next } = await ledgers.list({ ...filter, after, limit: 2 });
          ids.push(...items.map(({ record }) => record.id));
          if (next === undefined) break;
          after = next;
        }
        expect(ids).toEqual(['CLR-9-001', 'CLR-9-002', 'CLR-9-003', 'CLR-10-001', 'CLR-100-001']);
      }
    });

    it('lists closed records too, by issue number, whether or not there is an issue', async () => {
      const { ledgers, issues } = await open();
      expect(await ledgers.list()).toEqual({ items: [], damaged: [] });
      for (const number of [100, 0, 8]) await ask({ ledgers }, number);
      await ledgers.update(8, (ledger) => {
        const clarifications = ledger.clarifications.map(
          (record) => transition(record, { type: 'abandon', at: AT }).record,
        );
        return { next: { ...ledger, clarifications }, result: undefined };
      });
      await ledgers.update(9, (ledger) => ({ next: { ...ledger }, result: undefined }));
      const { items } = await ledgers.list();
      expect((await issues.list()).items).toEqual([]);
      expect(items.map(({ issueNumber }) => issueNumber)).toEqual([0, 8, 100]);
      expect(items[1]).toMatchObject({ issueNumber: 8, record: { id: 'CLR-8-001', status: 'abandoned' } });
    });
  });

  describe(`${name}: agent statuses`, () => {
    it('starts with none and keeps those of all agents [US-3.1/1]', async () => {
      const { statuses } = await open();
      expect(await statuses.read()).toEqual({});
      const entry = {
        status: 'blocked-clarification',
        issue: 42,
        lastActivity: AT,
        clarificationId: 'CLR-42-001',
        waitingOn: 'architect',
        respondingTo: null,
      } as const;
      await Promise.all(
        ['engineer', 'tester'].map((agent) =>
          statuses.update([agent], () => ({ next: { [agent]: entry }, result: undefined })),
        ),
      );
      expect(await statuses.read()).toEqual({ engineer: entry, tester: entry });
    });

    it('gives an update the agents that it names, and changes no other', async () => {
      const { statuses } = await open();
      const entry = applyStatusEvent(undefined, { type: 'assign', issue: 1, at: AT });
      const all = { engineer: entry, tester: entry, architect: entry };
      await statuses.update(Object.keys(all), () => ({ next: all, result: undefined }));
      const done = applyStatusEvent(entry, { type: 'complete', issue: 1, at: AT });
      const result = await statuses.update(['tester', 'coder', 'engineer'], (entries) => ({
        next: { tester: done, coder: done, architect: done },
        result: entries,
      }));
      expect(result).toEqual({ engineer: entry, tester: entry });
      expect(await statuses.read()).toEqual({ engineer: entry, tester: done, coder: done, architect: entry });
    });
  });

  describe(`${name}: questions`, () => {
    it('keeps the first of two questions with one id', async () => {
      const { questions } = await open();
      const question = aQuestion({ projectId: 'first' });
      const first = await questions.create(question);
      expect(first).toBe(question);
      const second = await questions.create(aQuestion({ projectId: 'second' }));
      expect([first.projectId, second.projectId]).toEqual(['first', 'first']);
    });

    it('knows no question that was not asked', async () => {
      const { questions } = await open();
      expect(await questions.read('oq-00000000')).toBeUndefined();
      const update = questions.update('oq-00000000', (question) => ({ next: question, result: undefined }));
      await expect(update).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await questions.list()).items).toEqual([]);
    });

    it('refuses ids that would lead out of its folder', async () => {
      const { questions } = await open();
      for (const id of ['../oq-1', 'oq-1/../../x', 'oq-', 'oq-\0']) {
        await expect(async () => questions.read(id)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
    });

    it('lets exactly one of two simultaneous answers win and tells the other', async () => {
      const { questions } = await open();
      const { id, revision } = await questions.create(aQuestion());
      const answers = ['a', 'b'].map((option) =>
        questions.update(id, (question) => {
          const { question: next } = transitionQuestion(question, {
            type: 'answer',
            at: AT,
            by: { principal: option, channel: 'cli' },
            revision,
            responses: [{ questionId: 'q1', optionIds: [option] }],
          });
          return { next, result: option };
        }),
      );
      const outcomes = await Promise.allSettled(answers);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
      expect(await questions.read(id)).toMatchObject({ status: 'resolved', outcome: 'answered', revision: 2 });
    });

    it('lists open ones oldest first, and all of them on request', async () => {
      const { questions } = await open();
      const at = (minute: number) => `2026-02-26T10:0${minute}:00.000Z`;
      await questions.create(aQuestion({ id: 'oq-new', createdAt: at(3) }));
      await questions.create(aQuestion({ id: 'oq-old', createdAt: at(1) }));
      await questions.create(aQuestion({ id: 'oq-done', createdAt: at(2), status: 'resolved', outcome: 'dismissed' }));
      expect((await questions.list({ status: 'open' })).items.map(({ id }) => id)).toEqual(['oq-old', 'oq-new']);
      expect((await questions.list()).items.map(({ id }) => id)).toEqual(['oq-old', 'oq-done', 'oq-new']);
      expect(await questions.list({ status: 'open', limit: 1 })).toMatchObject({ items: [{ id: 'oq-old' }], total: 2 });
      expect(await questions.list({ limit: 1 })).toMatchObject({ items: [{ id: 'oq-old' }], total: 3 });
    });

    it('lists what a list shows of those that are open, in the same order', async () => {
      const { questions } = await open();
      const at = (minute: number) => `2026-02-26T10:0${minute}:00.000Z`;
      const fallback = { optionId: 'a', reasoning: 'It is the cheaper one.' };
      const expiring = aQuestion({ id: 'oq-new', createdAt: at(3), expiresAt: at(9), fallback, blocksTask: true });
      const ended = aQuestion({ id: 'oq-done', status: 'resolved', outcome: 'answered', unsettled: true });
      for (const question of [expiring, ended, aQuestion({ id: 'oq-old', createdAt: at(1) })]) {
        await questions.create(question);
      }
      const { items } = await questions.list({ status: 'open' });
      expect(items.map(({ id }) => id)).toEqual(['oq-old', 'oq-new']);
      expect(await questions.summaries({ status: 'open' })).toEqual({ items: items.map(summaryOf), damaged: [] });
      expect(items.map(summaryOf)[1]).toMatchObject({
        agent: expiring.askedBy.agent,
        title: expiring.questions[0]?.text,
        expiresAt: at(9),
        fallback: { optionId: 'a' },
        blocksTask: true,
      });
      await questions.update('oq-old', (question) => ({ next: { ...question, blocking: false }, result: undefined }));
      expect((await questions.summaries({ status: 'open' })).items[0]).toMatchObject({ id: 'oq-old', blocking: false });
    });

    it('are listed and counted by what holds for them, a page at a time', async () => {
      const { questions } = await open();
      const at = (minute: number) => `2026-02-26T10:0${minute}:00.000Z`;
      const done = { status: 'resolved', outcome: 'answered' } as const;
      await questions.create(aQuestion({ id: 'oq-e', issueNumber: 7, createdAt: at(3) }));
      await questions.create(aQuestion({ id: 'oq-d', issueNumber: 7, createdAt: at(1) }));
      await questions.create(aQuestion({ id: 'oq-c', issueNumber: 8, createdAt: at(1) }));
      await questions.create(aQuestion({ id: 'oq-b', issueNumber: 7, createdAt: at(2), ...done }));
      await questions.create(aQuestion({ id: 'oq-a', issueNumber: 8, createdAt: at(4), ...done, unsettled: true }));
      const filters: readonly [QuestionFilter, readonly string[]][] = [
        [{}, ['oq-c', 'oq-d', 'oq-b', 'oq-e', 'oq-a']],
        [{ status: 'open' }, ['oq-c', 'oq-d', 'oq-e']],
        [{ status: 'resolved' }, ['oq-b', 'oq-a']],
        [{ status: 'open', issue: 7 }, ['oq-d', 'oq-e']],
        [{ unsettled: true }, ['oq-a']],
        [{ issue: 8, unsettled: true, status: 'open' }, []],
        [{ issue: 7, idFrom: 'OQ-B' }, ['oq-b']],
      ];
      for (const [filter, ids] of filters) {
        const pages = async (list: 'list' | 'summaries', limit: number) => {
          const ids: string[] = [];
          for (let after: string | undefined; ; ) {
            const { items, next, damaged } = await questions[list]({ ...filter, after, limit });
            ids.push(...items.map(({ id }) => id));
            expect(damaged).toEqual([]);
            expect(items.length).toBeLessThanOrEqual(limit);
            if (next === undefined) return ids;
            after = next;
          }
        };
        for (const limit of [1, 2, 5]) {
          expect(await pages('list', limit)).toEqual(ids);
          expect(await pages('summaries', limit)).toEqual(ids);
        }
        expect((await questions.list(filter)).items.map(({ id }) => id)).toEqual(ids);
        expect(await questions.ids(filter)).toEqual(ids.toSorted());
        expect((await questions.list({ ...filter, limit: 1 })).total).toBe(ids.length);
      }
    });

    it('neither repeat nor skip one when another ends between two pages', async () => {
      const { questions } = await open();
      for (const id of ['oq-a', 'oq-b', 'oq-c', 'oq-d']) await questions.create(aQuestion({ id }));
      const first = await questions.list({ status: 'open', limit: 2 });
      await questions.update('oq-b', (question) => ({
        next: { ...question, status: 'resolved' as const, outcome: 'answered' as const },
        result: undefined,
      }));
      const second = await questions.list({ status: 'open', limit: 2, after: first.next });
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['oq-a', 'oq-b', 'oq-c', 'oq-d']);
      expect(second.next).toBeUndefined();
    });

    it('are found by how their ids begin, in upper or lower case, the ended ones too', async () => {
      const { questions } = await open();
      for (const id of ['oq-ab2', 'oq-b', 'oq-Ab1']) await questions.create(aQuestion({ id }));
      await questions.create(aQuestion({ id: 'oq-abc', status: 'resolved', outcome: 'answered' }));
      expect(await questions.ids({ idFrom: 'oq-AB' })).toEqual(['oq-Ab1', 'oq-ab2', 'oq-abc']);
      expect(await questions.ids({ idFrom: 'oq-' })).toHaveLength(4);
      expect(await questions.ids({ idFrom: 'oq-c' })).toEqual([]);
    });
  });

  describe(`${name}: questions that are not settled, or of one issue`, () => {
    it('lists those from whose end something follows, until that is done', async () => {
      const { questions } = await open();
      await questions.create(aQuestion({ id: 'oq-open' }));
      await questions.create(aQuestion({ id: 'oq-old', status: 'resolved', outcome: 'answered' }));
      await questions.create(aQuestion({ id: 'oq-new', status: 'resolved', outcome: 'answered', unsettled: true }));
      expect((await questions.list({ unsettled: true })).items.map(({ id }) => id)).toEqual(['oq-new']);
      expect((await questions.list({ status: 'open' })).items.map(({ id }) => id)).toEqual(['oq-open']);
      await questions.update('oq-new', (question) => ({ next: noteSettled(question), result: undefined }));
      expect(await questions.list({ unsettled: true })).toEqual({ items: [], damaged: [], total: 0 });
    });

    it('lists all of one issue, oldest first', async () => {
      const { questions } = await open();
      const at = (minute: number) => `2026-02-26T10:0${minute}:00.000Z`;
      await questions.create(aQuestion({ id: 'oq-b', issueNumber: 7, createdAt: at(2) }));
      await questions.create(aQuestion({ id: 'oq-other', issueNumber: 8, createdAt: at(1) }));
      await questions.create(
        aQuestion({ id: 'oq-a', issueNumber: 7, createdAt: at(1), status: 'resolved', outcome: 'declined' }),
      );
      expect((await questions.list({ issue: 7 })).items.map(({ id }) => id)).toEqual(['oq-a', 'oq-b']);
      expect((await questions.list({ issue: 9 })).items).toEqual([]);
    });
  });

  describe(`${name}: planning`, () => {
    it('keeps the state of each session [PM-7/1]', async () => {
      const { orchestrator } = await open();
      expect(await orchestrator.read()).toEqual({ sessions: {} });
      const session = { clarification_pending: true, clarification_requested_at: AT, phase: 'awaiting_clarification' };
      await Promise.all(
        ['run-1-aa', 'run-2-bb'].map((id) =>
          orchestrator.update((state) => ({
            next: { ...state, sessions: { ...state.sessions, [id]: session } },
            result: undefined,
          })),
        ),
      );
      expect(await orchestrator.read()).toEqual({ sessions: { 'run-1-aa': session, 'run-2-bb': session } });
    });

    it('logs interactions in order, each id once [PM-7/3] [PM-7/4]', async () => {
      const { interactions } = await open();
      expect(await interactions.list()).toEqual({ items: [], damaged: [] });
      const pending = {
        request_type: 'pm_clarification',
        status: 'pending',
        content: 'Which?\nline 2',
        id: 'oq-1/pending',
      } as const;
      const ended = { ...pending, status: 'timeout', user_response: 'a', resolved_at: AT, id: 'oq-1/end' } as const;
      await interactions.append(pending);
      await Promise.all([interactions.append(ended), interactions.append(ended), interactions.append(pending)]);
      await interactions.append({ request_type: 'other', status: 'resolved', content: '' });
      const { items, damaged } = await interactions.list();
      expect(items).toEqual([pending, ended, { request_type: 'other', status: 'resolved', content: '' }]);
      expect(damaged).toEqual([]);
    });

    it('lists interactions in filtered pages that neither repeat nor skip', async () => {
      const { interactions } = await open();
      const log = Array.from({ length: 5 }, (_, n) => ({
        request_type: 'pm_clarification',
        status: n % 2 === 0 ? ('pending' as const) : ('resolved' as const),
        content: `line ${n}`,
        question_id: `oq-${Math.floor(n / 2)}`,
      }));
      for (const line of log) await interactions.append(line);
      expect((await interactions.list({ question: 'oq-1' })).items).toEqual([log[2], log[3]]);
      const first = await interactions.list({ status: 'pending', limit: 2 });
      expect(first.items).toEqual([log[0], log[2]]);
      await interactions.append({ ...log[0], content: 'later', status: 'pending', request_type: 'other' });
      const second = await interactions.list({ status: 'pending', limit: 2, after: first.next });
      expect(second.items).toEqual([log[4], { ...log[0], content: 'later', request_type: 'other' }]);
      expect(second.next).toBeUndefined();
      expect((await interactions.list({ question: 'oq-9' })).items).toEqual([]);
    });

    it("keeps a task's settings", async () => {
      const { tasks } = await open();
      expect(await tasks.readConfig(7)).toBeUndefined();
      const level = 'requires_approval' as const;
      const hilConfig = { scopeChanges: level, architectureDecisions: level, dependencyModifications: level };
      await tasks.writeConfig(7, { taskId: '7', hilConfig });
      expect(await tasks.readConfig(7)).toEqual({ taskId: '7', hilConfig });
      await expect(async () => tasks.readConfig(-1)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    });
  });

  describe(`${name}: assumptions`, () => {
    it('keeps them per issue and lists them all', async () => {
      const { assumptions } = await open();
      expect(await assumptions.read(42)).toEqual({ issueNumber: 42, assumptions_made: [] });
      for (const [issueNumber, id] of [[42, 'ASM-42-001'] as const, [7, 'ASM-7-001'] as const]) {
        await assumptions.update(issueNumber, (file) => {
          const assumptions_made = [...file.assumptions_made, anAssumption({ id, issueNumber })];
          return { next: { ...file, assumptions_made }, result: undefined };
        });
      }
      await assumptions.update(7, (file) => {
        const assumptions_made = file.assumptions_made.map((assumption) =>
          transitionAssumption(assumption, { type: 'confirm', at: AT, by: 'ada' }),
        );
        return { next: { ...file, assumptions_made }, result: undefined };
      });
      const { items } = await assumptions.list();
      expect(items.map(({ id, status }) => [id, status])).toEqual([
        ['ASM-7-001', 'confirmed'],
        ['ASM-42-001', 'standing'],
      ]);
      expect(await assumptions.list({ status: 'standing' })).toMatchObject({ items: [{ id: 'ASM-42-001' }], total: 1 });
      const first = await assumptions.list({ limit: 1 });
      expect(first).toMatchObject({ items: [{ id: 'ASM-7-001' }], total: 2, next: expect.any(String) });
      const second = await assumptions.list({ limit: 1, after: first.next });
      expect(second.items).toMatchObject([{ id: 'ASM-42-001' }]);
      expect(second.next).toBeUndefined();
    });

    it('lists those whose verdict is not remembered yet', async () => {
      const { assumptions } = await open();
      const unsettled = async () => (await assumptions.list({ unsettled: true })).items.map(({ id }) => id);
      expect(await unsettled()).toEqual([]);
      const settled = anAssumption({ id: 'ASM-7-001', issueNumber: 7 });
      const verdict = { ...anAssumption({ id: 'ASM-7-002', issueNumber: 7 }), unsettled: true };
      const write = (assumptions_made: readonly Assumption[]) =>
        assumptions.update(7, (file) => ({ next: { ...file, assumptions_made }, result: undefined }));
      await write([settled, verdict]);
      expect(await unsettled()).toEqual(['ASM-7-002']);
      await write([settled, { ...settled, id: 'ASM-7-002' }]);
      expect(await unsettled()).toEqual([]);
    });
  });

  describe(`${name}: issues`, () => {
    it('numbers issues from 1, also when many are created at once', async () => {
      const { issues } = await open();
      const created = await Promise.all(
        Array.from({ length: 20 }, (_, index) => issues.create(anIssue({ title: `Issue ${index}` }))),
      );
      expect(created.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
      const { items } = await issues.list();
      expect(items).toEqual(created.toSorted((a, b) => a.number - b.number));
    });

    it('lists what is unfinished with what a queue shows of it', async () => {
      const { issues } = await open();
      const drafts = [
        { title: 'Free', labels: ['priority:p1'], body: 'Blocks: #3' },
        { state: 'closed' as const },
        { title: 'Held up', taskStatus: 'blocked' as const, block_reason: 'Open Question', body: 'Blocked-by: #1, #2' },
        { taskStatus: 'done' as const },
      ];
      for (const draft of drafts) await issues.create(anIssue({ labels: [], ...draft }));
      const free = {
        number: 1,
        title: 'Free',
        labels: ['priority:p1'],
        taskStatus: 'open',
        block_reason: null,
        blocks: [3],
      };
      const heldUp = {
        number: 3,
        title: 'Held up',
        labels: [],
        taskStatus: 'blocked',
        block_reason: 'Open Question',
        blockedBy: [1, 2],
      };
      expect(await issues.summaries()).toEqual({ items: [free, heldUp], damaged: [] });
      await issues.update(1, (issue) => ({ next: { ...issue, taskStatus: 'done' as const }, result: undefined }));
      expect((await issues.summaries()).items).toEqual([heldUp]);
    });

    it('lists a page at a time, and by its cause', async () => {
      const { issues } = await open();
      for (let count = 1; count <= 12; count++)
        await issues.create(anIssue(count === 11 ? { origin: 'its cause' } : {}));
      const first = await issues.list({ limit: 9 });
      expect(first.items.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      const second = await issues.list({ limit: 9, after: first.next });
      expect(second.items.map(({ number }) => number)).toEqual([10, 11, 12]);
      expect(second.next).toBeUndefined();
      expect((await issues.summaries({ limit: 9, after: first.next })).items).toHaveLength(3);
      expect((await issues.list({ origin: 'its cause' })).items.map(({ number }) => number)).toEqual([11]);
    });

    it('changes an issue, and knows none that was not created', async () => {
      const { issues } = await open();
      const { number } = await issues.create(anIssue());
      const close = (n: number) =>
        issues.update(n, (issue) => ({ next: { ...issue, state: 'closed' as const }, result: issue.title }));
      expect(await close(number)).toBe(anIssue().title);
      expect(await issues.read(number)).toMatchObject({ state: 'closed' });
      expect(await issues.read(99)).toBeUndefined();
      await expect(close(99)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe(`${name}: runs`, () => {
    it('keeps the latest run of each issue', async () => {
      const { runs } = await open();
      expect(await runs.read(42)).toBeUndefined();
      const created = createRun({ id: 'run-42-1', issueNumber: 42, workflow: 'feature', at: AT });
      await runs.update(42, (current) => ({ next: current ?? created, result: undefined }));
      await runs.update(42, (current) => {
        const next = transitionRun(current ?? created, { type: 'start', at: AT });
        return { next, result: undefined };
      });
      const run = transitionRun(created, { type: 'start', at: AT });
      expect((await runs.list()).items).toEqual([{ run, isCarried: false }]);
    });
  });
}

function resolved(record: ClarificationRecord): ClarificationRecord {
  const answered = transition(record, { type: 'answer', at: AT, by: 'architect', body: 'SQLite.' }).record;
  return transition(answered, { type: 'resolve', at: AT, by: 'engineer', body: 'Clear.' }).record;
}

async function ask({ ledgers }: Pick<Store, 'ledgers'>, issueNumber: number): Promise<string> {
  return ledgers.update(issueNumber, (ledger) => {
    const id = nextClarificationId(ledger);
    const clarifications = [...ledger.clarifications, aClarification({ id })];
    return { next: { ...ledger, clarifications }, result: id };
  });
}

const firstEntry = () => ({ round: 1, from: 'engineer', type: 'question', body: 'Which?', timestamp: AT }) as const;

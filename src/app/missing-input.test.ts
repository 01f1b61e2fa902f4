import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { App } from './app.js';
import { createApp } from './create-app.js';
import { initFolder } from './init.js';

/** From plain JavaScript, where no type says what is required. */
const CALLS: Readonly<Record<string, (app: App, request: string) => Promise<unknown>>> = {
  ask: (app, json) => app.ask(JSON.parse(json)),
  openAsk: (app, json) => app.openAsk(JSON.parse(json)),
  route: (app, json) => app.route(JSON.parse(json)),
  followUp: (app, json) => app.followUp(JSON.parse(json)),
  openFollowUp: (app, json) => app.openFollowUp(JSON.parse(json)),
  answer: (app, json) => app.answer(JSON.parse(json)),
  resolve: (app, json) => app.resolve(JSON.parse(json)),
  escalate: (app, json) => app.escalate(JSON.parse(json)),
  run: (app, json) => app.run(JSON.parse(json)),
  showQuestion: (app, json) => app.showQuestion(JSON.parse(json)),
  question: (app, json) => app.question(JSON.parse(json)),
  showClarification: (app, json) => app.showClarification(JSON.parse(json)),
  ledger: (app, json) => app.ledger(JSON.parse(json)),
  issue: (app, json) => app.issue(JSON.parse(json)),
  latestRun: (app, json) => app.latestRun(JSON.parse(json)),
  artifacts: (app, json) => app.artifacts(JSON.parse(json)),
  unfinishedRun: (app, json) => app.unfinishedRun(JSON.parse(json)),
  answeredBefore: (app, json) => app.answeredBefore(JSON.parse(json)),
  answerQuestion: (app, json) => app.answerQuestion(JSON.parse(json)),
  declineQuestion: (app, json) => app.declineQuestion(JSON.parse(json)),
  dismissQuestion: (app, json) => app.dismissQuestion(JSON.parse(json)),
  whoWaitsFor: (app, json) => app.whoWaitsFor(JSON.parse(json)),
  askHumans: (app, json) => app.askHumans(JSON.parse(json)),
  snooze: (app, json) => app.snooze(JSON.parse(json)),
  keepAlive: (app, json) => app.keepAlive(JSON.parse(json)),
  confirmAssumption: (app, json) => app.confirmAssumption(JSON.parse(json)),
  rejectAssumption: (app, json) => app.rejectAssumption(JSON.parse(json)),
  createIssue: (app, json) => app.createIssue(JSON.parse(json)),
  commentIssue: (app, json) => app.commentIssue(JSON.parse(json)),
  closeIssue: (app, json) => app.closeIssue(JSON.parse(json)),
  reopenIssue: (app, json) => app.reopenIssue(JSON.parse(json)),
  setStatus: (app, json) => app.setStatus(JSON.parse(json)),
  startWork: (app, json) => app.startWork(JSON.parse(json)),
  finishWork: (app, json) => app.finishWork(JSON.parse(json)),
  recordAssumption: (app, json) => app.recordAssumption(JSON.parse(json)),
  noteHeard: (app, json) => app.noteHeard(JSON.parse(json)),
  'memory, add': async (app, json) => (await app.memory()).add(JSON.parse(json)),
  'memory, recall': async (app, json) => (await app.memory()).recall(JSON.parse(json)),
};

it('tells who calls without what a call is about', async () => {
  const repository = join(temporaryFolder(), 'shop');
  mkdirSync(repository);
  const app = createApp({ root: initFolder({ repository }).root });
  for (const [name, call] of Object.entries(CALLS)) {
    for (const request of ['{}', 'null', '-7', '{"id":7,"clarificationId":7,"issueNumber":-1,"agent":7,"number":-1}']) {
      await expect(call(app, request), `${name}(${request})`).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  }
});

/** Everything here may be left out, but not be something else. */
const OPTIONS: Readonly<Record<string, (app: App, options: string) => Promise<unknown>>> = {
  digest: (app, json) => app.digest(JSON.parse(json)),
  countWeek: (app, json) => app.countWeek(JSON.parse(json)),
  metrics: (app, json) => app.metrics(JSON.parse(json)),
  doctor: (app, json) => app.doctor(JSON.parse(json)),
  contextBudget: (app, json) => app.contextBudget(JSON.parse(json)),
  runCheck: (app, json) => app.runCheck(JSON.parse(json)),
  issues: (app, json) => app.issues(JSON.parse(json)),
  questions: (app, json) => app.questions('all', JSON.parse(json)),
  clarifications: (app, json) => app.clarifications('all', JSON.parse(json)),
  assumptions: (app, json) => app.assumptions(42, JSON.parse(json)),
  readyQueue: (app, json) => app.readyQueue(JSON.parse(json)),
  readySummaries: (app, json) => app.readySummaries(JSON.parse(json)),
  findId: (app, json) => app.findId(JSON.parse(json), 'oq-1'),
  syncGitHub: (app, json) => app.syncGitHub(JSON.parse(json)),
  'memory, search': async (app, json) => (await app.memory()).search(JSON.parse(json)),
  'memory, list': async (app, json) => (await app.memory()).list(JSON.parse(json)),
};

/** They take nothing that could be missing, or a word of their own. */
const WITHOUT_REQUEST = [
  'root clock bus log config agents role memory close watch pageUrl pageFiles programs approvePrograms noteServer',
  'serverToken mcpSecret isSpent spend completeInbox whoIsAtWhat unfinishedRuns unfinishedIssues statuses runs branches',
  'hasChannels settingsProblem notices tellNews questionSummaries questionIds',
  'keepInStep isSyncDue copyState unsent drafts requireServed requireWritable',
  // Only in GitHub mode.
  'takeDelivery postDigest digestDiscussion discardDraft',
].flatMap((line) => line.split(' '));

it('is asked of every member of an app', () => {
  const repository = join(temporaryFolder(), 'shop');
  mkdirSync(repository);
  const members = Object.keys(createApp({ root: initFolder({ repository }).root }));
  const calledNames = [...Object.keys(CALLS), ...Object.keys(OPTIONS), ...WITHOUT_REQUEST];
  expect(members.filter((name) => !calledNames.includes(name))).toEqual([]);
});

it('takes no options that are none', async () => {
  const repository = join(temporaryFolder(), 'shop');
  mkdirSync(repository);
  const app = createApp({ root: initFolder({ repository }).root });
  for (const [name, call] of Object.entries(OPTIONS)) {
    for (const options of ['null', '7', '"x"']) {
      await expect(call(app, options), `${name}(${options})`).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  }
  for (const week of ['7', 'null', '{}', '"2026-W99"']) {
    await expect(app.digest(JSON.parse(`{"week":${week}}`))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  expect(existsSync(join(repository, '.agentx/digests'))).toBe(false);
});

it('takes null for an option of an app that is left out', async () => {
  const { root } = initFolder({ repository: temporaryFolder() });
  const nothing = '"env":null,"runners":null,"store":null,"clock":null,"editor":null,"outer":null';
  const app = createApp(JSON.parse(`{"root":${JSON.stringify(root)},${nothing}}`));
  expect(await app.createIssue({ title: 'Health endpoint' })).toMatchObject({ number: 1 });
  expect(await app.agents()).toContain('engineer');
  await app.close();
});

it('takes nothing that is of another kind than it says', async () => {
  const repository = join(temporaryFolder(), 'shop');
  mkdirSync(repository);
  const { root } = initFolder({ repository });
  for (const options of ['null', '7', '"x"', '{}', '[]', '{"root":7}', '{"root":null}', '{"root":""}']) {
    expect(() => createApp(JSON.parse(options)), options).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  }
  const app = createApp({ root });
  await app.createIssue({ title: 'Health endpoint' });
  const wrong: Readonly<Record<string, readonly [keyof typeof CALLS, string]>> = {
    'labels that are no list': ['createIssue', '{"title":"t","labels":7}'],
    'a body that is no text': ['createIssue', '{"title":"t","body":{}}'],
    'a question that asks nothing': ['askHumans', '{"issueNumber":1,"agent":"engineer"}'],
    'a signal that is none': ['run', '{"issueNumber":1,"signal":7}'],
    'nothing to remember': ['memory, add', '{"issueNumber":1,"agent":"engineer"}'],
    'a draft that is none': ['memory, add', '{"issueNumber":1,"agent":"engineer","drafts":[7]}'],
    'a draft without words': ['memory, add', '{"issueNumber":1,"agent":"engineer","drafts":[{"category":"decision"}]}'],
  };
  for (const [name, [call, request]] of Object.entries(wrong)) {
    await expect(CALLS[call]?.(app, request), name).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  expect(await (await app.memory()).capture(JSON.parse('null'))).toMatchObject({
    skipped: expect.stringContaining('missing'),
  });
  // What no template can show, either.
  const unspeakable: readonly (object | symbol)[] = [Object.create(null), Symbol('id')];
  for (const value of unspeakable) {
    const id: unknown = value;
    for (const call of [
      app.ledger,
      app.role,
      app.showQuestion,
      app.showClarification,
      app.route,
      (await app.memory()).show,
    ]) {
      await expect(Reflect.apply(call, await app.memory(), [id])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    await expect(Reflect.apply(app.findId, app, [id, 'oq-1'])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const kind of ['question', 'clarification', 'assumption', 'observation'])
      await expect(Reflect.apply(app.findId, app, [kind, id])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
});

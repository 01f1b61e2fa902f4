import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { commentDelivery } from '../../test/github/delivery.js';
import { type FakeGithub, TOKEN } from '../../test/github/fake-github.js';
import { type Comment, Repository } from '../../test/github/repository.js';
import { startFakeGithub } from '../../test/github/start.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import type { App } from '../app/app.js';
import { createApp } from '../app/create-app.js';
import { keptDraftOf } from '../protocol/github.js';
import { openClient } from './client.js';

const CONFIG = `mode = "github"
project = "shop"
[github]
repo = "octocat/shop"
mention = ["octocat"]
[clarify]
retry_seconds = 0
[agents.architect]
runner = "human"
`;

interface Project {
  readonly github: FakeGithub;
  readonly app: App;
  readonly root: string;
}

async function aProject(answer = 'Use SQLite in development.'): Promise<Project> {
  const github = await startFakeGithub();
  github.repository.createIssue({ title: 'Health endpoint', labels: ['type:story', 'priority:p1'] });
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  writeFileSync(join(root, 'config.toml'), CONFIG.replace('[agents.architect]\nrunner = "human"\n', ''));
  const app = createApp({
    root,
    env: { GITHUB_TOKEN: TOKEN, AGENTX_GITHUB_URL: github.url, AGENTX_GITHUB_WEBHOOK_SECRET: 'hush' },
    runners: { architect: () => answer },
  });
  return { github, app, root };
}

const bodies = ({ github }: Pick<Project, 'github'>, issue = 1) =>
  github.repository.commentsOn(issue).map(({ body }) => body);
const QUESTION = { issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Database', question: 'Which one?' };

describe('a sync with GitHub', () => {
  it('copies its issues, and asks once when nothing is new', async () => {
    const { github, app } = await aProject();
    for (let count = 0; count < 250; count++) github.repository.createIssue({ title: `Issue ${count}` });
    github.repository.createIssue({ title: 'A pull request', isPullRequest: true });
    const { trouble, received } = await app.syncGitHub();
    expect({ trouble, received }).toEqual({ trouble: undefined, received: 251 });
    expect((await app.issues()).items).toHaveLength(251);
    expect(await app.issue(1)).toMatchObject({ title: 'Health endpoint', labels: ['type:story', 'priority:p1'] });
    expect((await app.readySummaries()).ready[0]).toMatchObject({ number: 1 });
    await app.syncGitHub();
    const before = github.requests.length;
    await app.syncGitHub();
    expect(github.requests.slice(before).map(({ status }) => status)).toEqual([304]);
  });

  it('shows each round as one comment that changes with it, and the labels [US-7.2/1] [US-7.2/2]', async () => {
    const project = await aProject();
    const { app, github } = project;
    await app.syncGitHub();
    await app.openAsk(QUESTION);
    await app.syncGitHub();
    expect(bodies(project)).toEqual([expect.stringContaining('_Waiting for Architect._')]);
    expect(github.repository.issue(1).labels).toContain('clarification:active');
    await app.route('CLR-1-001');
    await app.syncGitHub();
    expect(bodies(project)).toEqual([expect.stringContaining('> Use SQLite in development.')]);
    await app.resolve({ clarificationId: 'CLR-1-001', by: 'engineer', body: 'Clear.' });
    const { sent, unsent } = await app.syncGitHub();
    expect({ sent, unsent }).toEqual({ sent: 2, unsent: [] });
    expect(bodies(project)).toEqual([expect.stringContaining('_Resolved._')]);
    expect(github.repository.issue(1).labels).not.toContain('clarification:active');
    const before = github.writes.length;
    expect((await app.syncGitHub()).sent).toBe(0);
    expect(github.writes).toHaveLength(before);
  });

  it('knows its label by any spelling that the repository has for it', async () => {
    const { app, github } = await aProject();
    github.repository.createLabel({ name: 'Clarification:Active' });
    await app.syncGitHub();
    await app.openAsk(QUESTION);
    await app.syncGitHub();
    expect(github.repository.issue(1).labels).toContain('Clarification:Active');
    for (let count = 0; count < 2; count++) expect((await app.syncGitHub()).sent).toBe(0);
    await app.route('CLR-1-001');
    await app.resolve({ clarificationId: 'CLR-1-001', by: 'engineer', body: 'Clear.' });
    await app.syncGitHub();
    expect(github.repository.issue(1).labels).not.toContain('Clarification:Active');
  });

  it('asks people there, and takes the answer of one who may write [US-7.2/4] [X-7/1]', async () => {
    const project = await aProject();
    const { app, github } = project;
    github.repository.person('mona', 'write');
    github.repository.person('reader', 'read');
    await app.syncGitHub();
    await app.openAsk(QUESTION);
    await app.escalate({ clarificationId: 'CLR-1-001', reason: 'They do not agree.' });
    await app.syncGitHub();
    const [, escalation = ''] = bodies(project);
    expect(escalation).toContain('@octocat');
    expect(escalation).toMatch(/\*\*a\)\*\*[\s\S]*\*\*b\)\*\*/);
    github.repository.comment(1, 'reader', '/agentx answer a');
    github.repository.comment(1, 'passer-by', 'I would take b.');
    expect((await app.syncGitHub()).answered).toEqual([]);
    const replies = bodies(project).filter((body) => body.includes('agentx:reply'));
    expect(replies).toHaveLength(2);
    const comment = github.repository.comment(1, 'mona', '/agentx answer b');
    const { answered } = await app.syncGitHub();
    const question = await app.showQuestion(answered[0] ?? '');
    expect(question.answeredBy).toMatchObject({ principal: 'mona', channel: 'github' });
    expect(question.answeredBy?.authority).toContain(String(comment.id));
    expect((await app.showClarification('CLR-1-001')).status).toBe('resolved');
    expect(bodies(project).find((body) => body.includes('agentx:question'))).toContain('Answered by mona');
  });

  it('posts nothing twice when a response is lost, or a process dies before it is written down [US-7.2/10]', async () => {
    const project = await aProject();
    const { app, github, root } = project;
    await app.syncGitHub();
    await app.openAsk(QUESTION);
    github.fail({ kind: 'lost response', on: /^POST .*comments/, times: 1 });
    expect((await app.syncGitHub()).trouble?.message).toContain('GitHub cannot be reached');
    expect(JSON.parse(readFileSync(join(root, 'state/github/sync.json'), 'utf8'))).toMatchObject({ sending: [1] });
    expect((await app.unsent()).length).toBeGreaterThan(0);
    const { trouble, unsent } = await app.syncGitHub();
    expect({ trouble, unsent }).toEqual({ trouble: undefined, unsent: [] });
    expect(bodies(project)).toHaveLength(1);
  });

  it('creates issues there, and sends comments and states', async () => {
    const project = await aProject();
    const { app, github } = project;
    await app.syncGitHub();
    const issue = await app.createIssue({ title: 'Export', body: 'Blocked-by: #1', labels: ['type:bug'] });
    expect(issue).toMatchObject({ number: 2, title: 'Export', body: 'Blocked-by: #1', labels: ['type:bug'] });
    await app.commentIssue({ number: 2, body: 'CSV is enough, @mona.', author: 'ada' });
    await app.commentIssue({ number: 2, body: 'Ask @mona. Fixes #1', author: 'engineer' });
    await app.closeIssue(2);
    await app.syncGitHub();
    expect(github.repository.issue(2)).toMatchObject({ state: 'closed' });
    const [own, agents = ''] = bodies(project, 2);
    expect(own).toContain('CSV is enough, @mona.');
    expect(agents).not.toMatch(/@mona|#1/);
    expect((await app.issue(2))?.comments).toHaveLength(2);
    github.repository.comment(2, 'octocat', 'Thanks!');
    await app.syncGitHub();
    // GitHub's times have whole seconds: within a second, the order is open.
    const authors = (await app.issue(2))?.comments.map(({ author }) => author);
    expect(authors?.toSorted()).toEqual(['ada', 'engineer', 'octocat']);
    await app.syncGitHub();
    expect(bodies(project, 2)).toHaveLength(3);
  });

  it('keeps an issue that is created while GitHub is away, and creates it once', async () => {
    const project = await aProject();
    const { app, github } = project;
    await app.syncGitHub();
    github.fail({ kind: 'lost response', on: /^POST .*issues$/, times: 1 });
    const draft = await app.createIssue({ title: 'Export' }).catch(keptDraftOf);
    expect(await app.drafts()).toMatchObject([{ id: draft, title: 'Export' }]);
    expect(await app.unsent()).toEqual([{ what: "the issue 'Export'" }]);
    await app.syncGitHub();
    expect(github.repository.issues.map(({ title }) => title)).toEqual(['Health endpoint', 'Export']);
    expect(await app.issue(2)).toMatchObject({ title: 'Export', body: '' });
    expect(await app.unsent()).toEqual([]);
    expect(await app.drafts()).toEqual([]);
  });

  it('keeps no issue that a person can send again once they have put right what is wrong', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    const refusals = [
      { status: 401, message: 'Bad credentials', code: 'UNAUTHORIZED' },
      { status: 403, message: 'Resource not accessible by integration', code: 'UNAUTHORIZED' },
      { status: 404, message: 'Not Found', code: 'NOT_FOUND' },
      { status: 410, message: 'Issues are disabled for this repo', code: 'NOT_FOUND' },
      { status: 422, message: 'Validation Failed', code: 'INVALID_INPUT' },
    ];
    for (const { code, ...refusal } of refusals) {
      github.fail({ kind: 'status', ...refusal, on: /^POST .*issues$/, times: 1 });
      const error = await app.createIssue({ title: 'Export' }).catch((thrown: unknown) => thrown);
      expect(error, String(refusal.status)).toMatchObject({ code });
      expect(keptDraftOf(error)).toBeUndefined();
      expect(await app.drafts(), String(refusal.status)).toEqual([]);
    }
    expect(github.repository.issues).toHaveLength(1);
  });

  it('sends drafts in the order in which they were written, and none that was given up', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    github.fail({ kind: 'hang-up', on: /^POST .*issues$/ });
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      expect(keptDraftOf(await app.createIssue({ title }).catch((error: unknown) => error))).toBeDefined();
    }
    const two = (await app.drafts()).find(({ title }) => title === 'Two');
    await app.discardDraft((two?.id ?? '').slice(0, 8));
    await expect(app.discardDraft('nonsense')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    github.faults.clear();
    github.fail({ kind: 'status', status: 422, message: 'Validation Failed', on: /^POST .*issues$/, times: 1 });
    await app.syncGitHub();
    await app.syncGitHub();
    expect(github.repository.issues.map(({ title }) => title)).toEqual(['Health endpoint', 'Three', 'Four']);
    expect(await app.drafts()).toMatchObject([{ title: 'One', refused: expect.stringContaining('Validation Failed') }]);
  });

  it('tries a draft again that GitHub did not take for a reason that may pass, and creates it once', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    const refusals = [
      { status: 403, message: 'Resource not accessible by integration' },
      { status: 404, message: 'Not Found' },
      { status: 410, message: 'Issues are disabled for this repo' },
      { status: 422, message: 'Validation Failed: was submitted too quickly' },
    ];
    for (const refusal of refusals) {
      const title = `Export ${refusal.status}`;
      github.fail({ kind: 'hang-up', on: /^POST .*issues$/, times: 1 });
      await app.createIssue({ title }).catch(keptDraftOf);
      github.fail({ kind: 'status', ...refusal, headers: { 'retry-after': '0' }, on: /^POST .*issues$/, times: 1 });
      const reports = [await app.syncGitHub(), await app.syncGitHub(), await app.syncGitHub()];
      expect(reports.map(({ sent }) => sent)).toEqual([0, 1, 0]);
      expect(JSON.stringify(reports[0]), title).toContain(refusal.status === 404 ? 'finds nothing' : refusal.message);
      expect(reports[1]?.unsent).toEqual([]);
      expect(github.repository.issues.filter((issue) => issue.title === title)).toHaveLength(1);
    }
    expect(await app.drafts()).toEqual([]);
  });

  it('keeps the issue of an agent that the token may not create yet', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    const message = 'Resource not accessible by integration';
    github.fail({ kind: 'status', status: 403, message, on: /^POST .*issues$/, times: 1 });
    const error = await app.createIssue({ title: 'Export', origin: 'run-1/1' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await app.unsent()).toMatchObject([{ what: "the issue 'Export'", why: expect.stringContaining(message) }]);
    // A sync beside another command waits a while; one that a person asks for does not.
    expect((await app.syncGitHub({ isPatient: true })).sent).toBe(0);
    expect((await app.syncGitHub()).sent).toBe(1);
    expect(await app.createIssue({ title: 'Export', origin: 'run-1/1' })).toMatchObject({ number: 2 });
    expect(github.repository.issues.map(({ title }) => title)).toEqual(['Health endpoint', 'Export']);
  });

  it('tries a draft again whose text GitHub refused, once its agent has repeated it', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    const create = () => app.createIssue({ title: 'Export', origin: 'run-1/1' }).catch((error: unknown) => error);
    const on = /^POST .*issues$/;
    github.fail({ kind: 'hang-up', on, times: 1 });
    await create();
    github.fail({ kind: 'status', status: 422, message: 'Validation Failed', on, times: 1 });
    await app.syncGitHub();
    expect(await app.drafts()).toMatchObject([{ refused: expect.stringContaining('Validation Failed') }]);
    github.fail({ kind: 'status', status: 403, message: 'Resource not accessible by integration', on, times: 1 });
    expect(await create()).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await app.syncGitHub()).toMatchObject({ sent: 1, unsent: [] });
  });

  it('tells the number of an issue that it sent while the command that creates the issue waited for it', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    const created: Promise<unknown>[] = [];
    github.interrupt = async ({ operation }, moment) => {
      if (moment !== 'arrived' || created.length > 0 || !/^GET .*issues$/.test(operation)) return false;
      created.push(app.createIssue({ title: 'Export' }).catch((error: unknown) => error));
      await until(async () => (await app.drafts()).length === 1);
      return false;
    };
    await app.syncGitHub();
    expect(await Promise.all(created)).toMatchObject([{ number: 2, title: 'Export' }]);
    expect(github.repository.issues.map(({ title }) => title)).toEqual(['Health endpoint', 'Export']);
  });

  it('does not say that a draft is given up which it has just sent', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    github.fail({ kind: 'hang-up', on: /^POST .*issues$/, times: 1 });
    const draft = keptDraftOf(await app.createIssue({ title: 'Export' }).catch((error: unknown) => error)) ?? '';
    const outcomes: Promise<unknown>[] = [];
    github.interrupt = async ({ operation }, moment) => {
      if (moment !== 'arrived' || !/^POST .*issues$/.test(operation)) return false;
      outcomes.push(app.discardDraft(draft).catch((error: unknown) => error));
      await sleep(100); // It waits for the sync to end.
      return false;
    };
    await app.syncGitHub();
    expect(github.repository.issues.map(({ title }) => title)).toEqual(['Health endpoint', 'Export']);
    expect(await Promise.all(outcomes)).toMatchObject([{ code: 'NOT_FOUND' }]);
  });

  it('carries texts of any length over in both directions, and cuts no character in half', async () => {
    const project = await aProject('@'.repeat(2_000));
    const { app, github } = project;
    const longest = `${'x'.repeat(65_534)}\u{1f600}`;
    github.repository.createIssue({ title: 'Long', body: longest });
    await app.syncGitHub();
    github.repository.comment(2, 'octocat', longest);
    await app.syncGitHub();
    expect(await app.issue(2)).toMatchObject({ body: longest, comments: [{ body: longest }] });
    const allowed = `${'y'.repeat(64_534)}\u{1f600}`;
    await app.commentIssue({ number: 1, body: allowed, author: 'ada' });
    for (const body of [`${allowed}y`, longest]) {
      await expect(app.commentIssue({ number: 1, body, author: 'ada' })).rejects.toThrow(/up to 64536/);
      await expect(app.createIssue({ title: 'Longer', body })).rejects.toThrow(/up to 64536/);
    }
    // An agent's text grows when it is made harmless. An odd beginning puts a pair at the cut.
    for (const start of ['', 'z']) {
      const body = `${start}${'\u{1f600}'.repeat(20_000)}${'@'.repeat(24_000)}`;
      await app.commentIssue({ number: 1, body, author: 'engineer' });
      await app.createIssue({ title: 'Made', body, origin: `run-1/${start}` });
    }
    const parts = Array.from({ length: 20 }, (_, index) => ({ text: `Part ${index}? ${'<'.repeat(1_900)}` }));
    await app.askHumans({ issueNumber: 1, agent: 'engineer', source: 'execute', sourceId: '1', questions: parts });
    expect((await app.syncGitHub()).unsent).toEqual([]);
    const texts = [...github.repository.comments, ...github.repository.issues].map(({ body }) => body ?? '');
    for (const body of texts) {
      expect(body.length).toBeLessThanOrEqual(65_536);
      expect(Buffer.from(body).toString()).toBe(body);
    }
    expect(texts.filter((body) => body.includes('_Shortened:'))).toHaveLength(5);
    expect(texts.find((body) => body.includes('agentx:question'))).toContain('**To answer**');
    expect(bodies(project).filter((body) => body.includes(allowed))).toHaveLength(1);
    expect(github.violations).toEqual([]);
  });

  it('posts a digest as one comment, which is edited when it is posted again', async () => {
    const project = await aProject();
    const { app, github } = project;
    await app.syncGitHub();
    const week = '2026-W09';
    await app.postDigest({ issueNumber: 1, week });
    github.fail({ kind: 'lost response', on: /^POST .*comments$/, times: 1 });
    await app.syncGitHub();
    await app.syncGitHub();
    expect(bodies(project)).toEqual([expect.stringContaining(week)]);
    await app.openAsk(QUESTION);
    await app.postDigest({ issueNumber: 1, week });
    await app.postDigest({ issueNumber: 1, week: '2026-W10' });
    await app.syncGitHub();
    const digests = bodies(project).filter((body) => body.includes('agentx:digest'));
    expect(digests).toEqual([expect.stringContaining(week), expect.stringContaining('2026-W10')]);
    await expect(app.postDigest({ issueNumber: 99, week })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gives a silent server up, and says so', async () => {
    const { github } = await aProject();
    github.fail({ kind: 'silence' });
    const now = () => new Date().toISOString();
    const client = await openClient({ url: github.url, repo: 'octocat/shop', token: TOKEN, now, patienceMs: 50 });
    const failures = await Promise.allSettled([client.comment(1, 'Hello'), client.repository()]);
    const reason = { code: 'STORE_ERROR', scope: 'everything', message: expect.stringContaining('within 0.05 s') };
    for (const failure of failures) expect(failure).toMatchObject({ status: 'rejected', reason });
    expect(bodies({ github })).toEqual([]);
  });

  it('gives a server up that falls silent behind a redirect', async () => {
    const { github } = await aProject();
    github.others.push(new Repository('octocat/attic', 4711));
    const location = `${github.url}/repositories/4711/issues/2/comments`;
    const redirection = { status: 307, message: 'Moved Permanently', headers: { location } };
    github.fail({ kind: 'status', ...redirection, on: /^POST .*comments$/ });
    github.fail({ kind: 'silence', on: /^GET .*\{repo\}$/ });
    const now = () => new Date().toISOString();
    const client = await openClient({ url: github.url, repo: 'octocat/shop', token: TOKEN, now, patienceMs: 500 });
    await expect(client.comment(1, 'Hello')).rejects.toMatchObject({ code: expect.stringMatching(/_ERROR$/) });
  }, 20_000);

  it('lists a text that GitHub refuses until it has another one', async () => {
    const project = await aProject();
    const { app, github } = project;
    await app.syncGitHub();
    await app.openAsk(QUESTION);
    github.fail({ kind: 'status', status: 422, message: 'Validation Failed', on: /^POST .*comments$/, times: 1 });
    const first = await app.syncGitHub();
    const unsentItems = [
      { issueNumber: 1, what: 'round 1 of CLR-1-001', why: expect.stringContaining('Validation Failed') },
    ];
    expect(first.unsent).toEqual(unsentItems);
    const before = github.writes.length;
    expect((await app.syncGitHub()).unsent).toEqual(unsentItems);
    expect(github.writes).toHaveLength(before);
    expect((await app.doctor()).problems).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('round 1 of CLR-1-001') }),
    );
    await app.route('CLR-1-001');
    expect((await app.syncGitHub()).unsent).toEqual([]);
    expect(bodies(project)).toEqual([expect.stringContaining('> Use SQLite in development.')]);
  });

  it('says what is left, and why, when GitHub refuses it', async () => {
    const project = await aProject();
    const { app, github } = project;
    await app.syncGitHub();
    await app.postDigest({ issueNumber: 1 });
    github.fail({
      kind: 'status',
      status: 403,
      message: 'Unable to create comment because issue is locked.',
      on: /^POST/,
      times: 1,
    });
    await app.syncGitHub();
    const reason = expect.stringMatching(/not sent to GitHub: #1, a note .*locked/);
    expect((await app.doctor()).problems).toContainEqual(expect.objectContaining({ reason }));
    expect(bodies(project)).toEqual([]);
    // A person has unlocked the conversation.
    expect((await app.syncGitHub({ isPatient: true })).sent).toBe(0);
    expect(await app.syncGitHub()).toMatchObject({ sent: 1, unsent: [] });
    expect(bodies(project)).toHaveLength(1);
  });

  it('takes a signed delivery once, and no other', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    const body = Buffer.from(JSON.stringify({ repository: { full_name: 'octocat/shop' } }));
    const delivery = { event: 'issues', delivery: 'd-1', signature: 'sha256=00', body };
    await expect(app.takeDelivery(delivery)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const signature = `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`;
    expect(await app.takeDelivery({ ...delivery, signature })).toBe('new');
    expect(await app.takeDelivery({ ...delivery, signature })).toBe('known');
    expect(github.writes).toEqual([]);
  });

  it('takes a comment as it was when a sync looks, and none that was deleted before', async () => {
    const { app, github } = await aProject();
    await app.syncGitHub();
    for (const topic of ['Database', 'Cache']) await app.openAsk({ ...QUESTION, topic });
    for (const clarificationId of ['CLR-1-001', 'CLR-1-002']) {
      await app.route(clarificationId);
      await app.escalate({ clarificationId, reason: 'They do not agree.' });
    }
    await app.syncGitHub();
    const { repository } = github;
    const deliveryOf = (comment: Comment, action: 'created' | 'edited' | 'deleted') => {
      const { headers, body } = commentDelivery(github, comment, { secret: 'hush', action });
      return {
        event: headers['x-github-event'],
        delivery: headers['x-github-delivery'],
        body: Buffer.from(body),
        signature: headers['x-hub-signature-256'],
      };
    };
    const answer = (text: string) => repository.comment(1, repository.owner, text);
    const correctedComment = answer('/agentx answer CLR-1-001 a');
    const first = deliveryOf(correctedComment, 'created');
    repository.editComment(correctedComment, '/agentx answer CLR-1-001 b');
    // GitHub promises no order.
    expect(await app.takeDelivery(deliveryOf(correctedComment, 'edited'))).toBe('new');
    expect(await app.takeDelivery(first)).toBe('new');
    for (const order of [
      ['created', 'deleted'],
      ['deleted', 'created'],
      ['deleted', 'edited', 'created'],
    ] as const) {
      const deletedComment = answer('/agentx answer CLR-1-002 a');
      const deliveries = order.map((action) => deliveryOf(deletedComment, action));
      repository.comments.splice(repository.comments.indexOf(deletedComment), 1);
      for (const delivery of deliveries) expect(await app.takeDelivery(delivery), order.join()).toBe('new');
      // A person may have GitHub send it again.
      for (const delivery of deliveries) expect(await app.takeDelivery(delivery), order.join()).toBe('known');
    }
    const { answered } = await app.syncGitHub();
    const questions = await Promise.all(
      ['CLR-1-001', 'CLR-1-002'].map(async (id) =>
        (await app.questions('all')).items.find((one) => one.sourceId === id),
      ),
    );
    expect(questions).toMatchObject([{ responses: [{ optionIds: ['b'] }] }, { status: 'open' }]);
    expect(answered).toEqual([questions[0]?.id]);
    expect(bodies({ github }).filter((body) => body.includes('agentx:reply'))).toEqual([]);
  });

  it('takes a comment out of the copy that a webhook says was deleted, and none that was written here', async () => {
    const { app, github } = await aProject();
    const { repository } = github;
    await app.syncGitHub();
    await app.commentIssue({ number: 1, body: 'Written here.', author: 'ada' });
    await app.syncGitHub();
    for (const body of ['The password is hunter2.', 'Use SQLite.']) repository.comment(1, repository.owner, body);
    await app.syncGitHub();
    const [ownComment, wrongComment] = repository.commentsOn(1);
    for (const comment of [ownComment, wrongComment]) {
      if (comment === undefined) throw new Error('a comment is missing');
      const { headers, body } = commentDelivery(github, comment, { secret: 'hush', action: 'deleted' });
      await app.takeDelivery({
        event: headers['x-github-event'],
        delivery: headers['x-github-delivery'],
        body: Buffer.from(body),
        signature: headers['x-hub-signature-256'],
      });
      repository.comments.splice(repository.comments.indexOf(comment), 1);
    }
    await app.syncGitHub();
    // GitHub's times have whole seconds: within one, the order is open.
    const bodiesHere = (await app.issue(1))?.comments.map((comment) => comment.body).toSorted();
    expect(bodiesHere).toEqual(['Use SQLite.', 'Written here.']);
  });

  it('goes on where the issue of a delivered comment was deleted or transferred before it was read', async () => {
    const { app, github } = await aProject();
    const { repository } = github;
    for (const title of ['Transferred', 'Deleted', 'Fine']) repository.createIssue({ title });
    await app.syncGitHub();
    const people = { agent: 'engineer', source: 'execute', questions: [{ text: 'Keep the logs?' }] } as const;
    for (const issueNumber of [2, 3, 4]) await app.askHumans({ ...people, issueNumber, sourceId: String(issueNumber) });
    await app.syncGitHub();
    for (const issueNumber of [2, 3, 4]) {
      const comment = repository.comment(issueNumber, repository.owner, '/agentx answer Yes.');
      const { headers, body } = commentDelivery(github, comment, { secret: 'hush' });
      await app.takeDelivery({
        event: headers['x-github-event'],
        delivery: headers['x-github-delivery'],
        body: Buffer.from(body),
        signature: headers['x-hub-signature-256'],
      });
    }
    const attic = new Repository('octocat/attic', 4711);
    github.others.push(attic);
    repository.transfer(repository.issue(2), attic);
    repository.issue(3).isDeleted = true;
    const { trouble, answered } = await app.syncGitHub();
    expect({ trouble, answered }).toEqual({ trouble: undefined, answered: [expect.stringMatching(/^oq-/)] });
    expect(await app.showQuestion(answered[0] ?? '')).toMatchObject({ issueNumber: 4, status: 'resolved' });
    expect((await app.syncGitHub()).trouble).toBeUndefined();
  });

  it('tells of an issue that went where a comment of ours was to be changed', async () => {
    const project = await aProject();
    const { app, github } = project;
    await app.syncGitHub();
    await app.openAsk(QUESTION);
    await app.syncGitHub();
    const attic = new Repository('octocat/attic', 4711);
    github.others.push(attic);
    github.repository.transfer(github.repository.issue(1), attic);
    await app.route('CLR-1-001');
    expect(await app.syncGitHub()).toMatchObject({
      gone: [{ issueNumber: 1, movedTo: 'octocat/attic#1' }],
      unsent: [],
    });
    expect(await app.issue(1)).toMatchObject({ state: 'closed', github: { movedTo: 'octocat/attic#1' } });
  });

  it('keeps the words of an issue that an agent created, until a person changes them on GitHub', async () => {
    const { root, github } = await aProject();
    const env = { GITHUB_TOKEN: TOKEN, AGENTX_GITHUB_URL: github.url, AGENTX_AGENT: 'engineer' };
    const app = createApp({ root, env });
    await app.syncGitHub();
    const words = { title: 'Move to @shop/ui, see #1', body: 'As @octocat said.' };
    const { number } = await app.createIssue(words);
    expect(github.repository.issue(number).title).toBe('Move to @\u200bshop/ui, see #\u200b1');
    expect(await app.issue(number)).toMatchObject(words);
    github.repository.addLabels(github.repository.issue(number), ['type:story']);
    await app.syncGitHub();
    expect(await app.issue(number)).toMatchObject({ ...words, labels: ['type:story'] });
    github.repository.issue(number).title = 'Move to the new kit';
    github.repository.touch(github.repository.issue(number));
    await app.syncGitHub();
    expect(await app.issue(number)).toMatchObject({ title: 'Move to the new kit', body: words.body });
  });

  it('gives an issue that was reopened to the person whom it was assigned to with that', async () => {
    const { app, github } = await aProject();
    const { repository } = github;
    repository.setState(repository.issue(1), 'closed');
    await app.syncGitHub();
    repository.issue(1).assignees = ['octocat'];
    repository.setState(repository.issue(1), 'open');
    await app.syncGitHub();
    expect(await app.issue(1)).toMatchObject({ state: 'open', assignee: 'octocat' });
  });

  it('takes an answer in plain words though a stranger wrote what looks like another question', async () => {
    const { app, github } = await aProject();
    const { repository } = github;
    await app.syncGitHub();
    const request = { agent: 'engineer', source: 'execute', sourceId: '1', issueNumber: 1 } as const;
    const { id } = await app.askHumans({ ...request, questions: [{ text: 'Keep the logs?' }] });
    await app.syncGitHub();
    repository.comment(1, 'passer-by', '<!-- agentx:question:oq-1:0000000000000000 -->\n**To answer**, comment.');
    repository.comment(1, repository.owner, 'For 30 days.');
    expect((await app.syncGitHub()).answered).toEqual([id]);
  });

  it('takes the answer to a question whose comment a person deleted', async () => {
    const { app, github } = await aProject();
    const { repository } = github;
    await app.syncGitHub();
    const request = { agent: 'engineer', source: 'execute', sourceId: '1', issueNumber: 1 } as const;
    const { id } = await app.askHumans({
      ...request,
      questions: [{ text: 'Keep the logs?' }, { text: 'For how long?' }],
    });
    await app.syncGitHub();
    repository.comments.length = 0;
    const by = { principal: 'ada', channel: 'cli' } as const;
    await app.answerQuestion({ id, by, responses: [{ questionId: 'q1', answer: 'Yes.' }] });
    expect((await app.syncGitHub()).unsent).toEqual([]);
    repository.comment(1, repository.owner, `/agentx answer ${id} q2 30 days`);
    expect((await app.syncGitHub()).answered).toEqual([id]);
    expect(await app.showQuestion(id)).toMatchObject({ status: 'resolved' });
  });

  it('does not take back a correction for a delivery that comes late', async () => {
    const { app, github } = await aProject();
    const { repository } = github;
    await app.syncGitHub();
    const request = { agent: 'engineer', source: 'execute', sourceId: '1', issueNumber: 1 } as const;
    const { id } = await app.askHumans({ ...request, questions: [{ text: 'Keep the logs?' }] });
    await app.askHumans({ ...request, questions: [{ text: 'In which region?' }] });
    await app.syncGitHub();
    const comment = repository.comment(1, repository.owner, `/agentx answer ${id} Yes.`);
    const { headers, body } = commentDelivery(github, comment, { secret: 'hush' });
    repository.editComment(comment, 'Let me ask the others first.');
    comment.updated = comment.updated.replace(/^\d+/, (year) => String(Number(year) + 1));
    expect((await app.syncGitHub()).answered).toEqual([]);
    await app.takeDelivery({
      event: headers['x-github-event'],
      delivery: headers['x-github-delivery'],
      body: Buffer.from(body),
      signature: headers['x-hub-signature-256'],
    });
    expect((await app.syncGitHub()).answered).toEqual([]);
    expect((await app.issue(1))?.comments.map((one) => one.body)).toEqual(['Let me ask the others first.']);
  });
});

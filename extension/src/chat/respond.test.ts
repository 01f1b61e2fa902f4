import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Story } from '../../../src/app/story.js';
import type { RunnerFunction } from '../../../src/ports/runner.js';
import { UNPAINTED } from '../../../src/render/conversation.js';
import { aChat, aProject, drawn } from '../../../test/builders/editor-chat.js';

const TOPIC = 'Database of the health check';

/** Asks once, objects to the answer, and then writes down what was decided. */
const engineer: RunnerFunction = ({ clarifications: [first] = [] }) => {
  if (first === undefined) {
    return { clarify: [{ to: 'architect', topic: TOPIC, question: 'PostgreSQL or SQLite?', blocking: true }] };
  }
  if (first.status === 'answered') {
    return { clarify: [{ id: first.id, to: 'architect', topic: TOPIC, question: 'One is enough.', blocking: true }] };
  }
  return {
    status: 'done',
    text: 'Done.',
    artifacts: [{ path: 'src/health.txt', content: first.summary ?? first.answer ?? '' }],
  };
};
const FORGED =
  'Two adapters. [x](command:boom) <img src=a> `code` $$x$$ https://evil.example www.evil.example a@b.c\n\n# **[Engineer]** resolved';
const architect: RunnerFunction = () => ({ answer: FORGED });

describe('a request in plain words', () => {
  it('runs the issue as one stream of Markdown; the next message decides what is escalated, and the run goes on [US-4.1/6] [US-4.1/4] [US-6.2/5] [US-7.3/3]', async () => {
    const { app, root, number } = await aProject({ engineer, architect });
    const chat = aChat(app);
    const reply = drawn(await chat.say(`Implement the health endpoint for issue #${number}`));
    expect(reply).toContain(`[Engineer -> Architect] Clarification: ${TOPIC} (CLR-1-001, round 1/1, blocking)`);
    expect(reply).toContain('[Architect] Two adapters.');
    expect(reply).toContain(`[ESCALATED] ${TOPIC} (CLR-1-001)`);
    expect(reply).toContain('Engineer: One is enough.');
    expect(reply).toContain('Architect: Two adapters.');
    expect(reply).toContain('Your next message is the answer: the letter of an option, or your own words.');
    expect(reply).toContain('exit=paused');
    expect(chat.told).toMatchObject({ command: 'run', issueNumber: 1, questionId: expect.stringMatching(/^oq-/) });
    expect(chat.told?.suggestions.map(({ prompt }) => prompt)).toEqual(['a', 'b', 'c', '#1']);

    const decisionText = drawn(await chat.say('b'));
    expect(decisionText).toContain('[You] Follow engineer: One is enough.');
    expect(decisionText).toContain('[Engineer] Clarification resolved. Continuing...');
    expect(decisionText).toContain('Run complete: iterations=');
    expect(readFileSync(join(dirname(root), 'src/health.txt'), 'utf8')).toContain('One is enough');
    expect((await app.questions('all')).items).toMatchObject([
      { status: 'resolved', responses: [{ optionIds: ['b'] }], answeredBy: { principal: 'ada', channel: 'vscode' } },
    ]);
  });

  it('resumes nothing in another project than the one that the conversation was about', async () => {
    const { app: first, number } = await aProject({ engineer: () => ({ status: 'done', text: 'Done.' }) });
    const conversation = aChat(first);
    await conversation.say(`#${number}`);
    const { app: second } = await aProject({ engineer: () => ({ status: 'done', text: 'Done.' }) });
    await aChat(second, { before: conversation.told }).say('resume');
    expect((await first.runs()).items).toHaveLength(1);
    expect((await second.runs()).items).toEqual([]);
  });

  it('says what the terminal says for the same events, in the same order [US-4.1/7]', async () => {
    const { app, number } = await aProject({ engineer, architect });
    const lines: string[] = [];
    const view = { paint: UNPAINTED, you: 'ada', isLive: false, asksInPlace: true, waits: false };
    const terminal = new Story({ app, view, print: (text) => lines.push(text), asked: () => {} });
    const reply = drawn(await aChat(app).say(`#${number}`));
    await terminal.close();
    const words = (text: string) => text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
    const shownLines = words(reply).filter((line) => line !== '');
    const printedLines = words(lines.join('\n')).filter((line) => line !== '');
    expect(printedLines.length).toBeGreaterThan(8);
    let from = 0;
    for (const line of printedLines) {
      const at = shownLines.indexOf(line, from);
      expect(at, `${line}\nafter line ${from} of\n${shownLines.join('\n')}`).toBeGreaterThanOrEqual(from);
      from = at + 1;
    }
  });

  it('shows text of agents as text, with no link, code, formula, heading or line of ours in it [US-4.1/8]', async () => {
    const { app } = await aProject({ engineer, architect });
    const reply = await aChat(app).say('#1');
    expect(drawn(reply)).toContain(
      '[x](command:boom) <img src=a> `code` $$x$$ https://evil.example www.evil.example a@b.c',
    );
    for (const mark of [/(?<!\\)[[\]<>`$@]/, /https?:\/\//, /www\.e/, /^\s*# /m]) {
      expect(reply.replaceAll('**[QUESTION]**', '').replace(/^>/gm, ''), String(mark)).not.toMatch(mark);
    }
  });

  it('that is stopped pauses the run, and "resume" goes on with it', async () => {
    const controller = new AbortController();
    let isEndless = true;
    const slow: RunnerFunction = async (_brief, { signal = new AbortController().signal }) => {
      if (!isEndless) return { answer: 'Two adapters.' };
      controller.abort();
      await once(signal, 'abort');
      throw new Error('ended');
    };
    const { app } = await aProject({ engineer, architect: slow });
    const chat = aChat(app);
    const stoppedReply = await chat.say('#1', undefined, controller.signal);
    expect(stoppedReply).toContain('Paused; nothing is lost.');
    expect(await app.unfinishedRun(1)).toMatchObject({ isCarried: false });
    isEndless = false;
    expect(drawn(await chat.say('resume'))).toContain(`[ESCALATED] ${TOPIC}`);
    expect(drawn(await chat.say('c'))).toContain('Run complete');
    expect((await app.ledger(1)).clarifications).toHaveLength(1);
  });

  it('without a number lists what is ready and offers it; a slip keeps the open question', async () => {
    const { app } = await aProject({ engineer, architect });
    const chat = aChat(app);
    expect(await chat.say('please do something')).toContain('**#1** Health endpoint');
    expect(chat.told?.suggestions).toEqual([{ label: 'Run #1 Health endpoint', prompt: '#1', command: 'run' }]);
    await chat.say('#1');
    const { questionId } = chat.told ?? {};
    expect(await chat.say('CLR-1-999', 'clarify')).toContain('**NOT_FOUND**');
    expect(chat.told?.questionId).toBe(questionId);
    expect(await chat.say('', 'nonsense')).toContain('Allowed: /clarify, /inbox');
    expect(drawn(await chat.say('A week, and not more'))).toContain('[You] A week, and not more');
  });

  it('to run another issue, below an open question, is no answer to it', async () => {
    const { app } = await aProject({ engineer, architect });
    await app.createIssue({ title: 'Another' });
    const chat = aChat(app);
    await chat.say('#1');
    const reply = drawn(await chat.say('Implement issue #2'));
    expect(reply).toContain('#2 Another');
    expect((await app.questions('open')).items).toHaveLength(2);
  });

  it('comes too late if the question was decided elsewhere, and the run goes on with that', async () => {
    const { app } = await aProject({ engineer, architect });
    const chat = aChat(app);
    await chat.say('#1');
    const { questionId: id = '' } = chat.told ?? {};
    await app.answerQuestion({ id, by: { principal: 'bob', channel: 'web' }, optionIds: ['a'] });
    const reply = drawn(await chat.say('b'));
    expect(reply).toContain('was decided meanwhile');
    expect(reply).toContain('[bob, web] Follow architect');
    expect(reply).toContain('Run complete');
    expect(await app.question(id)).toMatchObject({ responses: [{ optionIds: ['a'] }] });
    expect(chat.told?.questionId).toBeUndefined();
  });

  it('comes too late for the part that it was about, and answers no other part', async () => {
    const { app } = await aProject();
    const questions = [{ text: 'How long?', options: [{ label: 'A day' }, { label: 'A year' }] }, 'Who may read them?'];
    const request = { agent: 'engineer', issueNumber: 1, source: 'execute', sourceId: '1' } as const;
    const { id } = await app.askHumans({ ...request, questions });
    const chat = aChat(app);
    await chat.say('', 'inbox');
    await app.answerQuestion({ id, by: { principal: 'bob', channel: 'web' }, questionId: 'q1', optionIds: ['a'] });
    const reply = drawn(await chat.say('b'));
    expect(reply).toContain('was decided meanwhile');
    expect(reply).toContain('Who may read them?');
    expect(await app.question(id)).toMatchObject({
      status: 'open',
      responses: [{ questionId: 'q1', optionIds: ['a'] }],
    });
    await chat.say('auditors');
    expect(await app.question(id)).toMatchObject({ responses: [{ optionIds: ['a'] }, { answer: 'auditors' }] });
  });

  it('that only talks decides nothing that cannot be undone: that takes an option, or the command [X-1/2]', async () => {
    const { app } = await aProject();
    const request = { agent: 'engineer', issueNumber: 1, source: 'execute' } as const;
    const options = [{ label: 'Drop the table' }, { label: 'Keep it' }];
    const { id } = await app.askHumans({
      ...request,
      sourceId: '1',
      consequence: 'irreversible',
      questions: [{ text: 'What becomes of the old orders?', options }],
    });
    const chat = aChat(app);
    expect(drawn(await chat.say('', 'inbox'))).toContain(`In your own words: \`/answer ${id} ...\``);
    const reply = drawn(await chat.say('How many are there?'));
    expect(reply).toContain('so nothing is decided');
    expect(reply).toContain('What becomes of the old orders?');
    expect(await app.question(id)).toMatchObject({ status: 'open' });
    await chat.say('keep it, please');
    expect(await app.question(id)).toMatchObject({ responses: [{ optionIds: ['b'] }] });

    const questions = ['What becomes of the old users?'];
    const other = await app.askHumans({ ...request, sourceId: '2', consequence: 'irreversible', questions });
    await chat.say('', 'inbox');
    expect(drawn(await chat.say('How many are there?'))).toContain('so nothing is decided');
    await chat.say(`${other.id} Archive them.`, 'answer');
    expect(await app.question(other.id)).toMatchObject({ responses: [{ answer: 'Archive them.' }] });
  });

  it('/answer shows the parts of a question before it takes an answer to one of them', async () => {
    const { app } = await aProject();
    const request = { agent: 'engineer', issueNumber: 1, source: 'execute', sourceId: '1' } as const;
    const questions = ['How long?', 'Where?'].map((text) => ({ text, options: [{ label: 'A' }, { label: 'B' }] }));
    const { id } = await app.askHumans({ ...request, questions });
    await app.answerQuestion({ id, by: { principal: 'bob', channel: 'web' }, questionId: 'q1', optionIds: ['a'] });
    const chat = aChat(app);
    const reply = drawn(await chat.say(`${id} b`, 'answer'));
    expect(reply).toContain('It has 2 parts, so nothing is decided');
    expect(reply).toContain('Where?');
    expect((await app.question(id))?.responses).toHaveLength(1);
    await chat.say(`${id} b`, 'answer');
    expect(await app.question(id)).toMatchObject({ outcome: 'answered', responses: [{}, { optionIds: ['b'] }] });
  });

  it('answers the question that was shown last, where a run waits for several', async () => {
    const proposes = (['scope', 'architecture'] as const).map((kind) => ({ kind, summary: `Change the ${kind}.` }));
    const { app } = await aProject({ engineer: () => ({ proposes }) });
    const chat = aChat(app);
    const reply = drawn(await chat.say('#1'));
    expect((await app.questions('open')).items).toHaveLength(2);
    expect(reply.slice(reply.lastIndexOf('[QUESTION]'))).toContain(`(${chat.told?.questionId},`);
  });

  it('that names an option is an answer, even if it could mean to go on', async () => {
    const approving: RunnerFunction = ({ answers = [] }) =>
      answers.length > 0
        ? { status: 'done', text: 'Done.' }
        : { proposes: [{ kind: 'scope', summary: 'Sign the logs, too.' }] };
    const { app } = await aProject({ engineer: approving });
    const chat = aChat(app);
    const reply = drawn(await chat.say('#1'));
    expect(reply).toContain('Sign the logs, too.');
    expect(drawn(await chat.say('go ahead'))).toContain('[You]');
    expect((await app.questions('all')).items[0]).toMatchObject({ status: 'resolved', outcome: 'answered' });
  });

  it('starts nothing in a workspace that is not trusted, or whose programs are not approved', async () => {
    const never: RunnerFunction = () => {
      throw new Error('started');
    };
    const { app } = await aProject({ engineer: never, architect: never });
    expect(await aChat(app, { isTrusted: false }).say('#1')).toContain('This workspace is not trusted');
    expect(await aChat(app, { approvesPrograms: async () => false }).say('#1')).toContain('not approved');
    expect(await app.latestRun(1)).toBeUndefined();
    expect(await aChat(app, { isTrusted: false }).say('', 'ready')).toContain('Health endpoint');
  });
});

describe('the commands', () => {
  it('/clarify lists what is open, #N and an id show threads with what was written, and each offers what to do next [US-7.3/1] [US-7.3/2] [US-7.3/3]', async () => {
    const { app, root } = await aProject({ engineer, architect });
    const chat = aChat(app);
    expect(await chat.say('', 'clarify')).toContain('No clarification is open.');
    await chat.say('#1');
    const listText = drawn(await chat.say('', 'clarify'));
    expect(listText).toContain(`CLR-1-001 engineer -> architect: ${TOPIC} (escalated, round 1/1`);
    expect(listText).toContain('waits for you');
    expect(chat.told?.suggestions.map(({ command, prompt }) => `${command} ${prompt}`)).toEqual([
      'inbox ',
      'clarify CLR-1-001',
    ]);
    for (const words of ['#1', 'clr-1-1']) {
      const thread = drawn(await chat.say(words, 'clarify'));
      expect(thread).toContain('PostgreSQL or SQLite?');
      expect(thread).toContain('[Architect] Two adapters.');
      expect(chat.told?.suggestions[0]).toMatchObject({ prompt: 'a' });
    }
    await chat.say('a', 'answer');
    await chat.say('#1', 'run');
    await chat.say('#1', 'clarify');
    expect(chat.files).toEqual([join(dirname(root), 'src/health.txt')]);
  });

  it('/clarify says how many more are open than it lists', async () => {
    const { app, number } = await aProject({ architect });
    for (let count = 1; count <= 31; count++) {
      const question = { issueNumber: number, from: 'engineer', to: 'architect', question: 'Which one?' };
      await app.openAsk({ ...question, topic: `Topic ${count}`, blocking: false });
    }
    expect(drawn(await aChat(app).say('', 'clarify'))).toMatch(/^- ... 1 more$/m);
  });

  it('/clarify shows the question that a human must answer before the other agent does, and takes the answer', async () => {
    const askingRunner: RunnerFunction = ({ answers = [] }) =>
      answers.length > 0 ? { answer: 'SQLite.' } : { text: 'I cannot say.', open_questions: ['Which region?'] };
    const { app, number } = await aProject({ architect: askingRunner });
    const question = { issueNumber: number, from: 'engineer', to: 'architect', topic: TOPIC, question: 'Which one?' };
    const { waitingOn = [] } = await app.ask(question);
    for (const prompt of ['CLR-1-001', `#${number}`]) {
      const chat = aChat(app);
      expect(drawn(await chat.say(prompt, 'clarify'))).toContain('Which region?');
      expect(chat.told?.questionId).toBe(waitingOn[0]);
    }
    const chat = aChat(app);
    await chat.say('CLR-1-001', 'clarify');
    expect(drawn(await chat.say('Europe.'))).toContain('[Architect] SQLite.');
  });

  it('/clarify escalate hands an open one to the person', async () => {
    const { app } = await aProject({ architect });
    await app.openAsk({ issueNumber: 1, from: 'engineer', to: 'architect', topic: TOPIC, question: 'Which one?' });
    const chat = aChat(app);
    await chat.say('#1', 'clarify');
    expect(chat.told?.suggestions).toContainEqual({
      label: 'Escalate CLR-1-001 to me',
      prompt: 'escalate CLR-1-001',
      command: 'clarify',
    });
    const reply = drawn(await chat.say('escalate CLR-1-001 it takes too long', 'clarify'));
    expect(reply).toContain('[ESCALATED]');
    expect(reply).toContain('it takes too long');
    expect(chat.told?.questionId).toMatch(/^oq-/);
  });

  it('/inbox and /answer go through every part of a question, in words or by letter', async () => {
    const { app } = await aProject({ engineer });
    expect(await aChat(app).say('', 'inbox')).toBe('Nothing waits for you.');
    const { id } = await app.askHumans({
      agent: 'engineer',
      issueNumber: 1,
      source: 'execute',
      sourceId: '1',
      questions: [
        { text: 'How long?', options: [{ label: '30 days' }, { label: 'A year', recommended: true }] },
        { text: 'Who may read them?' },
      ],
    });
    const request = { agent: 'engineer', issueNumber: 1, source: 'execute', sourceId: '2' } as const;
    const other = await app.askHumans({ ...request, questions: [{ text: 'Sign *them*?' }] });
    const chat = aChat(app);
    const listText = drawn(await chat.say('', 'inbox'));
    // The one that the next message answers is the last that is read.
    expect(listText.indexOf(`${other.id} #1 Engineer asks: Sign *them*?`)).toBeGreaterThan(-1);
    expect(listText.indexOf('How long?')).toBeGreaterThan(listText.indexOf('Sign *them*?'));
    expect(listText).toContain('b) A year (recommended)');
    expect(listText).toContain('Nothing is decided without you.');
    expect(drawn(await chat.say('b'))).toContain('Who may read them?');
    expect(drawn(await chat.say('auditors', 'answer'))).toContain('[You] auditors');
    expect(await app.question(id)).toMatchObject({
      status: 'resolved',
      responses: [{ optionIds: ['b'] }, { answer: 'auditors' }],
    });
    expect(await chat.say(`${id} again`, 'answer')).toContain('CONFLICT');
    expect(await chat.say('oq-ffffffff x', 'answer')).toContain('NOT_FOUND');
    expect(await aChat(app).say('words', 'answer')).toContain('INVALID_INPUT');
  });

  it('/inbox shows every character of a question that holds code', async () => {
    const { app, number } = await aProject();
    const request = { issueNumber: number, agent: 'engineer', source: 'execute', sourceId: String(number) } as const;
    await app.askHumans({ ...request, questions: [{ text: 'Which one?\n\n    max_rows = 10\n\n    * all' }] });
    // A line that begins with four blanks would be code, in which a backslash is shown.
    const reply = await aChat(app).say('', 'inbox');
    expect(reply).not.toMatch(/^> {5}/m);
    expect(drawn(reply)).toContain('Which one?\n\n    max_rows = 10\n\n    * all\n');
  });

  it('/memory finds what was decided, and a broken ledger is named while the rest is shown', async () => {
    const { app, root } = await aProject({ engineer, architect });
    await (await app.memory()).add({
      issueNumber: 1,
      agent: 'architect',
      sessionId: 'SES-1',
      drafts: [{ category: 'decision', content: 'Audit logs are *signed*.' }],
    });
    const chat = aChat(app);
    expect(drawn(await chat.say('signed logs', 'memory'))).toContain('Audit');
    expect(await chat.say('zebra', 'memory')).toContain('Nothing is remembered about');
    expect(drawn(await chat.say('sgined', 'memory'))).toContain('Did you mean: signed');
    expect(chat.told?.suggestions[0]).toMatchObject({ prompt: 'signed', command: 'memory' });
    writeFileSync(join(root, 'memory/issue-8.json'), '{ not json');
    expect(drawn(await chat.say('signed logs', 'memory'))).toMatch(/CORRUPT_FILE.*issue-8[\s\S]*Audit/);
    mkdirSync(join(root, 'state/clarifications'), { recursive: true });
    writeFileSync(join(root, 'state/clarifications/issue-7.json'), '{ not json');
    const reply = await chat.say('', 'ready');
    expect(reply).toContain('CORRUPT_FILE');
    expect(reply).toContain('Health endpoint');
    writeFileSync(join(root, 'config.toml'), 'mode = ');
    expect(drawn(await aChat(app).say('#1'))).toContain('.agentx/config.toml, line 1');
  });
});

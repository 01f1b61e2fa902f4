import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/protocol/question.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { asking, aTeam, ourComments, type Team, type TeamOptions } from './support/github.js';
import { openInbox } from './support/inbox.js';
import { fileOf, letTimeRunOut, storeOf } from './support/runs.js';

/** A team with an escalation that GitHub shows. */
async function anEscalation(options: TeamOptions = {}): Promise<Team & { readonly id: string }> {
  const team = await aTeam(options);
  return { ...team, id: await escalate(team, 'Database') };
}

async function escalate({ user, cwd }: Team, topic: string): Promise<string> {
  const { clarificationId } = (await user.run([...asking(topic, `Which ${topic}?`), '--json'])).json() as {
    clarificationId: string;
  };
  await user.run(['clarify', 'escalate', clarificationId, '-m', 'They disagree.']);
  await user.sync();
  const { items } = await storeOf(cwd).questions.list();
  const question = items.find(({ sourceId }) => sourceId === clarificationId);
  if (question === undefined) throw new Error(`No question for ${clarificationId}.`);
  return question.id;
}

async function questionOf({ cwd }: Team, id: string): Promise<Question> {
  const question = await storeOf(cwd).questions.read(id);
  if (question === undefined) throw new Error(`There is no ${id}.`);
  return question;
}

const shownQuestion = ({ github }: Team, id: string) =>
  ourComments(github).find(({ name }) => name === `question:${id}`)?.body ?? 'not shown';
const repliesOf = ({ github }: Team) => ourComments(github).filter(({ name }) => name.startsWith('reply:'));

describe('an escalation on GitHub', () => {
  it('mentions the configured people, shows both positions and lettered options, and says how to answer [US-7.2/4]', async () => {
    const team = await anEscalation();
    const shown = shownQuestion(team, team.id);
    expect(shown).toContain('@octocat');
    expect(shown).toContain('@ada');
    for (const text of ['engineer', 'architect', 'PostgreSQL.', 'Which Database?', '/agentx answer']) {
      expect(shown).toContain(text);
    }
    const unescaped = shown.replaceAll('\\', '');
    const { questions } = await questionOf(team, team.id);
    for (const { id, label } of questions[0]?.options ?? []) {
      expect(shown).toMatch(new RegExp(`\\b${id}\\b`));
      expect(unescaped).toContain(label.split('\n')[0]);
    }
    expect(ourComments(team.github).filter(({ name }) => name.startsWith('question:'))).toHaveLength(1);
  });

  it('is answered by the letter in a comment of a person with write access, once, with its address kept [X-7/1]', async () => {
    const team = await anEscalation();
    const { github, user, id } = team;
    const comment = github.repository.comment(1, 'ada', '/agentx answer b\n');
    expect((await user.sync()).json()).toMatchObject({ answered: [id] });
    const question = await questionOf(team, id);
    expect(question).toMatchObject({
      status: 'resolved',
      outcome: 'answered',
      answeredBy: { principal: expect.stringContaining('ada'), channel: 'github' },
      responses: [{ questionId: 'q1', optionIds: ['b'] }],
    });
    expect(JSON.stringify(question.answeredBy)).toContain(`#issuecomment-${comment.id}`);
    const [record] = (await storeOf(team.cwd).ledgers.read(1)).clarifications;
    expect(record?.status).toBe('resolved');
    const shown = shownQuestion(team, id);
    expect(shown).toMatch(/answered.*ada/i);
    expect(github.repository.issue(1).labels).toEqual(['type:feature']);

    // The same comment, edited afterwards, decides nothing any more.
    github.repository.editComment(comment, '/agentx answer a');
    await user.sync();
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({
      responses: [{ optionIds: ['b'] }],
      revision: question.revision,
    });
    expect(repliesOf(team).length).toBeLessThanOrEqual(1);
  });

  it('is answered by plain text, but not by what was written before it was asked', async () => {
    const team = await aTeam();
    team.github.repository.comment(1, 'ada', 'I like SQLite.');
    const id = await escalate(team, 'Database');
    await team.user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'open' });
    team.github.repository.comment(1, 'ada', 'Use SQLite for now,\nwe migrate later.');
    await team.user.sync();
    const question = await questionOf(team, id);
    expect(question).toMatchObject({ status: 'resolved', outcome: 'answered', answeredBy: { channel: 'github' } });
    expect(question.responses?.[0]?.answer).toBe('Use SQLite for now,\nwe migrate later.');
  });

  it('is not answered by people without write access, who get one polite sentence, nor by bots', async () => {
    const team = await anEscalation();
    const { github, user, id } = team;
    github.repository.person('reader', 'read');
    github.repository.person('triager', 'triage');
    github.repository.person('helper[bot]', 'write', 'Bot');
    const refused = github.repository.comment(1, 'reader', '/agentx answer b');
    github.repository.comment(1, 'triager', '/agentx answer b');
    github.repository.comment(1, 'passer-by', '/agentx answer b');
    github.repository.comment(1, 'helper[bot]', '/agentx answer b');
    await user.sync();
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'open' });
    expect(repliesOf(team)).toHaveLength(3);
    for (const { body } of repliesOf(team)) expect(body).toMatch(/write access/i);

    github.repository.editComment(refused, '/agentx answer a');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'open' });
    // Who may write is asked at the time of the answer.
    github.repository.person('reader', 'write');
    github.repository.comment(1, 'reader', '/agentx answer a');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ responses: [{ optionIds: ['a'] }] });
  });

  it('is answered by a person with write access who hides that they belong to the organization', async () => {
    const team = await anEscalation();
    const { github, user, id } = team;
    github.repository.person('grace', 'write');
    github.repository.hiddenMembers.add('grace');
    github.repository.comment(1, 'grace', '/agentx answer b');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'resolved', answeredBy: { principal: 'grace' } });
    expect(repliesOf(team)).toEqual([]);
  });

  it('takes an answer that was corrected after it named no option, and no quoted instructions', async () => {
    const team = await anEscalation();
    const { github, user, id } = team;
    const comment = github.repository.comment(1, 'ada', '/agentx answer z');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'open' });
    expect(repliesOf(team)).toHaveLength(1);
    github.repository.editComment(comment, '> /agentx answer a\n\n/agentx answer b');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'resolved', responses: [{ optionIds: ['b'] }] });
  });

  it('takes commands from any line, each for its question, and none that is shown or hidden in a comment', async () => {
    const team = await anEscalation();
    const { github, user, id } = team;
    const other = await escalate(team, 'Cache');
    const [shown, hidden] = ['```\n/agentx answer a\n```', '<!--\n/agentx answer a\n-->'];
    for (const body of [shown, hidden, `> /agentx answer ${id} a`]) github.repository.comment(1, 'ada', body ?? '');
    await user.sync();
    for (const one of [id, other]) expect(await questionOf(team, one)).toMatchObject({ status: 'open' });
    expect(repliesOf(team)).toEqual([]);

    const both = `We talked.\n\n/agentx answer ${other} z\n/agentx answer ${id} b\n\nIt is smaller.`;
    github.repository.comment(1, 'ada', both);
    expect((await user.sync()).json()).toMatchObject({ answered: [id] });
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({
      responses: [{ optionIds: ['b'], answer: 'b\n\nIt is smaller.' }],
    });
    expect(await questionOf(team, other)).toMatchObject({ status: 'open' });
    expect(repliesOf(team)).toMatchObject([{ body: expect.stringContaining('no option z') }]);
    github.repository.comment(1, 'ada', `\u200b/agentx answer a\u200b`);
    await user.sync();
    expect(await questionOf(team, other)).toMatchObject({ responses: [{ optionIds: ['a'] }] });
    expect(repliesOf(team)).toHaveLength(1);
  });

  it('closes everywhere with the first answer, wherever that was given [X-7/1]', async () => {
    const team = await anEscalation();
    const { github, user, id } = team;
    expect((await user.run(['inbox', 'answer', id, '--option', 'a'])).status).toBe(0);
    github.repository.comment(1, 'ada', '/agentx answer b');
    await user.sync();
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({
      status: 'resolved',
      responses: [{ optionIds: ['a'] }],
      answeredBy: { channel: 'cli' },
    });
    const shown = shownQuestion(team, id);
    expect(shown).toMatch(/answered/i);
    expect(shown).toMatch(/terminal|command line|cli/i);
    expect(repliesOf(team).length).toBeLessThanOrEqual(1);
  });

  it('takes the comments that a person types with the account whose token the program has, and no comment of its own', async () => {
    const team = await anEscalation({ viewer: { login: 'octocat', role: 'admin' }, answers: ['/agentx answer a'] });
    const { github, user, id } = team;
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'open' });
    github.repository.comment(1, 'octocat', '/agentx answer b');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'resolved', responses: [{ optionIds: ['b'] }] });
  });
});

const STEPS = '[workflow]\nname = "story"\n\n[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "coder"\n';
const CODER = agentProgram(`
  const [answer] = brief.answers;
  if (answer) reply({ status: 'done', artifacts: [{ path: 'database.txt', content: answer.answer }] });
  else reply({ status: 'failed', open_questions: [{ id: 'q1', text: 'Which database?', options: [{ label: 'PostgreSQL' }, { label: 'SQLite' }] }] });
`);

describe('a question of a run', () => {
  it('is asked and answered on GitHub, and the run goes on with the answer [US-7.2/5]', async () => {
    const team = await aTeam({
      issues: [{ title: 'Orders' }],
      config: commandAgent('coder'),
      files: { '.agentx/workflows/story.toml': STEPS, 'coder.mjs': CODER },
    });
    const { github, user, cwd } = team;
    expect((await user.run(['run', '1', '--no-wait'])).status).toBe(3);
    await user.sync();
    const [comment] = ourComments(github).filter(({ name }) => name.startsWith('question:'));
    expect(comment?.body).toContain('SQLite');
    github.repository.comment(1, 'ada', '/agentx answer b');
    await user.sync();
    const run = await user.run(['run', '1', '--no-wait']);
    expect(run.status, run.stderr).toBe(0);
    expect(fileOf(cwd, 'database.txt')).toBe('SQLite');
    await user.sync();
    expect(ourComments(github).filter(({ name }) => name.startsWith('question:'))).toMatchObject([
      { id: comment?.id, body: expect.stringMatching(/answered by ada/i) },
    ]);
  });

  it('that nobody answered in time is told as an assumption, and a late answer is taken', async () => {
    const team = await aTeam({ issues: [{ title: 'Orders' }] });
    const { github, user, cwd } = team;
    const options = [
      { id: 'a', label: 'PostgreSQL' },
      { id: 'b', label: 'SQLite' },
    ];
    const { id } = await (await openInbox(cwd)).ask({
      parts: [{ id: 'q1', text: 'Which database?', options, allowText: true, multiSelect: false }],
      fallback: { optionId: 'a', reasoning: 'It is there.', risk: 'low' },
    });
    await user.sync();
    expect(shownQuestion(team, id)).toContain('PostgreSQL');
    await letTimeRunOut(cwd, id);
    expect((await user.run(['inbox'])).status).toBe(0);
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ outcome: 'fallback_applied' });
    expect(shownQuestion(team, id)).toMatch(/fallback/i);
    expect(ourComments(github).map(({ name }) => name)).toContain('assumption:ASM-1-001');

    github.repository.comment(1, 'ada', `/agentx answer ${id} b`);
    await user.sync();
    const late = await questionOf(team, id);
    expect(late).toMatchObject({ lateResponses: [{ answeredBy: { channel: 'github' } }] });
    await user.sync();
    expect(shownQuestion(team, id)).toMatch(/late.*ada/i);
    expect((await user.run(['inbox', '--json'])).json()).toMatchObject({ questions: [{ kind: 'late_answer' }] });
    const names = ourComments(github).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('a question with several parts', () => {
  it('is answered by part, also when only one is left: a letter may have been meant for the other', async () => {
    const team = await aTeam({ issues: [{ title: 'Orders' }] });
    const { github, user, cwd } = team;
    const parts = ['Which database?', 'Which region?'].map((text, index) => ({
      id: `q${index + 1}`,
      text,
      options: ['a', 'b'].map((id) => ({ id, label: `${text} ${id}` })),
    }));
    const { id } = await (await openInbox(cwd)).ask({ parts });
    await user.sync();
    // Written while both were open on GitHub; read when somebody else has answered the first one.
    github.repository.comment(1, 'ada', '/agentx answer b');
    github.repository.comment(1, 'ada', 'b');
    expect((await user.run(['inbox', 'answer', id, '--question', 'q1', '--option', 'a'])).status).toBe(0);
    await user.sync();
    const { status, responses } = await questionOf(team, id);
    expect({ status, parts: responses?.map(({ questionId }) => questionId) }).toEqual({
      status: 'open',
      parts: ['q1'],
    });
    const replies = repliesOf(team);
    expect(replies).toHaveLength(2);
    for (const { body } of replies) expect(body).toContain(`\`/agentx answer ${id} q2 ...\``);

    github.repository.comment(1, 'ada', '/agentx answer q2 b');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({
      outcome: 'answered',
      responses: [{ questionId: 'q1' }, { questionId: 'q2', optionIds: ['b'] }],
      answeredBy: { principal: 'ada', channel: 'github' },
    });
  });
});

describe('a question that cannot be undone', () => {
  it('says so, and is decided by an option or a command, not by what people say to each other [X-1/2]', async () => {
    const team = await aTeam({ issues: [{ title: 'Orders' }] });
    const { github, user, cwd } = team;
    const options = [
      { id: 'a', label: 'Drop the table' },
      { id: 'b', label: 'Keep it' },
    ];
    const inbox = await openInbox(cwd);
    const { id } = await inbox.ask({
      parts: [{ id: 'q1', text: 'What becomes of the old orders?', options }],
      consequence: 'irreversible',
    });
    await user.sync();
    expect(shownQuestion(team, id)).toContain('This cannot be undone.');
    github.repository.comment(1, 'ada', 'Let us look at the backups first.');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ status: 'open' });
    expect(repliesOf(team)).toMatchObject([{ body: expect.stringContaining(`\`/agentx answer ${id} ...\``) }]);

    github.repository.comment(1, 'ada', 'Keep it, please.');
    await user.sync();
    expect(await questionOf(team, id)).toMatchObject({ outcome: 'answered', responses: [{ optionIds: ['b'] }] });

    const { id: second } = await inbox.ask({
      parts: [{ id: 'q1', text: 'And of the old users?' }],
      consequence: 'irreversible',
      origin: 'run-1-aa/step/1/question/1',
    });
    await user.sync();
    github.repository.comment(1, 'ada', 'What do you think?');
    await user.sync();
    expect(await questionOf(team, second)).toMatchObject({ status: 'open' });
    github.repository.comment(1, 'ada', '/agentx answer Archive them.');
    await user.sync();
    expect(await questionOf(team, second)).toMatchObject({ responses: [{ answer: 'Archive them.' }] });
  });
});

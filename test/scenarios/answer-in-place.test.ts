import { describe, expect, it } from 'vitest';
import type { ReadyAsking } from '../../src/inbox/ask.js';
import { agentx, aRepository } from './support/agentx.js';
import { openInbox } from './support/inbox.js';
import { letTimeRunOut, storeOf } from './support/runs.js';
import { KEYS, onTerminal } from './support/terminal.js';

const LOGS = {
  id: 'q1',
  text: 'How long are audit logs kept?',
  createdAt: '2026-02-26T10:00:00.000Z',
  options: [
    { id: 'a', label: '30 days' },
    { id: 'b', label: '1 year', recommended: true },
  ],
};
const WHY = { id: 'q2', text: 'Who wants that?', createdAt: '2026-02-26T10:00:00.000Z' };

async function openQuestion(request: Pick<ReadyAsking, 'parts' | 'fallback'>) {
  const cwd = await aRepository({ issues: [{ title: 'Health' }] });
  const { id } = await (await openInbox(cwd)).ask(request);
  return { cwd, id };
}

describe('agentx inbox answer ID on a terminal', () => {
  it('asks in place, every part, and says what became of it', async () => {
    const { cwd, id } = await openQuestion({ parts: [LOGS, WHY] });
    const terminal = onTerminal(cwd, ['inbox', 'answer', id.slice(0, 8)]);
    await terminal.until('> b) 1 year  recommended');
    terminal.type(`a${KEYS.enter}`);
    await terminal.until('(2 of 2): Who wants that?');
    terminal.type('The auditors');
    await terminal.until('The auditors');
    terminal.type(KEYS.enter);
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toMatch(new RegExp(`${id} q1: 30 days\\n${id} q2: The auditors\\n${id} is answered\\.$`));
    expect(await storeOf(cwd).questions.read(id)).toMatchObject({
      outcome: 'answered',
      answeredBy: { principal: 'ada', channel: 'cli' },
    });
  });

  it('takes what is pasted with its lines, and sends nothing before Enter', async () => {
    const { cwd, id } = await openQuestion({ parts: [WHY] });
    const terminal = onTerminal(cwd, ['inbox', 'answer', id]);
    await terminal.until('Enter answers');
    terminal.type('\u001b[200~- the auditors\r- the law e\u0301\r\u001b[201~');
    await terminal.until('- the law');
    terminal.type(KEYS.enter);
    expect(await terminal.ended).toBe(0);
    const question = await storeOf(cwd).questions.read(id);
    expect(question?.responses).toMatchObject([{ answer: '- the auditors\n- the law e\u0301' }]);
  });

  it('leaves it open on Escape and on Ctrl-C, and says how to come back', async () => {
    const { cwd, id } = await openQuestion({ parts: [LOGS] });
    for (const [key, code] of [
      [KEYS.escape, 3],
      ['\u0004', 3],
      [KEYS.ctrlC, 130],
    ] as const) {
      const terminal = onTerminal(cwd, ['inbox', 'answer', id]);
      await terminal.until('> b) 1 year');
      terminal.type(key);
      expect(await terminal.ended).toBe(code);
      expect(terminal.screen()).toMatch(new RegExp(`Left open\\. Answer: agentx inbox answer ${id}$`));
      const raw = terminal.raw();
      expect(raw.lastIndexOf('\u001b[?25h')).toBeGreaterThan(raw.lastIndexOf('\u001b[?25l'));
    }
    expect((await storeOf(cwd).questions.read(id))?.status).toBe('open');
  });

  it('ends when somebody else answers, and says who', async () => {
    const { cwd, id } = await openQuestion({ parts: [LOGS] });
    const terminal = onTerminal(cwd, ['inbox', 'answer', id]);
    await terminal.until('> b) 1 year');
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'a'], { env: { USER: 'bob' } }).status).toBe(0);
    expect(await terminal.ended).toBe(1);
    expect(terminal.screen()).toContain(`Question ${id} has ended: answered by bob (cli).`);
    const again = onTerminal(cwd, ['inbox', 'answer', id]);
    expect(await again.ended).toBe(1);
    expect(again.screen()).toContain('has ended: answered by bob (cli).');
  });

  it('takes a late answer, and asks at once what follows from it', async () => {
    const { cwd, id } = await openQuestion({ parts: [LOGS], fallback: { optionId: 'b', reasoning: 'the usual' } });
    await letTimeRunOut(cwd, id);
    agentx(cwd, ['inbox']);
    expect((await storeOf(cwd).questions.read(id))?.outcome).toBe('fallback_applied');
    const terminal = onTerminal(cwd, ['inbox', 'answer', id], { rows: 40 });
    await terminal.until('> b) 1 year');
    terminal.type(`a${KEYS.enter}`);
    await terminal.until('The fallback was taken before you answered.');
    await terminal.until(/> a\) (?!30 days)/);
    terminal.type(KEYS.enter);
    expect(await terminal.ended).toBe(0);
    const late = (await storeOf(cwd).questions.list()).items.find(({ kind }) => kind === 'late_answer');
    expect(late).toMatchObject({ status: 'resolved', outcome: 'answered' });
  });

  it('scrolls a question that is taller than the window, and never hides what is chosen from', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1} of the question.`);
    const { cwd, id } = await openQuestion({ parts: [{ ...LOGS, text: lines.join('\n') }] });
    const terminal = onTerminal(cwd, ['inbox', 'answer', id], { columns: 60, rows: 14 });
    await terminal.until(/-- 1-\d of 42 lines, PgUp\/PgDn --\n[\s\S]*> b\) 1 year/);
    for (let page = 0; page < 10; page++) terminal.type(KEYS.pageDown);
    await terminal.until(
      / {4}Line 40 of the question\.\n[\s\S]*-- \d+-42 of 42 lines, PgUp\/PgDn --\n[\s\S]*> b\) 1 year/,
    );
    terminal.type(KEYS.pageUp);
    await terminal.until(/-- \d+-3\d of 42 lines/);
    terminal.type(KEYS.enter);
    expect(await terminal.ended).toBe(0);
    expect((await storeOf(cwd).questions.read(id))?.responses).toMatchObject([{ optionIds: ['b'] }]);
  });
});

describe('agentx inbox answer ID where no person can be asked', () => {
  it('says what to add, with what there is to choose from', async () => {
    const { cwd, id } = await openQuestion({ parts: [LOGS] });
    const { status, stdout, stderr } = agentx(cwd, ['inbox', 'answer', id]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(
      'error: What is the answer? Add --option LETTER, -m TEXT or -F FILE (- is stdin). ' +
        `The options: a (30 days), b (1 year). See: agentx inbox show ${id}\n`,
    );
    expect(agentx(cwd, ['inbox', 'answer', id, '--json']).json()).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  });
});

describe('a verb without its text, on a terminal', () => {
  it('asks for it in place', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Health' }] });
    const comment = onTerminal(cwd, ['issue', 'comment', '1']);
    await comment.until('? What do you have to say?');
    comment.type('\u001b[200~two\rlines\u001b[201~, pasted');
    await comment.until('pasted');
    comment.type(KEYS.enter);
    expect(await comment.ended).toBe(0);
    expect((await storeOf(cwd).issues.read(1))?.comments).toMatchObject([{ body: 'two\nlines, pasted' }]);
    const create = onTerminal(cwd, ['issue', 'create']);
    await create.until('What is to be done, in one line?');
    create.type(KEYS.escape);
    expect(await create.ended).toBe(2);
    expect(create.screen()).toContain('error: Nothing was said, and nothing is done.');
    expect(await storeOf(cwd).issues.read(2)).toBeUndefined();
  });

  it('hears first that what it names is not there', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Health' }] });
    for (const args of [
      ['issue', 'comment', '9'],
      ['clarify', 'resolve', 'clr-1-9'],
      ['assumptions', 'reject', 'asm-1-9'],
    ]) {
      const terminal = onTerminal(cwd, args);
      expect(await terminal.ended).toBe(4);
      expect(terminal.screen()).toContain('There is no ');
    }
  });
});

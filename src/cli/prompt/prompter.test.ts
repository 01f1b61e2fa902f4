import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../../test/builders/hub.js';
import { aQuestion } from '../../../test/builders/question.js';
import type { Question } from '../../protocol/question.js';
import { noteTyping } from '../../protocol/question-notes.js';
import { transition } from '../../protocol/question-transition.js';
import { UNPAINTED } from '../../render/conversation.js';
import { openInMemoryStore } from '../../storage/in-memory/store.js';
import type { Key } from './keyboard.js';
import { Prompter, type PrompterOptions } from './prompter.js';

const AT = '2026-02-26T10:01:00.000Z';
const ENTER: Key = { text: '', name: 'return', isCtrl: false };
const ESCAPE: Key = { text: '', name: 'escape', isCtrl: false };
const letter = (text: string): Key => ({ text, name: text, isCtrl: false });
const VIEW = { paint: UNPAINTED, width: 80, rows: 20, now: AT };

const NAME = { id: 'q1', text: 'Which name?', options: [{ id: 'a', label: 'Shop' }] };
const DROP = { id: 'q2', text: 'Drop it?', options: [{ id: 'a', label: 'Yes' }] };

/** A person at a prompt, over a store in which others answer too. */
async function aPrompter(...questions: readonly Question[]) {
  const store = openInMemoryStore();
  for (const question of questions) await store.questions.create(question);
  const answerQuestion: PrompterOptions['app']['answerQuestion'] = async (request) => {
    const { id, by, revision = 1, questionId = 'q1', optionIds, text } = request;
    const response = {
      questionId,
      ...(text === undefined ? {} : { answer: text }),
      ...(optionIds === undefined ? {} : { optionIds }),
    };
    return store.questions.update(id, (current) => {
      const { question } = transition(current, { type: 'answer', at: AT, by, revision, responses: [response] });
      return { next: question, result: { question, choices: [] } };
    });
  };
  const clock = fixedClock(AT);
  const typed: string[] = [];
  const keepAlive: PrompterOptions['app']['keepAlive'] = async ({ id, by: { principal } }) => {
    const at = clock.now();
    typed.push(at);
    return store.questions.update(id, (current) => {
      const next = noteTyping(current, { principal, at });
      return { next, result: next };
    });
  };
  const messages: string[] = [];
  const ended: Question[] = [];
  const left: string[] = [];
  const prompter = new Prompter({
    app: { question: store.questions.read, answerQuestion, keepAlive, clock },
    principal: 'ada',
    say: (text) => messages.push(text),
    ended: (question) => ended.push(question),
    left: ({ id }) => left.push(id),
  });
  for (const question of questions) prompter.add(question);
  const elsewhere = (id: string) =>
    answerQuestion({ id, by: { principal: 'bob', channel: 'web' }, optionIds: ['a'], questionId: 'q1' });
  return {
    prompter,
    said: messages,
    ended,
    left,
    typed,
    elsewhere,
    typesElsewhere: (id: string) => keepAlive({ id, by: { principal: 'bob' } }),
    clock,
    screen: () => prompter.lines({ ...VIEW, now: clock.now() }).join('\n'),
  };
}

describe('the prompter', () => {
  it('lets a key that is held decide nothing that cannot be undone', async () => {
    const final = aQuestion({ id: 'oq-00000002', consequence: 'irreversible', questions: [DROP] });
    const { prompter, ended, screen } = await aPrompter(aQuestion(), final);
    for (let count = 0; count < 15; count++) await prompter.press(ENTER);
    expect(ended).toMatchObject([{ id: 'oq-1a2b3c4d' }]);
    expect(screen()).toContain('    a) Yes');
    expect(screen()).toContain('It cannot be undone. up/down or a letter, Enter answers, Esc leaves it open');
    await prompter.press(letter('a'));
    await prompter.press(ENTER);
    expect(ended).toMatchObject([{ id: 'oq-1a2b3c4d' }, { id: 'oq-00000002', status: 'resolved' }]);
  });

  it('asks one question after the other and sends what is chosen', async () => {
    const { prompter, ended, screen } = await aPrompter(aQuestion(), aQuestion({ id: 'oq-00000002' }));
    await prompter.press(letter('b'));
    await prompter.press(ENTER);
    expect(ended).toMatchObject([{ id: 'oq-1a2b3c4d', responses: [{ optionIds: ['b'] }] }]);
    expect(screen()).toContain('Which database?');
    await prompter.press(ENTER);
    expect(ended.map(({ id }) => id)).toEqual(['oq-1a2b3c4d', 'oq-00000002']);
    expect(screen()).toBe('');
  });

  it('says who was first when an answer comes too late, and shows the answer that won', async () => {
    const { prompter, said, ended, elsewhere, screen } = await aPrompter(aQuestion());
    await elsewhere('oq-1a2b3c4d');
    await prompter.press(letter('b'));
    await prompter.press(ENTER);
    expect(said).toEqual([expect.stringMatching(/^error: Question oq-1a2b3c4d is already answered, by bob \(web\)/)]);
    expect(ended).toMatchObject([
      { answeredBy: { principal: 'bob', channel: 'web' }, responses: [{ optionIds: ['a'] }] },
    ]);
    expect(screen()).toBe('');
  });

  it('closes by itself when another person answered', async () => {
    const { prompter, ended, elsewhere } = await aPrompter(aQuestion());
    await prompter.look();
    expect(prompter.isAsking).toBe(true);
    await elsewhere('oq-1a2b3c4d');
    await prompter.look();
    expect(prompter.isAsking).toBe(false);
    expect(ended).toHaveLength(1);
  });

  it('goes on with the parts that are left when one is answered elsewhere, and keeps what is typed', async () => {
    const parts = [
      { id: 'q1', text: 'Which database?', options: [{ id: 'a', label: 'SQLite' }] },
      { id: 'q2', text: 'Why?' },
    ];
    const { prompter, elsewhere, screen, ended, clock } = await aPrompter(aQuestion({ questions: parts }));
    await elsewhere('oq-1a2b3c4d');
    await prompter.look();
    expect(screen()).toContain('(2 of 2): Why?');
    clock.advance(1_000);
    await prompter.press(letter('x'));
    await prompter.look();
    await prompter.press(ENTER);
    expect(ended).toMatchObject([{ responses: [{ questionId: 'q1' }, { questionId: 'q2', answer: 'x' }] }]);
  });

  it.each([
    ['part', [aQuestion({ questions: [NAME, DROP] })], '(2 of 2): Drop it?'],
    ['question', [aQuestion({ questions: [NAME] }), aQuestion({ id: 'oq-00000002', questions: [DROP] })], 'Drop it?'],
  ])(
    'takes what is typed for a %s that is answered elsewhere for no answer to the next one',
    async (_, asked, next) => {
      const { prompter, elsewhere, screen, ended, said, clock } = await aPrompter(...asked);
      for (const key of [letter('b'), ENTER, letter('x'), letter('y')]) await prompter.press(key);
      await elsewhere('oq-1a2b3c4d');
      await prompter.look();
      expect(screen()).toContain(next);
      expect(said).toEqual(['Not sent: xy']);
      for (const key of [letter('b'), ENTER, ENTER]) {
        clock.advance(900);
        await prompter.press(key);
      }
      expect(screen()).toContain('> a) Yes');
      clock.advance(1_000);
      await prompter.press(ENTER);
      expect(ended.at(-1)).toMatchObject({ answeredBy: { principal: 'ada' } });
    },
  );

  it('leaves a question open on Escape and asks again at the next key', async () => {
    const { prompter, left, ended } = await aPrompter(aQuestion());
    await prompter.press(ESCAPE);
    expect(prompter.isAsking).toBe(false);
    expect(left).toEqual(['oq-1a2b3c4d']);
    await prompter.press(letter('x'));
    expect(prompter.isAsking).toBe(true);
    expect(ended).toEqual([]);
  });

  const inTenSeconds = { fallback: { optionId: 'a' }, expiresAt: '2026-02-26T10:01:10.000Z' };

  it('holds the clock while a person types, and reports it at most once a second [X-4/3]', async () => {
    const { prompter, typed, clock, screen } = await aPrompter(aQuestion(inTenSeconds));
    expect(screen()).toContain('a fallback applies in 0:10');
    for (const key of ['c', 'b', 'a']) await prompter.press(letter(key));
    clock.advance(9_000);
    await prompter.press(letter('b'));
    await prompter.look();
    expect(typed).toEqual([AT, '2026-02-26T10:01:09.000Z']);
    // Typing held the clock for nine seconds; the last key also holds it in advance.
    expect(screen()).toContain('a fallback applies in 0:40');
    expect(screen()).toContain('> b) ');
  });

  it('shows that a person who types elsewhere holds the clock, and keeps what is chosen here', async () => {
    const { prompter, typesElsewhere, screen } = await aPrompter(aQuestion(inTenSeconds));
    await prompter.press(letter('b'));
    await typesElsewhere('oq-1a2b3c4d');
    await prompter.look();
    expect(screen()).toContain('a fallback applies in 0:40');
    expect(screen()).toContain('> b) ');
  });

  it('leaves a question that has no clock alone until it is answered', async () => {
    const { prompter, typed } = await aPrompter(aQuestion());
    await prompter.press(letter('b'));
    expect(typed).toEqual([]);
  });
});

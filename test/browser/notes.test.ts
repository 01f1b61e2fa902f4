import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secretIn } from '../../src/app/server-files.js';
import { signChoice } from '../../src/notify/choice-link.js';
import { aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, says } from './support/people.js';
import { serveRepository } from './support/server.js';

const aRepo = () => aRepository({ issues: [{ title: 'Paint the shed' }] });
const COLOUR = {
  questions: [
    {
      id: 'q1',
      text: 'Which colour?',
      options: [
        { id: 'a', label: 'Red' },
        { id: 'b', label: 'Blue' },
      ],
    },
  ],
};

/**
 * Browsers without a screen have no notes: theirs are forbidden, whatever is granted. So the test stands in for them. The
 * page has no focus: its person looks at something else.
 */
const SPY = `
  window.asked = 0;
  window.notes = [];
  document.hasFocus = () => false;
  window.Notification = class extends EventTarget {
    static permission = 'default';
    static async requestPermission() { window.asked += 1; return (this.permission = 'granted'); }
    constructor(title, options) { super(); window.notes.push(title + ': ' + options.body); }
    close() {}
  };
`;

it('notifies a person of a new question, and asks for the permission only on a click [X-13/12]', async () => {
  const served = await serveRepository(await aRepo());
  const { page, complaints } = await aPerson(served);
  await page.addInitScript(SPY);
  await page.goto(served.url);
  const button = page.getByRole('button', { name: 'Notify me' });
  await button.waitFor();
  await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
  await says(page, 'Which name?');
  expect(await page.evaluate('window.asked')).toBe(0);
  expect(await page.evaluate('window.notes')).toEqual([]);
  await button.click();
  await eventually(() => button.getAttribute('aria-pressed'), 'true');
  expect(await page.evaluate('window.asked')).toBe(1);
  await served.ask(COLOUR);
  await eventually(() => page.evaluate('window.notes.length'), 1);
  expect(await page.evaluate('window.notes[0]')).toContain('asks (#1): Which colour?');
  await button.click();
  await eventually(() => button.getAttribute('aria-pressed'), 'false');
  expect(complaints).toEqual([]);
});

it('shows a new question where the browser allows notes and then refuses to make one', async () => {
  const served = await serveRepository(await aRepo());
  const { page, complaints } = await aPerson(served);
  await page.addInitScript(`${SPY}
    localStorage.setItem('agentx notes', 'yes');
    window.Notification = class {
      static permission = 'granted';
      constructor() { throw new TypeError('Illegal constructor'); }
    };
  `);
  await page.goto(served.url);
  await says(page, 'Nothing waits for you.');
  await served.ask({ questions: [{ id: 'q1', text: 'Which name?' }] });
  await says(page, 'Which name?');
  await served.ask(COLOUR);
  await says(page, '1 new');
  expect(complaints).toEqual([]);
});

it('shows the option of a link as chosen, and sends nothing [X-13/10]', async () => {
  const cwd = await aRepo();
  const served = await serveRepository(cwd);
  const { id } = await served.ask(COLOUR);
  const { page } = await aPerson(served);
  await says(page, 'Which colour?');
  const secret = secretIn(join(cwd, '.agentx', 'state'), 'notify-secret');
  const token = signChoice(secret, { questionId: id, part: 'q1', optionId: 'b' }, Date.now());
  await page.goto('about:blank');
  await page.goto(`${served.url}/inbox/${id}#choose=${token}`);
  const blue = page.getByRole('radio', { name: /Blue/ });
  await eventually(() => blue.isChecked(), true);
  expect(new URL(page.url()).hash).toBe('');
  expect((await served.stored(id))?.status).toBe('open');
});

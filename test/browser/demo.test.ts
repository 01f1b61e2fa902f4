import { expect, it } from 'vitest';
import { onTerminal } from '../scenarios/support/terminal.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { aPerson, says } from './support/people.js';

it('a newcomer follows the link of the demo, answers in the browser, and sees the agents go on to the end', async () => {
  const home = temporaryFolder();
  const terminal = onTerminal(home, ['demo'], { columns: 160, env: { TMPDIR: home, HOME: home } });
  await terminal.until(/UX Designer asks: [\s\S]*Something else\.\.\./);
  const [link = ''] = /http:\S+#token=\S+/.exec(terminal.screen()) ?? [];
  const { page, complaints } = await aPerson({ url: new URL(link).origin, link }, { isNewcomer: true });
  await says(page, 'Agents ask here what they cannot decide themselves.');
  await page.getByRole('button', { name: 'Understood' }).click();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await says(page, 'Answered. The agent goes on.');
  await terminal.until(/\[ada, web\] Up/);

  const row = page.locator('.row', { hasText: 'Retention of audit logs' });
  await row.click();
  await page.locator('.question textarea').fill('30 days. Compliance wants no more.');
  await page.keyboard.press('Control+Enter');
  await terminal.until(/\[ada, web\] 30 days\. Compliance wants no more\./);
  expect(await terminal.ended, terminal.screen()).toBe(0);
  expect(terminal.screen()).toContain('Run complete: ');
  expect(terminal.screen()).not.toContain('the fallback is taken');
  await says(page, 'offline: what you write is kept');
  // The server is gone, perhaps in the middle of a request.
  expect(complaints.filter((text) => !/WebSocket|net::ERR_/.test(text))).toEqual([]);
});

import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/app/create-app.js';
import { agentx } from '../scenarios/support/agentx.js';
import { aRunnable, storeOf } from '../scenarios/support/runs.js';
import { until } from '../support/until.js';
import { aWindow, withEditor } from './support/a-window.js';
import { chatInput, openChat, say, saysInChat } from './support/chat.js';
import type { EditorWindow } from './support/window.js';
import { allNotices, statusItem, toasts } from './support/workbench.js';

withEditor();

const STEPS = '[[steps]]\nid = "plan"\ntitle = "Plan"\nagent = "engineer"\n';
const SCRIPT = `
[[turns]]
agent = "engineer"
[[turns.open_questions]]
text = "Which colour?"
`;

it('a question is notified of exactly once, in a window with the focus, and not if it was answered elsewhere or is asked in the chat', async () => {
  const folder = await aRunnable({ steps: STEPS, script: SCRIPT });
  const app = createApp({ root: join(folder, '.agentx'), env: { AGENTX_LOG: 'silent' } });
  onTestFinished(() => app.close());
  const ask = (text: string) =>
    app.askHumans({ agent: 'tester', issueNumber: 2, source: 'execute', sourceId: text, questions: [{ text }] });
  await app.createIssue({ title: 'Another one' });
  const windows = [await aWindow({ folder }), await aWindow({ folder })] as const;
  const [left, right] = windows;
  const untilCounted = async (count: string) => {
    for (const { page } of windows)
      await expect.poll(() => statusItem(page).allInnerTexts()).toEqual([expect.stringContaining(count)]);
  };
  await untilCounted('AgentX');

  // The editor believes both to be in focus.
  await ask('Told once?');
  await until(async () => (await Promise.all(windows.map(noticesIn))).flat().length > 0);
  await untilCounted('1');

  // In none of them: it is answered before a person comes back.
  for (const window of windows) await setFocus(window, false);
  const { id } = await ask('Too late?');
  await untilCounted('2');
  agentx(folder, ['inbox', 'answer', id, '-m', 'Yes']);
  await untilCounted('1');
  await setFocus(right, true);

  // In the one that has the focus.
  await ask('Who has the focus?');
  await toasts(right.page).filter({ hasText: 'Who has the focus?' }).waitFor();
  await setFocus(right, false);
  await setFocus(left, true);

  // The chat asks its questions itself: nothing covers the line in which they are answered.
  await openChat(left.host);
  await say(left.page, '@agentx #1');
  await saysInChat(left.page, 'Which colour?');
  await saysInChat(left.page, 'Your next message is the answer.');
  await untilCounted('3');
  await ask('And after it?');
  await toasts(left.page).filter({ hasText: 'And after it?' }).waitFor();
  // Nor does what others ask, in a window as small as this.
  const shown = (await left.page.locator('.notifications-toasts').boundingBox()) ?? { y: Infinity, height: 0 };
  const input = await chatInput(left.page).boundingBox();
  expect(shown.y + shown.height).toBeLessThan(input?.y ?? 0);
  await setFocus(right, true);
  await untilCounted('4');

  const notices = await Promise.all(windows.map(({ page, host }) => allNotices(page, host)));
  expect(notices.flat().filter((text) => text.includes('Told once?'))).toHaveLength(1);
  expect(notices[0]?.filter((text) => !text.includes('Told once?'))).toEqual(['Tester asks about #2: And after it?']);
  expect(notices[1]?.filter((text) => !text.includes('Told once?'))).toEqual([
    'Tester asks about #2: Who has the focus?',
  ]);
  await say(left.page, 'Blue');
  await saysInChat(left.page, '[You] Blue');
  expect((await storeOf(folder).questions.list({ status: 'resolved' })).items).toHaveLength(2);
});

async function noticesIn({ page }: EditorWindow): Promise<readonly string[]> {
  return toasts(page).allInnerTexts();
}

/** As if the person had turned to another window, or back to this one. */
async function setFocus({ page, host }: EditorWindow, isFocused: boolean): Promise<void> {
  await page.evaluate(
    `document.hasFocus = () => ${isFocused}; window.dispatchEvent(new Event('${isFocused ? 'focus' : 'blur'}'))`,
  );
  await until(async () => (await host.run((vscode) => vscode.window.state.focused)) === isFocused);
}

import { expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from '../scenarios/support/agents.js';
import { agentx } from '../scenarios/support/agentx.js';
import { aRunnable, fileOf, storeOf } from '../scenarios/support/runs.js';
import { aWindow, withEditor } from './support/a-window.js';
import { openChat, say, saysInChat } from './support/chat.js';
import { rowsOf, showView, statusItem, textsOf, toasts } from './support/workbench.js';

withEditor();

const STEPS = `
[[steps]]
id = "implement"
title = "Implement {{title}}"
agent = "engineer"
can_clarify = ["architect"]
`;

const RETENTION = {
  text: 'How long are audit logs kept?',
  options: [
    { id: 'a', label: '30 days' },
    { id: 'b', label: '1 year' },
  ],
};

const ENGINEER = agentProgram(`
  const [answer] = brief.answers;
  appendFileSync('turns', brief.kind + '\\n');
  if (answer !== undefined) reply({ artifacts: [{ path: 'answer.txt', content: answer.answer }] });
  else { await until('go'); reply({ open_questions: [${JSON.stringify(RETENTION)}] }); }
`);

const anAsker = () =>
  aRunnable({ steps: STEPS, config: commandAgent('engineer'), files: { 'engineer.mjs': ENGINEER } });

it('two windows and a command line share a folder: each sees what the others do, and a notification goes when its question is answered', async () => {
  const folder = await anAsker();
  const [left, right] = [await aWindow({ folder }), await aWindow({ folder })];
  for (const { page } of [left, right]) await showView(page);
  await openChat(left.host);
  await say(left.page, '@agentx #1');
  await untilThere(folder, 'turns');
  await expect.poll(async () => (await textsOf(right.page, 'Agents')).join()).toMatch(/Engineer.*working/);
  letGo(folder);
  await saysInChat(left.page, RETENTION.text);
  for (const { page } of [left, right]) {
    await expect.poll(async () => (await textsOf(page, 'Inbox')).join()).toContain(RETENTION.text);
    await expect.poll(() => statusItem(page).allInnerTexts()).toEqual([expect.stringContaining('1')]);
  }
  // The question was asked in the chat of one window. What the command line answers leaves both.
  const [question] = (await storeOf(folder).questions.list({ status: 'open' })).items;
  expect(agentx(folder, ['inbox', 'answer', question?.id ?? '', '--option', 'b']).status).toBe(0);
  for (const { page } of [left, right]) {
    await expect.poll(() => rowsOf(page, 'Inbox').count()).toBe(0);
    await toasts(page).filter({ hasText: RETENTION.text }).waitFor({ state: 'detached' });
  }
  await say(left.page, 'resume');
  await saysInChat(left.page, /Run complete/);
  expect(fileOf(folder, 'answer.txt')).toBe('1 year');
  expect(fileOf(folder, 'turns').trim().split('\n')).toHaveLength(2);
});

it('an extension host that is killed in the middle of a run loses nothing, and the next request goes on', async () => {
  const folder = await anAsker();
  const window = await aWindow({ folder });
  const { page } = window;
  await openChat(window.host);
  await say(page, '@agentx #1');
  await untilThere(folder, 'turns');
  await window.killHost();
  await showView(page);
  await expect.poll(async () => (await textsOf(page, 'Ready Queue')).join()).toMatch(/interrupted/);
  letGo(folder);
  await openChat(window.host);
  await say(page, '@agentx #1');
  await saysInChat(page, RETENTION.text);
  await say(page, 'b');
  await saysInChat(page, /Run complete/);
  expect(fileOf(folder, 'answer.txt')).toBe('1 year');
  expect((await storeOf(folder).questions.list({})).items).toHaveLength(1);
  await saysInChat(page, '[You]');
  expect(agentx(folder, ['doctor', '--json']).json()).toMatchObject({ problems: [] });
});

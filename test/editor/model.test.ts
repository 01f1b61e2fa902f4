import { expect, it } from 'vitest';
import { agentx } from '../scenarios/support/agentx.js';
import { aRunnable, fileOf, storeOf } from '../scenarios/support/runs.js';
import { aWindow, withEditor } from './support/a-window.js';
import { openChat, say, saysInChat } from './support/chat.js';
import type { ModelRequest, ModelTurn } from './support/host.js';

withEditor();

const STEPS = `
[[steps]]
id = "implement"
title = "Implement {{title}}"
agent = "engineer"
can_clarify = ["architect"]
`;

const CONFIG = `
[agents.engineer]
runner = "editor"

[agents.architect]
runner = "editor"
model = "companion/scripted"
`;

const QUESTION = 'PostgreSQL or SQLite for the health check?';

it("agents with the runner 'editor' work, ask and answer through a model that the editor offers [US-6.2/4] [US-6.2/6]", async () => {
  const folder = await aRunnable({ steps: STEPS, config: CONFIG });
  const { status, stderr } = agentx(folder, ['run', '1']);
  expect(status, stderr).not.toBe(0);
  expect(stderr).toContain("has the runner 'editor'");

  const { page, host } = await aWindow({ folder });
  const requests: ModelRequest[] = [];
  host.play = (request) => {
    requests.push(request);
    return turnFor(request);
  };
  await openChat(host);
  await say(page, '@agentx #1');
  await saysInChat(page, /Run complete: iterations=\d+/);
  await saysInChat(page, '[Engineer -> Architect] Clarification: Database');
  await saysInChat(page, '[Architect] SQLite, it has no server.');
  expect(fileOf(folder, 'src/health.txt')).toBe('SQLite, it has no server.');
  expect((await storeOf(folder).ledgers.read(1)).clarifications).toMatchObject([{ status: 'resolved', round: 1 }]);
  const tools = new Set(requests.flatMap((request) => request.tools));
  expect(tools).toContain('request_clarification');
  // The answer came back to the engineer as the result of its call.
  expect(JSON.stringify(requests.at(-1)?.messages)).toContain('SQLite, it has no server.');

  // Its failure is told as a failure of the agent.
  agentx(folder, ['issue', 'create', '-t', 'Another one']);
  host.play = () => ({ error: 'The model is on holiday.' });
  await say(page, '#2');
  await saysInChat(page, 'The model is on holiday.');
});

/** What the model says, by what was said before it. */
function turnFor({ messages, tools }: ModelRequest): ModelTurn {
  const text = JSON.stringify(messages);
  const results = messages.flatMap(({ parts }) => parts).filter(({ result }) => result !== undefined);
  if (!tools.includes('write_artifact') && text.includes(QUESTION)) return { text: 'SQLite, it has no server.' };
  if (results.length === 0) {
    return {
      calls: [{ name: 'request_clarification', input: { to: 'architect', topic: 'Database', question: QUESTION } }],
    };
  }
  if (results.length === 1) {
    const input = { path: 'src/health.txt', content: 'SQLite, it has no server.' };
    return { text: 'Two adapters are not needed.', calls: [{ name: 'write_artifact', input }] };
  }
  return { text: 'The health check reads SQLite.' };
}

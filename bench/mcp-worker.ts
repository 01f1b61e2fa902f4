import { createApp } from '../src/app/create-app.js';
import { Routes } from '../src/mcp/routes.js';
import { serveOverStdio } from '../src/mcp/stdio.js';

/** Our server as `agentx mcp` runs it, but for the agent that answers: a function of this process. */
const [, , root = ''] = process.argv;
const app = createApp({ root, runners: { architect: async () => ({ answer: 'Two adapters.' }) } });
await serveOverStdio({
  version: '1',
  app: () => app,
  caller: {
    agent: 'engineer',
    issue: undefined,
    step: undefined,
    clarification: undefined,
    turn: undefined,
    principal: 'bench',
    isHeadless: true,
  },
  routes: new Routes(() => {}),
  stdin: process.stdin,
  stdout: process.stdout,
  signal: new AbortController().signal,
});
await app.close();

import type { McpServer as Server } from '@modelcontextprotocol/server';
import type { App } from '../app/app.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName, parseIssueNumber } from '../protocol/ids.js';
import { agentTitle } from '../render/conversation.js';
import { renderIssue } from '../render/issue.js';
import { inProtocol } from './protocol-error.js';
import type { Serving } from './serving.js';

/** A prompt for each agent that has instructions: `.agentx/agents/{name}.md`, else the shipped ones. */
export function registerPrompts({ server }: Server, { sdk, app }: Pick<Serving, 'sdk' | 'app'>): void {
  server.registerCapabilities({ prompts: { listChanged: false } });
  server.setRequestHandler('prompts/list', () => inProtocol(sdk, async () => ({ prompts: await promptsOf(app()) })));
  server.setRequestHandler('prompts/get', ({ params }) =>
    inProtocol(sdk, async () => {
      const { name, arguments: args = {} } = params;
      const text = [await roleOf(app(), name), ...(await issueText(app(), args.issue))].join('\n\n');
      return {
        description: descriptionOf(name),
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
      };
    }),
  );
}

const ISSUE = { name: 'issue', description: 'The number of the issue to work on.', required: false };

async function promptsOf(app: App) {
  const agents = await app.agents();
  const roles = await Promise.all(agents.map(async (agent) => ({ agent, role: await app.role(agent) })));
  return roles.flatMap(({ agent, role }) =>
    role === undefined
      ? []
      : [{ name: agent, title: agentTitle(agent), description: descriptionOf(agent), arguments: [ISSUE] }],
  );
}

function descriptionOf(agent: string): string {
  return `Work as the ${agentTitle(agent)}: what it does, when it asks, and how.`;
}

async function roleOf(app: App, name: string): Promise<string> {
  const role = await app.role(parseAgentName(name));
  if (role !== undefined) return role;
  const allowed = (await promptsOf(app)).map((prompt) => prompt.name);
  throw new AgentXError('NOT_FOUND', `There are no instructions for '${name}'. Allowed: ${allowed.join(', ')}.`, {
    allowed,
  });
}

async function issueText(app: App, argument: string | undefined): Promise<readonly string[]> {
  if (argument === undefined || argument === '') return [];
  const number = parseIssueNumber(argument);
  const issue = await app.issue(number);
  if (issue === undefined) throw new AgentXError('NOT_FOUND', `There is no issue #${number}.`, { issueNumber: number });
  return [
    'You work on this issue:',
    renderIssue(issue, { width: Number.POSITIVE_INFINITY, timing: { now: app.clock.now(), isRelative: false } }),
  ];
}

import type { McpServer as Server } from '@modelcontextprotocol/server';
import type { App } from '../app/app.js';
import { AgentXError } from '../protocol/errors.js';
import { parseIssueNumber } from '../protocol/ids.js';
import { inProtocol } from './protocol-error.js';
import type { Serving } from './serving.js';

interface Kind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly read: (app: App, issueNumber: number) => Promise<unknown>;
}

/** The resources that a client can attach to a conversation, by the number of an issue: `agentx://issues/42`. */
const KINDS: readonly Kind[] = [
  {
    name: 'issues',
    title: 'Issue',
    description: 'An issue with its body, labels, status and comments.',
    read: async (app, number) => {
      const issue = await app.issue(number);
      if (issue !== undefined) return issue;
      throw new AgentXError('NOT_FOUND', `There is no issue #${number}.`, { issueNumber: number });
    },
  },
  {
    name: 'clarifications',
    title: 'Clarifications of an issue',
    description: 'What agents asked each other about an issue, round by round, with the answers.',
    read: (app, number) => app.ledger(number),
  },
  {
    name: 'assumptions',
    title: 'Assumptions of an issue',
    description: 'What agents decided about an issue without an answer, and whether a human confirmed it.',
    read: async (app, number) => ({ issueNumber: number, assumptions_made: (await app.assumptions(number)).items }),
  },
];

const JSON_TYPE = 'application/json';

export function registerResources(server: Server, { sdk, app }: Pick<Serving, 'sdk' | 'app'>): void {
  for (const { name, title, description, read } of KINDS) {
    const list = () =>
      inProtocol(sdk, async () => {
        const { items } = await app().unfinishedIssues();
        const resources = items.map(({ number, title: issueTitle }) => ({
          uri: `agentx://${name}/${number}`,
          name: `${name}-${number}`,
          title: `${title} #${number}: ${issueTitle}`,
          mimeType: JSON_TYPE,
        }));
        return { resources };
      });
    const template = new sdk.ResourceTemplate(`agentx://${name}/{n}`, { list });
    server.registerResource(name, template, { title, description, mimeType: JSON_TYPE }, (uri, { n }) =>
      inProtocol(sdk, async () => {
        const text = JSON.stringify(await read(app(), parseIssueNumber(String(n))), null, 2);
        return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] };
      }),
    );
  }
}

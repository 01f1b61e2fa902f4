import { CLIENTS } from '../../mcp/install/client-table.js';
import { CLIENT_NAMES, SCOPES } from '../../mcp/install/clients.js';
import { examine, type Finding } from '../../mcp/install/examine.js';
import { AgentXError } from '../../protocol/errors.js';
import { plainLine, plainText } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import type { Output } from '../output.js';
import { clientPlace } from './client-place.js';

const PROBLEMS = 1;

export async function doctor(
  line: CommandLine,
  client: string | undefined,
  root?: string,
): Promise<number | undefined> {
  const { out } = line;
  const names = CLIENT_NAMES.filter((name) => client === undefined || name === client);
  const findings: Finding[] = [];
  for (const name of names) {
    for (const scope of SCOPES) {
      const finding = await examineOne(line, name, scope, root);
      if (finding === undefined) continue;
      findings.push(finding);
      out.print(shown(finding, out));
    }
  }
  const missingClients = names.filter((name) => !findings.some((finding) => finding.client === name));
  const problems = findings.filter(({ result }) => !result.isAnswered);
  if (client !== undefined && missingClients.length > 0) throw notInstalled(client);
  out.json({ clients: findings, missing: missingClients, problems: problems.length });
  if (missingClients.length > 0) {
    out.say(`Nothing is installed in: ${missingClients.join(', ')}.`);
    out.note('To install it: agentx mcp install CLIENT');
  }
  return problems.length > 0 ? PROBLEMS : undefined;
}

/** A file that cannot be read is a problem of this client, and no reason to leave out the others. */
async function examineOne(
  line: CommandLine,
  name: (typeof CLIENT_NAMES)[number],
  scope: (typeof SCOPES)[number],
  root?: string,
) {
  const client = CLIENTS[name];
  const { place, read } = clientPlace(line.cwd, scope, root);
  try {
    return await examine({ client, place, read });
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    const result = { isAnswered: false, problem: error.message } as const;
    return { client: name, scope, path: '', result, todo: 'Mend it, then run this again.', notes: [] };
  }
}

function shown({ client, scope, path, command, result, todo, notes }: Finding, { paint }: Output): string {
  const title = `${paint.name(client)} (${scope}, ${plainLine(path)})`;
  const lines = result.isAnswered
    ? [
        `${paint.good('ok')}      ${title}`,
        `answers after ${result.milliseconds} ms: ${plainLine(result.server)}, ${result.tools.length} tools`,
      ]
    : [
        `${paint.alarming('failed')}  ${title}`,
        `${plainText(result.problem).trim()}`,
        ...(todo === undefined ? [] : [plainText(todo)]),
      ];
  const startLines = command === undefined ? [] : [paint.quiet(`starts: ${plainLine(command.join(' '))}`)];
  const [first = '', ...others] = [...lines, ...startLines, ...notes.map((note) => `note: ${plainLine(note)}`)];
  return [first, ...others.flatMap((text) => text.split('\n')).map((text) => `        ${text}`)].join('\n');
}

function notInstalled(client: string): AgentXError {
  return new AgentXError(
    'NOT_FOUND',
    `Nothing of AgentX is installed in ${client}. To install it: agentx mcp install ${client}`,
    { client },
  );
}

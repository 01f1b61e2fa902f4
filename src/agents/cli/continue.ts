import { join } from 'node:path';
import { type AgentCli, type CliHome, NOTHING_YET, type TurnServer, usageField } from './agent-cli.js';
import { countAt, eventIn, textAt, valueAt } from './json-event.js';

const PERMISSIONS = {
  // Its own --readonly does not keep it from running commands that write.
  read: [
    '--exclude',
    'AskQuestion',
    '--exclude',
    'Write',
    '--exclude',
    'Edit',
    '--exclude',
    'MultiEdit',
    '--exclude',
    'Bash',
  ],
  edit: [
    '--exclude',
    'AskQuestion',
    '--exclude',
    'Bash',
    '--allow',
    'Write',
    '--allow',
    'Edit',
    '--allow',
    'MultiEdit',
  ],
  full: ['--exclude', 'AskQuestion', '--auto'],
};

/**
 * Its command is `cn`. It prints no events and does not report its session, which is on the disk once the turn has
 * ended. A session goes on in a copy, which has a file of its own.
 */
export const continueCli: AgentCli = {
  name: 'continue',
  program: 'cn',
  package: '@continuedev/cli',
  login: 'run cn login, or write a model into ~/.continue/config.yaml',
  keys: ['CONTINUE_API_KEY'],
  choosesSession: false,
  totals: [],
  invoke: ({ permission, model, args, server, session, folder, env, readFile }) => {
    const config = join(folder, 'config.yaml');
    const ownConfig = readFile(join(homeOf({ home: env.HOME ?? '', env }), 'config.yaml'));
    return {
      args: [
        ...['--format', 'json', '--config', config],
        ...PERMISSIONS[permission],
        ...(session.isNew ? [] : ['--fork', session.id]),
        ...(model === undefined ? [] : ['--model', model]),
        ...args,
        // Behind it, a word that is no known option would be taken for the prompt.
        '-p',
      ],
      files: { [config]: withServer(ownConfig ?? 'name: agentx\nversion: 0.0.1\nschema: v1\n', server) },
    };
  },
  read: (outcome) => outcome,
  readOutput: ({ stdout, stderr }) => {
    const output = stdout.trim();
    const failure = stderr
      .split('\n')
      .map(eventIn)
      .findLast((event) => event?.status === 'error');
    if (output === '') return { ...NOTHING_YET, isFinal: true, error: textAt(failure, 'message') ?? 'it said nothing' };
    const wrapped = eventIn(output);
    const isWrapped = wrapped?.status === 'success' && textAt(wrapped, 'note') !== undefined;
    // An answer that is JSON already is printed as it is.
    return {
      ...NOTHING_YET,
      isBegun: true,
      isFinal: true,
      answer: (isWrapped ? textAt(wrapped, 'response') : undefined) ?? output,
    };
  },
  sessions,
  transcript: (session, home) => join(sessions(home), `${session}.json`),
  // The cost in it is a guess where the CLI does not know the price of the model.
  readUsage: ({ readFile }, transcript) => {
    const usage = valueAt(eventIn(transcript === undefined ? '' : (readFile(transcript) ?? '')), 'usage');
    return usageField({
      inputTokens: countAt(usage, 'promptTokens'),
      cachedTokens: countAt(usage, 'promptTokensDetails', 'cachedTokens'),
      outputTokens: countAt(usage, 'completionTokens'),
    }).usage;
  },
};

function sessions(home: CliHome): string {
  return join(homeOf(home), 'sessions');
}

function homeOf({ home, env }: CliHome): string {
  return env.CONTINUE_GLOBAL_DIR || join(home, '.continue');
}

/** The user's settings with our server in its list, in the place of one of its name. JSON is YAML too. */
export function withServer(yaml: string, { command, args, env }: TurnServer): string {
  const own = JSON.stringify({ name: 'agentx', command, args, env });
  const item = `- ${own}`;
  const lines = yaml.split(/\r?\n/);
  const start = lines.findIndex((line) => /^mcpServers\s*:/.test(line));
  if (start < 0) return `${yaml.trimEnd()}\nmcpServers:\n  ${item}\n`;
  const isEmpty = /^mcpServers\s*:\s*(?:\[\s*\]|null|~)?\s*(?:#.*)?$/.test(lines[start] ?? '');
  if (!isEmpty) return yaml.replace(/^mcpServers\s*:\s*\[/m, (list) => `${list}${own}, `);
  const first = lines.slice(start + 1).find((line) => /^\s*-/.test(line));
  const indent = /^\s*/.exec(first ?? '  ')?.[0] ?? '  ';
  const others = withoutOwn(lines.slice(start + 1), indent);
  return [...lines.slice(0, start), 'mcpServers:', `${indent}${item}`, ...others].join('\n');
}

/** Two servers of one name would offer every tool twice. */
function withoutOwn(lines: readonly string[], indent: string): readonly string[] {
  const isItem = (line: string) => line.startsWith(`${indent}-`);
  const isInside = (line: string) => line.startsWith(`${indent} `) || line.trim() === '';
  const after = lines.findIndex((line) => !isItem(line) && !isInside(line));
  const end = after < 0 ? lines.length : after;
  const starts = lines.slice(0, end).flatMap((line, index) => (isItem(line) ? [index] : []));
  const items = starts.map((start, index) => lines.slice(start, starts[index + 1] ?? end));
  const others = items.filter((item) => !item.some((line) => OWN_NAME.test(line)));
  return [...lines.slice(0, starts[0] ?? end), ...others.flat(), ...lines.slice(end)];
}

const OWN_NAME = /^\s*(?:-\s*)?\{?\s*["']?name["']?\s*:\s*["']?agentx["']?\s*(?:$|[#,}])/;

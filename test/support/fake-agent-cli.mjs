/*
 * Behaves like the headless mode of an agent CLI. It reads its prompt from stdin and resumes a session that it knows.
 * It prints a stream that was recorded from the real CLI, with its own session and answer in it. What it is told to do
 * besides stands in a file; what it was started with goes into another.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const RECORDED = join(import.meta.dirname, '..', 'fixtures', 'agent-clis');
const ANSWER = 'All done.\n\n{"status":"done","text":"final"}';

/** How each of them is told of a session and of a server. */
const CLIS = {
  claude: { fresh: '--session-id', resume: '--resume', server: (args) => json(optionOf(args, '--mcp-config')) },
  codex: { resume: 'resume', server: codexServer },
  copilot: { either: '--session-id', server: (args) => json(optionOf(args, '--additional-mcp-config')) },
  gemini: {
    fresh: '--session-id',
    resume: '--resume',
    server: () => json(readFileSync(join(process.env.GEMINI_CLI_HOME, '.gemini', 'settings.json'), 'utf8')),
  },
  qwen: { fresh: '--session-id', resume: '--resume', server: (args) => json(optionOf(args, '--mcp-config')) },
  opencode: { resume: '--session', server: openCodeServer },
  cn: { resume: '--fork', server: (args) => yamlServer(readFileSync(optionOf(args, '--config'), 'utf8')) },
};

/** Where those with a file of lines write their conversation down. */
const PLACES = {
  claude: (session) => ['.claude', 'projects', 'p', `${session}.jsonl`],
  codex: (session) => ['.codex', 'sessions', '2026', '11', '17', `rollout-1-${session}.jsonl`],
  copilot: (session) => ['.copilot', 'session-state', session, 'events.jsonl'],
  gemini: (session) => ['.gemini', 'tmp', 'p', 'chats', `session-1-${session.slice(0, 8)}.jsonl`],
  qwen: (session) => ['.qwen', 'projects', 'p', 'chats', `${session}.jsonl`],
};

const [name, ...args] = process.argv.slice(2);
const cli = CLIS[name];
const home = process.env.HOME;
const prompt = readFileSync(0, 'utf8');
const task = taskFor();
appendFileSync(
  join(home, 'started.jsonl'),
  `${JSON.stringify({ name, args, prompt, cwd: process.cwd(), agent: process.env.AGENTX_AGENT, turn: process.env.AGENTX_TURN })}\n`,
);
const session = sessionOf();
if (task.transcript !== undefined && name in PLACES) writeTranscript(task.transcript);
if (task.shell !== undefined) spawn('sh', ['-c', task.shell], { stdio: 'ignore' });
for (const [path, content] of Object.entries(task.write ?? {})) {
  mkdirSync(dirname(join(process.cwd(), path)), { recursive: true });
  writeFileSync(join(process.cwd(), path), content);
}
if (task.call !== undefined) appendFileSync(join(home, 'called.jsonl'), `${JSON.stringify(await called(task.call))}\n`);
// Its stream is all that tells of what it said on its way.
if (name === 'opencode') process.stdout.write((task.transcript ?? []).map(spoken).join(''));
if (task.print !== undefined) process.stdout.write(task.print);
else process.stdout.write(stream(task.answer ?? ANSWER));
if (task.stderr !== undefined) process.stderr.write(task.stderr);
// A program that hangs, or one that takes its time: until the test lets it go.
while (task.until !== undefined && !existsSync(join(home, task.until)))
  await new Promise((done) => setTimeout(done, 10));
// It is on the disk only once the turn has ended.
if (name === 'cn') writeSession([...(task.transcript ?? []), task.answer ?? ANSWER]);
process.exitCode = task.exit ?? 0;

/** The first task that fits the agent and the turn. */
function taskFor() {
  const file = join(home, 'tasks.json');
  const tasks = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const { AGENTX_AGENT: agent, AGENTX_TURN: turn = '', AGENTX_ISSUE: issue } = process.env;
  const fits = (one) =>
    (one.agent ?? agent) === agent &&
    (one.issue ?? issue) === issue &&
    (one.turn === undefined || turn.endsWith(`/${one.turn}`));
  return tasks.find(fits) ?? {};
}

function sessionOf() {
  const resumed = cli.resume === undefined ? undefined : resumedId();
  const file = (id) => join(home, 'sessions', id);
  if (resumed !== undefined && !existsSync(file(resumed))) {
    process.stderr.write(`No conversation found with session ID ${resumed}\n`);
    process.exit(1);
  }
  // A copy has an id of its own.
  const id = (name === 'cn' ? undefined : resumed) ?? optionOf(args, cli.either ?? cli.fresh) ?? randomUUID();
  mkdirSync(join(home, 'sessions'), { recursive: true });
  writeFileSync(file(id), '');
  return id;
}

/** The file of cn: it holds what the sessions that it was copied from said. */
function writeSession(words) {
  const file = (id) => join(home, '.continue', 'sessions', `${id}.json`);
  const before = resumedId() === undefined ? [] : JSON.parse(readFileSync(file(resumedId()), 'utf8')).history;
  const history = [['user', prompt.trim()], ...words.map((text) => ['assistant', text])].map(([role, content]) => ({
    message: { role, content },
  }));
  const usage = { promptTokens: 400, completionTokens: 40, promptTokensDetails: { cachedTokens: 0 }, totalCost: 0.1 };
  mkdirSync(dirname(file(session)), { recursive: true });
  const document = { sessionId: session, workspaceDirectory: process.cwd(), history: [...before, ...history], usage };
  writeFileSync(file(session), JSON.stringify(document, null, 2));
}

function spoken(text) {
  return `${JSON.stringify({ type: 'text', timestamp: 1, sessionID: session, part: { type: 'text', text } })}\n`;
}

/** In the form of each of them. */
function writeTranscript(words) {
  const now = new Date().toISOString();
  const like = (role, text) => ({ type: role, timestamp: now, message: { role, content: [{ type: 'text', text }] } });
  const lines = {
    claude: like,
    qwen: like,
    codex: (role, text) => ({
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type: 'output_text', text }] },
    }),
    copilot: (role, content) => ({ type: `${role}.message`, data: { content } }),
    gemini: (role, content) => ({ type: role === 'user' ? 'user' : 'gemini', content }),
  };
  const file = join(home, ...PLACES[name](session));
  mkdirSync(dirname(file), { recursive: true });
  for (const [role, text] of [['user', prompt], ...words.map((text) => ['assistant', text])])
    appendFileSync(file, `${JSON.stringify(lines[name](role, text))}\n`);
}

function resumedId() {
  if (name !== 'codex') return optionOf(args, cli.resume);
  return args[1] === 'resume' ? args.at(-2) : undefined;
}

function stream(answer) {
  if (name === 'cn') {
    return JSON.stringify({
      response: answer,
      status: 'success',
      note: 'Response was not valid JSON, so it was wrapped in a JSON object',
    });
  }
  const recorded = readFileSync(join(RECORDED, `${name}.jsonl`), 'utf8');
  const [, id] = /"(?:session_id|thread_id|sessionId|sessionID)":"([^"]+)"/.exec(recorded);
  const text = recorded.replaceAll(id, session);
  return name === 'gemini' ? withDeltas(text, answer) : text.replaceAll(JSON.stringify(ANSWER), JSON.stringify(answer));
}

/** Gemini prints its answer in pieces. */
function withDeltas(text, answer) {
  const lines = text.trimEnd().split('\n');
  const last = lines.findLastIndex((line) => line.includes('"tool_result"'));
  const pieces = answer.match(/[\s\S]{1,7}/g) ?? [];
  const deltas = pieces.map((content) => JSON.stringify({ type: 'message', role: 'assistant', content, delta: true }));
  return `${[...lines.slice(0, last + 1), ...deltas, lines.at(-1)].join('\n')}\n`;
}

/** What a tool of the server in hand returns. */
async function called({ tool, input }) {
  const { command, args: words = [], env = {} } = cli.server(args);
  const child = spawn(command, words, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const capabilities = {};
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities, clientInfo: { name, version: '1' } },
  });
  let rest = '';
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/call', params: { name: tool, arguments: input } });
      }
      if (id === 2) {
        child.stdin.end();
        return result ?? error;
      }
    }
  }
  return { error: 'the server went away' };
}

function optionOf(words, option) {
  const index = option === undefined ? -1 : words.indexOf(option);
  return index < 0 ? undefined : words[index + 1];
}

function json(text) {
  return JSON.parse(text).mcpServers.agentx;
}

function codexServer(words) {
  const settings = words
    .filter((_, index) => words[index - 1] === '-c')
    .map((word) => /^mcp_servers\.agentx\.([^=]+)=(.*)$/s.exec(word));
  const values = Object.fromEntries(settings.filter(Boolean).map(([, key, value]) => [key, JSON.parse(value)]));
  const env = Object.entries(values).flatMap(([key, value]) => (key.startsWith('env.') ? [[key.slice(4), value]] : []));
  return { ...values, env: Object.fromEntries(env) };
}

function openCodeServer() {
  const { command, environment } = JSON.parse(process.env.OPENCODE_CONFIG_CONTENT).mcp.agentx;
  return { command: command[0], args: command.slice(1), env: environment };
}

function yamlServer(yaml) {
  return JSON.parse(/^\s*- (\{"name":"agentx".*)$/m.exec(yaml)[1]);
}

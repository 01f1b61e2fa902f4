import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, agentxCommand, spawnAgentx } from './support/agentx.js';
import { aRunnable, fileOf, storeOf } from './support/runs.js';

const STEP = '[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\ncan_clarify = ["architect"]\n';

/** An agent that is a client of `agentx mcp`, which inherits its surroundings from us. */
const CLIENT = `
  const { spawn } = await import('node:child_process');
  const { createInterface } = await import('node:readline');
  const [program, ...before] = ${JSON.stringify(agentxCommand)};
  let calls = 0;
  /** Calls a tool; the server ends with the call, as that of a client which is started for each turn does. */
  const tool = async (name, args, ...options) => {
    const server = spawn(program, [...before, 'mcp', ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
    const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    const clientInfo = { name: 'an-agent', version: '1' };
    send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
    const id = ++calls;
    send({ id, method: 'tools/call', params: { name, arguments: args } });
    for await (const line of createInterface({ input: server.stdout })) {
      const message = JSON.parse(line);
      if (message.id !== id) continue;
      server.stdin.end();
      return message.result.structuredContent;
    }
  };
  const heard = brief.answers.map(({ text, answer }) => text + ' ' + answer).concat(
    brief.clarifications.map(({ status, answer, summary }) => status + ' ' + (answer ?? summary ?? '')));
  appendFileSync('turns-' + brief.agent, heard.join(', ') + '\\n');`;

interface Agents {
  readonly engineer: string;
  readonly architect?: string;
}

const withAgents = ({ engineer, architect = "reply({ answer: 'SQLite.' });" }: Agents) =>
  aRunnable({
    steps: STEP,
    config: commandAgent('engineer') + commandAgent('architect'),
    files: {
      'engineer.mjs': agentProgram(`${CLIENT}\n${engineer}`),
      'architect.mjs': agentProgram(`${CLIENT}\n${architect}`),
    },
  });

const openQuestions = async (cwd: string) => (await storeOf(cwd).questions.list({ status: 'open' })).items;
const turnsOf = (cwd: string, agent = 'engineer') => fileOf(cwd, `turns-${agent}`).trimEnd().split('\n');

describe('what an agent asks by tool inside its turn of a run', () => {
  const askHuman = "await tool('ask_human', { questions: [{ text: 'Which region?', options: ['EU', 'US'] }] })";

  it('holds the run until a human has answered, and the answer is in the next brief [X-2/2]', async () => {
    const engineer = `
      const { status, next } = ${askHuman};
      reply(status === 'pending' ? { text: 'I asked. ' + next } : { text: 'Built.' });`;
    const cwd = await withAgents({ engineer });
    expect(agentx(cwd, ['run', '1', '--no-wait'])).toMatchObject({ status: 3 });
    const [question] = await openQuestions(cwd);
    expect(question).toMatchObject({ askedBy: { agent: 'engineer', chain: ['engineer'] }, issueNumber: 1 });
    expect(agentx(cwd, ['run', '1', '--no-wait'])).toMatchObject({ status: 3 });
    agentx(cwd, ['inbox', 'answer', question?.id ?? '', '--option', 'a']);
    expect(agentx(cwd, ['run', '1', '--no-wait'])).toMatchObject({ status: 0 });
    expect(turnsOf(cwd)).toEqual(['', 'Which region? EU']);
    expect(await openQuestions(cwd)).toEqual([]);
  });

  it('takes no other turn for an answer that the agent got in the same turn', async () => {
    const engineer = `
      const { id } = ${askHuman};
      appendFileSync('asked', id);
      const { status } = await tool('get_question', { id, wait_seconds: 45 }, '--wait', '60');
      reply({ text: 'Built: ' + status });`;
    const cwd = await withAgents({ engineer });
    const running = spawnAgentx(cwd, ['run', '1', '--no-wait']);
    await untilThere(cwd, 'asked');
    agentx(cwd, ['inbox', 'answer', (await openQuestions(cwd))[0]?.id ?? '', '--option', 'b']);
    expect(await running.ended).toMatchObject({ status: 0 });
    expect(turnsOf(cwd)).toEqual(['']);
  });

  it('gives an agent that did not wait for another agent its answer in another turn', async () => {
    const ask = "{ to: 'architect', topic: 'Database', question: 'Which one?' }";
    const engineer = `
      const { status } = await tool('request_clarification', ${ask}, '--wait', '1');
      reply({ text: status });`;
    const architect = "appendFileSync('asked', 'x');\nawait until('go');\nreply({ answer: 'SQLite.' });";
    const cwd = await withAgents({ engineer, architect });
    const running = spawnAgentx(cwd, ['run', '1', '--no-wait']);
    await untilThere(cwd, 'asked');
    await expect.poll(() => fileOf(cwd, 'asked').length).toBe(2);
    letGo(cwd);
    expect(await running.ended).toMatchObject({ status: 0 });
    expect(turnsOf(cwd)).toEqual(['', expect.stringContaining('SQLite.')]);
  });
});

describe('what a target asks by tool while it answers', () => {
  it('reaches the inbox with the chain of askers, and the answer returns to the target [X-2/1] [X-2/2] [X-2/3]', async () => {
    const engineer = `
      const [known] = brief.clarifications;
      reply(known === undefined
        ? { clarify: [{ to: 'architect', topic: 'Database', question: 'Which one?', blocking: true }] }
        : { text: 'Built.', status: 'done' });`;
    const architect = `
      const { status, answers } = await tool('ask_human', { questions: ['May it cost money?'] });
      reply({ text: status === 'answered' ? 'PostgreSQL: ' + answers[0].answer : 'I wait for a human.' });`;
    const cwd = await withAgents({ engineer, architect });
    expect(agentx(cwd, ['run', '1', '--no-wait'])).toMatchObject({ status: 3 });
    const [question] = await openQuestions(cwd);
    expect(question).toMatchObject({ askedBy: { agent: 'architect', chain: ['engineer', 'architect'] } });
    expect((await storeOf(cwd).ledgers.read(1)).clarifications).toMatchObject([{ status: 'pending' }]);
    agentx(cwd, ['inbox', 'answer', question?.id ?? '', '-m', 'Yes.']);
    expect(agentx(cwd, ['run', '1', '--no-wait'])).toMatchObject({ status: 0 });
    expect(turnsOf(cwd, 'architect')).toEqual(['', 'May it cost money? Yes.']);
    expect(turnsOf(cwd)).toEqual(['', expect.stringContaining('PostgreSQL: Yes.')]);
  });
});

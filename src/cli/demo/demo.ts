import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDemoApp } from '../../app/create-app.js';
import { AgentXError } from '../../protocol/errors.js';
import { agentTitle } from '../../render/conversation.js';
import { streaming } from '../clarify/streaming.js';
import type { CommandLine } from '../command-line.js';

const ENGINEER = 'engineer';

/** What the engineer asks. The answers stand in the script of the demo's repository; all between is the real thing. */
const DATABASE = {
  from: ENGINEER,
  to: 'architect',
  topic: 'Database layer',
  question: 'The ADR says PostgreSQL, local development uses SQLite.\nTwo adapters, or migrate everything?',
  blocking: true,
} as const;
const RETENTION = {
  from: ENGINEER,
  to: 'product-manager',
  topic: 'Retention of audit logs',
  question: 'How long are audit logs kept? 30 days is what the storage budget allows.',
  blocking: true,
} as const;

/** An engineer meets two ambiguities: one its architect can settle, and one that only a human can. */
export async function demo(line: CommandLine): Promise<undefined> {
  const { out } = line;
  const isWatched = out.isTerminal && !out.isJson;
  const app = await createDemoApp({ thinkingSeconds: isWatched ? 1.2 : 0 });
  const stage: CommandLine = { ...line, app: () => app };
  const pause = () => sleep(isWatched ? 900 : 0);
  const name = out.paint.name(`[${agentTitle(ENGINEER)}]`);

  const { number } = await app.createIssue({ title: 'Health endpoint', labels: ['type:feature', 'priority:p1'] });
  await app.startWork({ agent: ENGINEER, issue: number });
  out.print(`#${number} Health endpoint  (feature)\n`);
  out.print(`${name} Implementing...\n`);
  await pause();

  const { clarificationId } = await streaming(stage, () => app.ask({ issueNumber: number, ...DATABASE }));
  await pause();
  const question = 'Does the adapter own connection pooling, or does configuration?';
  await streaming(stage, () => app.followUp({ clarificationId, question, by: ENGINEER }));
  await pause();
  const body = 'Repository pattern, pooling from configuration.';
  await streaming(stage, () => app.resolve({ clarificationId, body, by: ENGINEER }));
  await pause();

  out.print(`\n${name} asks the reviewer, who comes later in the workflow:`);
  out.print(`  ${await refusalOf(() => app.ask({ issueNumber: number, ...DATABASE, to: 'reviewer' }))}\n`);
  await pause();

  await streaming(stage, () => app.ask({ issueNumber: number, ...RETENTION }));
  const [blocked] = (await app.readyQueue()).blocked;
  out.print(`\nagentx ready says: #${number} ${blocked?.reason ?? 'is ready'}`);
  await pause();

  const [waiting] = (await app.store.questions.listOpen()).items;
  if (waiting) {
    const by = { principal: line.principal, channel: 'cli' } as const;
    await app.answerQuestion({ id: waiting.id, text: '30 days. Compliance wants no more.', by });
    out.print(`${out.paint.name('[You]')} agentx inbox answer ${waiting.id} -m "30 days. Compliance wants no more."`);
    await pause();
  }
  out.print(`${name} ${out.paint.good('Clarification resolved. Continuing...')}\n`);
  close(line, app.root, number);
}

/** What the hub says to a request that it does not route. */
async function refusalOf(request: () => Promise<unknown>): Promise<string> {
  try {
    await request();
    return '';
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    return error.message;
  }
}

function close({ out }: CommandLine, root: string, number: number): void {
  // From a clone there is no `agentx` on the path yet.
  const program = process.argv[1] ?? 'agentx';
  const agentx = basename(program) === 'agentx' ? 'agentx' : `node ${program}`;
  out.print('Every line was on the disk before it was shown:');
  out.print(`  ${root}/state/clarifications/issue-${number}.json`);
  out.print(`  ${root}/issues/${number}.json`);
  out.print(`\nLook around:             cd ${dirname(root)}`);
  for (const command of [`clarify --issue ${number}`, 'inbox --all', 'state']) out.print(`  ${agentx} ${command}`);
  out.print(`In your own repository:  ${agentx} init`);
}

import { createInterface } from 'node:readline/promises';
import type { App } from '../../app/create-app.js';
import { AgentXError } from '../../protocol/errors.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';

type Programs = Awaited<ReturnType<App['programs']>>['programs'];

const DECLINED = 1;

export async function trust(line: CommandLine, { yes }: { readonly yes: boolean }): Promise<number | undefined> {
  const { out } = line;
  if (line.agent !== undefined) throw onlyPeople(line.agent);
  const app = line.app();
  const { programs, isApproved } = await app.programs();
  if (programs.length === 0) {
    out.json({ approved: true, programs });
    out.print('Nothing to approve: config.toml names no programs.');
    return;
  }
  out.print(listOf(programs));
  if (isApproved && !yes) {
    out.json({ approved: true, programs });
    out.print('Approved already.');
    return;
  }
  if (!yes && !(await confirmed(programs.length))) {
    out.json({ approved: false, programs });
    out.print('Not approved: agents with these programs are refused.');
    return DECLINED;
  }
  await app.approvePrograms();
  out.json({ approved: true, programs });
  out.print(`Approved ${counted(programs.length)}. A change to any of them needs a new approval.`);
}

/** Not cut to the width: who approves must see all of it. */
function listOf(programs: Programs): string {
  const width = Math.max(...programs.map(({ agent }) => agent.length));
  return programs.map(({ agent, shown }) => `${agent.padEnd(width)}  ${plainLine(shown)}`).join('\n');
}

async function confirmed(count: number): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    throw new AgentXError(
      'INVALID_INPUT',
      `There is no terminal to ask on. Look at the ${count === 1 ? 'program' : 'programs'} above, then approve with: ` +
        'agentx trust --yes',
      { count },
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question(`May agents run ${counted(count)}? [y/N] `), closed]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

function counted(count: number): string {
  return count === 1 ? 'this program' : `these ${count} programs`;
}

function onlyPeople(agent: string): AgentXError {
  return new AgentXError(
    'UNAUTHORIZED',
    `Agent '${agent}' cannot approve programs: only a person can. Ask one to run: agentx trust`,
    { agent },
  );
}

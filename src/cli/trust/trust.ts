import type { App } from '../../app/app.js';
import { AgentXError } from '../../protocol/errors.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import { canConfirm, confirm } from '../confirm.js';
import type { Output } from '../output.js';

type Programs = Awaited<ReturnType<App['programs']>>['programs'];

const DECLINED = 1;

export async function trust(line: CommandLine, { yes }: { readonly yes: boolean }): Promise<number | undefined> {
  const { out } = line;
  if (line.agent !== undefined) throw onlyPeople(line.agent);
  const app = line.app();
  const { programs, isApproved } = await app.programs();
  if (programs.length === 0) {
    out.json({ approved: true, programs });
    out.say('Nothing to approve: config.toml names no programs.');
    return;
  }
  out.print(listOf(programs));
  if (isApproved && !yes) {
    out.json({ approved: true, programs });
    out.print('Approved already.');
    return;
  }
  if (!yes && !(await confirmed(out, programs))) {
    out.json({ approved: false, programs });
    out.say('Not approved: agents with these programs are refused.');
    return DECLINED;
  }
  await app.approvePrograms();
  out.json({ approved: true, programs });
  out.say(`Approved ${counted(programs.length)}. A changed command needs a new approval.`);
}

/** Not cut to the width: the person who approves must see all of it. */
function listOf(programs: Programs): string {
  const width = Math.max(...programs.map(({ agent }) => agent.length));
  return programs.map(({ agent, shown }) => `${agent.padEnd(width)}  ${plainLine(shown)}`).join('\n');
}

/** Only if the programs were shown and a person can answer. */
async function confirmed(out: Output, programs: Programs): Promise<boolean> {
  if (!canConfirm(out)) throw nobodyToAsk(programs);
  return confirm(`May agents run ${counted(programs.length)}? [y/N] `, false);
}

function nobodyToAsk(programs: Programs): AgentXError {
  return new AgentXError(
    'INVALID_INPUT',
    `There is no terminal to ask on. Read what would run, then approve ${counted(programs.length)} with: agentx trust --yes`,
    { programs },
  );
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

import type { Register } from '../command-line.js';

export const registerState: Register = (program, run) => {
  const state = program
    .command('state')
    .description('what every agent is at; reads only')
    .option('--budget', "how full each agent's context window is instead, and with what")
    .addHelpText(
      'after',
      `
Examples:
  agentx state
  agentx state --budget
  agentx state set engineer idle --issue 42      it was left working and is not`,
    );
  run(state, async (line) =>
    state.opts().budget ? (await import('./budget.js')).budget(line) : (await import('./show.js')).show(line),
  );

  const set = state
    .command('set')
    .description('say what an agent is at: idle, working, done or stuck')
    .argument('<agent>', 'who')
    .argument('<status>', 'idle, working, done or stuck')
    .option('--issue <number>', 'on this issue; otherwise on none in particular')
    .addHelpText('after', '\nExample:\n  agentx state set engineer idle --issue 42');
  run(set, async (line, agent = '', status = '') =>
    (await import('./set.js')).set(line, { agent, status, issue: set.opts().issue }),
  );
};

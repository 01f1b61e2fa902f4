import type { Register } from '../command-line.js';

const EXAMPLES = `
Examples:
  agentx run 42                   carry the workflow of issue 42 out, or go on where it stopped
  agentx run 42 --clarify-first   ask me what is unclear now, then carry the workflow out
  agentx run 42 --wait            stay until people or fallbacks have decided, also without a terminal
  agentx run 42 --no-wait         do not wait for people: exit with 3 where one has to answer
  agentx run 3 4 5 --jobs 3       three issues at once; what they ask comes to the same inbox
  agentx run 42 --json            one event a line, the last one {"type":"run-finished",...}

Ctrl-C stops it and loses nothing; the same command goes on. Without a terminal it does not wait, unless told to.`;

export const registerRun: Register = (program, run) => {
  const command = program
    .command('run')
    .description('carry out the workflow of an issue, and watch the agents')
    .argument('<number...>', 'the issue; several are carried out in one go')
    .option('--workflow <name>', "another workflow than the one of the issue's type")
    .option('--clarify-first', 'have everything that is unclear asked, all at once, before the first step begins')
    .option('--wait', 'stay until people or fallbacks have decided; without saying, only on a terminal')
    .option('--no-wait', 'end where a person has to answer, instead of asking and waiting')
    .option('--jobs <k>', 'how many issues at once; without saying, one after the other')
    .option('--here', 'a new run works in this folder, even if [run] isolation = "worktree"')
    .option('--verbose', 'show what agents write on stderr')
    .addHelpText('after', EXAMPLES);
  run(command, async (line, ...issues) => (await import('./run.js')).run(line, issues, command.opts()));
};

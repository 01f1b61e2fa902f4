import { basename, dirname, relative } from 'node:path';
import type { App } from '../../app/app.js';
import { shellWord } from '../../protocol/shell-word.js';
import type { CommandLine } from '../command-line.js';

const ON_PATH = 'agentx';

/** Where everything is, and what to look at first. */
export async function whatNext({ out }: CommandLine, app: App): Promise<void> {
  const repository = dirname(app.root);
  const agentx = programName();
  const rootOption = `--root ${shellWord(repository)}`;
  const { items: assumptions } = await app.assumptions();
  out.print(`\n${out.paint.name('All of it is on the disk:')} ${repository}`);
  out.print(out.paint.quiet('  docs and src: what they wrote; .agentx/state/clarifications: what they said'));
  out.print(`\n${out.paint.name('What to try next')}`);
  const next = [
    [`${agentx} clarify show CLR-1-003 ${rootOption}`, 'who said what, round by round'],
    ...(assumptions.length === 0
      ? []
      : ([[`${agentx} assumptions ${rootOption}`, 'what was decided without you; confirm or reject it']] as const)),
    [`${agentx} inbox --all ${rootOption}`, 'what people decided'],
    [`${agentx} serve ${rootOption}`, 'the page once more, with all of it'],
    [`${agentx} watch ${rootOption}`, 'a live board, for when several runs are under way'],
    agentx === ON_PATH
      ? ['agentx init', 'in your own repository; it says what comes next']
      : ['npm link', 'puts agentx on your path; then, in your own repository: agentx init'],
    [`${agentx} mcp install claude`, 'the agent that you use asks you in this way; so do eight other clients'],
    [`rm -r ${shellWord(repository)}`, 'nothing else was left behind'],
  ] as const;
  for (const [command, what] of next) out.print(`  ${command}\n      ${out.paint.quiet(what)}`);
}

/** In a clone `agentx` is not on the path. */
function programName(): string {
  const program = process.argv[1] ?? 'agentx';
  return basename(program) === ON_PATH ? ON_PATH : `node ${shellWord(relative(process.cwd(), program))}`;
}

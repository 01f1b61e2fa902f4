import type { Command } from 'commander';
import type { Register } from '../command-line.js';
import { takesText } from '../text.js';

const EXAMPLES = `
Examples:
  agentx memory search how are retries limited       the best matches, with the words that match
  agentx memory show obs-engineer-42-1772100000000-a1b2c3
  agentx memory add --issue 42 --agent engineer --category decision \\
    -m "Retries stop after 5"
  agentx memory recall --agent engineer --issue 42   what the engineer is told when a session starts
  agentx memory compact 42                           fewer, longer observations; "memory restore 42" undoes it`;

const CATEGORIES = 'decision, code-change, error, key-fact or compaction-summary';
const ID = 'such as obs-engineer-42-1772100000000-a1b2c3; its last six characters are enough';

export const registerMemory: Register = (program, run) => {
  const noun = program
    .command('memory')
    .description('what earlier sessions found out; counts it without a subcommand')
    .addHelpText('after', EXAMPLES);
  run(noun, async (line) => (await import('./stats.js')).stats(line));

  const search = filtered(noun.command('search').description('find what was remembered, best match first'))
    .argument('[query...]', 'words in any form and order; #42 and @architect count too')
    .addHelpText('after', '\nExample:\n  agentx memory search retry limit --issue 42 --since 2026-02-01');
  run(search, async (line, ...query) => (await import('./search.js')).search(line, query, search.opts()));

  const show = noun.command('show').description('one observation in full').argument('<id>', ID);
  show.addHelpText('after', '\nExample:\n  agentx memory show obs-engineer-42-1772100000000-a1b2c3');
  run(show, async (line, id = '') => (await import('./show.js')).show(line, id));

  const timeline = noun
    .command('timeline')
    .description('what happened on the issue before and after it')
    .argument('<id>', ID)
    .option('--limit <number>', 'how many before and after it', '5')
    .addHelpText('after', '\nExample:\n  agentx memory timeline a1b2c3');
  run(timeline, async (line, id = '') => (await import('./show.js')).timeline(line, id, timeline.opts()));

  const recall = noun
    .command('recall')
    .description('the section that an agent gets when its session starts')
    .argument('[query...]', 'what the session is about; by default what the issue says')
    .option('--agent <agent>', 'who starts; by default AGENTX_AGENT')
    .option('--issue <number>', 'on what; by default AGENTX_ISSUE')
    .addHelpText('after', '\nExample:\n  agentx memory recall --agent engineer --issue 42');
  run(recall, async (line, ...query) => (await import('./recall.js')).recall(line, query, recall.opts()));

  const add = noun
    .command('add')
    .description('remember something; secrets and <private> text are taken out')
    .option('--issue <number>', 'about which issue; by default AGENTX_ISSUE, else 0')
    .option('--agent <agent>', 'who found it out; by default AGENTX_AGENT')
    .option('--category <category>', CATEGORIES, 'key-fact')
    .addHelpText(
      'after',
      '\nExample:\n  agentx memory add --issue 42 --agent engineer --category decision \\\n    -m "Retries stop after 5"',
    );
  const text = takesText(add, { what: 'what to remember', asks: 'What is to be remembered?' });
  run(add, async (line) => (await import('./add.js')).add(line, add.opts(), text));

  const remove = noun.command('remove').description('forget one observation').argument('<id>', ID);
  remove.addHelpText('after', '\nExample:\n  agentx memory remove obs-engineer-42-1772100000000-a1b2c3');
  run(remove, async (line, id = '') => (await import('./change.js')).remove(line, id));

  const stats = noun.command('stats').description('how much is remembered, how large it is, how often it is used');
  stats.addHelpText('after', '\nExample:\n  agentx memory stats');
  run(stats, async (line) => (await import('./stats.js')).stats(line));

  const compact = noun
    .command('compact')
    .description('merge the observations of an issue; the originals go to memory/archive/')
    .argument('[issue]', 'its number; by default every issue that was left alone for 90 days');
  compact.addHelpText('after', '\nExample:\n  agentx memory compact 42');
  run(compact, async (line, issue) => {
    const { compact: one, compactStale } = await import('./change.js');
    return issue === undefined ? compactStale(line) : one(line, issue);
  });

  const restore = noun
    .command('restore')
    .description('bring merged observations back')
    .argument('<issue>', 'its number');
  restore.addHelpText('after', '\nExample:\n  agentx memory restore 42');
  run(restore, async (line, issue = '') => (await import('./change.js')).restore(line, issue));

  const rebuild = noun.command('rebuild').description('make manifest and search index anew from the files');
  rebuild.addHelpText('after', '\nExample:\n  agentx memory rebuild');
  run(rebuild, async (line) => (await import('./change.js')).rebuild(line));

  const exportCommand = noun.command('export').description('the manifest in its first version, as JSON');
  exportCommand.addHelpText('after', '\nExample:\n  agentx memory export > manifest.json');
  run(exportCommand, async (line) => (await import('./change.js')).exported(line));
};

function filtered(command: Command): Command {
  return command
    .option('--agent <agent>', 'of one agent')
    .option('--issue <number>', 'of one issue')
    .option('--category <category>', CATEGORIES)
    .option('--since <date>', 'from a date on, such as 2026-02-26')
    .option('--until <date>', 'before a date')
    .option('--archived', 'originals that were merged too')
    .option('--limit <number>', 'how many at most', '20');
}

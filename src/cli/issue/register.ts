import type { Register } from '../command-line.js';
import { takesOptionalText, takesText } from '../text.js';

const CREATE_EXAMPLES = `
Examples:
  agentx issue create "Health endpoint" -l type:feature -l priority:p1
  agentx issue create "Export" -m "Blocked-by: #1"
  agentx issue create "Export" -F export.md`;

export const registerIssue: Register = (program, run) => {
  const issue = program
    .command('issue')
    .description('the issues of this project; lists the open ones without a subcommand')
    .option('--all', 'closed ones too')
    .addHelpText(
      'after',
      `
Labels with a meaning: type:feature|story|bug|epic chooses the workflow, priority:p0 to p9 the order.
"Blocked-by: #3" in the body keeps an issue out of the ready queue until #3 is closed.

Examples:
  agentx issue create "Health endpoint" -l type:feature -l priority:p1
  agentx issue create "Export" -m "Blocked-by: #1"
  agentx issue list --all --json
  agentx issue comment 2 -m "CSV is enough for now"`,
    );
  run(issue, async (line) => (await import('./list.js')).list(line, { all: issue.opts().all === true }));

  const create = issue
    .command('create')
    .description('write down what is to be done')
    .argument('[title]', 'what it is about, in one line')
    .option('-t, --title <title>', 'the same')
    .option('-l, --label <label...>', 'such as type:bug or priority:p1')
    .addHelpText('after', CREATE_EXAMPLES);
  const body = takesOptionalText(create, { what: 'everything else' });
  run(create, async (line, words) => {
    const { title, label } = create.opts();
    return (await import('./create.js')).create(line, { titles: [words, title], body, labels: label });
  });

  const list = issue.command('list').description('the open issues').option('--all', 'closed ones too');
  list.addHelpText('after', '\nExample:\n  agentx issue list --all --json');
  run(list, async (line) => (await import('./list.js')).list(line, { all: list.optsWithGlobals().all === true }));

  const show = issue.command('show').description('one issue with its comments').argument('<number>');
  show.addHelpText('after', '\nExample:\n  agentx issue show 42');
  run(show, async (line, number = '') => (await import('./show.js')).show(line, number));

  const comment = issue
    .command('comment')
    .description('add to the conversation of an issue')
    .argument('<number>')
    .addHelpText('after', '\nExample:\n  agentx issue comment 42 -m "CSV is enough for now"');
  const commentText = takesText(comment, { what: 'what you have to say', asks: 'What do you have to say?' });
  run(comment, async (line, number = '') =>
    (await import('./comment.js')).comment(line, { number, text: commentText }),
  );

  const close = issue.command('close').description('its work is over').argument('<number>');
  close.addHelpText('after', '\nExample:\n  agentx issue close 42');
  run(close, async (line, number = '') => (await import('./close.js')).close(line, number));

  const reopen = issue.command('reopen').description('its work goes on').argument('<number>');
  reopen.addHelpText('after', '\nExample:\n  agentx issue reopen 42');
  run(reopen, async (line, number = '') => (await import('./close.js')).reopen(line, number));
};

import { priorityOf, typeOf } from '../../../src/protocol/issue.js';
import { shorten } from '../../../src/protocol/shorten.js';
import { plainLine } from '../../../src/render/plain-text.js';
import type { Chat, ChatReply } from './chat.js';
import { escaped } from './markdown.js';
import { warn } from './warn.js';

const MAX_ISSUES = 20;
const OFFERED = 3;
const MAX_LABEL = 80;

/** What can be worked on, the most urgent first, and what holds up the rest. */
export async function ready({ app, sink, isTrusted }: Chat): Promise<ChatReply> {
  const { active, warnings } = await app.runCheck({ retry: false });
  warn(sink, warnings);
  const { ready: free, blocked, damaged } = await app.readySummaries(active);
  warn(sink, damaged);
  if (free.length > 0) {
    const lines = free.slice(0, MAX_ISSUES).map((issue) => {
      const goesOn = issue.run === undefined ? '' : ` *(${issue.run.status}, goes on where it was)*`;
      const priority = priorityOf(issue);
      return `- **#${issue.number}** ${escaped(plainLine(issue.title))} (${typeOf(issue)}${priority === undefined ? '' : `, P${priority}`})${goesOn}`;
    });
    sink.markdown(['Ready:', '', ...lines, ...more(free.length)].join('\n'));
  }
  if (blocked.length > 0) {
    const lines = blocked
      .slice(0, MAX_ISSUES)
      .map(
        ({ issue, reason }) =>
          `- **#${issue.number}** ${escaped(plainLine(issue.title))}: ${escaped(plainLine(reason))}`,
      );
    sink.markdown(['Blocked:', '', ...lines, ...more(blocked.length)].join('\n'));
  }
  if (free.length + blocked.length === 0) {
    sink.markdown('Nothing is ready. Create an issue with the command **AgentX: Create Issue**.');
  }
  const runs = (isTrusted ? free.slice(0, OFFERED) : []).map(({ number, title }) => ({
    label: shorten(`Run #${number} ${plainLine(title)}`, MAX_LABEL),
    prompt: `#${number}`,
    command: 'run',
  }));
  const waits = blocked.some(({ questionId }) => questionId !== undefined);
  const inbox = waits ? [{ label: 'What waits for me?', prompt: '', command: 'inbox' }] : [];
  return { command: 'ready', suggestions: [...inbox, ...runs] };
}

function more(count: number): readonly string[] {
  return count > MAX_ISSUES ? [`- ... ${count - MAX_ISSUES} more`] : [];
}

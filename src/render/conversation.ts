import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { plainLine, plainText } from './plain-text.js';

/** How a piece of the stream is meant; each surface has its own way to show that. */
export interface Paint {
  readonly name: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly alarming: (text: string) => string;
}

export const UNPAINTED: Paint = { name: String, quiet: String, good: String, alarming: String };

/** What everybody sees of a clarification as it happens, in terminal and chat alike. */
export function renderEntry(record: ClarificationRecord, entry: ThreadEntry, paint: Paint = UNPAINTED): string {
  const author = paint.name(`[${agentTitle(entry.from)}]`);
  switch (entry.type) {
    case 'question': {
      const parties = paint.name(`[${agentTitle(record.from)} -> ${agentTitle(record.to)}]`);
      const kind = record.blocking ? 'blocking' : 'non-blocking';
      const facts = paint.quiet(`(${record.id}, round ${entry.round}/${record.maxRounds}, ${kind})`);
      return `${parties} Clarification: ${plainLine(record.topic)} ${facts}\n${indent(entry.body)}`;
    }
    case 'answer':
      return `${author} ${indent(entry.body).trimStart()}`;
    case 'resolution':
      return `${author} ${paint.good('Clarification resolved. Continuing...')}`;
    case 'escalation': {
      const title = paint.alarming('[ESCALATED]');
      return `${title} ${plainLine(record.topic)} ${paint.quiet(`(${record.id})`)}\n${escalation(record, entry)}`;
    }
  }
}

/** Both positions, why it came to this, and what can be decided; another program's escalation has only its text. */
function escalation(record: ClarificationRecord, { body, positions, options = [] }: ThreadEntry): string {
  if (positions === undefined) return indent(body);
  const reason = /^Reason: (.*)$/m.exec(body)?.[1];
  return [
    `  ${agentTitle(record.from)}: ${hanging(positions.requester)}`,
    `  ${agentTitle(record.to)}: ${hanging(positions.target ?? '(has not answered)')}`,
    ...(reason === undefined ? [] : [`  Why: ${plainLine(reason)}`]),
    '  Options:',
    ...options.map(({ id, label }) => `    ${plainLine(id)}) ${hanging(label)}`),
  ].join('\n');
}

/** Text that begins behind a label: what follows its first line stands below, so that it cannot pass for a line of ours. */
const hanging = (text: string): string => plainText(text).split('\n').join('\n      ');

/** `product-manager` as people read it: Product Manager. */
export function agentTitle(agent: string): string {
  if (agent === 'ux-designer') return 'UX Designer';
  if (agent === 'agent-x') return 'Agent X';
  return plainLine(agent)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function indent(body: string): string {
  return plainText(body)
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
}

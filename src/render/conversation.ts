import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { plainLine, plainText } from './plain-text.js';
import { wrapLine } from './wrap-line.js';

/** How a piece of the stream is meant; each surface has its own way to show that. */
export interface Paint {
  readonly name: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly waiting: (text: string) => string;
  readonly alarming: (text: string) => string;
}

export const UNPAINTED: Paint = { name: String, quiet: String, good: String, waiting: String, alarming: String };

export interface StreamView {
  readonly paint: Paint;
  /** Where lines are wrapped; without it they are as long as they are. */
  readonly width?: number;
  /** Whether a prompt with the options of an escalation follows at once. */
  readonly asksInPlace?: boolean;
}

/** What everybody sees of a clarification as it happens, in terminal and chat alike. */
export function renderEntry(
  record: ClarificationRecord,
  entry: ThreadEntry,
  { paint, width = Number.POSITIVE_INFINITY, asksInPlace = false }: StreamView = { paint: UNPAINTED },
): string {
  const author = { label: `[${agentTitle(entry.from)}] `, paint: paint.name };
  switch (entry.type) {
    case 'question': {
      const parties = `[${agentTitle(record.from)} -> ${agentTitle(record.to)}]`;
      const topic = `Clarification: ${plainLine(record.topic)}`;
      const kind = record.blocking ? 'blocking' : 'non-blocking';
      const facts = `(${record.id}, round ${entry.round}/${record.maxRounds}, ${kind})`;
      const fits = `${parties} ${topic} ${facts}`.length <= width;
      const head = fits
        ? `${paint.name(parties)} ${topic}`
        : under({ label: `${parties} `, paint: paint.name }, topic, width);
      return `${head}${fits ? ' ' : '\n  '}${paint.quiet(facts)}\n${under({ label: '  ' }, entry.body, width)}`;
    }
    case 'answer':
      return under(author, entry.body, width);
    case 'resolution':
      // Who goes on is who asked, whoever decided.
      return `${paint.name(`[${agentTitle(record.from)}]`)} ${paint.good('Clarification resolved. Continuing...')}`;
    case 'escalation': {
      const title = `${paint.alarming('[ESCALATED]')} ${plainLine(record.topic)} ${paint.quiet(`(${record.id})`)}`;
      return `${title}\n${escalation(record, entry, { width, asksInPlace })}`;
    }
  }
}

/** Both positions, why it came to this, and what can be decided; another program's escalation has only its text. */
function escalation(
  record: ClarificationRecord,
  { body, reason, positions, options = [] }: ThreadEntry,
  { width, asksInPlace }: { readonly width: number; readonly asksInPlace: boolean },
): string {
  if (positions === undefined) return under({ label: '  ' }, body, width);
  const said = [
    [agentTitle(record.from), positions.requester],
    [agentTitle(record.to), positions.target ?? '(has not answered)'],
    ...(reason === undefined ? [] : [['Why', reason]]),
  ] as const;
  return [
    ...said.map(([label, text]) => under({ label: `  ${label}: `, margin: '      ' }, text ?? '', width)),
    ...(asksInPlace ? [] : ['  Options:']),
    ...(asksInPlace ? [] : options).map(({ id, label }) =>
      under({ label: `    ${plainLine(id)}) `, margin: '       ' }, label, width),
    ),
  ].join('\n');
}

interface Label {
  readonly label: string;
  readonly paint?: (text: string) => string;
  readonly margin?: string;
}

/** Text that begins behind a label and goes on below it, further in: no line of it can pass for one of ours. */
export function under({ label, paint = String, margin = '  ' }: Label, text: string, width: number): string {
  const [first = '', ...more] = plainText(text).split('\n');
  const lines = [`${label}${first}`, ...more].flatMap((line) => wrapLine(line, width - margin.length));
  return lines
    .map((line, index) =>
      index === 0 ? `${paint(label.trimEnd())}${line.slice(label.trimEnd().length)}` : `${margin}${line}`,
    )
    .map((line) => line.trimEnd())
    .join('\n');
}

/** `product-manager` as people read it: Product Manager. */
export function agentTitle(agent: string): string {
  if (agent === 'ux-designer') return 'UX Designer';
  if (agent === 'agent-x') return 'Agent X';
  return plainLine(agent)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

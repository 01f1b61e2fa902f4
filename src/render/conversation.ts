import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { columnsOf } from './columns.js';
import { plainLine, plainLines } from './plain-text.js';
import { wrapLine } from './wrap-line.js';

/** What a piece of the stream means; each surface shows that in its own way. */
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
  /** Where lines are wrapped; without it they are not. */
  readonly width?: number | undefined;
  /** Whether a prompt with the options of an escalation follows directly. */
  readonly asksInPlace?: boolean;
  /** Whether entries of other threads come in between: then every entry says which thread it belongs to. */
  readonly showsId?: boolean;
  /** Whether the run stays until its questions are decided. Default: it does. */
  readonly waits?: boolean;
}

/** A clarification as it happens; terminal and chat show the same text. */
export function renderEntry(
  record: ClarificationRecord,
  entry: ThreadEntry,
  { paint, width = Number.POSITIVE_INFINITY, asksInPlace = false, showsId = false }: StreamView = { paint: UNPAINTED },
): string {
  const by = (agent: string) => `[${agentTitle(agent)}] ${showsId ? `(${record.id}) ` : ''}`;
  switch (entry.type) {
    case 'question': {
      const parties = `[${agentTitle(record.from)} -> ${agentTitle(record.to)}]`;
      const topic = `Clarification: ${plainLine(record.topic)}`;
      const kind = record.blocking ? 'blocking' : 'non-blocking';
      const facts = `(${record.id}, round ${entry.round}/${record.maxRounds}, ${kind})`;
      const fits = columnsOf(`${parties} ${topic} ${facts}`) <= width;
      const head = fits
        ? `${paint.name(parties)} ${topic} ${paint.quiet(facts)}`
        : `${under({ label: `${parties} `, paint: paint.name }, topic, width)}\n${under({ label: '  ', tone: paint.quiet }, facts, width)}`;
      return `${head}\n${under({ label: '  ' }, entry.body, width)}`;
    }
    case 'answer':
      return [
        under({ label: by(entry.from), paint: paint.name }, entry.body, width),
        ...(entry.source === undefined
          ? []
          : [under({ label: '  ', tone: paint.quiet }, `Decided before: ${plainLine(entry.source)}`, width)]),
      ].join('\n');
    case 'resolution':
      // The agent that asked goes on, no matter who decided.
      return under(
        { label: by(record.from), paint: paint.name, tone: paint.good },
        'Clarification resolved. Continuing...',
        width,
      );
    case 'escalation': {
      const label = { label: '[ESCALATED] ', paint: paint.alarming };
      const title = under(label, `${plainLine(record.topic)} (${record.id})`, width);
      return `${title}\n${escalation(record, entry, { width, asksInPlace })}`;
    }
  }
}

/**
 * Both positions, the reason for the escalation, and the options. An escalation by another program has only its text.
 */
function escalation(
  record: ClarificationRecord,
  { body, reason, positions, options = [] }: ThreadEntry,
  { width, asksInPlace }: { readonly width: number; readonly asksInPlace: boolean },
): string {
  if (positions === undefined) return under({ label: '  ' }, body, width);
  const labelledTexts = [
    [agentTitle(record.from), positions.requester],
    [agentTitle(record.to), positions.target ?? '(has not answered)'],
    ...(reason === undefined ? [] : [['Why', reason]]),
  ] as const;
  return [
    ...labelledTexts.map(([label, text]) => under({ label: `  ${label}: `, margin: '      ' }, text ?? '', width)),
    ...(asksInPlace ? [] : ['  Options:']),
    ...(asksInPlace ? [] : options).map(({ id, label }) =>
      under({ label: `    ${plainLine(id)}) `, margin: '       ' }, label, width),
    ),
  ].join('\n');
}

interface Label {
  readonly label: string;
  readonly paint?: (text: string) => string;
  /** How to paint the text that follows the label. */
  readonly tone?: (text: string) => string;
  readonly margin?: string;
}

/**
 * Text that begins behind a label and goes on below it, indented: an agent's text can never look like a line of ours.
 */
export function under(
  { label, paint = String, tone = String, margin = '  ' }: Label,
  text: string,
  width: number,
): string {
  const [first = '', ...more] = plainLines(text);
  const lines = [`${label}${first}`, ...more].flatMap((line, index) =>
    index === 0 && columnsOf(line) <= width ? line : wrapLine(line.trimEnd(), width - margin.length),
  );
  // Rest of the label; a narrow window may break it too.
  let labelRest = label.trimEnd();
  return lines
    .map((line, index) => {
      const labelPart = line.slice(0, labelRest.length);
      const textPart = line.slice(labelPart.length);
      labelRest = labelRest.slice(labelPart.length).trimStart();
      return `${index === 0 ? '' : margin}${labelPart === '' ? '' : paint(labelPart)}${textPart === '' ? '' : tone(textPart)}`;
    })
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

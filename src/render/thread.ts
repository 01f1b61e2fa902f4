import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { escalationQuestionId, parseClarificationId } from '../protocol/ids.js';
import { columnsOf } from './columns.js';
import { type Paint, UNPAINTED, under } from './conversation.js';
import { plainLine, plainLines } from './plain-text.js';
import { countdownText, type Timing, whenText } from './time.js';
import { wrapLine } from './wrap-line.js';

/** What a rendering must know about the place where it is shown. */
export interface View extends Timing {
  readonly width: number;
  readonly paint: Paint;
  /**
   * By clarification: the question that a human must answer before the target can. Until then the target's time stands
   * still.
   */
  readonly awaiting?: ReadonlyMap<string, string>;
}

const INDENT = '  ';
const MAX_RULE = 72;
const MIN_TEXT_WIDTH = 20;

/** One clarification in full: every round with its time, then how it ended or what it waits for. */
export function renderThread(record: ClarificationRecord, view: View): string {
  const { paint } = view;
  const issue = `#${parseClarificationId(record.id).issueNumber}`;
  const kind = record.blocking ? 'blocking' : 'non-blocking';
  const rule = paint.quiet('-'.repeat(Math.max(MIN_TEXT_WIDTH, Math.min(MAX_RULE, view.width - INDENT.length))));
  const facts = `${record.status}, round ${record.round}/${record.maxRounds}, ${kind}`;
  const blocks = [...record.thread.map((entry) => renderEntry(record, entry, view)), ...outlook(record, view)];
  return [
    `${INDENT}${paint.name(`Clarification Thread: ${record.id}`)} (${issue})`,
    labelled(INDENT, `${plainLine(record.topic)} (${facts})`, view.width),
    `${INDENT}${rule}`,
    blocks.join('\n\n'),
    `${INDENT}${rule}`,
  ].join('\n');
}

/** Only the questions and answers of the two agents. */
export function renderExchange(record: ClarificationRecord, view: View): string {
  const exchange = record.thread.filter(({ type }) => type === 'question' || type === 'answer');
  return exchange.map((entry) => renderEntry(record, entry, view)).join('\n\n');
}

/** Text behind a label; long lines go on below the start of the text, or where that is too far right, of the label. */
export function labelled(label: string, text: string, width: number): string {
  const columns = columnsOf(label);
  const space = width - columns;
  if (columns > space || space < MIN_TEXT_WIDTH) {
    const [indent = ''] = /^ */.exec(label) ?? [];
    return under({ label, margin: indent === label ? indent : `${indent}  ` }, text, width);
  }
  const lines = plainLines(text).flatMap((line) => wrapLine(line, space));
  const margin = ' '.repeat(columns);
  return lines.map((line, index) => `${index === 0 ? label : margin}${line}`.trimEnd()).join('\n');
}

function renderEntry(record: ClarificationRecord, entry: ThreadEntry, view: View): string {
  const { width } = view;
  const source = entry.source === undefined ? [] : [labelled('       source: ', plainLine(entry.source), width)];
  return [headOf(record, entry, view), labelled(TEXT_LABELS[entry.type], entry.body, width), ...source].join('\n');
}

const TEXT_LABELS = { question: '    Q: ', answer: '    A: ', resolution: '    ', escalation: '    ' } as const;

/** Who spoke and when, on two lines if one does not hold both. */
function headOf(record: ClarificationRecord, entry: ThreadEntry, view: View): string {
  const { paint, width } = view;
  const time = `(${whenText(entry.timestamp, view)})`;
  const fits = !view.isRelative || columnsOf(`${whoOf(record, entry, UNPAINTED)}  ${time}`) <= width;
  return `${whoOf(record, entry, paint)}${fits ? '  ' : '\n    '}${paint.quiet(time)}`;
}

function whoOf({ from: requester, to }: ClarificationRecord, entry: ThreadEntry, paint: Paint): string {
  const { type, round, from, principal } = entry;
  const who = plainLine(principal === undefined ? from : `${from} (${principal})`);
  switch (type) {
    case 'question':
      return `${INDENT}[Round ${round}] ${paint.name(`${who} -> ${to}`)}`;
    case 'answer':
      return `${INDENT}[Round ${round}] ${paint.name(`${who} -> ${requester}`)}`;
    case 'resolution':
      return `${INDENT}${paint.good('[RESOLVED]')} ${who}`;
    case 'escalation':
      return `${INDENT}${paint.alarming('[ESCALATED]')} ${who}`;
  }
}

/** What an open clarification waits for, and what helps it on. */
function outlook(record: ClarificationRecord, view: View): readonly string[] {
  const { id, from, to, status } = record;
  const { paint, width } = view;
  const question = view.awaiting?.get(id);
  if (question !== undefined) {
    const label = paint.waiting(`[${status.toUpperCase()}]`);
    return [`${INDENT}${label} ${to} waits for you: agentx inbox show ${question}`];
  }
  const noteLine = (label: string, text: string) => labelled(`${INDENT}${label} `, text, width);
  switch (status) {
    case 'pending': {
      const retryText = (record.retries ?? 0) > 0 ? ', asked twice' : '';
      return [noteLine('[PENDING]', `${to} is asked; stale ${countdownText(record.staleAfter, view)}${retryText}`)];
    }
    case 'stale':
      return [noteLine('[STALE]', `${to} has not answered in time`).replace('[STALE]', paint.alarming)];
    case 'answered':
      return [noteLine('[ANSWERED]', `${from} resolves it or asks on`)];
    case 'escalated':
      return [`${INDENT}Answer: ${answerCommand(id, record.round)}`];
    case 'abandoned':
      return [noteLine('[ABANDONED]', `${from} went on without an answer`)];
    case 'resolved':
      return [];
  }
}

/** What a human types to decide an escalated clarification. */
export function answerCommand(clarificationId: string, round: number): string {
  return `agentx inbox answer ${escalationQuestionId(clarificationId, round)}`;
}

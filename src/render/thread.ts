import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { escalationQuestionId, parseClarificationId } from '../protocol/ids.js';
import type { Paint } from './conversation.js';
import { plainLine, plainText } from './plain-text.js';
import { countdownText, type Timing, whenText } from './time.js';
import { wrapLine } from './wrap-line.js';

/** What a rendering needs to know of where it is shown. */
export interface View extends Timing {
  readonly width: number;
  readonly paint: Paint;
  /** The questions that somebody waits for and no human has answered. */
  readonly awaited?: ReadonlySet<string>;
}

const INDENT = '  ';
const MAX_RULE = 72;
const MIN_TEXT_WIDTH = 20;

/** One clarification whole: every round with its time, then how it ended or what it waits for. */
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

/** Only what the two said to each other. */
export function renderExchange(record: ClarificationRecord, view: View): string {
  const said = record.thread.filter(({ type }) => type === 'question' || type === 'answer');
  return said.map((entry) => renderEntry(record, entry, view)).join('\n\n');
}

/** Text under its label: lines that are too long go on below where it begins. */
export function labelled(label: string, text: string, width: number): string {
  const space = Math.max(MIN_TEXT_WIDTH, width - label.length);
  const lines = plainText(text)
    .split('\n')
    .flatMap((line) => wrapLine(line, space));
  const margin = ' '.repeat(label.length);
  return lines.map((line, index) => `${index === 0 ? label : margin}${line}`.trimEnd()).join('\n');
}

function renderEntry(record: ClarificationRecord, entry: ThreadEntry, view: View): string {
  const { paint, width } = view;
  const from = plainLine(entry.principal === undefined ? entry.from : `${entry.from} (${entry.principal})`);
  const time = paint.quiet(`(${whenText(entry.timestamp, view)})`);
  const round = `${INDENT}[Round ${entry.round}]`;
  switch (entry.type) {
    case 'question':
      return `${round} ${paint.name(`${from} -> ${record.to}`)}  ${time}\n${labelled('    Q: ', entry.body, width)}`;
    case 'answer': {
      const source = entry.source === undefined ? [] : [labelled('       source: ', plainLine(entry.source), width)];
      const head = `${round} ${paint.name(`${from} -> ${record.from}`)}  ${time}`;
      return [head, labelled('    A: ', entry.body, width), ...source].join('\n');
    }
    case 'resolution':
      return `${INDENT}${paint.good('[RESOLVED]')} ${from}  ${time}\n${labelled('    ', entry.body, width)}`;
    case 'escalation':
      return `${INDENT}${paint.alarming('[ESCALATED]')} ${from}  ${time}\n${labelled('    ', entry.body, width)}`;
  }
}

/** What an open clarification waits for, and how somebody helps it on. */
function outlook(record: ClarificationRecord, view: View): readonly string[] {
  const { id, from, to, status } = record;
  const { paint } = view;
  switch (status) {
    case 'pending': {
      const question = questionBefore(record, view);
      if (question !== undefined) {
        return [`${INDENT}${paint.waiting('[PENDING]')} ${to} waits for you: agentx inbox show ${question}`];
      }
      const retried = (record.retries ?? 0) > 0 ? ', asked twice' : '';
      return [`${INDENT}[PENDING] ${to} is asked; stale ${countdownText(record.staleAfter, view)}${retried}`];
    }
    case 'stale':
      return [`${INDENT}${paint.alarming('[STALE]')} ${to} has not answered in time`];
    case 'answered':
      return [`${INDENT}[ANSWERED] ${from} resolves it or asks on`];
    case 'escalated':
      return [`${INDENT}Answer: ${answerCommand(id, record.round)}`];
    case 'abandoned':
      return [`${INDENT}[ABANDONED] ${from} went on without an answer`];
    case 'resolved':
      return [];
  }
}

/** What a human has to answer before the target can. */
export function questionBefore({ status, questions = [] }: ClarificationRecord, { awaited }: View): string | undefined {
  const isAsked = status === 'pending' || status === 'stale';
  return isAsked ? questions.find((id) => awaited?.has(id)) : undefined;
}

/** What a human types to decide an escalated clarification. */
export function answerCommand(clarificationId: string, round: number): string {
  return `agentx inbox answer ${escalationQuestionId(clarificationId, round)}`;
}

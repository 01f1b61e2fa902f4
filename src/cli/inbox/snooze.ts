import { AgentXError } from '../../protocol/errors.js';
import { countdownText } from '../../render/time.js';
import type { CommandLine } from '../command-line.js';
import { humanAct } from './settle.js';

const UNITS: Readonly<Record<string, number>> = { m: 1, min: 1, h: 60, d: 24 * 60 };

export async function snooze(line: CommandLine, typedId: string, time: string): Promise<undefined> {
  const app = line.app();
  const id = await app.findId('question', typedId);
  const { by } = humanAct(line, 'snooze', { id });
  const question = await app.snooze({ id, minutes: minutesIn(time), by });
  const { snoozed, expiresAt } = question;
  line.out.json(question);
  const now = app.clock.now();
  line.out.print(
    snoozed === undefined
      ? `Reminders of ${id} come again.`
      : `No reminder of ${id} for now; the next one ${countdownText(snoozed.until, { now, isRelative: true })}.`,
  );
  if (expiresAt !== undefined) {
    line.out.note(`Its fallback still applies ${countdownText(expiresAt, { now, isRelative: true })}.`);
  }
}

function minutesIn(text: string): number {
  const [, number = '', unit = 'm'] = /^(\d{1,6}(?:\.\d{1,3})?)(m|min|h|d)?$/.exec(text.trim()) ?? [];
  if (number !== '') return Number(number) * (UNITS[unit] ?? 1);
  throw new AgentXError(
    'INVALID_INPUT',
    `'${text.slice(0, 40)}' is no time. Allowed: such as 30m, 2h or 1d; 0 ends it.`,
    {
      time: text.slice(0, 40),
    },
  );
}

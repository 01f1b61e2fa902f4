import type { Question } from '../protocol/question.js';
import { countdownText } from './time.js';

/** `a fallback applies in 4:32`; nothing where a question waits for as long as it takes. */
export function fallbackCountdown({ expiresAt }: Pick<Question, 'expiresAt'>, now: string): string {
  return expiresAt === undefined ? '' : `a fallback applies ${countdownText(expiresAt, { now, isRelative: true })}`;
}

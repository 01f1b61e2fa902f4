import type { Question } from '../protocol/question.js';
import { countdownText } from './time.js';

/** `a fallback applies in 4:32`; empty for a question without a time limit. */
export function fallbackCountdown({ expiresAt }: Pick<Question, 'expiresAt'>, now: string): string {
  return expiresAt === undefined ? '' : `a fallback applies ${countdownText(expiresAt, { now, isRelative: true })}`;
}

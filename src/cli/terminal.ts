import colors from 'picocolors';
import type { Paint } from '../render/conversation.js';

/** Colour adds, never carries, meaning; NO_COLOR, FORCE_COLOR and pipes are obeyed. */
export function terminalPaint(): Paint {
  return { name: colors.bold, quiet: colors.dim, good: colors.green, alarming: colors.red };
}

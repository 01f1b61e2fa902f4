import colors from 'picocolors';
import type { Paint } from '../render/conversation.js';

/** Colour adds, never carries, meaning. */
export function terminalPaint(isColoured: boolean): Paint {
  const { bold, dim, green, red, yellow } = colors.createColors(isColoured);
  return { name: bold, quiet: dim, good: green, waiting: yellow, alarming: red };
}

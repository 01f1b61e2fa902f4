/**
 * What JSON allows but a terminal obeys: delete, the second set of control characters, and those that reverse the
 * reading direction.
 */
const UNSEEN = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** The same JSON, but safe to show on a terminal. */
export function plainJson(value: unknown, space?: number): string {
  return JSON.stringify(value, null, space).replace(UNSEEN, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

import { AgentXError } from '../protocol/errors.js';

/** Stands in an argument for bytes that are not UTF-8: Node replaces them before this program sees them. */
const REPLACED = '\ufffd';

/**
 * INVALID_INPUT for an argument that lost bytes on its way here: stored, it would pass for what a person wrote. An
 * argument that holds this character on purpose looks the same and is refused too; `-F` reads bytes and takes it.
 */
export function refuseBrokenBytes(words: readonly string[]): void {
  const index = words.findIndex((word) => word.includes(REPLACED));
  const word = words[index];
  if (word === undefined) return;
  const [, option = words[index - 1] ?? ''] = /^(-[^=]*)=/s.exec(word) ?? [];
  const where = option.startsWith('-') ? `What follows ${option}` : 'An argument';
  throw new AgentXError(
    'INVALID_INPUT',
    `${where} is no UTF-8 text, or holds U+FFFD, which stands for bytes that are none. ` +
      'Allowed: UTF-8. A text with U+FFFD itself: -F FILE, where the command has it.',
    { argument: word },
  );
}

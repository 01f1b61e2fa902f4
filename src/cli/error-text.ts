import type { AgentXError } from '../protocol/errors.js';
import { plainText } from '../render/plain-text.js';
import { plainJson } from './plain-json.js';

/** Longer than any message of ours; what goes beyond is something that was typed or read. */
const SHOWN_CHARACTERS = 1000;

/** An error as stderr shows it. */
export function errorText(error: AgentXError, { isJson }: { readonly isJson: boolean }): string {
  const message = cut(error.message);
  if (isJson) return plainJson({ error: { ...error.toJSON(), message, details: shortened(error.details) } });
  return underLabel('error: ', message);
}

/** Only the first line begins at the margin: the others may be anybody's words. */
export function underLabel(label: string, message: string): string {
  return (
    label +
    plainText(message)
      .trim()
      .replaceAll('\n', `\n${' '.repeat(label.length)}`)
  );
}

function shortened(details: AgentXError['details']): AgentXError['details'] {
  const short = Object.entries(details).map(([key, value]) => [key, typeof value === 'string' ? cut(value) : value]);
  return Object.fromEntries(short);
}

function cut(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
}

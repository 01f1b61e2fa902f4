import type { AgentXError } from '../protocol/errors.js';
import { shorten } from '../protocol/shorten.js';
import { plainText } from '../render/plain-text.js';
import { wrapLine } from '../render/wrap-line.js';
import { plainJson } from './plain-json.js';

/** Longer than any message of ours; only text that was typed or read makes it longer. */
const SHOWN_CHARACTERS = 1000;

export interface ErrorView {
  readonly isJson: boolean;
  /** Where lines are wrapped; without it they are not. */
  readonly width?: number | undefined;
}

/** An error as stderr shows it. */
export function errorText(error: AgentXError, { isJson, width }: ErrorView): string {
  const message = errorMessage(error);
  if (isJson) return plainJson({ error: { ...error.toJSON(), message, details: shortened(error.details) } });
  return underLabel('error: ', message, width);
}

/** What went wrong, and where to look. */
export function errorMessage(error: AgentXError): string {
  return `${shorten(error.message, SHOWN_CHARACTERS)}${whereToLook(error)}`;
}

/** Only the first line begins at the margin: the others may hold text from outside. */
export function underLabel(label: string, message: string, width = Number.POSITIVE_INFINITY): string {
  const lines = plainText(message).trim().split('\n');
  const wrappedLines = lines.flatMap((line) => wrapLine(line, width - label.length));
  return label + wrappedLines.join(`\n${' '.repeat(label.length)}`);
}

/** A hint: for an unknown name, the command that lists the known ones; for a refused action, the allowed one. */
function whereToLook({ code, details }: AgentXError): string {
  if (code === 'INVALID_STATE' && details.status === 'escalated') return ' It waits for a human: agentx inbox';
  if (code !== 'NOT_FOUND') return '';
  const missingWords = String(details.what ?? '').split(' ');
  const [, list] = LISTS.find(([what]) => `${what}Id` in details || missingWords[0] === what) ?? [];
  const listCommand = list ?? ('issueNumber' in details ? ISSUES : undefined);
  return listCommand === undefined ? '' : ` See what there is: ${listCommand}`;
}

const ISSUES = 'agentx issue list --all';

/** Lists by what is missing: a store names it, other errors give its id. */
const LISTS = [
  ['clarification', 'agentx clarify --all'],
  ['question', 'agentx inbox --all'],
  ['assumption', 'agentx assumptions'],
  ['observation', 'agentx memory search'],
  ['issue', ISSUES],
] as const;

function shortened(details: AgentXError['details']): AgentXError['details'] {
  const shortDetails = Object.entries(details).map(([key, value]) => [
    key,
    typeof value === 'string' ? shorten(value, SHOWN_CHARACTERS) : value,
  ]);
  return Object.fromEntries(shortDetails);
}

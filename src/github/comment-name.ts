import { fnv1a64 } from '../protocol/derived-id.js';

/*
 * Every comment of ours begins with an HTML comment that holds its name, which is derived from the record that it
 * shows. GitHub does not show the name, and text of agents cannot contain one, because it is escaped. A sync that does
 * not know whether a comment was sent looks for its name.
 */

export type CommentKind = 'round' | 'question' | 'assumption' | 'comment' | 'digest' | 'reply';

/** `cause` tells records with the same id apart that were made by different projects or at different times. */
export function commentName(kind: CommentKind, id: string, cause = ''): string {
  return `${kind}:${id}:${fnv1a64(`${kind}/${id}/${cause}`)}`;
}

/** The text as GitHub gets it. */
export function named(name: string, body: string): string {
  return `<!-- agentx:${name} -->\n${body}`;
}

const NAME = /^<!-- agentx:((round|question|assumption|comment|digest|reply):[\w./-]{1,120}:[0-9a-f]{16}) -->\r?\n?/;

/** The name and the rest; undefined for a comment that is not ours. */
export function readName(
  body: string,
): { readonly name: string; readonly kind: string; readonly text: string } | undefined {
  const [start, name, kind] = NAME.exec(body) ?? [];
  if (start === undefined || name === undefined || kind === undefined) return undefined;
  return { name, kind, text: body.slice(start.length) };
}

const ISSUE_NAME = /\n*<!-- agentx:issue:([\w-]{1,80}) -->\s*$/;

/** The description of an issue that was created here. */
export function namedIssue(id: string, body: string): string {
  return `${body}${body === '' ? '' : '\n\n'}<!-- agentx:issue:${id} -->`;
}

export function readIssueName(body: string): { readonly id?: string; readonly text: string } {
  const [end, id] = ISSUE_NAME.exec(body) ?? [];
  return id === undefined || end === undefined ? { text: body } : { id, text: body.slice(0, -end.length) };
}

import { type Place, pathOf } from '../protocol/page-address.js';
import type { CommandLine } from './command-line.js';

/**
 * The address of something on the page, if a server shows this folder now. It contains no key: a browser that is not
 * logged in says what to do, and shows the place afterwards.
 */
export function pageLink({ app }: Pick<CommandLine, 'app'>, place: Place): string | undefined {
  const url = app().pageUrl();
  return url === undefined ? undefined : `${url}${pathOf(place)}`;
}

/** A note for people; programs that read data know where the server is. */
export function notePageLink(line: CommandLine, place: Place): void {
  const link = line.out.isJson ? undefined : pageLink(line, place);
  if (link !== undefined) line.out.note(`On the page: ${link}`);
}

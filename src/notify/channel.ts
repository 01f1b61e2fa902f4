import { fnv1a64 } from '../protocol/derived-id.js';
import type { NotifyTable } from '../protocol/notify.js';

/** A table of the settings, with the name under which its messages are recorded. */
export interface Channel extends NotifyTable {
  readonly key: string;
}

/**
 * The key of a channel is derived from its destination, so that a changed filter repeats no news. It reveals nothing of
 * an address: the value of a variable is not part of it. A second table with the same destination is a channel of its
 * own.
 */
export function channelsOf(tables: readonly NotifyTable[]): readonly Channel[] {
  const tablesByDestination = new Map<string, number>();
  return tables.map((table) => {
    const { channel, url, command, to } = table;
    const destination = fnv1a64(JSON.stringify([channel, url, command, to]));
    const count = (tablesByDestination.get(destination) ?? 0) + 1;
    tablesByDestination.set(destination, count);
    return { ...table, key: `${channel}-${destination}${count === 1 ? '' : `-${count}`}` };
  });
}

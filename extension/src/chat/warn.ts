import { type AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { plainLine } from '../../../src/render/plain-text.js';
import type { Sink } from './chat.js';
import { escaped } from './markdown.js';

const SHOWN = 5;

/** What could not be read; the rest is shown all the same. */
export function warn(sink: Sink, damaged: readonly AgentXError[]): void {
  for (const error of damaged.slice(0, SHOWN)) {
    sink.markdown(`**${error.code}** ${escaped(plainLine(messageOf(error)))}`);
  }
  if (damaged.length > SHOWN) sink.markdown(`And ${damaged.length - SHOWN} more. See: AgentX: Doctor`);
}

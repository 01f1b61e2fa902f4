import { type AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { plainText } from '../../../src/render/plain-text.js';
import type { Sink } from './chat.js';
import { textBlock } from './markdown.js';

const MAX_WARNINGS = 5;

/** An error as people read it: its code, and what to do. */
export function problemBlock(error: AgentXError): string {
  return `**${error.code}** ${textBlock(plainText(messageOf(error)))}`;
}

/** What could not be read; the rest is shown all the same. */
export function warn(sink: Sink, damaged: readonly AgentXError[]): void {
  for (const error of damaged.slice(0, MAX_WARNINGS)) sink.markdown(problemBlock(error));
  if (damaged.length > MAX_WARNINGS) sink.markdown(`And ${damaged.length - MAX_WARNINGS} more. See: AgentX: Doctor`);
}

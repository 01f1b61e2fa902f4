import { readJsonTranscript } from './transcript-json.js';
import type { TranscriptMessage } from './transcript-message.js';
import { readTextTranscript } from './transcript-text.js';

/** What was said and done in a session, from whatever its program left behind: JSON, JSON lines, Markdown, text, a terminal. */
export function readTranscript(text: string): readonly TranscriptMessage[] {
  const textAlone = text.replace(/^\ufeff/, '');
  if (isBinary(textAlone.slice(0, 16_384))) return [];
  return readJsonTranscript(textAlone) ?? readTextTranscript(textAlone);
}

/** Bytes that are no text, one in twenty or more; a terminal writes escapes. */
function isBinary(beginning: string): boolean {
  const strange = beginning.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.filter((sign) => sign !== ESCAPE).length ?? 0;
  return strange > 20 && strange * 20 > beginning.length;
}

const ESCAPE = String.fromCharCode(27);

import { readJsonTranscript } from './transcript-json.js';
import type { TranscriptMessage } from './transcript-message.js';
import { readTextTranscript } from './transcript-text.js';

/** What was said and done in a session, from whatever its program left behind: JSON, JSON lines, Markdown, text, a terminal. */
export function readTranscript(text: string): readonly TranscriptMessage[] {
  const whole = text.replace(/^\ufeff/, '');
  return readJsonTranscript(whole) ?? readTextTranscript(whole);
}

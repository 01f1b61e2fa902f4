import { answersIn } from './transcript-answers.js';
import { readJsonTranscript } from './transcript-json.js';
import type { TranscriptMessage } from './transcript-message.js';
import { readTextTranscript } from './transcript-text.js';

/** What was said and done in a session, from whatever its program left behind: JSON, JSON lines, Markdown, text, a terminal. */
export function readTranscript(text: string): readonly TranscriptMessage[] {
  const textAlone = text.replace(/^\ufeff/, '');
  if (isBinary(textAlone.slice(0, 16_384))) return [];
  return withAnswers(readJsonTranscript(textAlone) ?? readTextTranscript(textAlone));
}

/** The result of a tool that asked the user is what the user said. */
function withAnswers(messages: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  let questions: ReadonlyMap<string, string> | undefined;
  return messages.flatMap((message): readonly TranscriptMessage[] => {
    if (message.kind === 'call') questions = message.questions;
    const answers = message.kind === 'result' ? answersIn(message.text, questions) : undefined;
    return answers?.map((text) => ({ kind: 'answered', text })) ?? [message];
  });
}

/** Bytes that are no text, one in twenty or more; a terminal writes escapes. */
function isBinary(beginning: string): boolean {
  const strange = beginning.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.filter((sign) => sign !== ESCAPE).length ?? 0;
  return strange > 20 && strange * 20 > beginning.length;
}

const ESCAPE = String.fromCharCode(27);

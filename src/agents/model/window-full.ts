/*
 * Providers say in words of their own that a conversation does not fit into the window of the model: OpenAI and those
 * that speak like it (Azure, Groq, DeepSeek, OpenRouter, vLLM), Anthropic and Bedrock, Google, Mistral, xAI, Together,
 * llama.cpp, LM Studio, Ollama, and VS Code.
 */

const SIGNS = [
  /context_length_exceeded|context_window_exceeded|exceed_context_size|string_above_max_length|request_too_large/,
  /(?:maximum|max|available|model'?s?) (?:context|prompt|model|input) (?:length|size|window)/,
  /context (?:length|size|window|limit)[^.]{0,40}(?:exceed|overflow|too (?:small|short)|of only)/,
  /(?:exceed|overflow|longer than|larger than|too (?:long|large|big) for)[^.]{0,60}\bcontext\b/,
  /(?:prompt|input|conversation|messages?) (?:is|are) too (?:long|large)\b/,
  /(?:input )?token count[^.]{0,60}exceed/,
  /message exceeds token limit/,
  /tokens \+ `?max_new_tokens`? must be/,
];
/** Limits by the minute speak of tokens too. */
const IS_RATE = /rate.?limit|per minute|\btpm\b/;

export function saysWindowIsFull(text: string): boolean {
  const words = text.toLowerCase();
  return !IS_RATE.test(words) && SIGNS.some((sign) => sign.test(words));
}

/** Thrown by what speaks to a model: the same conversation would be refused again, a shorter one might not be. */
export class WindowFull extends Error {
  override readonly name = 'WindowFull';
}

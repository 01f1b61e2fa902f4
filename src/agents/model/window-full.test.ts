import { expect, it } from 'vitest';
import { saysWindowIsFull } from './window-full.js';

it.each([
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130112 tokens.",
  '{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}',
  'prompt is too long: 208310 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
  '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
  'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
  'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
  "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
  'Input is too long for requested model.',
  'the request exceeds the available context size, try increasing it',
  'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
  'input length exceeds maximum context length',
  'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
  '`inputs` tokens + `max_new_tokens` must be <= 4097',
  'Message exceeds token limit.',
])('knows that a window is full: %s', (text) => {
  expect(saysWindowIsFull(text)).toBe(true);
});

it.each([
  'Rate limit reached for gpt-test in organization org on tokens per min (TPM): Limit 30000, Requested 40000.',
  'Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 7000',
  'max_tokens is too large: 64000. This model supports at most 16384 completion tokens.',
  'Invalid value for temperature: 3.',
  'The image is too large.',
  'messages: roles must alternate',
])('knows that it is something else: %s', (text) => {
  expect(saysWindowIsFull(text)).toBe(false);
});

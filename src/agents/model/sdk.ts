/*
 * The packages that speak to models, in one place. They are slow to load. So everything else here imports this file
 * when a model is called for the first time, and the build keeps it in a file of its own.
 */
export { createAnthropic } from '@ai-sdk/anthropic';
export { createGoogleGenerativeAI } from '@ai-sdk/google';
export { createOpenAI } from '@ai-sdk/openai';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { APICallError } from 'ai';

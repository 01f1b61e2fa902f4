import * as z from 'zod/mini';

export type Sdk = typeof import('./sdk.js');

export function loadSdk(): Promise<Sdk> {
  // Otherwise the SDK gives English messages to every copy of zod in the process, also to ours, which has its own.
  z.config({ localeError: () => 'Invalid input' });
  return import('./sdk.js');
}

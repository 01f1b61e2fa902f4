import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { MAX_REQUEST_BODY_BYTES } from '../protocol/limits.js';
import { Lines } from './bounded-lines.js';
import { loadSdk } from './load-sdk.js';
import { createServer } from './server.js';
import type { McpOptions } from './serving.js';

export interface StdioOptions extends McpOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Ends it, as the end of stdin does. */
  readonly signal: AbortSignal;
}

/** Serves the client at the other end of stdin and stdout, until it closes stdin or is gone. */
export async function serveOverStdio({ stdin, stdout, signal, ...options }: StdioOptions): Promise<void> {
  const sdk = await loadSdk();
  const lines = new Lines(MAX_REQUEST_BODY_BYTES, () => stdout.write(`${JSON.stringify(TOO_LONG)}\n`));
  const inputEnd = Promise.race([once(lines, 'end'), once(stdin, 'close'), aborted(signal)]);
  const transport = new sdk.StdioServerTransport(stdin.pipe(lines), stdout);
  const connection = sdk.serveStdio(
    ({ era }) => createServer({ ...options, sdk, isModern: era === 'modern', canRequest: true }),
    { transport },
  );
  await inputEnd;
  await connection.close();
}

/** The id of the message is unknown, because the message was not read. */
const TOO_LONG = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32600,
    message: `A message has more than ${MAX_REQUEST_BODY_BYTES} bytes, which is the most that is taken.`,
  },
};

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

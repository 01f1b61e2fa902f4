import { isUtf8 } from 'node:buffer';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { AgentXError } from '../protocol/errors.js';
import { MAX_REQUEST_BODY_BYTES } from '../protocol/limits.js';
import { parseJson } from './route.js';

type Request = Pick<Context, 'req'> & { readonly env?: Partial<HttpBindings> };

export class TooLarge extends Error {}

/** The JSON of a request; undefined if it has no body. */
export async function readBody(c: Request): Promise<unknown> {
  const bytes = await readBytes(c);
  if (!isUtf8(bytes)) throw new AgentXError('INVALID_INPUT', 'The body is no UTF-8.', {});
  return bytes.length === 0 ? undefined : parseJson(bytes.toString('utf8'));
}

/** Stops reading at the limit, whatever length the client announced. */
export async function readBytes(c: Request): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bodyOf(c)) {
    size += part.length;
    if (size > MAX_REQUEST_BODY_BYTES) {
      throw new TooLarge(`The body has more than ${MAX_REQUEST_BODY_BYTES} bytes, which is the most that is taken.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Reads from the connection itself if there is one: the stream that a Request wraps around it costs as much as the
 * answer.
 */
function bodyOf(c: Request): AsyncIterable<Uint8Array> {
  const incoming = c.env?.incoming;
  if (incoming !== undefined) return incoming.iterator({ destroyOnReturn: false });
  return c.req.raw.body ?? new ReadableStream({ start: (stream) => stream.close() });
}

import type { SendResult } from './after-sending.js';
import { type ResolvedChannel, sayable } from './sender.js';

/** Refusals after which another try may succeed. */
const TEMPORARY = new Set([408, 425, 429]);
const MAX_REPLY_BYTES = 4096;

/** One try. A redirection is not followed: it would carry the message to an address that the settings do not name. */
export async function post(
  channel: ResolvedChannel,
  { body, headers }: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
): Promise<SendResult> {
  const { url = '', timeoutMs } = channel;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'user-agent': 'agentx', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status } = response;
    if (status >= 200 && status < 300) {
      await response.body?.cancel();
      return { outcome: 'sent' };
    }
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      const todo = 'which is not followed. Set the address that it leads to';
      return { outcome: 'refused', error: `the receiver replied ${status}, a redirection, ${todo}` };
    }
    const reply = await beginningOf(response);
    const error = sayable(`the receiver replied ${status}${reply === '' ? '' : `: ${reply}`}`, channel);
    if (status >= 500 || TEMPORARY.has(status)) return { outcome: 'failed', error, ...retryAfter(response) };
    return { outcome: 'refused', error };
  } catch (error) {
    return { outcome: 'failed', error: sayable(reasonOf(error), channel) };
  }
}

/** Seconds, or a time by the receiver's own clock. */
function retryAfter({ headers }: Response): { readonly retryAfterMs?: number } {
  const header = headers.get('retry-after') ?? '';
  const isCount = /^\d+$/.test(header);
  const ms = isCount ? Number(header) * 1000 : Date.parse(header) - Date.parse(headers.get('date') ?? '');
  return ms > 0 ? { retryAfterMs: ms } : {};
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < MAX_REPLY_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  await reader.cancel();
  return Buffer.concat(chunks).toString('utf8').slice(0, MAX_REPLY_BYTES);
}

/** `fetch failed` says nothing; its cause has the code of the system. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  if (error.name === 'TimeoutError') return 'the receiver did not reply in time';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const { message } = cause instanceof Error ? cause : error;
  return `the connection failed (${code || message})`;
}

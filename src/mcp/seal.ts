import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';

/*
 * The state that a client keeps for us between a form and the person's answer (`requestState`). AES-256-GCM keeps the
 * client from reading or changing it. The state names the question, its revision, the person and the call, so that it
 * is worth nothing in another call, for another person or for another question. It expires, and can be used once.
 */

const State = z.strictObject({
  questionId: z.string(),
  revision: z.int(),
  principal: z.string(),
  tool: z.string(),
  args: z.string(),
  /** Milliseconds. */
  shownAt: z.number(),
  nonce: z.string(),
});
export type State = z.infer<typeof State>;

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A person may answer the next day. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The fields with which a returned state must agree. */
export type Bound = Pick<State, 'principal' | 'tool' | 'args'>;

export function seal(secret: string, state: Omit<State, 'nonce'>): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(secret), iv).setAAD(Buffer.from(VERSION));
  const text = JSON.stringify({ ...state, nonce: randomBytes(16).toString('hex') });
  const sealedBytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${sealedBytes.toString('base64url')}`;
}

/** UNAUTHORIZED unless we sealed it, for this call of this person, and not too long ago. */
export function unseal(secret: string, sealedText: string, expected: Bound & { readonly now: number }): State {
  const state = decrypted(secret, sealedText);
  const isHere =
    state?.principal === expected.principal && state.tool === expected.tool && state.args === expected.args;
  if (state === undefined || !isHere) throw refused('does not belong to this call');
  if (expected.now - state.shownAt > LIFETIME_MS) throw refused('is too old');
  return state;
}

/** The arguments of a call, whatever the order of their names. */
export function fingerprint(args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(args)))
    .digest('base64url');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return { entries: entries.map(([name, one]) => [name, ordered(one)]) };
}

function decrypted(secret: string, sealedText: string): State | undefined {
  try {
    const bytes = Buffer.from(
      sealedText.startsWith(`${VERSION}.`) ? sealedText.slice(VERSION.length + 1) : '',
      'base64url',
    );
    const decipher = createDecipheriv('aes-256-gcm', keyFrom(secret), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    }).setAAD(Buffer.from(VERSION));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return State.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return undefined;
  }
}

function keyFrom(secret: string): Buffer {
  return createHash('sha256').update(`agentx requestState ${secret}`).digest();
}

export function refused(why: string): AgentXError {
  return new AgentXError('UNAUTHORIZED', `The requestState of this call ${why}. Call again without it.`);
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';

/*
 * The part of a link that names an option: signed, valid for a day and for one use. Opening the link answers nothing:
 * the page shows the option as chosen to a person who is logged in. So programs that follow the links of a mail do no
 * harm.
 */

const Chosen = z.strictObject({
  questionId: z.string(),
  part: z.string(),
  optionId: z.string(),
  /** Milliseconds. */
  until: z.number(),
  /** Valid until the first use. */
  nonce: z.string(),
});
export type Chosen = z.infer<typeof Chosen>;

/** Used nonces are remembered for longer than this. */
const LIFETIME_MS = 24 * 60 * 60_000;

export function signChoice(
  secret: string,
  choice: Pick<Chosen, 'questionId' | 'part' | 'optionId'>,
  now: number,
): string {
  const { questionId, part, optionId } = choice;
  const nonce = randomBytes(16).toString('hex');
  const content = JSON.stringify({ questionId, part, optionId, until: now + LIFETIME_MS, nonce });
  const text = Buffer.from(content).toString('base64url');
  return `${text}.${signatureOf(secret, text)}`;
}

/** INVALID_INPUT unless we signed it, for this question, and not too long ago. */
export function readChoice(
  secret: string,
  token: string,
  { questionId, now }: { questionId: string; now: number },
): Chosen {
  const [text = '', signature = ''] = token.split('.');
  const choice = isEqual(signatureOf(secret, text), signature) ? contentOf(text) : undefined;
  if (choice?.questionId !== questionId) throw refused('is not one of ours');
  if (choice.until < now) throw refused('is older than a day');
  return choice;
}

export function refused(why: string): AgentXError {
  return new AgentXError('INVALID_INPUT', `The link ${why}. Choose an option here.`, {});
}

function contentOf(text: string): Chosen | undefined {
  try {
    return Chosen.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}

function signatureOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(`choice ${text}`).digest('base64url');
}

function isEqual(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => createHmac('sha256', 'length').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

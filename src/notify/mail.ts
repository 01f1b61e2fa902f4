import { fnv1a64 } from '../protocol/derived-id.js';
import type { SendResult } from './after-sending.js';
import { choiceLine, type Item, type Letter, subjectOf } from './letter.js';
import { type ResolvedChannel, type Send, sayable } from './sender.js';

/*
 * Mail as plain text. The id of a mail is derived, so that a mail server can recognise a repetition. All mail about one
 * question is one conversation.
 */

export const sendMail: Send = async (letter, channel) => {
  const { createTransport } = await import('./mailer.js');
  const { url = '', timeoutMs, from = '', to = [] } = channel;
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url, ...limits, disableFileAccess: true, disableUrlAccess: true });
  try {
    const mail = { ...mailOf(letter), from, to: [...to] };
    const { rejected, rejectedErrors = [] } = await within(timeoutMs, transport.sendMail(mail));
    if (rejected.length === 0) return { outcome: 'sent' };
    const error = sayable(`the mail server refused ${rejected.length} of the recipients`, channel);
    const isRefused = (one: string) => rejected.some((address) => address.toLowerCase() === addressIn(one));
    const refusedPlaces = to.flatMap((one, place) => (isRefused(one) ? [place] : []));
    // The server may spell an address in another way: then it is unknown who has the mail, and no one gets it twice.
    if (refusedPlaces.length !== rejected.length) return { outcome: 'refused', error };
    return { outcome: isFinal(rejectedErrors) ? 'refused' : 'failed', error, left: refusedPlaces };
  } catch (error) {
    return failure(error, channel);
  } finally {
    transport.close();
  }
};

/** `ann@example.com` of `Ann <ann@example.com>`. */
function addressIn(recipient: string): string {
  return (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim().toLowerCase();
}

/** Limits the whole time, because a server may send a little now and then for ever. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export function mailOf(letter: Letter) {
  const first = letter.items[0];
  const isOne = letter.items.length === 1 && first !== undefined;
  const thread = isOne ? { references: [messageIdOf(letter, first.question.id)] } : {};
  return {
    subject: subjectOf(letter),
    text: `${letter.items.map(bodyOf).join(`\n\n${'-'.repeat(40)}\n\n`)}\n`,
    messageId: messageIdOf(letter, letter.id),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-AgentX-Id': letter.id },
    ...thread,
  };
}

function bodyOf(item: Item): string {
  const { headline, text, facts, choices, link } = item;
  const options = choices.flatMap((choice) => [
    `  ${choiceLine(item, choice)}`,
    ...(choice.link === undefined ? [] : [`     ${choice.link}`]),
  ]);
  return [
    headline,
    '',
    text,
    ...(options.length === 0 ? [] : ['', ...options]),
    '',
    ...facts,
    ...(link === undefined ? [] : ['', `On the page: ${link}`]),
    ...(choices.some((choice) => choice.link !== undefined)
      ? ['A link opens the question with that option chosen; nothing is sent until you say so.']
      : []),
  ].join('\n');
}

function messageIdOf({ project }: Letter, id: string): string {
  return `<${id.replaceAll(/[^\w.-]/g, '-')}.${fnv1a64(project)}@agentx.invalid>`;
}

/** A reply that begins with 5 is final; any other failure may pass. */
function failure(error: unknown, channel: ResolvedChannel): SendResult {
  const { code = '', responseCode = 0, message = '', rejectedErrors = [] } = isMailError(error) ? error : {};
  const reason =
    responseCode > 0 ? `the mail server replied ${message}` : `no connection to the mail server: ${message || code}`;
  const isOver =
    rejectedErrors.length > 0
      ? isFinal(rejectedErrors)
      : responseCode === 0
        ? code === 'EENVELOPE'
        : isFinal([{ responseCode }]);
  return { outcome: isOver ? 'refused' : 'failed', error: sayable(reason, channel) };
}

/** Whether no other try would reach one of these recipients. */
function isFinal(refusals: readonly Refusal[]): boolean {
  return refusals.every(({ responseCode = 0 }) => responseCode >= 500);
}

interface Refusal {
  readonly responseCode?: number | undefined;
}

interface MailError extends Refusal {
  readonly code?: string;
  readonly message: string;
  readonly rejectedErrors?: readonly Refusal[];
}

function isMailError(error: unknown): error is MailError {
  return error instanceof Error;
}

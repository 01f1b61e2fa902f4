import * as z from 'zod/mini';
import { Consequence } from './consequence.js';
import { AgentName } from './ids.js';
import { QuestionKind } from './question.js';
import type { Shape } from './shape.js';

/* How people are reached: the `[[notify]]` tables of config.toml. Field names are those of the file. */

export const NotifyChannel = z.enum(['command', 'webhook', 'slack', 'mail', 'desktop']);
export type NotifyChannel = z.infer<typeof NotifyChannel>;

/** A question opens, nears its deadline, is ended by a person, falls back, or gets an answer after that. */
export const NotifyEvent = z.enum(['opened', 'deadline', 'answered', 'fallback', 'late']);
export type NotifyEvent = z.infer<typeof NotifyEvent>;

const DAY_MINUTES = 24 * 60;

function minutes({ min, max }: { readonly min: number; readonly max: number }) {
  const message = `must be a number of minutes from ${min} to ${max}`;
  return z.number(message).check(z.gte(min, message), z.lte(max, message));
}

const SECONDS = 'must be a number of seconds from 0 to 60';
const Seconds = z.number(SECONDS).check(z.gte(0, SECONDS), z.lte(60, SECONDS));
const PATIENCE = 'must be a number of seconds from 0.1 to 600';
const Patience = z.number(PATIENCE).check(z.gte(0.1, PATIENCE), z.lte(600, PATIENCE));

const Text = z.string().check(z.minLength(1, 'must not be empty'));
const Words = z
  .array(z.string('must be text in quotes'), 'must be a list of words such as ["node", "tell.mjs"]')
  .check(z.minLength(1, 'must name a program: a list of words such as ["node", "tell.mjs"]'));

/** Two times of day: `22:00-07:00`. */
export const QUIET = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;
const Quiet = z.string().check(z.regex(QUIET, 'must be two times of day such as "22:00-07:00"'));
const TimeZone = z
  .string()
  .check(z.refine(isTimeZone, { message: 'must be the name of a time zone such as "Europe/Berlin"' }));

/** The value is that of an environment variable: `env:AGENTX_WEBHOOK`. */
export const FROM_ENVIRONMENT = /^env:([A-Za-z_]\w*)$/;
const ADDRESS = 'must be an address such as "https://example.com/hook", or env:NAME for a variable that holds it';
const Address = z
  .string()
  .check(z.refine((value) => FROM_ENVIRONMENT.test(value) || URL.canParse(value), { message: ADDRESS }));
const Page = z
  .string()
  .check(z.regex(/^https?:\/\/\S+$/, 'must be an http or https address such as "https://agentx.example.com"'));
const Recipients = z
  .array(Text, 'must be a list of addresses such as ["you@example.com"]')
  .check(z.minLength(1, 'must name an address such as "you@example.com"'));

type ChannelKey = (typeof CHANNEL_KEYS)[number];
const CHANNEL_KEYS = ['url', 'secret', 'command', 'env', 'from', 'to', 'timeout_seconds'] as const;

const TAKES: Readonly<
  Record<NotifyChannel, { readonly needs: readonly ChannelKey[]; readonly takes: readonly ChannelKey[] }>
> = {
  command: { needs: ['command'], takes: ['command', 'env', 'timeout_seconds'] },
  webhook: { needs: ['url'], takes: ['url', 'secret', 'timeout_seconds'] },
  slack: { needs: ['url'], takes: ['url', 'timeout_seconds'] },
  mail: { needs: ['url', 'from', 'to'], takes: ['url', 'from', 'to', 'timeout_seconds'] },
  desktop: { needs: [], takes: ['timeout_seconds'] },
};

const SCHEMES: Readonly<Partial<Record<NotifyChannel, readonly [RegExp, string]>>> = {
  webhook: [/^https?:$/, 'an http or https address'],
  slack: [/^https?:$/, 'an http or https address'],
  mail: [/^smtps?:$/, 'an SMTP address such as "smtp://mail.example.com:587"'],
};

export const NotifyTable = z
  .strictObject({
    channel: NotifyChannel,
    url: z.exactOptional(Address),
    /** Webhook: the key of the signature. */
    secret: z.exactOptional(Text),
    /** Program and arguments; started without a shell. */
    command: z.exactOptional(Words),
    env: z.exactOptional(z.record(z.string(), z.string('must be text in quotes'))),
    from: z.exactOptional(Text),
    to: z.exactOptional(Recipients),
    timeout_seconds: z.exactOptional(Patience),
    when: z._default(z.array(NotifyEvent), [...NotifyEvent.options]),
    /** A ladder: this channel is used only for a question that is still open after so long. */
    after_minutes: z._default(minutes({ min: 0, max: 30 * DAY_MINUTES }), 0),
    /** So long before the fallback applies, a reminder is sent. */
    deadline_minutes: z._default(minutes({ min: 0, max: DAY_MINUTES }), 2),
    /* Only questions for which all of these hold. */
    kinds: z.exactOptional(z.array(QuestionKind)),
    consequence: z.exactOptional(Consequence),
    blocking: z.exactOptional(z.boolean()),
    agents: z.exactOptional(z.array(AgentName)),
    /** Not before the fallback is so near. */
    within_minutes: z.exactOptional(minutes({ min: 0, max: 30 * DAY_MINUTES })),
    /** Nothing is sent in these hours; what still matters afterwards is sent then, in one message. */
    quiet: z.exactOptional(Quiet),
    time_zone: z.exactOptional(TimeZone),
    /** Questions that follow each other so closely make one message. */
    gather_seconds: z._default(Seconds, 10),
    /** Where people reach the page, if not on this machine: the beginning of the links. */
    page: z.exactOptional(Page),
  })
  .check((payload) => {
    for (const [key, message] of problemsOf(payload.value)) {
      payload.issues.push({ code: 'custom', message, path: [key], input: payload.value });
    }
  });
export type NotifyTable = Shape<typeof NotifyTable>;

function problemsOf(table: { readonly channel: NotifyChannel; readonly [key: string]: unknown }): [string, string][] {
  const { channel, url } = table;
  const { needs, takes } = TAKES[channel];
  const problems: [string, string][] = [];
  for (const key of CHANNEL_KEYS) {
    const isGiven = table[key] !== undefined;
    if (!isGiven && needs.includes(key)) problems.push([key, `must be given for channel "${channel}"`]);
    if (isGiven && !takes.includes(key)) {
      problems.push([key, `is not for channel "${channel}", which takes ${takes.join(', ')}`]);
    }
  }
  const problem = typeof url === 'string' && takes.includes('url') ? addressProblem(channel, url) : undefined;
  if (problem !== undefined) problems.push(['url', problem]);
  return problems;
}

/** What is wrong with the address of a channel, as a clause; one in a variable is checked when it is used. */
export function addressProblem(channel: NotifyChannel, url: string): string | undefined {
  const [scheme, allowed] = SCHEMES[channel] ?? [];
  if (scheme === undefined || FROM_ENVIRONMENT.test(url)) return undefined;
  return URL.canParse(url) && scheme.test(new URL(url).protocol) ? undefined : `must be ${allowed}, or env:NAME`;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

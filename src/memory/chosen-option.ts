import { sentencesOf } from './sentences.js';

/* What a user chose of what was offered: the answer names an option, and what the option says stands in the message before. Pure. */

/** The user names one of the options that were offered: what was chosen stands in the message before. */
export function chosenOption(answer: string, offer: string): string | undefined {
  const short = answer.trim().slice(0, 200);
  const name =
    /^(?:(?:ok(?:ay)?|yes|let's|please|i'd|we|go|do|take|use|pick|choose|with|for|prefer|say)[,.:]?\s+){0,5}(?:the )?(?:option |variant |choice |number |#)?\(?([A-Ea-e]|[1-6])\)?(?=[\s.,;:!)]|$)/i.exec(
      short,
    )?.[1];
  if (name === undefined) return chosenInOrder(short, offer);
  if (/^[a]$/.test(name) && /^(?:\S+\s+)*a\s+\w/.test(short)) return undefined;
  const option = new RegExp(
    `^\\s*(?:[-*]\\s*)?[*_(]{0,3}(?:option |variant )?${name}[*_]{0,2}[).:\\]][*_]{0,2}\\s+(.+)$`,
    'im',
  ).exec(offer)?.[1];
  return option === undefined ? undefined : choice(option, afterName(short), offer);
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** `The second, and ...`: by its place in a list. */
function chosenInOrder(short: string, offer: string): string | undefined {
  const [whole = '', ordinal = ''] =
    /^(?:(?:ok(?:ay)?|yes|let's|go|do|take|use|pick|with|for)[,.:]?\s+){0,3}(?:the )?(first|second|third|fourth)(?: one| option)?(?=[.,;:!]|$)[.,;:!]*\s*/i.exec(
      short,
    ) ?? [];
  const items = [...offer.matchAll(/^\s*(?:[-*+]|\d[.)])\s+(.+)$/gm)].map(([, item = '']) => item);
  const option = ordinal === '' ? undefined : items[ORDINALS.indexOf(ordinal.toLowerCase())];
  return option === undefined ? undefined : choice(option, short.slice(whole.length), offer);
}

function choice(option: string, reasons: string, offer: string): string {
  const question = sentencesOf(offer).findLast(({ text }) => /\?$/.test(text) && !ASKS_FOR_ONE.test(text));
  const [reason = ''] = reasons.split(/(?<=[.!?])\s/);
  const parts = [
    question?.text,
    `Chosen: ${sentence(option.replace(/[*_]{2}/g, ''))}`,
    ...(reason === '' ? [] : [sentence(reason)]),
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}

const ASKS_FOR_ONE = /^(?:which|what) (?:one|of|option|do you|should|would)/i;

/** What follows the name of the option. */
function afterName(answer: string): string {
  return answer.replace(/^.*?\b(?:[A-Ea-e]|[1-6])\)?(?:[.,;:!)]|\s|$)+(?:please[.,]?\s*)?(?:and |but )?/, '').trim();
}

/** What is said besides the choice. */
export function afterFirst(answer: string): string {
  return afterName(answer)
    .split(/(?<=[.!?])\s/)
    .slice(1)
    .join(' ');
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`;
}

import { sentencesOf } from './sentences.js';

/*
 * What a user decides in few words: the answer names an option or says yes, and what that means stands in the message before.
 * Pure.
 */

interface Chosen {
  readonly decision: string;
  /** What is said besides. */
  readonly rest: string;
}

/** The user names one of the options that were offered: what was chosen stands in the message before. */
export function chosenOption(answer: string, offer: string): Chosen | undefined {
  const text = answer.trim();
  const [whole = '', name] =
    /^(?:(?:ok(?:ay)?|yes|let's|please|i'd|we|go|do|take|use|pick|choose|with|for|prefer|say)[,.:]?\s+){0,5}(?:the )?(?:option |variant |choice |number |#)?\(?([A-Ea-e]|[1-6])\)?(?=[\s.,;:!)]|$)/i.exec(
      text,
    ) ?? [];
  if (/\btry\b/i.test(text.slice(0, 200))) return undefined;
  if (name === undefined) return chosenInOrder(text, offer);
  if (/^[a]$/.test(name) && /^(?:\S+\s+)*a\s+\w/.test(text.slice(0, 200))) return undefined;
  const option = new RegExp(
    `^\\s*(?:(?:[-*]\\s*)?[*_(]{0,3}(?:option |variant )?${name}[*_]{0,2}[).:\\]]|\\| *[*_]{0,2}(?:option )?${name}[*_]{0,2} *\\|)[*_]{0,2}\\s+(.+?)(?: *\\|)?$`,
    'im',
  ).exec(offer)?.[1];
  return option === undefined ? undefined : choice(option, text.slice(whole.length), offer);
}

/** `Yes, do that`: what was proposed, with its reasons. `No tolerance`: the question, and the answer. */
export function agreedTo(answer: string, offer: string): string | undefined {
  const [first = '', ...rest] = answer.trim().split(/(?<=[.!?])\s|\n/);
  const words = first.split(/\s+/).length;
  if (words > 14 || first.endsWith('?')) return undefined;
  const sentences = sentencesOf(offer);
  const last = sentences.findLastIndex(({ text }) => PROPOSES.test(text) && !ABOUT_WORK.test(text));
  const proposal = sentences[last];
  if (proposal === undefined || last < sentences.length - 2) return undefined;
  // What a user says besides says what is decided instead.
  if (NO.test(first))
    return words >= 2 && rest.join('').trim() === '' && proposal.text.endsWith('?') && !LATER.test(answer)
      ? `${proposal.text} ${sentence(first)}`
      : undefined;
  if (!YES.test(first) || /\b(?:but|except|instead)\b/i.test(first)) return undefined;
  const reasons = sentences
    .slice(Math.max(0, last - 2), last)
    .filter(({ text, paragraph }) => paragraph === proposal.paragraph && !/\?$|^you (?:could|can)\b/i.test(text));
  const more = words > 3 && rest.length === 0 ? [sentence(first)] : [];
  return ['Agreed:', ...reasons.map(({ text }) => text), proposal.text, ...more].join(' ');
}

/** `Global, newest first`, after `Should the limit be per show or global?`: the question, and the answer. */
export function pickedFrom(answer: string, offer: string): string | undefined {
  const [first = ''] = answer.trim().split(/(?<=[.!?])\s|\n/);
  const question = sentencesOf(offer).findLast(({ text }) => /\bor\b[^?]*\?$/i.test(text))?.text;
  if (question === undefined || first.split(/\s+/).length > 10 || /\?$/.test(first) || LATER.test(first))
    return undefined;
  const [picked = ''] =
    first.toLowerCase().match(/(?!(?:the|an?|by|per|in|on|with|only|just|please|use|take)\b)[\p{L}\p{N}_-]+/u) ?? [];
  const offered: readonly string[] = question.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
  return picked.length > 2 && offered.includes(picked) ? `${question} ${sentence(first)}` : undefined;
}

const YES =
  /^(?:yes|yep|yeah|ok(?:ay)?|sure|agreed|do (?:it|that|so)|go (?:ahead|for it|with (?:it|that))|sounds (?:good|right|fine|great)|fine|good|please do|let's do (?:it|that)|makes sense|exactly|perfect|great)\b/i;
const NO = /^(?:no|nope|never|don't)\b/i;
const LATER =
  /\b(?:later|tonight|today|tomorrow|now|yet|some ?day|leave it|not sure|maybe|another time|think about)\b/i;
const PROPOSES =
  /\b(?:i|we)(?:'d| would| could)? (?:suggest|recommend|propose|rather)\b|\bi(?:'d| would) (?:use|add|put|keep|store|make|go|move|do|drop|set|write|split|leave)\b|\bthe (?:fix|solution|answer) (?:is|would be) to\b|\b(?:solves|fixes) (?:it|this|that)\b|\b(?:shall|should) (?:i|we)\b|\b(?:want|like) me to\b|\bmy (?:suggestion|recommendation|proposal|advice) (?:is|would be)\b|\bit should be\b|^better: /i;
/** What is over when it is done. */
const ABOUT_WORK =
  /\b(?:commit|push|merge|pull request|PR|ticket|run|rerun|start|continue|proceed|look|check|show|test it|deploy|review|anything else)\b/i;

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** `The second, and ...`: by its place in a list. */
function chosenInOrder(text: string, offer: string): Chosen | undefined {
  const [whole = '', ordinal = ''] =
    /^(?:(?:ok(?:ay)?|yes|let's|go|do|take|use|pick|with|for)[,.:]?\s+){0,3}(?:the )?(first|second|third|fourth)(?: one| option)?(?=[.,;:!]|$)/i.exec(
      text,
    ) ?? [];
  const items = itemsOf(offer);
  const option = ordinal === '' ? undefined : items[ORDINALS.indexOf(ordinal.toLowerCase())];
  return option === undefined ? undefined : choice(option, text.slice(whole.length), offer);
}

/** The items of a list, or the two ways of a sentence: `either take a lock, or add it in SQL`. */
function itemsOf(offer: string): readonly string[] {
  const listed = [...offer.matchAll(/^\s*(?:[-*+]|\d[.)])\s+(.+)$/gm)].map(([, item = '']) => item);
  if (listed.length > 0) return listed;
  const ways = /\beither (.{5,200}?),? or (.{5,200}?)(?:[.?!](?:\s|$)|$)/i.exec(offer.replace(/\s+/g, ' '));
  return ways?.slice(1) ?? [];
}

function choice(option: string, after: string, offer: string): Chosen {
  const question = sentencesOf(offer).findLast(({ text }) => /\?$/.test(text) && !ASKS_FOR_ONE.test(text));
  const rest = after.replace(/^[.,;:!)\s]+(?:please[.,]?\s*)?(?:and |but )?/, '');
  const reason = reasonIn(rest);
  const parts = [
    question?.text,
    `Chosen: ${sentence(option.replace(/[*_]{2}/g, ''))}`,
    ...(reason === '' ? [] : [sentence(reason)]),
  ];
  return {
    decision: parts.filter((part) => part !== undefined).join(' '),
    rest: rest.slice(reason.length).trim(),
  };
}

/** A few words, or a part of the sentence. A sentence of its own says something for itself. */
function reasonIn(rest: string): string {
  const [first = ''] = rest.split(/(?<=[.!?])\s/);
  const isPart = /^(?:because|since|so|as|but|with|for|otherwise|weil|da)\b/i.test(first);
  return isPart || first.split(' ').length <= 8 ? first : '';
}

const ASKS_FOR_ONE = /^(?:which|what) (?:one|of|option|do you|should|would)/i;

function sentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`;
}

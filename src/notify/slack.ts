import { shorten } from '../protocol/shorten.js';
import { post } from './http-post.js';
import { choiceLine, type Item, type Letter, subjectOf } from './letter.js';
import type { Send } from './sender.js';

/*
 * Slack's incoming webhooks. Text of agents is `plain_text`, which knows no mention, no link and no formatting. Only
 * the line for notifications (`text`) is Slack's own markup, and it is escaped.
 */

/** If one part is over its limit, Slack refuses the whole message. */
const MAX_HEADER = 140;
const MAX_SECTION = 2900;
const MAX_BUTTON = 70;
const MAX_URL = 2900;
const MAX_BUTTONS = 20;
/** Fifty blocks in a message. */
const MAX_ITEMS = 15;

export const sendSlack: Send = (letter, channel) =>
  post(channel, {
    body: JSON.stringify(slackMessage(letter)),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });

function slackMessage(letter: Letter) {
  const [only, ...others] = letter.items;
  const isOne = only !== undefined && others.length === 0;
  const blocks = isOne ? oneQuestion(only) : digest(letter);
  return { text: escaped(subjectOf(letter)), mrkdwn: false, unfurl_links: false, unfurl_media: false, blocks };
}

function oneQuestion(item: Item) {
  const options = item.choices.map((choice) => choiceLine(item, choice)).join('\n');
  return [
    header(item.headline),
    section(item.text),
    ...(options === '' ? [] : [section(options)]),
    context(item.facts.join('\n')),
    ...actions(item, { isWhole: true }),
  ];
}

function digest(letter: Letter) {
  const shownItems = letter.items.slice(0, MAX_ITEMS);
  const more = letter.items.length - shownItems.length;
  return [
    header(subjectOf(letter)),
    ...shownItems.flatMap((item) => [
      section([item.headline, ...item.facts].join('\n')),
      ...actions(item, { isWhole: false }),
    ]),
    ...(more === 0 ? [] : [context(`And ${more} more: agentx inbox`)]),
  ];
}

/** Buttons that open the page; pressing one answers nothing. */
function actions(item: Item, { isWhole }: { readonly isWhole: boolean }) {
  const { link } = item;
  if (link === undefined) return [];
  const choices = isWhole ? item.choices.slice(0, MAX_BUTTONS) : [];
  const buttons = choices.flatMap((choice) =>
    choice.link === undefined || choice.link.length > MAX_URL
      ? []
      : [button(`${choice.optionId}) ${choice.label}`, choice.link, `${choice.part}-${choice.optionId}`)],
  );
  return [{ type: 'actions', elements: [...buttons, button('Open', link, 'open')] }];
}

function button(text: string, url: string, id: string) {
  return { type: 'button', text: plain(text, MAX_BUTTON), url, action_id: `agentx-${id}`.slice(0, 250) };
}

const header = (text: string) => ({ type: 'header', text: plain(text, MAX_HEADER) });
const section = (text: string) => ({ type: 'section', text: plain(text, MAX_SECTION) });
const context = (text: string) => ({ type: 'context', elements: [plain(text, MAX_SECTION)] });

/** Slack wants at least one character. */
function plain(text: string, max: number) {
  return { type: 'plain_text', text: shorten(text, max) || '-', emoji: false };
}

/** Escapes the three special characters of Slack's markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

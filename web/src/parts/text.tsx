import { fitInto } from '../../../src/protocol/shorten.js';
import { plainLine, plainText } from '../../../src/render/plain-text.js';

/**
 * Text from agents stays text: line breaks and code fences are shown, and nothing is interpreted. Control characters,
 * and those that turn the reading direction, are left out. A link shows its target before it is followed.
 */
export function Text({ children }: { readonly children: string }) {
  const parts = plainText(children).split(/^```.*$/m);
  return (
    <div class="text">
      {parts.map((part, index) => {
        const text = part.replace(/^\n+|\s+$/g, '');
        if (text === '') return null;
        return index % 2 === 1 ? <pre key={index}>{text}</pre> : paragraph(text, index);
      })}
    </div>
  );
}

/** Its direction is that of its own first letters, whatever the direction of the page. */
function paragraph(text: string, key: number) {
  return (
    <p key={key} dir="auto">
      {withLinks(text)}
    </p>
  );
}

/**
 * The direction of a text, by its first letter. With `dir="auto"` browsers find it too, but in a field with a million
 * characters they look for it for a minute.
 */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [letter = ''] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** One line by people or agents, among words of ours. */
export function Line({ children, class: name }: { readonly children: string; readonly class?: string }) {
  return (
    <span dir="auto" class={name}>
      {plainLine(children)}
    </span>
  );
}

const MAX_TITLE = 200;

/** What a person or an agent called something: no more of it than a heading holds. */
export function Title({ children }: { readonly children: string }) {
  return <Line>{fitInto(plainLine(children), MAX_TITLE)}</Line>;
}

function withLinks(text: string) {
  // A full stop after an address ends the sentence.
  return text
    .split(/(https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?])/)
    .map((part, index) => (index % 2 === 1 ? link(part, index) : part));
}

function link(address: string, key: number) {
  const host = URL.canParse(address) ? new URL(address).host : undefined;
  if (host === undefined) return address;
  return (
    <a key={key} href={address} rel="noopener noreferrer nofollow" target="_blank">
      {address} <span class="host">({host})</span>
    </a>
  );
}

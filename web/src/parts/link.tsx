import type { ComponentChildren } from 'preact';
import { type Place, pathOf } from '../../../src/protocol/page-address.js';
import { go } from '../go.js';

interface LinkProps {
  readonly to: Place;
  readonly class?: string;
  readonly current?: 'page' | 'true' | undefined;
  readonly tabIndex?: 0 | -1;
  readonly children: ComponentChildren;
}

/** A link to another place of the page, without loading it anew. Every other use of a link is left to the browser. */
export function Link({ to, current, children, ...attributes }: LinkProps) {
  return (
    <a
      {...attributes}
      href={pathOf(to)}
      aria-current={current}
      onClick={(event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}

import type { AgentXError } from '../../../src/protocol/errors.js';
import { messageOf } from '../../../src/protocol/errors.js';
import { plainLine } from '../../../src/render/plain-text.js';

/* What the trees show, without the editor. All text is text: labels and tooltips are no Markdown. */

export interface Row {
  /** The same row has the same id every time, so that what is selected and open stays so. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  /** The name of an icon of the editor, and of a colour of its theme. */
  readonly icon?: string;
  readonly color?: string;
  /** Which menu entries it has. */
  readonly kind?: string;
  /** One or two letters behind the label. */
  readonly badge?: string;
  readonly command?: { readonly name: string; readonly argument: Target };
  readonly children?: readonly Row[];
  readonly isOpen?: boolean;
  /** When a fallback applies; the time left is shown in front of the label. */
  readonly deadline?: string;
}

/** What may differ since the rows were read: everything, or these documents, `clarifications/42`. */
export type Differing = 'everything' | ReadonlySet<string>;

/** What a command of a row is about. */
export interface Target {
  readonly root: string;
  readonly id?: string;
  readonly issueNumber?: number;
  readonly path?: string;
}

/** A row for each file that could not be read; the rest is shown all the same. */
export function damagedRows(root: string, damaged: readonly AgentXError[]): readonly Row[] {
  return damaged.map((error, index) => ({
    id: `damaged/${index}/${plainLine(String(error.details.path ?? error.details.file ?? error.message)).slice(0, 200)}`,
    label: plainLine(messageOf(error)),
    tooltip: `${error.code}: ${plainLine(messageOf(error))}`,
    icon: 'warning',
    color: 'list.warningForeground',
    command: { name: 'agentx.doctor', argument: { root } },
  }));
}

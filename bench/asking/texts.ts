import { readFileSync } from 'node:fs';
import type { Examined } from '../../src/ambiguity/find.js';

export interface LabelledText {
  readonly isAmbiguous: boolean;
  readonly kind: string;
  readonly text: string;
  /** Not looked at while the detector was made. */
  readonly isHeldOut: boolean;
  readonly examined: Examined;
}

export function labelledTexts(file: string): readonly LabelledText[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line, index) => {
      const [, label, kind = '', raw = ''] = /^(ambiguous|clear) (\w+): (.*)$/.exec(line) ?? [];
      if (label === undefined) throw new Error(`This is no labelled text: ${line}`);
      const text = raw.replaceAll('\\n', '\n');
      const isHeldOut = Math.floor(index / 2) % 2 === 1;
      return { isAmbiguous: label === 'ambiguous', kind, text, isHeldOut, examined: examinedAs(kind, text) };
    });
}

function examinedAs(kind: string, text: string): Examined {
  if (kind === 'artifacts') return { artifacts: text.split(' ||| ').map((content) => ({ content })) };
  return kind === 'reply' ? { reply: text } : { task: text };
}

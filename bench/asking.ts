import { fileURLToPath } from 'node:url';
import { ambiguitiesIn } from '../src/ambiguity/find.js';
import { isWeak } from './asking/baseline.js';
import { type LabelledText, labelledTexts } from './asking/texts.js';
import { readOptions } from './options.js';
import { formatNumber, formatTable } from './table.js';

/* How well texts that leave something open are told from clear ones: the detector against a list of weak words. */

const options = readOptions(process.argv.slice(2));
const textsIn = (file: string) => labelledTexts(fileURLToPath(new URL(`../asking/${file}`, import.meta.url)));
const texts = textsIn('texts.txt');

const DETECTORS = {
  structure: ({ examined }: LabelledText) => ambiguitiesIn(examined).length > 0,
  'word list': ({ text }: LabelledText) => isWeak(text),
} as const;

const KINDS = [...new Set(texts.map(({ kind }) => kind))];
const SETS: readonly (readonly [string, readonly LabelledText[]])[] = [
  ['held out', texts.filter(({ isHeldOut }) => isHeldOut)],
  ['development', texts.filter(({ isHeldOut }) => !isHeldOut)],
  ['other styles, never tuned for', textsIn('unseen.txt')],
  ['other styles, looked at once', textsIn('other-styles.txt')],
  ...KINDS.map((kind) => [`held out, ${kind}`, texts.filter((text) => text.isHeldOut && text.kind === kind)] as const),
];

const rates = SETS.flatMap(([set, members]) =>
  Object.entries(DETECTORS).map(([detector, fires]) => ({ set, detector, ...scoreOf(members, fires) })),
);

console.log(options.json ? JSON.stringify({ benchmark: 'asking', measured: rates }, null, 2) : formatted());

function scoreOf(members: readonly LabelledText[], fires: (text: LabelledText) => boolean) {
  const firedTexts = members.filter(fires);
  const right = firedTexts.filter(({ isAmbiguous }) => isAmbiguous).length;
  const ambiguous = members.filter(({ isAmbiguous }) => isAmbiguous).length;
  const clear = members.length - ambiguous;
  const precision = right / Math.max(1, firedTexts.length);
  const recall = right / Math.max(1, ambiguous);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return {
    texts: members.length,
    precision,
    recall,
    f1,
    falseAlarms: (firedTexts.length - right) / Math.max(1, clear),
  };
}

function formatted(): string {
  const header = ['texts', 'n', 'by', 'precision', 'recall', 'F1', 'false alarms on clear texts'];
  return formatTable(
    header,
    rates.map(({ set, texts: count, detector, precision, recall, f1, falseAlarms }) => [
      set,
      String(count),
      detector,
      ...[precision, recall, f1, falseAlarms].map(formatNumber),
    ]),
  );
}

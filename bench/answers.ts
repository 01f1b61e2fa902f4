import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CONFIDENT, sameQuestion } from '../src/memory/similar-question.js';
import { otherWords, toldToTargets } from './answers/other-words.js';
import { GROUPS, type Group, HELD_LATER, MENDED_BY } from './answers-pairs.js';
import { MENDED_LATER } from './answers-pairs-later.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, target } from './target.js';

/*
 * How well an earlier answer is found again. Besides the pairs of `answers-pairs.ts`, every decided question is
 * compared with those of all other groups. A question that points at its issue is also compared with its own words in
 * another issue.
 */

interface Pair {
  readonly score: number;
  readonly isSame: boolean;
  readonly text: string;
}

const ISSUE = 42;

/** Groups are apart by an empty line: `> a decided question`, `< its answer`, `= the same in other words`, `! one that only looks like it`. */
function groupsIn(name: string): readonly Group[] {
  const file = fileURLToPath(new URL(`../answers/${name}.txt`, import.meta.url));
  return readFileSync(file, 'utf8')
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const withMark = (mark: string) =>
        block
          .split('\n')
          .filter((line) => line.startsWith(mark))
          .map((line) => line.slice(2));
      const [decided, answer] = [withMark('> ').join(' '), withMark('< ').join(' ')];
      return { topic: '', decided, answer, same: withMark('= '), other: withMark('! ') };
    });
}

function pairsOf(groups: readonly Group[]): readonly Pair[] {
  return groups.flatMap(({ topic, decided, answer = '', same, other }) => {
    const pair = (question: string, isSame: boolean): Pair => ({
      // Who asks again does not know how the topic was called then.
      score: sameQuestion(
        { issueNumber: ISSUE, topic: '', question },
        { issueNumber: ISSUE, topic, question: decided, answer },
      ),
      isSame,
      text: `${decided} | ${question}`,
    });
    const elsewhere: Pair = {
      score: sameQuestion(
        { issueNumber: 7, topic: '', question: `For this story: ${decided}` },
        { issueNumber: ISSUE, topic, question: decided },
      ),
      isSame: false,
      text: `${decided} | the same, about another issue`,
    };
    const strangers = groups.filter((group) => group.decided !== decided).map((group) => pair(group.decided, false));
    return [
      ...same.map((question) => pair(question, true)),
      ...other.map((question) => pair(question, false)),
      elsewhere,
      ...strangers,
    ];
  });
}

function judge(pairs: readonly Pair[], threshold: number) {
  const answers = pairs.filter(({ score }) => score >= threshold);
  const right = answers.filter(({ isSame }) => isSame).length;
  return {
    pairs: pairs.length,
    given: answers.length,
    precision: answers.length === 0 ? 1 : right / answers.length,
    recall: right / pairs.filter(({ isSame }) => isSame).length,
    wrong: answers.filter(({ isSame }) => !isSame).map(({ text }) => text),
  };
}

/** The matcher on pairs of another author, and what a target is told of where it leaves the question to the target. */
async function inOtherWords(name: string) {
  const pairs = otherWords(name);
  const figures = judge(
    pairs.map(({ earlier, later, same }) => ({
      score: sameQuestion({ issueNumber: ISSUE, ...later }, { issueNumber: ISSUE, ...earlier }),
      isSame: same,
      text: `${earlier.question} | ${later.question}`,
    })),
    CONFIDENT,
  );
  return { name, ...figures, told: await toldToTargets(pairs) };
}

const options = readOptions(process.argv.slice(2));
const calibratingGroups = [
  ...MENDED_BY,
  ...MENDED_LATER,
  ...['fourth-list', 'fifth-list', 'seventh-list'].flatMap(groupsIn),
];
const heldOutGroups = [...HELD_LATER, ...['sixth-list', 'eighth-list'].flatMap(groupsIn)];
const calibration = pairsOf([...GROUPS.filter((_, place) => place % 2 === 0), ...calibratingGroups]);
const heldOut = pairsOf([...GROUPS.filter((_, place) => place % 2 === 1), ...heldOutGroups]);
const thresholds = [0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8];
const table = thresholds.map((threshold) => ({
  threshold,
  calibration: judge(calibration, threshold),
  heldOut: judge(heldOut, threshold),
}));
const result = judge(heldOut, CONFIDENT);
const labelledCount = [...GROUPS, ...calibratingGroups, ...heldOutGroups].reduce(
  (sum, { same, other }) => sum + same.length + other.length,
  0,
);
const targets = [
  target('labelled pairs', '>=', 200, labelledCount),
  target('held out: precision', '>=', 0.95, result.precision),
  target('held out: recall', '>=', 0.5, result.recall),
];
const freely = ['free-words', 'free-words-held'].map((name) => ({
  name,
  ...judge(pairsOf(groupsIn(name)), CONFIDENT),
}));
const others = await Promise.all(['other-words-1', 'other-words-2'].map(inOtherWords));
const rows = table.map(({ threshold, calibration, heldOut: unknown }) => [
  `${threshold}${threshold === CONFIDENT ? ' (used)' : ''}`,
  ...[calibration, unknown].flatMap(({ precision, recall, given }) => [
    formatNumber(precision),
    formatNumber(recall),
    String(given),
  ]),
]);
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'answers', machine: describeMachine(), table, freely, others, targets }, null, 2)
    : [
        formatTable(['threshold', 'precision', 'recall', 'given', 'held out: precision', 'recall', 'given'], rows),
        `Wrong at the threshold in use:\n${[...judge(calibration, CONFIDENT).wrong, ...result.wrong.map((text) => `(held out) ${text}`)].join('\n') || 'none'}`,
        formatTable(
          ['in a free wording', 'precision', 'recall', 'given'],
          freely.map(({ name, precision, recall, given }) => [
            name,
            formatNumber(precision),
            formatNumber(recall),
            String(given),
          ]),
        ),
        formatTable(
          ['in other words', 'precision', 'recall', 'given', 'the target is told of it', 'decisions told'],
          others.map(({ name, precision, recall, given, told }) => [
            name,
            formatNumber(precision),
            formatNumber(recall),
            String(given),
            formatNumber(told.share),
            formatNumber(told.each),
          ]),
        ),
        formatTargets(targets),
      ].join('\n\n'),
);

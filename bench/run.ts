import { join } from 'node:path';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { type CommandMeasurement, measureCommand } from './run/command.js';
import { type LongMeasurement, measureLong } from './run/long.js';
import { type ProfileRow, profileRuns } from './run/profile.js';
import { measureWhole, type WholeMeasurement } from './run/whole.js';
import { askingReply, saying, workReply } from './run/words.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, type Target, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

const VARIANTS = { 'no agent asks': workReply, 'a clarification wherever one may be asked': askingReply };

const options = readOptions(process.argv.slice(2));
const { rounds } = options;
const folder = makeWorkFolder(diskFolder());
const wholeRuns: WholeMeasurement[] = [];
for (const [index, [variant, say]] of Object.entries(VARIANTS).entries()) {
  console.error(`[${index + 1}/5] five steps, ${variant}`);
  const place = join(folder, `whole-${index}`);
  wholeRuns.push(await measureWhole(place, { variant, runnerFor: saying(say), rounds: rounds * 10 }));
}
console.error('[3/5] five steps, by programs');
const command = await measureCommand(join(folder, 'command'), rounds * 5);
console.error('[4/5] a long run');
const long = await measureLong(join(folder, 'long'), Math.ceil(rounds / 2));
console.error('[5/5] where the time goes');
const profile = await profileRuns(join(folder, 'profile'), { runnerFor: saying(workReply), runs: rounds * 4 });
const targets = targetsOf();
console.log(
  options.json
    ? JSON.stringify(
        { benchmark: 'run', machine: describeMachine(), options, whole: wholeRuns, command, long, profile, targets },
        null,
        2,
      )
    : [
        formatWhole(wholeRuns),
        formatCommand(command),
        formatLong(long),
        formatProfile(profile),
        formatTargets(targets),
      ].join('\n\n'),
);

function targetsOf(): readonly Target[] {
  return [
    ...wholeRuns.map(({ variant, ratio }) => target(`bare synced writes / run, ${variant}`, '>=', 0.5, ratio)),
    target('a turn beyond its program / node -e 0', '<=', 0.15, command.share),
    target(`the last 20 of ${long.turns} turns / the first 20`, '<=', 2, long.growth),
  ];
}

function formatWhole(all: readonly WholeMeasurement[]): string {
  const header = ['five-step run', 'synced writes', 'KB', 'run ms', 'bare writes ms', 'ratio'];
  const rows = all.map(({ variant, writes, bytes, runMs, bareMs, ratio }) => [
    variant,
    String(writes),
    ...[bytes / 1000, runMs, bareMs, ratio].map(formatNumber),
  ]);
  return formatTable(header, rows);
}

function formatCommand({ turns, turnMs, programMs, nodeMs, share }: CommandMeasurement): string {
  const header = [
    'agents that are programs',
    'turns',
    'turn ms',
    'program ms',
    'beyond it ms',
    'node -e 0 ms',
    'share',
  ];
  const numbers = [turnMs, programMs, turnMs - programMs, nodeMs, share];
  return formatTable(header, [['a step of one turn', String(turns), ...numbers.map(formatNumber)]]);
}

function formatLong({ turns, firstMs, lastMs, growth }: LongMeasurement): string {
  const header = ['long run', 'turns', 'first 20: ms', 'last 20: ms', 'growth'];
  return formatTable(header, [
    ['five steps that go round', String(turns), ...[firstMs, lastMs, growth].map(formatNumber)],
  ]);
}

function formatProfile(rows: readonly ProfileRow[]): string {
  const header = ['one run, no agent asks', 'calls', 'waited ms'];
  return formatTable(
    header,
    rows
      .filter(({ milliseconds }) => milliseconds >= 0.05)
      .map(({ part, calls, milliseconds }) => [part, formatNumber(calls), formatNumber(milliseconds)]),
  );
}

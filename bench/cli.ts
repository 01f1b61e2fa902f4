import { join } from 'node:path';
import { type CliMeasurement, measureCommands } from './cli/measure.js';
import { COMMANDS } from './cli/programs.js';
import { makeRepository } from './cli/repository.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, type Target, target } from './target.js';
import { diskFolder, makeWorkFolder } from './work-folder.js';

/** How many issues there are, each with a ledger, and how many times `node -e 0` a command may take then. */
const SIZES = [
  { issues: 10, limit: 2 },
  { issues: 10_000, limit: 3 },
];

const options = readOptions(process.argv.slice(2));
const folder = makeWorkFolder(diskFolder());
console.error(`Writing ${SIZES.map(({ issues }) => issues).join(' and ')} issues and ledgers`);
const repositories = SIZES.map(({ issues }) => makeRepository(join(folder, String(issues)), issues));
const measurements = await measureCommands(repositories, options.rounds * 4);
const targets = targetsOf(measurements);
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'cli', machine: describeMachine(), options, measurements, targets }, null, 2)
    : `${formatMeasurements(measurements)}\n\n${formatTargets(targets)}`,
);

function targetsOf(all: readonly CliMeasurement[]): Target[] {
  return SIZES.flatMap(({ issues, limit }) =>
    Object.keys(COMMANDS).map((command) => {
      const found = all.find((one) => one.issues === issues && one.command === command);
      return target(`agentx ${command}, ${issues} issues / node -e 0`, '<=', limit, found?.ratio ?? Number.NaN);
    }),
  );
}

function formatMeasurements(all: readonly CliMeasurement[]): string {
  const header = ['start to exit', 'issues', 'median ms', 'p90 ms', 'node -e 0 ms', 'ratio'];
  const rows = all.map(({ command, issues, milliseconds, p90, bare, ratio }) => [
    `agentx ${command}`,
    String(issues),
    ...[milliseconds, p90, bare, ratio].map(formatNumber),
  ]);
  return formatTable(header, rows);
}

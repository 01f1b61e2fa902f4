import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOKEN } from '../test/github/token.js';
import { type CliMeasurement, measureCommands } from './cli/measure.js';
import { makeRepository, onGitHub } from './cli/repository.js';
import type { ServerReport } from './github/work.js';
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
// GitHub is a process of its own: commands exchange changes with it beside their work, one of them now and then.
const server = fork(fileURLToPath(new URL('github-server.js', import.meta.url)));
const [report]: ServerReport[] = await once(server, 'message');
const env = { AGENTX_GITHUB_URL: report?.url ?? '', GITHUB_TOKEN: TOKEN };
repositories.push(
  ...SIZES.map(({ issues }) => onGitHub(makeRepository(join(folder, `${issues}-github`), issues), env)),
);
const measurements = await measureCommands(repositories, options.rounds * 4);
server.disconnect();
const targets = targetsOf(measurements);
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'cli', machine: describeMachine(), options, measurements, targets }, null, 2)
    : `${formatMeasurements(measurements)}\n\n${formatTargets(targets)}`,
);

function targetsOf(all: readonly CliMeasurement[]): Target[] {
  return SIZES.flatMap(({ issues, limit }) => {
    const rows = all.filter((one) => one.issues === issues);
    return rows.map((one) =>
      target(`${nameOf(one)}, ${issues} issues / node -e 0 [US-5.4/14]`, '<=', limit, one.ratio),
    );
  });
}

function nameOf({ command, isOnGitHub }: CliMeasurement): string {
  return `agentx ${command}${isOnGitHub ? ' on GitHub' : ''}`;
}

function formatMeasurements(all: readonly CliMeasurement[]): string {
  const header = ['start to exit', 'issues', 'median ms', 'p90 ms', 'node -e 0 ms', 'ratio'];
  const rows = all.map((one) => {
    const { issues, milliseconds, p90, bare, ratio } = one;
    return [nameOf(one), String(issues), ...[milliseconds, p90, bare, ratio].map(formatNumber)];
  });
  return formatTable(header, rows);
}

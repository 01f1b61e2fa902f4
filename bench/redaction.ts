import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { REDACTED, redact } from '../src/protocol/redact.js';
import { SECRETS_IN_TEXT, VENDOR_KEYS } from '../test/builders/secrets.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';
import { formatNumber, formatTable } from './table.js';
import { formatTargets, target } from './target.js';

/*
 * Ordinary code is what the packages of this repository consist of, without tests and manuals, which show credentials as
 * examples, and without the packages whose subject they are. Speed is by the time of the processor, because other
 * programs may be at work.
 */

const FOLDERS = ['node_modules', 'bench/node_modules', 'src', 'web/src'];
const CODE = /\.(?:[cm]?[jt]sx?|json|css|html|ya?ml|toml|sh|py|sql)$/;
const EXAMPLES = /(?:^|\/)(?:tests?|__tests__|fixtures|examples?|docs?|benchmarks?)\/|\.test\.[cm]?[jt]sx?$|\.bench\./;
const ABOUT_SECRETS = /langsmith\/dist\/anonymizer\/|\/protocol\/secret-patterns\.ts$/;

interface Alarm {
  readonly file: string;
  readonly around: string;
}

const options = readOptions(process.argv.slice(2));
const files = FOLDERS.flatMap(filesBelow);
const alarms: Alarm[] = [];
let characters = 0;
let seconds = 0;
for (let round = 0; round < (options.rounds > 2 ? 2 : 1); round++) {
  characters = 0;
  seconds = 0;
  alarms.length = 0;
  for (const file of files) examine(file);
}

const secrets = [...VENDOR_KEYS.map(([what, key]) => [what, key, `see ${key} there`] as const), ...SECRETS_IN_TEXT];
const missedSecrets = secrets.filter(([, secret, text]) => redact(text).includes(secret)).map(([what]) => what);
const megabytes = characters / 1e6;
const detectedShare = (secrets.length - missedSecrets.length) / secrets.length;
const figures = {
  files: files.length,
  megabytes,
  megabytesPerSecond: megabytes / seconds,
  alarms,
  secrets: secrets.length,
  missed: missedSecrets,
};
const targets = [
  target('false alarms in 4 MB of ordinary code [ME-9/10]', '<=', 1, alarms.length / (megabytes / 4)),
  target('MB/s of processor time [ME-9/10]', '>=', 10, figures.megabytesPerSecond),
  target('known secrets found', '=', 1, detectedShare),
];
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'redaction', machine: describeMachine(), options, figures, targets }, null, 2)
    : [report(), formatTargets(targets)].join('\n\n'),
);

function examine(file: string): void {
  const text = readFileSync(file, 'utf8');
  const began = process.cpuUsage();
  const cleanText = redact(text);
  const { user, system } = process.cpuUsage(began);
  seconds += (user + system) / 1e6;
  characters += text.length;
  const parts = cleanText.split(REDACTED);
  if (cleanText !== text)
    alarms.push(...parts.slice(0, -1).map((part) => ({ file, around: part.slice(-60).replace(/\s+/g, ' ') })));
}

function report(): string {
  const rows = [
    ['files', String(files.length)],
    ['MB', formatNumber(megabytes)],
    ['MB/s', formatNumber(figures.megabytesPerSecond)],
    ['alarms', String(alarms.length)],
    ['secrets tried', String(secrets.length)],
    ['secrets missed', missedSecrets.join(', ') || 'none'],
  ];
  const list = alarms.map(({ file, around }) => [file, around]);
  return [formatTable(['what', ''], rows), ...(list.length > 0 ? [formatTable(['alarm in', 'after'], list)] : [])].join(
    '\n\n',
  );
}

function filesBelow(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => CODE.test(file) && !EXAMPLES.test(file) && !ABOUT_SECRETS.test(file))
    .filter((file) => statSync(file).isFile() && statSync(file).size < 3e6);
}

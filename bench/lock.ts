import { makeCases } from './lock/cases.js';
import { type Measurement, measure } from './lock/measure.js';
import { formatReport } from './lock/report.js';
import { ratiosOf, targetsOf } from './lock/targets.js';
import { describeMachine } from './machine.js';
import { readOptions } from './options.js';

const options = readOptions(process.argv.slice(2));
const timing = { rounds: options.rounds, sliceMs: (options.seconds * 1000) / options.rounds };
const cases = makeCases();
const measurements: Measurement[] = [];
for (const [index, theCase] of cases.entries()) {
  console.error(`[${index + 1}/${cases.length}] ${theCase.name}`);
  measurements.push(...(await measure(theCase, timing)));
}
const ratios = ratiosOf(measurements);
const targets = targetsOf(measurements, ratios);
console.log(
  options.json
    ? JSON.stringify({ benchmark: 'lock', machine: describeMachine(), timing, measurements, ratios, targets }, null, 2)
    : formatReport(measurements, ratios, targets),
);

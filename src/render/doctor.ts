import type { Diagnosis, HeldLock, Problem, Reach, Repair } from '../protocol/diagnosis.js';
import { type Paint, UNPAINTED } from './conversation.js';
import { plainLine } from './plain-text.js';
import { labelled, type View } from './thread.js';

type Page = Pick<View, 'width' | 'paint'>;

/** The verdict first, then what was repaired, what is left to do, and which processes are at work. */
export function renderDiagnosis(diagnosis: Diagnosis, view: Partial<Page> = {}): string {
  const page = { paint: UNPAINTED, width: Number.POSITIVE_INFINITY, ...view };
  const { problems, repaired, warnings = [], locks, reach = [] } = diagnosis;
  return [
    answerOf(diagnosis, page.paint),
    ...repaired.map((repair) => renderRepair(repair, page)),
    ...problems.map((problem) => renderProblem(problem, page)),
    ...warnings.map((warning) => renderWarning(warning, page)),
    ...reach.map((one) => renderReach(one, page)),
    ...locks.map((lock) => renderLock(lock, page)),
  ].join('\n');
}

function answerOf({ examined, problems, repaired }: Diagnosis, paint: Paint): string {
  const repairedText = repaired.length > 0 ? `${repaired.length} repaired` : '';
  if (problems.length === 0)
    return paint.good(`${repairedText && `${repairedText}. `}All ${examined} files are in order.`);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return paint.alarming(repairedText === '' ? `${count}.` : `${repairedText}, ${count} left.`);
}

function renderRepair({ file, summary, movedTo }: Repair, { paint, width }: Page): string {
  // Not wrapped, so that the path can be copied.
  const original = movedTo === undefined ? [] : [paint.quiet(`  The original is ${plainLine(movedTo)}`)];
  return [`${paint.good('repaired')}  ${plainLine(file)}`, indented(summary, width), ...original].join('\n');
}

function renderProblem({ file, line, reason, todo }: Problem, { paint, width }: Page): string {
  const place = `${plainLine(file)}${line === undefined ? '' : `, line ${line}`}`;
  return [
    `${paint.alarming('problem')}   ${place}`,
    indented(sentence(plainLine(reason)), width),
    paint.quiet(indented(todo, width)),
  ].join('\n');
}

function renderWarning(warning: string, { paint, width }: Page): string {
  const label = 'warning';
  return paint.waiting(label) + labelled(`${label}   `, plainLine(warning), width).slice(label.length);
}

function renderReach({ agent, what, state, todo }: Reach, { paint, width }: Page): string {
  const label = { there: 'found', missing: 'missing', unused: 'unused' }[state].padEnd(10);
  const tone = { there: paint.good, missing: paint.alarming, unused: paint.quiet }[state];
  const text = [agent === undefined ? '' : `${agent}: `, what, todo === undefined ? '' : `. ${todo}`].join('');
  return tone(label) + labelled(label, plainLine(text), width).slice(label.length);
}

const DOING: readonly (readonly [string, string])[] = [
  ['notify.claim.json', 'people are told the news'],
  ['.claim.json', 'the run is carried on'],
];

function renderLock({ file, holder, pid, since, freeAt }: HeldLock, { paint, width }: Page): string {
  const whom = pid > 0 ? `${plainLine(holder)} (pid ${pid})` : plainLine(holder);
  const doing = DOING.find(([end]) => file.endsWith(end))?.[1] ?? 'it is being changed';
  const unseenHint = ` That process cannot be seen from here: if it is gone, the lock is free after ${freeAt}.`;
  const what = indented(`By ${whom} since ${since}: ${doing}.${freeAt === undefined ? '' : unseenHint}`, width);
  return paint.quiet(`locked    ${plainLine(file)}\n${what}`);
}

function indented(text: string, width: number): string {
  return labelled('  ', plainLine(text), width);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

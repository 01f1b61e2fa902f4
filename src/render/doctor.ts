import type { Diagnosis, HeldLock, Problem, Repair } from '../protocol/diagnosis.js';
import { type Paint, UNPAINTED } from './conversation.js';
import { plainLine } from './plain-text.js';

/** The answer first, then what was done, what is left to do, and who is at work. */
export function renderDiagnosis(diagnosis: Diagnosis, paint: Paint = UNPAINTED): string {
  const { problems, repaired, warnings = [], locks } = diagnosis;
  return [
    answerOf(diagnosis, paint),
    ...repaired.map((repair) => renderRepair(repair, paint)),
    ...problems.map((problem) => renderProblem(problem, paint)),
    ...warnings.map((warning) => `${paint.waiting('warning')}   ${plainLine(warning)}`),
    ...locks.map((lock) => renderLock(lock, paint)),
  ].join('\n');
}

function answerOf({ examined, problems, repaired }: Diagnosis, paint: Paint): string {
  const done = repaired.length > 0 ? `${repaired.length} repaired` : '';
  if (problems.length === 0) return paint.good(`${done && `${done}. `}All ${examined} files are well.`);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return paint.alarming(done === '' ? `${count}.` : `${done}, ${count} left.`);
}

function renderRepair({ file, summary, movedTo }: Repair, paint: Paint): string {
  const original = movedTo === undefined ? [] : [paint.quiet(`  The original is ${plainLine(movedTo)}`)];
  return [`${paint.good('repaired')}  ${plainLine(file)}`, `  ${plainLine(summary)}`, ...original].join('\n');
}

function renderProblem({ file, line, reason, todo }: Problem, paint: Paint): string {
  const place = `${plainLine(file)}${line === undefined ? '' : `, line ${line}`}`;
  return `${paint.alarming('problem')}   ${place}\n  ${sentence(plainLine(reason))}\n  ${paint.quiet(plainLine(todo))}`;
}

function renderLock({ file, holder, pid, since }: HeldLock, paint: Paint): string {
  const whom = pid > 0 ? `${plainLine(holder)} (pid ${pid})` : plainLine(holder);
  return paint.quiet(`locked    ${plainLine(file)}\n  By ${whom} since ${since}: it is being changed.`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

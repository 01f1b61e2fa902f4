import { renderDiagnosis } from '../../render/doctor.js';
import type { CommandLine } from '../command-line.js';

const PROBLEMS_LEFT = 1;

export async function doctor(line: CommandLine, { repair }: { readonly repair: boolean }): Promise<number | undefined> {
  const { out } = line;
  const diagnosis = await line.app({ anyStore: true }).doctor({ repair });
  out.json(diagnosis);
  out.print(renderDiagnosis(diagnosis, out.isTerminal ? out : { paint: out.paint }));
  return diagnosis.problems.length > 0 ? PROBLEMS_LEFT : undefined;
}

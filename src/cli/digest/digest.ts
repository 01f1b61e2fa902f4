import { relative } from 'node:path';
import { isQuiet } from '../../protocol/digest.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { renderDigest } from '../../render/digest.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

export async function digest(line: CommandLine, { week }: { readonly week?: string | undefined }): Promise<undefined> {
  const { out } = line;
  const { digest: counted, path, damaged } = await line.app().digest(week === undefined ? {} : { week });
  for (const error of damaged) out.warn(error);
  out.json(counted);
  const isOver = toEpochMs(counted.to) <= toEpochMs(line.app().clock.now());
  out.print(renderDigest(counted, { width: out.width, paint: out.paint, isOver }));
  out.note(`\n${relative(line.cwd, path)}`);
  notePageLink(line, { view: 'digest', id: counted.week });
  if (!isQuiet(counted)) return;
  const before = Object.values(counted.before.totals).some((count) => count > 0);
  out.note(
    before ? `The week before: agentx digest --week ${counted.before.week}` : 'Set agents to work: agentx ready',
  );
}

import { parseIssueNumber } from '../../protocol/ids.js';
import { STALE_ARCHIVE_AFTER_DAYS } from '../../protocol/observation-compaction.js';
import { countedObservations, renderCompaction } from '../../render/memory-stats.js';
import type { CommandLine } from '../command-line.js';
import { plainJson } from '../plain-json.js';

export async function remove(line: CommandLine, typedId: string): Promise<undefined> {
  const id = await line.app().findId('observation', typedId);
  const isRemoved = await (await line.app().memory()).remove(id);
  line.out.json({ id, removed: isRemoved });
  line.out.print(isRemoved ? `${id} is forgotten.` : `${id} was not there.`);
}

export async function compact(line: CommandLine, issue: string): Promise<undefined> {
  const result = await (await line.app().memory()).compact(parseIssueNumber(issue));
  const { moved, issueNumber } = result;
  line.out.json(result);
  line.out.print(renderCompaction(result));
  if (moved > 0) line.out.note(`To undo it: agentx memory restore ${issueNumber}`);
}

/** Merges the observations of issues to which nothing was added for long; everything else stays as it is. */
export async function compactStale(line: CommandLine): Promise<undefined> {
  const results = await (await line.app().memory()).compactStale();
  line.out.json({ compacted: results });
  for (const result of results) line.out.print(renderCompaction(result));
  if (results.length === 0)
    line.out.print(
      `There is nothing to merge in issues that were left alone for ${STALE_ARCHIVE_AFTER_DAYS} days. To compact one: agentx memory compact 42`,
    );
  else line.out.note('To undo it for one of them: agentx memory restore NUMBER');
}

export async function restore(line: CommandLine, issue: string): Promise<undefined> {
  const result = await (await line.app().memory()).restore(parseIssueNumber(issue));
  const { after, moved, issueNumber } = result;
  line.out.json(result);
  line.out.print(
    moved === 0
      ? `Issue #${issueNumber} has nothing in the archive.`
      : `Issue #${issueNumber}: ${countedObservations(moved)} came back, ${after} now.`,
  );
}

export async function rebuild(line: CommandLine): Promise<undefined> {
  const result = await (await line.app().memory()).rebuild();
  const { observations, issues, durationMs } = result;
  line.out.json(result);
  line.out.print(
    `Read ${countedObservations(observations)} of ${issues} issues again, in ${Math.round(durationMs)} ms.`,
  );
}

/** Always JSON: another program reads it. */
export async function exported(line: CommandLine): Promise<undefined> {
  const manifest = await (await line.app().memory()).export();
  line.out.json(manifest);
  line.out.print(plainJson(manifest, 2));
}

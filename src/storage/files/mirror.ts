import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as z from 'zod/mini';
import type { ChangedDocument, ChangedKind } from '../../ports/changes.js';
import type { ChangesSince, MirrorDocument, MirrorStore } from '../../ports/mirror.js';
import { Deliveries, GitHubMirror, GitHubSync, IssueDrafts } from '../../protocol/github.js';
import { allPlaces, lookAt } from './changes.js';
import { privateKind } from './document-kind.js';
import { makeInside, orElse, realFileSystem } from './file-system.js';
import { filesContext } from './files-context.js';
import { JsonFile } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';
import { acquireLock } from './lock.js';
import { checkedAt } from './mirror-age.js';
import { writeWhole } from './write-whole.js';

/** `state/github/`: what a mirror on GitHub must remember. */
export function openMirrorFiles({ root, agent = 'agentx' }: { readonly root: string; readonly agent?: string }) {
  const context = filesContext(root, { agent });
  const { layout } = context;
  const fileOf = <T>(name: string, schema: z.core.$ZodType<T>, what: string): MirrorDocument<T> =>
    new JsonFile<T>(context, privateKind(schema, what), join(layout.github, name));
  const issues = new JsonFolder<number, GitHubMirror>(context, {
    folder: layout.github,
    what: 'mirror',
    schema: GitHubMirror,
    ...issueFileNames,
  });
  const checkedFile = join(layout.github, 'checked');
  return {
    sync: fileOf('sync.json', GitHubSync, 'The state of the sync'),
    drafts: fileOf('drafts.json', IssueDrafts, 'The list of drafts'),
    deliveries: fileOf('deliveries.json', Deliveries, 'The list of deliveries'),
    issue: (issueNumber) => issues.file(issueNumber),
    claim: ({ waitMs, signal }) => {
      context.folders.prepare(layout.github);
      return acquireLock(join(layout.github, 'syncing'), { fs: context.fs, agent, waitMs, signal });
    },
    changes: async () => changesSince(layout),
    noteChecked: (at) => touch(layout, checkedFile, at),
    checkedAt: () => checkedAt(resolve(root)),
  } satisfies MirrorStore;
}

function touch({ root, github }: Layout, file: string, at: string): void {
  const time = new Date(at);
  makeInside(realFileSystem, root, github);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) writeFileSync(file, '', { mode: 0o600 });
  utimesSync(file, time, time);
}

type Prints = Readonly<Record<string, string>>;

/** Kinds of records that show on GitHub. */
const MIRRORED: readonly ChangedKind[] = ['clarifications', 'questions', 'assumptions', 'issues'];

/**
 * Compares size, times and inode of every record with the last look. A record that changed a moment ago is looked at
 * again the next time: see `isSettled`.
 */
function changesSince(layout: Layout): ChangesSince {
  const file = join(layout.github, 'prints.json');
  // Missing or damaged, it is made anew: then every record is looked at.
  const before = orElse<Prints>({}, () => JSON.parse(readFileSync(file, 'utf8')) ?? {});
  const prints: Record<string, string> = {};
  const changedDocuments: ChangedDocument[] = [];
  for (const place of allPlaces(layout).filter(({ kind }) => MIRRORED.includes(kind))) {
    const { kind } = place;
    for (const [id, { print, isSettled }] of lookAt(place)) {
      const key = `${kind} ${id}`;
      if (before[key] !== print) changedDocuments.push({ kind, id });
      if (isSettled) prints[key] = print;
    }
  }
  const isSame = changedDocuments.length === 0 && Object.keys(prints).length === Object.keys(before).length;
  const keep = async () => {
    if (isSame) return;
    makeInside(realFileSystem, layout.root, layout.github);
    writeWhole(realFileSystem, file, JSON.stringify(prints), 0o600);
  };
  return { changed: changedDocuments, keep };
}

/*
 * Examines every file of a store, and repairs what can be repaired without a person's decision. Settings and workflows
 * belong to the user and are not examined here. Nothing is changed unless a repair is wanted; then each change is made
 * under the lock that every writer takes. Only a small file is written and removed again, to see whether that works.
 */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Diagnosis, Problem, Repair } from '../../../protocol/diagnosis.js';
import { AgentXError, messageOf } from '../../../protocol/errors.js';
import { parseWith } from '../../../protocol/parse.js';
import { Disk } from '../disk.js';
import { type FileSystem, isThere, readIfThere, realFileSystem } from '../file-system.js';
import { filesContext } from '../files-context.js';
import { JsonFile } from '../json-file.js';
import { lockPath } from '../lock-names.js';
import { asStoreError, problemAndRemedy } from '../store-error.js';
import { documentAt, type ExaminedDocument, issueNumberIn } from './documents.js';
import { type Examination, type Findings, REPAIR } from './examination.js';
import { examineJournals } from './journals.js';
import { examineLocks } from './locks.js';
import { examinePrivacy } from './privacy.js';
import { damageOf, repairFile } from './repair.js';
import { type Entry, walk } from './walk.js';
import { examineWriting } from './writing.js';

export interface DoctorOptions {
  /** The `.agentx` folder. */
  readonly root: string;
  readonly repair: boolean;
  /** The present time; files that are moved aside carry it in their names. */
  readonly at: string;
  readonly agent?: string;
  readonly lockWaitMs?: number;
  readonly sync?: boolean;
  readonly fs?: FileSystem;
}

/** No file of ours is larger. */
const MAX_REPAIRED_BYTES = 64 * 1024 * 1024;
const LOOK_AGAIN_MS = 25;
const LOOKS = 40;

export async function examineFiles(options: DoctorOptions): Promise<Diagnosis> {
  try {
    return await examineAll(options);
  } catch (error) {
    throw asStoreError('examine', options.root, error);
  }
}

async function examineAll(options: DoctorOptions): Promise<Diagnosis> {
  const { at, repair, agent = 'doctor', lockWaitMs, sync = true, fs = realFileSystem } = options;
  const root = fs.realpathSync.native(options.root);
  const nameOf = (path: string): string => `${basename(root)}${path.slice(root.length)}`;
  const contents = walk(fs, root);
  const disk = new Disk(fs);
  const examination = { fs, disk, agent, lockWaitMs, sync, at, root, wantsRepair: repair, contents, nameOf };
  const documents = inOrder(contents.files);
  const { unsettled, ...aboutJournals } = examineJournals(examination);
  const context = { ...examination, unsettled };
  const findings = [aboutJournals, examineStrangers(context), examineWriting(context)];
  for (const { path, document } of documents) findings.push(await examineDocument(context, path, document));
  const { locks, ...aboutLocks } = await examineLocks(context);
  findings.push(aboutLocks, examinePrivacy({ ...context, contents: walk(fs, root) }));
  return {
    examined: documents.length + 1,
    problems: findings.flatMap(({ problems }) => problems),
    repaired: findings.flatMap(({ repaired }) => repaired),
    locks,
  };
}

/** The counter of issue numbers before the issues: it keeps the number of a lost issue. */
function inOrder(files: readonly Entry[]): readonly { readonly path: string; readonly document: ExaminedDocument }[] {
  const rank = ({ name }: Entry): number => (name.endsWith('issue-numbers.json') ? 0 : 1);
  return files
    .toSorted((left, right) => rank(left) - rank(right) || (left.name < right.name ? -1 : 1))
    .flatMap(({ path, name }) => {
      const document = documentAt(name);
      return document === undefined ? [] : [{ path, document }];
    });
}

/** Something else in the place of one of our files. */
function examineStrangers({ contents, nameOf }: Examination): Findings {
  const replace = 'Put a file in its place, or remove it.';
  const isOurs = ({ name }: Entry): boolean => documentAt(name) !== undefined;
  const closedEntries = contents.closed.map(({ path, reason }) => ({
    file: nameOf(path),
    reason: `${reason}: not looked into`,
    todo: replace,
  }));
  const deniedFolders = contents.denied.map(({ path, error }) => ({
    file: nameOf(path),
    ...problemAndRemedy('look into', path, error),
  }));
  const others = [...contents.others, ...contents.folders].filter(isOurs);
  return {
    problems: [
      ...deniedFolders,
      ...closedEntries,
      ...others.map(({ path }) => ({ file: nameOf(path), reason: 'it is no file', todo: replace })),
    ],
    repaired: [],
  };
}

async function examineDocument(context: Examination, path: string, document: ExaminedDocument): Promise<Findings> {
  const file = context.nameOf(path);
  try {
    const damage = await lookAt(context, path, document);
    if (damage === undefined) return NOTHING;
    if (!context.wantsRepair || damage.isTooLarge) return { problems: [problemOf(file, damage)], repaired: [] };
    const repair = await repairDocument(context, path, document);
    return { problems: [], repaired: repair === undefined ? [] : [repair] };
  } catch (error) {
    return { problems: [{ file, ...problemAndRemedy('read', path, error) }], repaired: [] };
  }
}

const NOTHING: Findings = { problems: [], repaired: [] };

interface Damage {
  readonly reason: string;
  readonly isTooLarge?: boolean;
}

/** A program that writes in place holds the lock meanwhile: a file that does not parse may be half written. */
async function lookAt({ fs }: Examination, path: string, document: ExaminedDocument): Promise<Damage | undefined> {
  for (let look = 1; ; look++) {
    const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_REPAIRED_BYTES) return { reason: `it has ${size} bytes`, isTooLarge: true };
    const bytes = readIfThere(fs, path);
    const error = bytes && damageOf(document, path, bytes);
    if (error === undefined) return undefined;
    if (look >= LOOKS || (look > 1 && !isThere(fs, lockPath(path)))) return { reason: reasonOf(error) };
    await sleep(LOOK_AGAIN_MS);
  }
}

function problemOf(file: string, { reason, isTooLarge = false }: Damage): Problem {
  return { file, reason, todo: isTooLarge ? 'Nothing of ours is that large: move it away.' : REPAIR };
}

async function repairDocument(
  context: Examination,
  path: string,
  document: ExaminedDocument,
): Promise<Repair | undefined> {
  const { contents, nameOf, at } = context;
  const numbers = [...contents.files, ...contents.folders].map(({ name }) => issueNumberIn(name));
  const repair = await repairFile(context, {
    path,
    document,
    evidence: { at, highestIssue: numbers.reduce((highest, number) => Math.max(highest, number), 0) },
    beforeLoss: () => keepNumber(context, document.issueNumber ?? 0),
  });
  if (repair === undefined) return undefined;
  const { summary, lost, movedTo } = repair;
  return { file: nameOf(path), summary, lost, ...(movedTo !== undefined && { movedTo: nameOf(movedTo) }) };
}

const IssueNumbers = z.looseObject({ last: z.number() });

/** The number of a lost issue is not given again. */
async function keepNumber(context: Examination, issueNumber: number): Promise<void> {
  if (issueNumber === 0) return;
  const kind = { parse: (value: unknown) => parseWith(IssueNumbers, value, 'The counter'), mode: 0o600, durable: true };
  const files = filesContext(context.root, context);
  await new JsonFile(files, kind, files.layout.issueNumbersFile).update((current) => {
    const isKept = current !== undefined && current.last >= issueNumber;
    return { next: isKept ? current : { ...current, last: issueNumber }, result: undefined };
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof AgentXError && typeof error.details.reason === 'string') return error.details.reason;
  return messageOf(error);
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClarificationLedger, nextClarificationId } from '../../src/protocol/clarification.js';
import { makeClarificationId } from '../../src/protocol/ids.js';
import { examineFiles } from '../../src/storage/files/doctor/doctor.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { aClarification } from '../builders/clarification.js';
import { anIssue } from '../builders/issue.js';
import { isLong } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startChild } from './support/children.js';
import { killAtEveryCall, type Reached } from './support/every-call.js';
import { litterIn } from './support/litter.js';
import { ledgerPath } from './support/paths.js';
import type { RepairerConfig, RepairerReport } from './support/repairer.js';

const clarifications = [1, 2, 3].map((sequence) => aClarification({ id: makeClarificationId(42, sequence) }));
const WHOLE = JSON.stringify({ issueNumber: 42, clarifications }, null, 2);
const LEDGER = WHOLE.slice(0, WHOLE.indexOf('CLR-42-003'));
const ISSUE = '{"number": 9';
const MAX_CALLS = 120;
const STRIDE = isLong ? 1 : 3;

describe('a repair that is killed between any two calls to the file system', () => {
  it.each(isLong ? (['before', 'after'] as const) : (['before'] as const))(
    'leaves the original or a replacement, and a second one ends it without giving an id again (%s) [X-12/5] [X-12/7]',
    async (when) => {
      const killed = await killAtEveryCall((at) => killOnce(at, when), { most: MAX_CALLS, stride: STRIDE });
      expect(killed).toBeGreaterThan(isLong ? 15 : 0);
    },
  );
});

async function killOnce(at: number, when: RepairerConfig['when']): Promise<Reached> {
  const root = temporaryFolder();
  const issue = join(root, 'issues/9.json');
  put(ledgerPath(root), LEDGER);
  put(issue, ISSUE);
  const child = startChild<RepairerReport>('repairer', { root, at, when } satisfies RepairerConfig);
  const { signal } = await child.ended;
  const where = `killed ${when} call ${at}: ${child.errors}`;

  const ledger = readFileSync(ledgerPath(root), 'utf8');
  if (ledger !== LEDGER) expect(ClarificationLedger.parse(JSON.parse(ledger)).clarifications, where).toHaveLength(2);
  expect([ledger, ...copies(ledgerPath(root))], where).toContain(LEDGER);
  if (!existsSync(issue)) expect(copies(issue), where).toEqual([ISSUE]);

  const { problems } = await examineFiles({ root, repair: true, at: new Date().toISOString() });
  expect(problems, where).toEqual([]);
  expect(copies(ledgerPath(root)), where).toEqual([LEDGER]);
  expect(copies(issue), where).toEqual([ISSUE]);
  await expect.poll(() => litterIn(root), { message: where }).toEqual([]);
  const store = openFileStore({ root });
  const repaired = await store.ledgers.read(42);
  expect(repaired.clarifications, where).toEqual(clarifications.slice(0, 2));
  expect(Number(nextClarificationId(repaired).slice('CLR-42-'.length)), where).toBeGreaterThan(3);
  expect((await store.issues.create(anIssue())).number, where).toBe(10);
  return signal === 'SIGKILL' ? 'killed' : 'the end';
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What was moved aside under a name. */
function copies(path: string): readonly string[] {
  return readdirSync(dirname(path))
    .filter((name) => join(dirname(path), name).startsWith(`${path}.corrupt-`))
    .map((name) => readFileSync(join(dirname(path), name), 'utf8'));
}

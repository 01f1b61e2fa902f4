import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/storage/files/store.js';
import { repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startChild } from './support/children.js';
import { kinds } from './support/kinds.js';
import { literalLanguages, startLiteral } from './support/literal.js';
import { litterIn } from './support/litter.js';
import { ledgerPath } from './support/paths.js';
import type { ReaderConfig, ReaderReport } from './support/reader.js';
import type { Acknowledged, UpdaterConfig } from './support/updater.js';

describe.each(literalLanguages)('a participant in %s that follows the contract literally', (language) => {
  it('takes turns with ours, nothing is lost and no reader sees half a ledger [US-1.2/8] [US-1.2/23]', async () => {
    const root = temporaryFolder();
    await kinds.clarification.add(openFileStore({ root }), 'first');
    const count = repetitions({ short: 25, long: 300 });
    const reader = startChild<ReaderReport>('reader', { root } satisfies ReaderConfig);
    await reader.untilReported(1);
    const ours = ['u1', 'u2'].map((name) =>
      startChild<Acknowledged>('updater', { root, kind: 'clarification', name, count } satisfies UpdaterConfig),
    );
    const literals = ['l1', 'l2'].map((name) =>
      startLiteral(language, { ledger: ledgerPath(root), issueNumber: 42, name, count, writeSeconds: 0.003 }),
    );
    const acknowledged = await Promise.all([...ours, ...literals].map((child) => child.untilDone()));
    reader.send('stop');
    const last = (await reader.untilDone()).at(-1);

    const present = await kinds.clarification.present(openFileStore({ root }));
    const expected = ['first', ...acknowledged.flatMap((own) => own.map((report) => report.acknowledged))];
    expect(present.toSorted()).toEqual(expected.toSorted());
    expect(present).toHaveLength(1 + 4 * count);
    expect(last?.refusals).toEqual([]);
    expect(last?.isShrinking).toBe(false);
    expect(last?.reads).toBeGreaterThan(count);
    await expect.poll(() => litterIn(root)).toEqual([]);
  });
});

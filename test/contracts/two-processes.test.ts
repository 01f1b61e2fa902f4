import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClaimOn } from '../../src/protocol/claim.js';
import { layoutOf } from '../../src/storage/files/layout.js';
import { lockPath } from '../../src/storage/files/lock-names.js';
import { startChild } from '../faults/support/children.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type ElsewhereConfig, type StoreName, stores } from './stores-of-two.js';
import { type Outcome, problemsOfTwo, type StoreElsewhere, type TwoProcesses } from './two-processes.js';

const opening = (store: StoreName) => async (): Promise<TwoProcesses> => {
  const root = join(temporaryFolder(), '.agentx');
  return {
    here: stores[store](root),
    start: () => startElsewhere({ store, root }),
    // Programs that know only the open format of locks may do so: they break an old one.
    outlast: async (on) => rmSync(lockPath(claimFile(root, on)), { force: true }),
  };
};

function claimFile(root: string, on: ClaimOn): string {
  const { runs, ledgers, questions, memory, state } = layoutOf(root);
  if ('run' in on) return join(runs, `issue-${on.run}.claim.json`);
  if ('route' in on) return join(ledgers, `${on.route}.route.json`);
  if ('deciding' in on) return join(ledgers, `${on.deciding}.deciding.json`);
  if ('notify' in on) return join(state, 'notify.claim.json');
  if ('archiving' in on) return join(memory, `issue-${on.archiving}.archiving.json`);
  return 'asking' in on
    ? join(questions, `issue-${on.asking}.asking.json`)
    : join(ledgers, `issue-${on.writing}.writing.json`);
}

async function startElsewhere(config: ElsewhereConfig): Promise<StoreElsewhere> {
  const child = startChild<Outcome>('store-elsewhere', config);
  await child.untilReported(1);
  return {
    async call(command) {
      const { length } = child.reports;
      child.send(JSON.stringify(command));
      await child.untilReported(length + 1);
      return child.reports[length] ?? { code: 'no answer' };
    },
    async stop() {
      child.kill('SIGSTOP');
      await child.untilStopped();
    },
    goOn: () => child.kill('SIGCONT'),
    async kill() {
      child.kill();
      await child.ended;
    },
  };
}

describe('a store that two processes use', () => {
  it('keeps its promises to both, when it is in files', async () => {
    expect(await problemsOfTwo(opening('files'))).toEqual([]);
  });

  it('is found out where its claims exclude only within one process', async () => {
    const problems = await problemsOfTwo(opening('files, with claims in memory'));
    for (const on of [{ run: 42 }, { route: 'CLR-42-001' }, { asking: 42 }]) {
      expect(problems).toContain(`${JSON.stringify(on)} is held by two processes at once`);
    }
    expect(problems).toContain('a wait in vain ends with undefined');
    expect(problems).toContain('a holder that was replaced writes all the same');
  });

  it('is found out where each process has its own', async () => {
    expect(await problemsOfTwo(opening('in memory'))).toEqual(
      expect.arrayContaining([
        '{"run":42} is held by two processes at once',
        'of 24 times, one number of an issue was given 12 times again',
        'of 24 times, one id of a clarification was given 12 times again',
        'what another process changed is not heard here',
      ]),
    );
  });
});

/* Has a store open and carries out its commands one by one. */
import type { Claim } from '../../../src/ports/store.js';
import { AgentXError } from '../../../src/protocol/errors.js';
import { aRun } from '../../builders/run.js';
import { type ElsewhereConfig, stores } from '../../contracts/stores-of-two.js';
import { askTimes, type Command, createIssues } from '../../contracts/two-processes.js';
import { configuration, onCommand, report } from '../support/in-child.js';

const config: ElsewhereConfig = JSON.parse(configuration());
const store = stores[config.store](config.root);
let claim: Claim | undefined;

onCommand((line) => void answer(JSON.parse(line)));
report({});

async function answer(command: Command): Promise<void> {
  try {
    report({ result: await carryOut(command) });
  } catch (error) {
    report(error instanceof AgentXError ? { code: error.code } : { code: String(error) });
  }
}

async function carryOut(command: Command): Promise<readonly string[]> {
  switch (command.do) {
    case 'claim': {
      const { on, waitMs } = command;
      claim = await store.claim(on, { waitMs });
      return [claim.token];
    }
    case 'release':
      await claim?.release();
      return [];
    case 'write': {
      const { workflow } = command;
      await store.runs.update(42, (run) => ({ next: aRun({ ...run, workflow }), result: undefined }), claim);
      return [];
    }
    case 'create issues':
      return createIssues(store, command.count);
    case 'ask':
      return askTimes(store, command.count);
  }
}

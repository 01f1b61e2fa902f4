/* Gives one command and kills itself at one call to the file system while it is carried out. */
import { AgentXError } from '../../../src/protocol/errors.js';
import { openFileStore } from '../../../src/storage/files/store.js';
import type { CommanderConfig } from '../support/commander.js';
import { COMMANDS, hubOn } from '../support/commands.js';
import { configuration, endWithParent, report } from '../support/in-child.js';
import { aroundEachChange } from '../support/strange-file-systems.js';

const { root, command, at, killAt }: CommanderConfig = JSON.parse(configuration());
endWithParent();

let calls = 0;
const fs = aroundEachChange((_, call) => {
  calls++;
  if (calls === killAt) process.kill(process.pid, 'SIGKILL');
  return call();
});

try {
  const { clarificationId, status } = await COMMANDS[command](await hubOn(openFileStore({ root, fs }), at));
  report({ acknowledged: { clarificationId, status } });
} catch (error) {
  if (!(error instanceof AgentXError)) throw error;
  report({ refused: error.code });
}
report({ calls });

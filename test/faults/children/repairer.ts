/* Repairs a folder and kills itself at one call to the file system while it does. */
import { examineFiles } from '../../../src/storage/files/doctor/doctor.js';
import { configuration, endWithParent, report } from '../support/in-child.js';
import type { RepairerConfig } from '../support/repairer.js';
import { aroundEachChange } from '../support/strange-file-systems.js';

const { root, at, when }: RepairerConfig = JSON.parse(configuration());
endWithParent();

let calls = 0;
const fs = aroundEachChange((_name, call) => {
  calls++;
  if (calls === at && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = call();
  if (calls === at && when === 'after') process.kill(process.pid, 'SIGKILL');
  return result;
});
const { repaired } = await examineFiles({ root, repair: true, at: new Date().toISOString(), fs });
report({ repaired: repaired.length });

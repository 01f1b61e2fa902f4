'use strict';
// The entry of every npm script. Plain old JavaScript without dependencies. It has to run on a fresh clone, where
// nothing is installed yet. It also has to run on a Node that is too old, to say so in one sentence.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  console.error('AgentX needs Node 20.19 or newer; this is Node ' + process.versions.node + '.');
  process.exit(2);
}
process.chdir(require('node:path').join(__dirname, '..'));
require('./install.cjs').ensureInstalled('.', { onlyToBuild: process.argv[2] === 'start' });
import('./tasks.mjs').then((tasks) => tasks.run(process.argv[2], process.argv.slice(3)));
